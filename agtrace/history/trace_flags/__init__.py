"""When trace flags were on, from start-up parameters and DBCC in the ERRORLOGs."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, View


def make(view: View) -> dict[str, pa.Table]:
    """Read what is known of every trace flag."""
    sql = Path(__file__).with_name("trace_flags.sql").read_text(encoding="utf-8")
    return {"trace_flags": view.table(sql)}


MAKER = Maker(("trace_flags",), make)
