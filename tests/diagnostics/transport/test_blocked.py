"""transport.redo_blocked names who blocks redo where a look at the replica showed it."""

from __future__ import annotations

import pytest

from tests.behind import assert_facts, behind
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import one, perfmon

BLOCKED = {"recovery": "0..351562", "redone": "400000", "blocked": "3"}
LOOK = (
    "{host} | {at} | blocked_redo | redo_session_id=31; wait_type=LCK_M_SCH_M; wait_ms={ms}; "
    "session_id={session}; client=REPORTS1; program=Report server; statement=SELECT * FROM dbo.Orders"
)
UNCOUNTED = {name: values for name, values in BLOCKED.items() if name != "blocked"}


def look(host="S", at=300, ms=45_000, session=88):
    return LOOK.format(host=host, at=at, ms=ms, session=session)


def finding(*looks):
    return one(case(perfmon(BLOCKED), relations="\n".join(looks)), "redo_blocked")


def test_the_session_that_was_waited_for_longest_is_named():
    found = finding(look(session=71, ms=20_000), look())
    assert_facts(found, averaged=None, gate=None, replica="S")
    assert [(each.label, each.value) for each in found.evidence][-2:] == [
        ("blocked by", "session 88, Report server, REPORTS1"),
        ("its statement", "SELECT * FROM dbo.Orders"),
    ]


@pytest.mark.complete
def test_looks_at_another_time_or_server_name_nobody():
    for other in (look(at=-60), look(at=601), look(host="P")):
        found = finding(other)
        assert_facts(found, replica="S", averaged=None, gate=None)


@pytest.mark.parametrize(
    ("look_", "kind"),
    [(look(ms=45_000), "redo_blocked"), (look(ms=9_999), "redo_limited"), (look(host="P"), "redo_limited"),
     (look(at=-60), "redo_limited"), (look() + "; database=Stock", "redo_limited")],
    ids=["for long", "for less than ten seconds", "another server", "another time", "another database"],
)  # fmt: skip
def test_without_the_counter_a_look_at_the_lock_tells_that_redo_is_blocked(look_, kind):
    found = one(case(perfmon(UNCOUNTED), relations=look_), kind)
    assert (behind(found)["blocker"] is not None) == (kind == "redo_blocked")
