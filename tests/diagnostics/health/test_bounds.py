"""Where the rules of health change their answer: just within each bound, and just beyond it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agtrace.diagnostics.health import connections, failed_over, figures, groups, noted, servers, summary
from agtrace.diagnostics.health.analysis import SAID
from agtrace.diagnostics.health.rows import Failovers, Nodes, Seeded, Standstills, Timeline
from agtrace.history.coverage import Coverage
from agtrace.say.finding import Finding
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts, behind
from tests.diagnostics.health.cases import (
    at,
    event,
    failover,
    findings,
    incident,
    iso,
    reason,
    restart,
    still,
    told,
)

LIMITS = Thresholds()


def failed(*rows: Failovers, events: Any = (), **more: Any) -> list[Finding]:
    made = replace(told(list(rows), list(events)), **{"coverage": Coverage(()), **more})
    return findings(failed_over.failovers, made, LIMITS)


# Failovers.


def test_ten_kinds_of_its_incident_are_evidence_of_a_failover_besides_its_own():
    own = reason(99, "A", "dump", "its own")
    parts = (own, *(reason(120 + n, "C", f"kind_{n // 2}", f"part {n}") for n in range(30)))
    moved = reason(100, "B", "failover", "failover")
    (found,) = failed(
        failover(100, 108, reasons=[own]), incidents=(incident(90, 400, parts=(moved, *parts)),)
    )
    assert [each.value for each in found.evidence[1:]] == [
        "its own", *(f"part {n}" for n in range(0, 20, 2))
    ]  # fmt: skip
    assert found.evidence[2].label == "kind 0, 12:02:00.0"


def test_the_change_of_a_role_names_its_host_rather_than_what_is_nearer():
    events = [event(108, "B", "dump", text="x"), event(120, "B", "replica_state", ag="AG", text="a role")]
    (found,) = failed(failover(100, 108), events=events)
    assert found.evidence[1].value == "a role"


def test_of_groups_that_moved_together_one_that_nobody_planned_leads():
    planned = failover(100, 120, ag="G1", mode="planned")
    rows = [planned, failover(100, 108, ag="G2", failover_id=2)]
    first, second = failed(*rows, incidents=(incident(90, 400, (1, 2)),))
    assert_facts(second, mode="automatic", named=2, trigger="lease_expired", root="lease_expired")
    assert_facts(first, mode="planned", trigger="lease_expired", root="lease_expired", named=10)


# Lost connections.


def disconnected(seeded: float, start: float = 1000, end: float = 1900) -> list[Finding]:
    events = [
        event(start, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(end, "A", "database_connected", replica="B", ag="AG", database="Sales"),
    ]
    seedings = (Seeded("Sales", at(seeded)), Seeded("Stock", at(start)))
    return findings(connections.lost_connections, replace(told(events=events), seeded=seedings), LIMITS)


@pytest.mark.parametrize(("seeded", "n"), [(699, 1), (700, 0), (1900, 0), (1901, 1)])
def test_a_database_that_is_seeded_from_five_minutes_before_until_it_is_back_is_no_lost_one(seeded, n):
    assert len(disconnected(seeded)) == n


@pytest.mark.parametrize(("start", "n"), [(161, 1), (160, 0), (40, 0), (39, 1)])
def test_a_loss_within_a_minute_of_a_failover_is_a_part_of_it(start, n):
    near = failover(start, start + 10)
    far = [event(100, "A", "connection_timeout", replica="B", ag="AG"),
           event(900, "A", "connected", replica="B", ag="AG")]  # fmt: skip
    assert len(findings(connections.lost_connections, told([near], far), LIMITS)) == n


# Leases.


def leases(
    seconds: float, *rows: Failovers, events: Any = (), late: float | None = None, **more: Any
) -> list[Finding]:
    own = event(seconds, "A", "lease_expired", ag="AG", text="19407", value=late)
    return findings(servers.leases, replace(told(list(rows), [own, *events]), **more))


@pytest.mark.parametrize(("start", "severity"), [(879, "warning"), (880, "info"), (1030, "info"),
                                                 (1031, "warning")])  # fmt: skip
def test_a_lease_led_to_a_failover_that_began_from_two_minutes_before_it_ran_out(start, severity):
    (found,) = leases(1000, failover(start, 1035))
    assert found.severity == severity


@pytest.mark.parametrize(("seconds", "n"), [(168, 0), (169, 1)])
def test_a_lease_that_is_noted_within_a_minute_of_another_failover_is_a_part_of_it(seconds, n):
    assert len(leases(seconds, failover(100, 108, trigger="standstill", cause="standstill"))) == n


# Standstills.


def stood(row: Standstills, *events: Timeline, **more: Any) -> list[Finding]:
    made = replace(told(events=list(events)), standstills=(row,), **more)
    return findings(servers.standstills, made, LIMITS)


@pytest.mark.parametrize(
    ("low", "words"),
    [
        (299.1, {"kind": "open", "low": 299.1, "high": None, "busy_low": None}),
        (299.0, {"kind": "open", "low": 299.0, "high": 300.0, "busy_low": None}),
    ],
)
def test_bounds_less_than_a_second_apart_are_one_length(low, words):
    (found,) = stood(still("A", 100, 400, "open", seconds_low=low, seconds_high=300.0))
    assert_facts(found, **words)


@pytest.mark.parametrize(("seconds", "n"), [(-201, 0), (-200, 1), (101, 1), (102, 0)])
def test_processors_that_were_busy_five_minutes_before_may_be_what_it_came_of(seconds, n):
    busy = event(seconds, "A", "processors_busy", value=97.0, unit="%")
    (found,) = stood(
        still("A", 100, 400, "open"), busy, event(90, "B", "processors_busy", value=99.0, unit="%")
    )
    assert [each.value for each in found.evidence if each.unit == "%"] == [97.0] * n
    assert behind(found)["is_busy"] == bool(n)


@pytest.mark.parametrize(("start", "end", "severity"), [(401, 500, "warning"), (400, 500, "notice"),
                                                        (0, 100, "notice"), (0, 99, "warning")])  # fmt: skip
def test_a_failover_tells_a_standstill_that_touches_its_incident(start, end, severity):
    row = still("A", 100, 400, "open", witnesses=[reason(300, "A", "lease_expired", "x")])
    (found,) = stood(row, incidents=(incident(start, end),))
    assert found.severity == severity


def test_a_clock_that_is_set_makes_nothing_late():
    events = [event(401, "A", "long_io", value=16_000.0)]
    made = replace(
        told(events=events), standstills=(still("A", 100, 400, "clock stepped", clock_gained_s=300.0),)
    )
    assert len(findings(servers.long_io, made)) == 1


# Groups.


def test_ten_failovers_of_those_that_flap_are_evidence_with_the_last_count_of_failures():
    rows = [failover(100 * n, 100 * n + 9) for n in range(1, 13)]
    counts = [event(150, "B", "group_moved", ag="AG", value=1.0), event(350, "B", "group_moved", ag="AG"),
              event(250, "B", "group_moved", ag="AG", value=2.0),
              event(360, "B", "group_moved", ag="OTHER", value=9.0)]  # fmt: skip
    (found,) = findings(groups.flapping, told(rows, counts), LIMITS)
    assert [each.label for each in found.evidence[1:11]] == [f"failover {n}" for n in range(1, 11)]
    assert [each.value for each in found.evidence[11:]] == [2.0]


# What is part of something else, and what is shown of much.


def test_what_a_host_noted_within_two_minutes_of_a_failover_or_restart_is_explained():
    row = restart("stopped", 1000, 990, gone=1050, ready=1060)
    unasked, bare = row._replace(asked=None), row._replace(asked=None, last_sign=None)
    made = told([failover(500, 508)], restarts=(row, unasked, bare))
    assert sorted(noted.explained(made)) == [
        ("A", at(380), at(628)), ("A", at(870), at(1180)), ("A", at(880), at(1180)),
        ("A", at(940), at(1180)), ("B", at(380), at(628)),
    ]  # fmt: skip


def test_captures_that_would_tell_more_are_listed_with_their_hosts():
    assert SAID.page("missing", summary.missing(told())) == ""


def test_twenty_failovers_are_told_one_by_one_the_latest():
    made = told([failover(100 * n, 100 * n + 8) for n in range(1, 26)])
    shown = summary.stories(made, findings(failed_over.failovers, made, LIMITS))
    assert [each.window["start"] for each in shown["stories"]] == [iso(100 * n) for n in range(6, 26)]


# The figure.


def drawn(*events: Timeline, resources: tuple[str, ...] = ()) -> Any:
    series = [
        {"resource": name, "host": host, "time": at(n), "value": float(n)}
        for name in resources for host in "AB" for n in range(3)
    ]  # fmt: skip
    return figures.lanes(told([], list(events)), series, "title", {})


def test_each_host_stands_in_the_legend_once_however_many_panels_there_are():
    lines = [
        trace
        for trace in drawn(event(0, "A", "dump"), resources=("cpu", "disk_read_ms")).data
        if trace.type == "scatter" and trace.mode == "lines"
    ]
    assert [(trace.name, trace.showlegend) for trace in lines] == [
        ("A", True), ("B", True), ("A", False), ("B", False)
    ]  # fmt: skip


def test_a_mark_says_what_happened_when_and_who_tells_of_it():
    seen = event(0, "A", "dump", text="a dump")
    nameless = seen.witnesses[0]._replace(host_id=None, source="cluster log")
    marks = drawn(seen._replace(witnesses=[*seen.witnesses, nameless]))
    (hover,) = [text for trace in marks.data if trace.type == "scatter" for (text,) in trace.customdata]
    assert hover == ("dump<br>2024-03-05 12:00:00.0 UTC<br>a dump<br>ERRORLOG of A<br>cluster log of a host")


@pytest.mark.parametrize(
    ("before", "since", "is_moved"),
    [(144, 150, True), (145, 150, False), (0, 145, True), (0, 165, True), (0, 166, False)],
)
def test_a_start_names_its_node_within_five_seconds_of_its_log(before, since, is_moved):
    first = Nodes("A", "MSSQLSERVER", at(before), "N1", "log-A", 1)
    nodes = (first, first._replace(time=at(since), node="N2"))
    row = restart("stopped", 100, 100, gone=150, ready=160)
    (found,) = findings(servers.restarts, replace(told(restarts=(row,)), nodes=nodes))
    assert bool(behind(found)["moved"]) == is_moved
