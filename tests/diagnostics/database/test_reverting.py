"""database.reverting: what is left to undo, and how long it will take at the rate seen, with its error."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.database import Databases
from tests.behind import assert_facts
from tests.diagnostics.tiny import case

LEFT = r"SQL2 | \SQLServer:Database Replica(Sales)\Log remaining for undo | "
TOTAL = r"SQL2 | \SQLServer:Database Replica(Sales)\Total Log requiring undo | 4000"


def found(values, total=TOTAL, **given):
    return Databases(case(perfmon="\n".join([LEFT + values, total]), **given)).findings()


def numbers(finding):
    return {each.label: each.value for each in finding.evidence}


def test_what_does_not_shrink_tells_no_time():
    assert "time left" not in numbers(found("4000")[0])


def test_a_look_alone_tells_that_it_reverts_and_not_how_long():
    look = (
        "SQL2 | 60 | database_states | ag=AG; database=Sales; replica=SQL2; synchronization_state=REVERTING"
    )
    (one,) = Databases(case(relations=look)).findings()
    assert_facts(one, database="Sales", host="SQL2", looks=1, first="2024-03-05T12:01:00+00:00")


def traced(*shares, text="Reverting database [Sales]: {share}% complete", every=300):
    return "\n".join(
        f"SQL2 | {every * n} | hadr_trace_message | hadr_message={text.format(share=share)}"
        for n, share in enumerate(shares)
    )


def of_trace(events, **more):
    return Databases(case(events=events, **more)).findings()


def test_a_trace_of_its_progress_tells_the_time_left():
    (one,) = of_trace(traced(10, 20, 30.5))
    shown = numbers(one)
    assert (one.subject, one.severity) == ({"database": "Sales", "replica": "SQL2"}, "warning")
    assert shown["reverted so far"] == 30.5
    assert shown["time left"] == pytest.approx(69.5 / (20.5 / 600))
    assert shown["time left, at least"] < shown["time left"] < shown["time left, at most"]
    assert_facts(one, database="Sales", host="SQL2", percent=30.5, samples=3)


@pytest.mark.parametrize("shares", [(10, 20), (10, 10, 10), (30, 20, 10)])
def test_a_share_that_does_not_rise_or_was_told_twice_tells_no_time(shares):
    (one,) = of_trace(traced(*shares))
    assert "time left" not in numbers(one)


def test_other_trace_messages_and_those_without_a_name_tell_nothing():
    assert of_trace(traced(1, text="[HADR] [Secondary] seeding of [Sales] begin")) == []
    assert of_trace(traced(1, text="reverting 10%")) == []
