"""Databases of a server when it was looked at."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know


def make(view: View) -> dict[str, pa.Table]:
    """Give the databases that a look at a server lists."""
    know(view)
    sql = Path(__file__).with_name("databases.sql").read_text(encoding="utf-8")
    return {"databases": view.table(sql)}


MAKER = Maker(("databases",), make, Sources(tables=("rowset_heads",)))
