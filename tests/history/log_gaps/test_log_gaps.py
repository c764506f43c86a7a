"""Parts of ERRORLOGs that collectors left out."""

from __future__ import annotations

from agtrace.history.log_gaps import log_gaps
from tests.diagnostics.tiny import case

GAP = """
A | errorlog_gap | 0 | from | x | 10
A | errorlog_gap | 0 | to   | x | 20
"""
SHOWN = 'select host_id, epoch("end") - epoch(start) as s, is_filled from log_gaps'
WHOLE = """insert into captures by name
    select 'whole' as capture_id, 'whole' as content_id, 'A' as host_id, 'errorlog' as reader,
           timestamp '2024-03-05 11:00:00' as first_local, timestamp '2024-03-05 13:00:00' as last_local"""


def test_a_gap_has_the_entries_on_both_sides_of_it():
    made = case(facts=GAP)
    assert made.rows(SHOWN) == [{"host_id": "A", "s": 10.0, "is_filled": False}]
    assert [row["to_s"] - row["from_s"] for row in log_gaps(made)] == [10.0]


def test_another_copy_with_these_entries_fills_a_gap():
    made = case(facts=GAP)
    made.run(WHOLE)
    assert [row["is_filled"] for row in made.rows(SHOWN)] == [True]
    assert log_gaps(made) == []


def test_a_case_of_whole_logs_has_no_gaps():
    made = case()
    assert made.rows(SHOWN) == log_gaps(made) == []
