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


def test_the_time_left_is_what_is_left_by_the_rate_at_which_it_shrinks():
    (one,) = found("4000..2000")
    shown = numbers(one)
    assert one.subject == {"database": "Sales", "replica": "SQL2"}
    assert (one.severity, shown["log remaining for undo"]) == ("warning", 2000 * 1024)
    assert shown["time left"] == pytest.approx(shown["log remaining for undo"] / shown["reverted"])
    assert shown["time left, at least"] <= shown["time left"] <= shown["time left, at most"]


def test_a_rate_that_wavers_leaves_a_wider_bound():
    steady, wavering = (numbers(found(values)[0]) for values in ("4000..2000", "4000..2000~20"))
    width = [each["time left, at most"] - each["time left, at least"] for each in (steady, wavering)]
    assert width[1] > 10 * width[0]


def test_few_samples_tell_no_time():
    (one,) = found("10x4000..3000, -")
    assert "time left" not in numbers(one)
    assert_facts(one, database="Sales", host="SQL2", remaining=3072000.0)


def test_what_does_not_shrink_tells_no_time():
    assert "time left" not in numbers(found("4000")[0])


def test_a_revert_that_was_done_needs_no_action():
    (one,) = found("30x4000..100, 0")
    assert one.severity == "notice"


def test_a_look_alone_tells_that_it_reverts_and_not_how_long():
    look = (
        "SQL2 | 60 | database_states | ag=AG; database=Sales; replica=SQL2; synchronization_state=REVERTING"
    )
    (one,) = Databases(case(relations=look)).findings()
    assert_facts(one, database="Sales", host="SQL2", looks=1, first="2024-03-05T12:01:00+00:00")


def test_a_database_with_nothing_to_undo_is_not_spoken_of():
    assert found("0") == []


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


def test_a_trace_that_says_that_it_is_done_needs_no_action():
    for events in (traced(50, 100), traced("", text="[HADR] Reverting of [Sales] finished")):
        (one,) = of_trace(events)
        assert one.severity == "notice"


def test_the_name_of_a_known_database_is_taken_out_of_the_brackets():
    look = (
        "SQL2 | 60 | database_states | ag=AG; database=Sales; replica=SQL2; synchronization_state=REVERTING"
    )
    (one,) = of_trace(traced(1, text="[HADR] [Secondary] reverting [Sales] begin"), relations=look)
    assert one.subject["database"] == "Sales"
    assert one.confidence == 0.8


def test_other_trace_messages_and_those_without_a_name_tell_nothing():
    assert of_trace(traced(1, text="[HADR] [Secondary] seeding of [Sales] begin")) == []
    assert of_trace(traced(1, text="reverting 10%")) == []


def test_counters_of_the_same_revert_count_before_its_trace():
    (one,) = Databases(case(perfmon=f"{LEFT}4000..2000", events=traced(10, 20, 30))).findings()
    assert one.confidence == 0.9


def test_half_an_hour_without_a_word_begins_another_revert():
    assert len(of_trace("\n".join([traced(10, 20), traced(10, every=1).replace("| 0 |", "| 2101 |")]))) == 2
    assert len(of_trace("\n".join([traced(10, 20), traced(30, every=1).replace("| 0 |", "| 2099 |")]))) == 1
