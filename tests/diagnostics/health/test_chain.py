"""The chain of an incident: its cause, its trigger, the failover, what came back, in order of time."""

from __future__ import annotations

from dataclasses import replace

from agtrace.diagnostics.health import failed_over, groups, story, summary
from agtrace.diagnostics.health.analysis import SAID
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, reason, recovery, state, still, told, watched

LIMITS = Thresholds()
LEFT, IN_PLACE = reason(100, "A", "replica_state", "gone"), reason(108, "B", "replica_state", "in place")
BACK = event(109, "B", "database_role", database="Sales", before="RESOLVING", after="PRIMARY")
LEASE = reason(99, "A", "lease_lost", "lease")


def chain(row, *events, lost=False, **more):
    """Return role, number, time since the link before, host and seconds of each link."""
    made = replace(told([row] if row else [], list(events)), **more)
    judged = groups.no_primary(made, LIMITS) if lost else failed_over.failovers(made, LIMITS)
    found = summary.incidents(story.stories(made, judged), None, SAID).told[0].chain
    start = at(0).strftime("%Y-%m-%dT%H:")
    assert all(each.line.time.startswith(start) and len(each.line.time) == 27 for each in found)
    return [(each.role, each.number, each.after, each.line.host, each.line.time[14:22]) for each in found]


def test_a_shortage_is_the_cause_and_the_lease_the_trigger():
    busy = [event(50, "A", "processors_busy", value=97.0, sql_percent=20.0)]
    reasons = [reason(50, "A", "processors_busy", "x"), LEASE, LEFT, IN_PLACE]
    row = failover(100, 108, cause="cpu_starvation", reasons=reasons)
    assert chain(row, *busy, BACK) == [
        ("Cause", "97 % busy", "", "A", "00:50.00"),
        ("Trigger", "", "49 s", "A", "01:39.00"),
        ("Primary lost", "", "1 s", "A", "01:40.00"),
        ("New primary", "8 s without one", "8 s", "B", "01:48.00"),
        ("Available again", "", "1 s", "B", "01:49.00"),
    ]


def test_one_thing_that_is_cause_and_trigger_is_one_link():
    row = failover(100, 108, reasons=[LEASE, LEFT, IN_PLACE])
    assert [each[0] for each in chain(row, BACK)] == [
        "Cause",
        "Primary lost",
        "New primary",
        "Available again",
    ]


def test_a_cause_below_the_limit_is_likely():
    row = failover(100, 108, confidence=0.5, reasons=[LEASE, IN_PLACE])
    assert chain(row)[0][0] == "Likely cause"


def test_an_unknown_cause_is_a_link_of_its_own_and_what_came_first_the_next():
    row = failover(100, 108, cause="open", trigger="open", reasons=[LEASE, LEFT, IN_PLACE])
    assert [each[0] for each in chain(row)] == ["Cause unknown", "First sign", "Primary lost", "New primary"]
    known = failover(100, 108, cause="open", trigger="lease_expired", reasons=[LEASE, LEFT, IN_PLACE])
    assert [each[0] for each in chain(known)][:2] == ["Cause unknown", "Trigger"]


def test_an_entry_that_is_not_of_the_trigger_is_the_first_sign():
    lost = reason(99, "B", "database_disconnected", "x")
    row = failover(100, 108, cause="standstill", reasons=[lost, LEFT, IN_PLACE])
    found = chain(row, standstills=(still("A", 60, 101),))
    assert [each[0] for each in found] == ["Cause", "First sign", "Primary lost", "New primary"]


def test_links_are_in_order_of_time():
    late = reason(115, "A", "replica_state", "late")
    row = failover(100, 108, reasons=[LEASE, IN_PLACE, late])
    assert [each[0] for each in chain(row, BACK, recovered=(recovery(105, 130),))] == [
        "Cause", "New primary", "Two primaries", "Available again",
    ]  # fmt: skip


def test_a_loss_that_is_written_with_its_trigger_is_left_out_of_a_longer_chain():
    lease = reason(99.96, "A", "lease_lost", "lease")
    row = failover(100, 108, reasons=[lease, LEFT, IN_PLACE])
    assert [each[0] for each in chain(row, BACK)] == ["Cause", "New primary", "Available again"]
    assert [each[0] for each in chain(row)] == ["Cause", "Primary lost", "New primary"]


def test_a_cause_that_no_entry_shows_is_at_the_loss_of_the_primary():
    row = failover(100, 108, cause="node_down", trigger="node_down", reasons=[IN_PLACE])
    assert chain(row)[0] == ("Cause", "", "", "A", "01:40.00")


def test_a_standstill_shows_how_long_it_was():
    row = failover(100, 108, cause="standstill", reasons=[LEASE, LEFT, IN_PLACE])
    found = chain(row, standstills=(still("A", 60, 101),))
    assert found[0] == ("Cause", "41 s", "", "A", "01:00.00")


def test_databases_that_recover_later_are_when_clients_could_work_again():
    row = failover(100, 108, reasons=[LEASE, LEFT, IN_PLACE])
    assert chain(row, BACK, recovered=(recovery(105, 130),))[-1] == (
        "Available again", "30 s without service", "22 s", "B", "02:10.00",
    )  # fmt: skip


def test_an_outage_without_a_failover_shows_its_moments():
    lost = state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")
    found = chain(None, lost, lost=True, coverage=watched(A=7200))
    assert found == [("Primary lost", "", "", "A", "01:40.00")]
