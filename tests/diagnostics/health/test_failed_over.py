"""What is said of failovers, and of groups that move together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import failed_over
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts, behind
from tests.diagnostics.health.cases import at, event, failover, findings, iso, reason, state, told, watched

LIMITS = Thresholds()


def test_a_failover_names_its_subject_window_and_time_without_a_primary():
    (found,) = findings(failed_over.failovers, told([failover(100, 108.4)]), LIMITS)
    assert found.id == "health.failover"
    assert found.subject == {
        "ag": "AG",
        "from": "A",
        "to": "B",
        "mode": "automatic",
        "trigger": "lease_expired",
        "cause": "lease_expired",
    }
    assert found.window == {"start": iso(100), "end": iso(108.4)}
    assert (found.evidence[0].label, found.evidence[0].unit) == ("time without a primary", "s")
    assert found.evidence[0].value == pytest.approx(8.4)
    assert found.confidence == 0.8


def test_a_failover_whose_begin_is_not_known_has_no_time_and_no_span():
    (found,) = findings(failed_over.failovers, told([failover(None, 50, from_="")]), LIMITS)
    assert found.window == {"start": iso(50), "end": iso(50)}
    assert found.evidence[0].value is None
    assert found.subject["from"] == ""
    assert_facts(found, mode="automatic", trigger="lease_expired", start=None, seconds_without_primary=None)


@pytest.mark.parametrize(
    ("mode", "seconds", "severity"),
    [
        ("planned", 3, "info"),
        ("planned", 61, "notice"),
        ("automatic", 3, "warning"),
        ("automatic", 61, "critical"),
        ("forced", 3, "critical"),
        ("open", 3, "warning"),
    ],
)
def test_severity_follows_mode_and_length(mode, seconds, severity):
    row = failover(100, 100 + seconds, mode=mode)
    assert failed_over.severity(row, LIMITS) == severity


def test_a_statement_that_may_have_been_forced_says_so_and_is_no_warning():
    asked = {"mode": "open", "trigger": "ddl_failover", "cause": "ddl_failover", "confidence": 0.5}
    (found,) = findings(failed_over.failovers, told([failover(100, 103, **asked)]), LIMITS)
    assert found.severity == "notice"
    assert_facts(found, mode="open", trigger="ddl_failover", root="either", groups=["AG"])
    (found,) = findings(failed_over.failovers, told([failover(100, 161, **asked)]), LIMITS)
    assert found.severity == "warning"


def test_each_captured_host_of_a_failover_has_an_entry_that_names_it():
    events = [
        state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
        state(108, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        event(109, "B", "connected", replica="A", text="connected"),
    ]
    row = failover(100, 108, reasons=[reason(99, "A", "lease_lost", "the lease is gone")])
    (found,) = findings(failed_over.failovers, told([row], events), LIMITS)
    _, first, second = found.evidence
    assert first.value == "the lease is gone"
    assert first.source == "ERRORLOG of A, A/ERRORLOG line 9"
    assert second.label == "replica state on B"
    assert second.value == "PRIMARY_PENDING to PRIMARY_NORMAL"


def test_entries_of_many_kinds_come_before_many_of_one_kind():
    many = [reason(50 + n, "A", "processors_busy", f"busy {n}") for n in range(30)]
    row = failover(100, 108, reasons=[*many, reason(99, "A", "lease_lost", "gone")])
    (found,) = findings(failed_over.failovers, told([row]), LIMITS)
    assert [e.value for e in found.evidence[1:3]] == ["busy 0", "gone"]
    assert len(found.evidence) == 1 + 12


def test_the_chain_goes_from_the_root_to_the_failover():
    row = failover(100, 108, cause="cpu_starvation", against=["no sample after the expiry"])
    (found,) = findings(failed_over.failovers, told([row]), LIMITS)
    assert_facts(
        found,
        primary="A",
        route="from A to B",
        mode="automatic",
        trigger="lease_expired",
        other_percent=None,
        root="cpu_starvation",
    )


def test_a_cause_that_is_open_says_what_to_capture():
    row = failover(100, 108, cause="open", trigger="open", confidence=0.3)
    captured = {"A": {"SQL Server ERRORLOG"}, "B": {"SQL Server ERRORLOG", "AlwaysOn_health"}}
    (found,) = findings(failed_over.failovers, replace(told([row]), captured=captured), LIMITS)
    assert_facts(found, mode="automatic", trigger="open", root="open", ask="open")


@pytest.mark.parametrize(
    ("confidence", "end"),
    [(0.6, "at 2024-03-05 12:01:40 UTC, 8 s without a primary: SQL Server on A ended without a word"),
     (0.5, "at 2024-03-05 12:01:40 UTC, 8 s without a primary")],
)  # fmt: skip
def test_a_cause_below_sure_is_not_in_the_title(confidence, end):
    row = failover(100, 108, cause="instance_died", trigger="instance_died", confidence=confidence)
    (found,) = findings(failed_over.failovers, told([row]), LIMITS)
    assert behind(found)["is_sure"] == (confidence >= 0.6)


def test_an_entry_is_told_by_the_clock_of_its_host_and_the_corrected_time_stands_in_brackets():
    one = reason(99, "A", "lease_lost", "gone") | {"own_time": at(101.8)}
    (found,) = findings(failed_over.failovers, told([failover(100, 108, reasons=[one])]), LIMITS)
    assert_facts(found, shown=1, left=0, mode="automatic", trigger="lease_expired")


def moved(ag, number, start, end, **more):
    return failover(start, end, ag=ag, failover_id=number, **more)


def together(rows):
    incident = {
        "incident_id": 1,
        "start": at(90),
        "end": at(200),
        "ags": ["G1", "G2"],
        "hosts": ["A", "B"],
        "kind": "failover",
        "failovers": [row["failover_id"] for row in rows],
        "parts_n": 2,
        "parts": [],
    }
    return replace(told(rows), incidents=(incident,))


def test_of_groups_that_move_together_one_carries_the_severity_and_names_all():
    rows = [moved("G1", 1, 100, 108), moved("G2", 2, 100, 111)]
    first, second = findings(failed_over.failovers, together(rows), LIMITS)
    assert (second.severity, second.subject["ag"]) == ("warning", "G2")
    assert_facts(second, mode="automatic", seconds_without_primary=11, route="from A to B", named=2)
    assert (first.severity, first.subject["ag"]) == ("notice", "G1")
    assert_facts(first, mode="automatic", trigger="lease_expired", root="lease_expired", named=10)


def test_groups_that_fail_over_in_place_at_once_move_together_too():
    rows = [moved("G1", 1, 100, 108, to="A"), moved("G2", 2, 100, 111, to="A")]
    assert [f.severity for f in findings(failed_over.failovers, together(rows), LIMITS)] == [
        "notice",
        "warning",
    ]


def test_a_group_that_fails_over_twice_in_an_incident_moves_with_itself_no_second_time():
    rows = [moved("G1", 1, 100, 108), moved("G1", 2, 150, 158)]
    assert [f.severity for f in findings(failed_over.failovers, together(rows), LIMITS)] == ["warning"] * 2


def test_a_group_without_a_partner_after_a_failover_is_told_with_its_length():
    events = [event(1008, "B", "connected", replica="A", ag="AG", text="established")]
    made = replace(told([failover(100, 108)], events), coverage=watched(B=7200))
    (found,) = findings(failed_over.failovers, made, LIMITS)
    assert [(e.label, e.value) for e in found.evidence[:2]] == [
        ("time without a primary", 8),
        ("time without a partner", 900.0),
    ]
    assert_facts(found, mode="automatic", trigger="lease_expired", root="lease_expired", alone=True)


CAUSES = (
    "ddl_failover",
    "cluster_move",
    "node_drained",
    "ddl_forced",
    "lease_expired",
    "health_timeout",
    "health_error",
    "quorum_lost",
    "node_down",
    "instance_stopped",
    "instance_died",
    "database_failed",
    "standstill",
    "cpu_starvation",
    "long_io",
    "memory_pressure",
    "dump",
    "network",
)


def test_databases_are_usable_after_the_group_by_the_clock_of_the_events():
    events = [
        event(
            105.9, "B", "database_role", database="Sales", before="RESOLVING", after="PRIMARY", skew_ms=2000.0
        ),
        event(
            108.0, "B", "database_role", database="Stock", before="RESOLVING", after="PRIMARY", skew_ms=2000.0
        ),
    ]
    (found,) = findings(failed_over.failovers, told([failover(100, 107)], events), LIMITS)
    assert_facts(found, databases=2, mode="automatic", trigger="lease_expired", root="lease_expired")


def test_text_of_captures_is_flattened():
    row = failover(100, 108, reasons=[reason(99, "A", "lease_lost", "a\n\x1b[31mb")])
    (found,) = findings(failed_over.failovers, told([row]), LIMITS)
    assert found.evidence[1].value == "a [31mb"
