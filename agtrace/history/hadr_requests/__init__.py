"""Requests and tasks that waited for a replica, for redo or for its log when a server was looked at."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know


def make(view: View) -> dict[str, pa.Table]:
    """Give each of them at each look that saw it."""
    know(view)
    sql = Path(__file__).with_name("hadr_requests.sql").read_text(encoding="utf-8")
    return {"hadr_requests": view.table(sql)}


MAKER = Maker(("hadr_requests",), make, Sources(tables=("rowset_heads",)))
