"""The Parquet store of a case: layout, atomic writer, records, DuckDB views."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

# Markers and seals need neither DuckDB nor Arrow.
_HOME = {
    "CaseView": "view",
    "Store": "layout",
    **dict.fromkeys(("open_store", "set_aside", "store_at"), "place"),
    **dict.fromkeys(("CommitRecord", "Fact", "FoundCapture", "Summary"), "records"),
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
