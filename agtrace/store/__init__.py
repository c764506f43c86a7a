"""The Parquet store of a case: layout, atomic writer, records, DuckDB views."""

from agtrace.store.layout import Store
from agtrace.store.place import open_store, set_aside, store_at
from agtrace.store.records import CommitRecord, Fact, FoundCapture, Summary
from agtrace.store.view import CaseView

__all__ = [
    "CaseView",
    "CommitRecord",
    "Fact",
    "FoundCapture",
    "Store",
    "Summary",
    "open_store",
    "set_aside",
    "store_at",
]
