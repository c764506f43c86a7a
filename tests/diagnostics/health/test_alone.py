"""Events that no failover or outage includes are findings of their own."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import alone, suspended, versions
from agtrace.diagnostics.health.rows import Versions
from agtrace.tables.timeline_kinds import KINDS
from tests.diagnostics.health.cases import event, failover, findings, reason, told


def test_every_kind_of_the_timeline_is_reported_or_context_with_a_reason():
    reported = {kind for family in alone.FAMILIES for kind in family.kinds}
    assert set(KINDS) - reported - set(alone.ELSEWHERE) - set(alone.CONTEXT) == set()
    assert reported & (set(alone.ELSEWHERE) | set(alone.CONTEXT)) == set()
    assert all(alone.CONTEXT.values())


KINDS_ALONE = {kind for family in alone.FAMILIES for kind in family.kinds} - {"hardened_nothing"}


@pytest.mark.parametrize("kind", sorted(KINDS_ALONE))
def test_a_lone_event_is_one_finding_that_cites_it(kind):
    (found,) = findings(alone.alone, told(events=[event(0, "A", kind, ag="AG", text=f"the words of {kind}")]))
    assert found.subject["host"] == "A"
    assert f"the words of {kind}" in found.narrative
    assert found.recommendation
    assert len(found.title) <= 110


def test_what_a_failover_names_as_its_reason_is_no_finding_of_its_own():
    lost = event(0, "A", "health_timeout", ag="AG")
    moved = failover(0, 5, reasons=[reason(0, "A", "health_timeout", "")])
    assert alone.alone(told([moved], [lost])) == []


def test_another_event_near_a_failover_is():
    found = alone.alone(told([failover(0, 5)], [event(1, "A", "redo_failed")]))
    assert [one.id for one in found] == ["health.redo_failed"]


@pytest.mark.parametrize(
    ("kind", "before"),
    [
        ("not_alive", "server_died"),
        ("lease_lost", "lease_expired"),
        ("failure_notified", "threshold_reached"),
        ("failure_notified", "database_failed"),
    ],
)
def test_what_follows_from_another_event_of_its_host_is_no_finding(kind, before):
    found = alone.alone(told(events=[event(0, "A", before, ag="AG"), event(120, "A", kind, ag="AG")]))
    assert all(
        event["text"] == "" and before in one.facts["kinds"] for one in found for event in one.facts["texts"]
    )


@pytest.mark.parametrize(
    ("events", "n"),
    [
        ([event(seconds, "A", "hardened_nothing", database="D") for seconds in (0, 1)], 0),
        ([event(seconds, "A", "hardened_nothing", database="D") for seconds in (0, 1, 60)], 1),
        (
            [
                event(0, "A", "hardened_nothing", database="D"),
                event(9, "A", "look_database", after="NOT SYNCHRONIZING"),
            ],
            1,
        ),
    ],
)
def test_a_database_without_a_hardened_lsn_is_one_that_says_so_again_or_stays_so(events, n):
    assert len(alone.alone(told(events=events))) == n


def test_entries_within_a_minute_are_one_occurrence():
    events = [event(seconds, "A", "quorum_lost", text=f"{seconds}") for seconds in (0, 60, 121)]
    (found,) = alone.alone(told(events=events))
    assert (found.facts["n"], found.facts["times"]) == (3, 2)


def test_strain_of_the_five_minutes_before_is_cited():
    events = [
        event(-301, "A", "dump", text="early"),
        event(-60, "A", "processors_busy", text="100 %"),
        event(0, "A", "lease_lost", ag="AG"),
    ]
    (found,) = alone.alone(told(events=events))
    assert found.facts["strain"] == ["processors busy: 100 %"]


def test_a_suspension_that_was_not_resumed_is_a_warning_with_its_cause():
    events = [
        event(0, "A", "redo_failed", text="Could not redo"),
        event(1, "A", "movement_suspended", database="D", after="SUSPEND_FROM_REDO", text="suspended"),
    ]
    (found,) = suspended.suspended(told(events=events))
    assert (found.severity, found.subject) == ("warning", {"host": "A", "database": "D"})
    assert found.facts["causes"] == ["Could not redo"]


@pytest.mark.parametrize(("after", "resumed", "expected"), [
    ("SUSPEND_FROM_PARTNER", 300, []),
    ("SUSPEND_FROM_PARTNER", 301, ["notice"]),
    ("SUSPEND_FROM_USER", 10, ["notice"]),
])  # fmt: skip
def test_a_suspension_that_was_resumed_soon_counts_only_where_a_user_asked(after, resumed, expected):
    events = [
        event(0, "A", "movement_suspended", database="D", after=after),
        event(resumed, "A", "movement_resumed", database="D"),
    ]
    assert [one.severity for one in suspended.suspended(told(events=events))] == expected


@pytest.mark.parametrize(("primary", "severity"), [("A", "notice"), ("B", "warning")])
def test_replicas_of_two_major_versions_are_reported_and_worse_where_the_primary_is_newer(primary, severity):
    events = [
        event(
            0,
            host,
            "replica_state",
            ag="AG",
            after="PRIMARY_NORMAL" if host == primary else "SECONDARY_NORMAL",
        )
        for host in "AB"
    ]
    rows = [Versions(host, version, "", 1) for host, version in (("A", "13.0.1"), ("B", "15.0.1"))]
    (found,) = versions.versions(told(events=events), rows)
    assert (found.severity, found.facts["shown"]) == (severity, ["A 13.0.1", "B 15.0.1"])


def test_replicas_of_one_major_version_are_no_finding():
    events = [event(0, host, "replica_state", ag="AG", after="SECONDARY_NORMAL") for host in "AB"]
    rows = [Versions(host, "15.0.1", "", 1) for host in "AB"]
    assert versions.versions(told(events=events), rows) == []


@pytest.mark.parametrize(("role", "n"), [("AG", 0), ("Cluster Group", 1)])
def test_a_failed_address_of_a_listener_is_left_to_the_listener(role, n):
    text = f"Cluster resource 'AG_10.0.0.5' of type 'IP Address' in clustered role '{role}' failed."
    assert len(alone.alone(told(events=[event(0, "A", "resource_failed", text=text)]))) == n
