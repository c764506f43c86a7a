"""What is said of clocks that are off, of what holds a stream or its redo back, and of what stays open."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.transport.apart import of_apart
from agtrace.diagnostics.transport.summary import SAID
from agtrace.history.streams.meeting import LEAST_CELLS, Apart, Shift
from tests.behind import assert_facts
from tests.diagnostics.transport.made_shown import ALL, LIMITS, link, primary, secondary


def skewed(seconds: float, overlap: int = LEAST_CELLS) -> Any:
    met = Apart(primary(), ALL, overlap, Shift(seconds, 0.98765, 99, 5.0))
    return SAID.finding(of_apart([link(None, secondary(), apart=met)], LIMITS)[0])


def test_two_clocks_that_are_apart_are_told_with_what_to_check():
    found = skewed(1000.0)
    assert_facts(found, ahead="P", behind="S", by=1000.0, primary="P", n=99, replica="S", fit=0.99)


def test_a_shift_may_be_one_of_a_zone_or_of_another_run():
    of_zone, of_run = skewed(-3600.0), skewed(1000.0, 0)
    assert_facts(of_zone, ahead="S", behind="P", by=3600.0, is_zone=True)
    assert_facts(of_run, is_apart=True)


def test_what_stays_open_is_a_list():
    assert SAID.page("missing", {"open": []}) == ""
