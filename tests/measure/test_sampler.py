"""The one reader of what perfmon sampled."""

from __future__ import annotations

from agtrace.measure.sampler import with_log_steps, with_sampled
from tests.diagnostics.tiny import case

PERFMON = r"""
A | \Memory\Available Bytes       | 7, -, 9
A | \Processor(_Total)\Interrupts | 1, 2, 3
B | \Memory\Available Bytes       | 5, 6, 4
"""


def test_samples_have_the_columns_of_the_series_that_were_listed():
    made = case(PERFMON, rows=3)
    with_sampled(made)
    rows = made.rows(
        "with wanted as (select counter_id, host_id, 3 as grp from counters where object = 'Memory') "
        "select host_id, grp, tick, value from scratch.sampled('wanted') order by host_id, tick"
    )
    assert [tuple(row.values()) for row in rows] == [
        ("A", 3, 0, 7.0), ("A", 3, 2, 9.0), ("B", 3, 0, 5.0), ("B", 3, 1, 6.0), ("B", 3, 2, 4.0),
    ]  # fmt: skip


def test_the_interval_of_each_log_is_measured_once():
    made = case(PERFMON, rows=3)
    with_log_steps(made)
    assert made.rows("select distinct step_us, rows from scratch.log_steps") == [{"step_us": 5e6, "rows": 3}]
