"""What became of each seeding: events in text, the findings beside them."""

from __future__ import annotations

from datetime import UTC

import pytest

from agtrace.diagnostics.seeding.analysis import Seeding
from tests.behind import assert_facts
from tests.diagnostics.seeding.cases import copy, request
from tests.diagnostics.tiny import START, case

WAY = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 0.2 SENDING_FILE_LIST, 1 SEEDING, 101 CATCHUP, 110 COMPLETED"


WAITING = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 0.2 SENDING_FILE_LIST, 1 LIMIT_CONCURRENT_BACKUPS"


SLOT = WAY.replace("1 SEEDING", "0.3 LIMIT_CONCURRENT_BACKUPS, {} SEEDING", 1)


@pytest.mark.parametrize(
    ("seconds", "ids"),
    [
        (5, {"seeding.completed"}),
        (60, {"seeding.completed", "seeding.waiting_for_slot"}),
        (1000, {"seeding.completed", "seeding.stalled"}),
    ],
)
def test_a_slot_wait_by_its_length_with_nothing_beside_it(seconds, ids):
    states = SLOT.format(seconds).replace("101 ", f"{seconds + 100} ")
    states = states.replace("110 ", f"{seconds + 109} ")
    events = request("A", "source", states, success=True)
    events += copy("A", "source", seconds, seconds + 100, remote="B")
    found = Seeding(case(events=events)).findings()
    assert {f.id for f in found} == ids
    assert all(f.severity == "warning" for f in found if f.id == "seeding.stalled")


def failing(times: int, text: str = "121 Seeding Check Message Timeout", every: int = 300) -> str:
    events = ""
    for n in range(times):
        begin = n * every
        states = f"{begin} PENDING, {begin + 1} CHECK_IF_SEEDING_NEEDED, {begin + 30} FAILED"
        events += request("A", "source", states, operation=f"op{n}", failure=text)
    return events


@pytest.mark.complete
def test_a_weekend_of_failures_is_one_finding():
    made = case(events=failing(300))
    (finding,) = Seeding(made).findings()
    assert finding.severity == "critical"
    assert finding.window == {"start": "2024-03-05T12:00:00Z", "end": "2024-03-06T12:55:30Z"}
    assert_facts(
        finding, n=300, reasons=1, first="2024-03-05T12:00:00+00:00", last="2024-03-06T12:55:30+00:00"
    )
    assert (finding.evidence[0].label, finding.evidence[0].value) == ("failed in this way", 300)


def test_counters_that_go_on_do_not_make_a_stall():
    made = case(r"A | \Processor(_Total)\% Processor Time | 5", events=request("A", "source", WAITING))
    made.run(
        "update captures set last_time = $t where kind = 'pdh'", {"t": START.replace(hour=20, tzinfo=UTC)}
    )
    assert [f.id for f in Seeding(made).findings()] == ["quality.not_captured"]
