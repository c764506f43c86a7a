"""Which databases could not be written, redone or recovered: full logs, failed redo, failed recovery."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)

APART_S = 900
"""Entries of one fault repeat; after this long without one, the next is a new fault."""
CAUSED_S = 60
"""An entry of the same session this shortly before a failed recovery is its cause."""


def make(view: View) -> dict[str, pa.Table]:
    """Return every fault with its first and last entry."""
    return {"database_faults": view.table(_sql("faults.sql"), {"apart_s": APART_S, "caused_s": CAUSED_S})}


MAKER = Maker(("database_faults",), make, Sources(topics=("database_fault",)), is_by_host=True)
