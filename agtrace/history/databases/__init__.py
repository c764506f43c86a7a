"""Databases of a server when it was looked at."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, View
from agtrace.history.rowsets import are_there, know
from agtrace.tables.history import RELATIONS
from agtrace.tables.rows import no_rows


def make(view: View) -> dict[str, pa.Table]:
    """Give the databases that a look at a server lists."""
    if not are_there(view):
        return {"databases": no_rows(RELATIONS["databases"])}
    know(view)
    sql = Path(__file__).with_name("databases.sql").read_text(encoding="utf-8")
    return {"databases": view.table(sql)}


MAKER = Maker(("databases",), make)
