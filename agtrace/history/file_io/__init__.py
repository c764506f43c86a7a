"""What reading and writing each file took over time, from the cumulative figures of a script."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.rowsets import know


def make(view: View) -> dict[str, pa.Table]:
    """Give the input and output of each interval between two looks of one file."""
    know(view)
    sql = Path(__file__).with_name("file_io.sql").read_text(encoding="utf-8")
    return {"file_io": view.table(sql)}


MAKER = Maker(("file_io",), make, Sources(tables=("rowset_heads",)))
