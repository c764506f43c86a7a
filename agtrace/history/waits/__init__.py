"""What was waited for over time, from the cumulative figures that a script writes every minute."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know


def make(view: View) -> dict[str, pa.Table]:
    """Give the waits of each interval between two looks of one file."""
    know(view)
    sql = Path(__file__).with_name("waits.sql").read_text(encoding="utf-8")
    return {"waits": view.table(sql)}


MAKER = Maker(("waits",), make, Sources(tables=("rowset_heads",)))
