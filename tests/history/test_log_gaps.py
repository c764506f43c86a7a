"""What collectors left out of ERRORLOGs, as a table for the scripts that look at it."""

from __future__ import annotations

from agtrace.history.log_gaps import with_log_gaps
from tests.diagnostics import tiny

GAP = """
A | errorlog_gap | 0 | from | x | 10
A | errorlog_gap | 0 | to   | x | 20
"""


def columns(case):
    with_log_gaps(case)
    described = case.rows("describe scratch.log_gaps")
    return [(row["column_name"], row["column_type"]) for row in described]


def test_the_table_has_the_same_columns_where_nothing_was_left_out():
    gap, none = tiny.case(facts=GAP), tiny.case()
    assert columns(none) == columns(gap)
    assert [len(case.rows("from scratch.log_gaps")) for case in (gap, none)] == [1, 0]
