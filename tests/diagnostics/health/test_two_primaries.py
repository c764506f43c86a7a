"""What is said of leases, of hosts that stood still, and of two primaries at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import groups, servers
from agtrace.diagnostics.health.rows import Offsets
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts
from tests.diagnostics.health.cases import (
    at,
    event,
    failover,
    findings,
    incident,
    iso,
    reason,
    state,
    still,
    told,
    watched,
)

LIMITS = Thresholds()


def test_a_lease_that_expires_because_the_machine_woke_up_late_belongs_to_the_failover_before_it():
    events = [event(420, "A", "lease_expired", ag="AG", text="19407")]
    rows = [failover(100, 108, trigger="standstill", cause="standstill")]
    made = replace(told(rows, events), incidents=(incident(80, 430),))
    assert findings(servers.leases, made) == []


def test_a_lease_that_had_run_out_before_it_was_noted_led_to_the_failover():
    events = [event(306, "A", "lease_expired", ag="AG", text="19407", value=206.0)]
    (found,) = findings(servers.leases, told([failover(101, 108)], events))
    assert found.severity == "info"
    assert_facts(found, route="from A to B", late=206.0)


def departs(seconds, host="A"):
    return reason(seconds, host, "replica_state", "PRIMARY_NORMAL to RESOLVING_NORMAL")


def test_a_lease_that_is_noted_as_the_old_primary_leaves_late_is_not_without_a_failover():
    events = [event(306, "A", "lease_expired", ag="AG", text="19407")]
    row = failover(100, 108, trigger="open", cause="open", reasons=[departs(306)])
    (found,) = findings(servers.leases, told([row], events))
    assert found.severity == "info"
    assert_facts(found, route="from A to B", led=False)


def test_a_lease_says_by_when_the_group_was_back_where_the_new_primary_was_not_captured():
    events = [event(306, "A", "lease_expired", ag="AG", text="19407", value=206.0)]
    row = failover(306, 310, reasons=[departs(306)])._replace(seconds_without_primary=None)
    (found,) = findings(servers.leases, told([row], events))
    assert_facts(found, back="2024-03-05T12:05:10+00:00", is_exact=False, led=True)


def test_a_lease_is_told_with_what_strained_its_host_before():
    events = [
        event(40, "A", "processors_busy", value=99.0, unit="%", text="processors 99 %"),
        event(60, "B", "processors_busy", value=97.0, unit="%"),
        event(100, "A", "lease_expired", ag="AG", text="19407"),
    ]
    (found,) = findings(servers.leases, told([failover(99, 108)], events))
    assert (found.id, found.subject) == ("health.lease", {"ag": "AG", "host": "A"})
    assert found.window == {"start": iso(100), "end": iso(100)}
    assert [e.value for e in found.evidence] == ["19407", 99.0]
    assert_facts(found, route="from A to B")


def test_a_paused_machine_is_told_with_what_its_clock_gained_and_who_kept_running():
    row = still("A", 100, 461.2, clock_gained_s=361.2, kept_running=["B"])
    (found,) = findings(servers.standstills, replace(told(), standstills=(row,)), LIMITS)
    assert (found.id, found.subject) == ("health.standstill", {"host": "A"})
    assert found.window == {"start": iso(100), "end": iso(461.2)}
    assert [(e.label, e.value) for e in found.evidence] == [
        ("stood still", 361.2), ("stood still, at most", 361.2),
        ("wall clock gained on the tick count", 361.2), ("kept running", "B"),
    ]  # fmt: skip
    assert_facts(found, kind="machine paused", high=None, busy_low=None)


REIGNS = [
    state(0, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
    state(100, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
    state(476, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
]


@pytest.fixture
def compared():
    return told(events=[row._replace(skew_ms=0.0) for row in REIGNS])


@pytest.mark.parametrize(("witness", "unknown"), [("A", 0.0), ("B", 376.124)])
def test_whether_a_silent_host_was_still_primary_is_unknown(compared, witness, unknown):
    entry = event(110, "A", "long_io", skew_ms=0.0)
    entry = entry._replace(witnesses=[entry.witnesses[0]._replace(host_id=witness)])
    last = REIGNS[2]._replace(time=at(476.1236), skew_ms=0.0)
    rows = [*compared.events[:2], entry, last]
    case = replace(compared, events=rows, coverage=watched(A=7200, B=7200))
    (found,) = findings(groups.two_primaries, case, Thresholds())
    assert_facts(found, unknown=unknown)
    assert found.evidence[0].value == 376.124


@pytest.mark.parametrize(("of", "n"), [("INST2", 1), ("INST1", 0)])
def test_another_instance_of_the_host_that_is_stopped_ends_no_primary(compared, of, n):
    stop = event(50, "A", "stop_requested", skew_ms=0.0)
    stop = stop._replace(witnesses=[stop.witnesses[0]._replace(content_id="log-other")])
    instances = {"log-A": "INST1", "log-other": of}
    rows = sorted([*compared.events, stop], key=lambda row: row.time)
    case = replace(compared, events=rows, coverage=watched(A=7200, B=7200), instances=instances)
    assert len(findings(groups.two_primaries, case, Thresholds())) == n


OFFSETS = tuple(Offsets("A", minutes, at(0)) for minutes in (330, 270))


@pytest.mark.parametrize(("offsets", "left", "n"), [(OFFSETS, 3700, 0), (OFFSETS, 3000, 1), ((), 3700, 1)])
def test_an_overlap_of_an_hour_where_clocks_were_set_is_no_second_primary(offsets, left, n):
    events = [
        state(0, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        state(105, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        state(left, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
    ]
    made = told(events=events, last=7200, offsets=offsets)
    assert len(findings(groups.two_primaries, made, LIMITS)) == n
