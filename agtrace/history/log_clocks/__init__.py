"""Gaps of perfmon logs, clocks that were set back, and logs whose offset from UTC is not known."""

from __future__ import annotations

import pyarrow as pa

from agtrace import thresholds
from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return the gaps of perfmon logs, the steps back in time, and the logs without a known offset."""
    factor = thresholds.of(view).gap_steps
    return {
        "perfmon_gaps": view.table(_sql("perfmon_gaps.sql"), {"factor": factor}),
        "clock_steps": view.table(_sql("clock_steps.sql")),
        "unknown_offsets": view.table(_sql("unknown_offsets.sql")),
    }


MAKER = Maker(
    ("perfmon_gaps", "clock_steps", "unknown_offsets"),
    make,
    Sources(tables=("ticks", "errorlog")),
    is_view=True,
    is_by_host=True,
)
