"""Where the rules of health change their answer: just within each bound, and just beyond it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agtrace.diagnostics.health import connections, failed_over, figures, groups, noted, servers, summary
from agtrace.diagnostics.health.analysis import SAID
from agtrace.history.coverage import Coverage, Stretch
from agtrace.say.finding import Finding
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts, behind
from tests.diagnostics.health.cases import at, event, failover, findings, iso, reason, restart, told

LIMITS = Thresholds()
SKEW = {"skew_ms": 0.0}


def incident(*failovers: int, parts: tuple[dict[str, Any], ...] = (), **more: Any) -> dict[str, Any]:
    known = {"incident_id": 1, "start": at(90), "end": at(400), "hosts": ["A", "B"]}
    return known | {"failovers": list(failovers), "parts": list(parts)} | more


def failed(*rows: dict[str, Any], events: Any = (), **more: Any) -> list[Finding]:
    made = replace(told(list(rows), list(events)), **{"coverage": Coverage(()), **more})
    return findings(failed_over.failovers, made, LIMITS)


# Failovers.


def test_twelve_entries_are_evidence_of_a_failover_besides_its_time():
    reasons = [reason(50 + n, "A", f"kind_{n}", f"entry {n}") for n in range(13)]
    (found,) = failed(failover(100, 108, reasons=[*reasons, reason(99, "B", "dump", "x")]))
    assert [each.value for each in found.evidence[1:]] == [f"entry {n}" for n in range(12)]


def test_ten_kinds_of_its_incident_are_evidence_of_a_failover_besides_its_own():
    own = reason(99, "A", "dump", "its own")
    parts = (own, *(reason(120 + n, "C", f"kind_{n // 2}", f"part {n}") for n in range(30)))
    moved = reason(100, "B", "failover", "failover")
    (found,) = failed(failover(100, 108, reasons=[own]), incidents=(incident(1, parts=(moved, *parts)),))
    assert [each.value for each in found.evidence[1:]] == [
        "its own", *(f"part {n}" for n in range(0, 20, 2))
    ]  # fmt: skip
    assert found.evidence[2].label == "kind 0, 12:02:00.0"


@pytest.mark.parametrize(("seconds", "n"), [(39, 0), (40, 1), (168, 1), (169, 0)])
def test_an_entry_within_a_minute_of_a_failover_names_its_host(seconds, n):
    (found,) = failed(failover(100, 108), events=[event(seconds, "B", "dump", text="a dump")])
    assert [each.label for each in found.evidence[1:]] == ["dump on B"] * n


def test_the_change_of_a_role_names_its_host_rather_than_what_is_nearer():
    events = [event(108, "B", "dump", text="x"), event(120, "B", "replica_state", ag="AG", text="a role")]
    (found,) = failed(failover(100, 108), events=events)
    assert found.evidence[1].value == "a role"


@pytest.mark.parametrize(("host", "value"), [("A", "at the begin"), ("B", "at the end")])
def test_the_old_primary_is_named_by_what_is_near_the_begin_and_the_new_one_by_the_end(host, value):
    events = [event(100, host, "dump", text="at the begin"), event(108, host, "dump", text="at the end")]
    (found,) = failed(failover(100, 108), events=events)
    assert [each.value for each in found.evidence[1:]] == [value]


@pytest.mark.parametrize(("apart", "severities"), [(120, ["notice", "warning"]), (121, ["warning"] * 2)])
def test_groups_move_together_within_two_minutes(apart, severities):
    rows = [failover(100, 108, ag="G1"), failover(101, 108 + apart, ag="G2", failover_id=2)]
    short = [row | {"seconds_without_primary": 5.0 + n} for n, row in enumerate(rows)]
    found = failed(*short, incidents=(incident(1, 2),))
    assert [each.severity for each in found] == severities


def test_of_groups_that_moved_together_ten_are_named_by_those_that_do_not_lead():
    rows = [failover(100, 108, ag=f"G{n:02}", failover_id=n) for n in range(1, 13)]
    first, *others = failed(*rows, incidents=(incident(*range(1, 13)),))
    assert_facts(first, named=12, mode="automatic", trigger="lease_expired", root="lease_expired")
    for each in others:
        assert_facts(each, named=10, mode="automatic", trigger="lease_expired", root="lease_expired")


def test_of_groups_that_moved_together_one_that_nobody_planned_leads():
    planned = failover(100, 120, ag="G1", mode="planned")
    rows = [planned, failover(100, 108, ag="G2", failover_id=2)]
    first, second = failed(*rows, incidents=(incident(1, 2),))
    assert_facts(second, mode="automatic", named=2, trigger="lease_expired", root="lease_expired")
    assert_facts(first, mode="planned", trigger="lease_expired", root="lease_expired", named=10)


@pytest.mark.parametrize("kind", ["stop_requested", "system_shutdown"])
def test_a_new_primary_is_alone_no_longer_than_until_it_is_stopped(kind):
    coverage = Coverage([Stretch("B", None, "ERRORLOG", at(0), at(7200))])
    (found,) = failed(failover(100, 108), events=[event(208, "B", kind)], coverage=coverage)
    assert_facts(found, mode="automatic", trigger="lease_expired", root="lease_expired", alone=True)
    assert (found.evidence[1].label, found.evidence[1].value) == ("time without a partner, at least", 100.0)


# Lost connections.


def lost(start: float, end: float | None, *more: dict[str, Any], **told_more: Any) -> list[Finding]:
    events = [event(start, "A", "connection_timeout", replica="B", ag="AG"), *more]
    if end is not None:
        events.append(event(end, "A", "connected", replica="B", ag="AG"))
    return findings(connections.lost_connections, told(events=events, **told_more), LIMITS)


@pytest.mark.parametrize(("minutes", "severity"), [(5, "warning"), (4.99, "notice")])
def test_a_connection_is_lost_for_long_from_five_minutes_on(minutes, severity):
    assert LIMITS.disconnect_minutes == 5
    (found,) = lost(0, 60 * minutes)
    assert found.severity == severity


@pytest.mark.parametrize("last", [159, 160])
def test_captures_that_end_within_a_minute_do_not_show_how_long_it_was(last):
    (found,) = lost(100, None, last=last)
    assert_facts(found, replica="B", host="A", times=1, most=20)
    assert found.window["end"] == iso(last)


def disconnected(seeded: float, start: float = 1000, end: float = 1900) -> list[Finding]:
    events = [
        event(start, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(end, "A", "database_connected", replica="B", ag="AG", database="Sales"),
    ]
    seedings = ({"database": "Sales", "start": at(seeded)}, {"database": "Stock", "start": at(start)})
    return findings(connections.lost_connections, replace(told(events=events), seeded=seedings), LIMITS)


@pytest.mark.parametrize(("seeded", "n"), [(699, 1), (700, 0), (1900, 0), (1901, 1)])
def test_a_database_that_is_seeded_from_five_minutes_before_until_it_is_back_is_no_lost_one(seeded, n):
    assert len(disconnected(seeded)) == n


@pytest.mark.parametrize(("seconds", "n"), [(59, 0), (60, 1)])
def test_a_database_that_is_back_within_a_minute_is_no_lost_one(seconds, n):
    assert LIMITS.database_disconnect_s == 60
    assert len(disconnected(0, 1000, 1000 + seconds)) == n


@pytest.mark.parametrize(("start", "n"), [(161, 1), (160, 0), (40, 0), (39, 1)])
def test_a_loss_within_a_minute_of_a_failover_is_a_part_of_it(start, n):
    near = failover(start, start + 10)
    far = [event(100, "A", "connection_timeout", replica="B", ag="AG"),
           event(900, "A", "connected", replica="B", ag="AG")]  # fmt: skip
    assert len(findings(connections.lost_connections, told([near], far), LIMITS)) == n


@pytest.mark.parametrize(("seconds", "n"), [(879, 0), (880, 1), (1000, 1), (1001, 0)])
def test_what_an_end_was_short_of_two_minutes_before_a_loss_is_shown(seconds, n):
    (found,) = lost(1000, 2000, event(seconds, "B", "memory_low", text="40 MB left"))
    assert [each.value for each in found.evidence if each.value == "40 MB left"] == ["40 MB left"] * n


def test_of_what_the_ends_were_short_of_four_kinds_are_shown():
    kinds = ("processors_busy", "long_io", "memory_paged_out", "memory_low", "dump")
    (found,) = lost(1000, 2000, *(event(950 + n, "B", kind, text="short") for n, kind in enumerate(kinds)))
    assert [each.value for each in found.evidence].count("short") == 4


# Leases.


def leases(
    seconds: float, *rows: dict[str, Any], events: Any = (), late: float | None = None, **more: Any
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


@pytest.mark.parametrize(("seconds", "n"), [(400, 0), (401, 1)])
def test_a_lease_that_is_noted_until_its_incident_ends_is_a_part_of_the_failover(seconds, n):
    rows = failover(100, 108, trigger="standstill", cause="standstill")
    assert len(leases(seconds, rows, incidents=(incident(1),))) == n


@pytest.mark.parametrize(("late", "n"), [(3600, 0), (3601, 1)])
def test_a_lease_is_looked_for_an_hour_after_its_failover(late, n):
    rows = failover(100, 108, trigger="standstill", cause="standstill")
    assert len(leases(108 + late, rows, incidents=(incident(1, end=at(9000)),))) == n


@pytest.mark.parametrize(("seconds", "n"), [(879, 0), (880, 1), (1000, 1), (1001, 0)])
def test_what_strained_a_host_two_minutes_before_its_lease_ran_out_is_shown(seconds, n):
    (found,) = leases(1000, events=[event(seconds, "A", "dump", text="a dump")])
    assert [each.value for each in found.evidence[1:]] == ["a dump"] * n


def test_of_what_strained_a_host_the_first_three_are_shown():
    (found,) = leases(1000, events=[event(900 + n, "A", "dump", text=f"dump {n}") for n in range(5)])
    assert [each.value for each in found.evidence[1:]] == ["dump 0", "dump 1", "dump 2"]


# Restarts.


@pytest.mark.parametrize(
    ("kind", "confidence"), [("stopped", 0.9), ("shutdown", 0.9), ("died", 0.7), ("open", 0.5)]
)
def test_a_restart_is_as_sure_as_what_tells_of_its_end(kind, confidence):
    asked = 100 if kind in ("stopped", "shutdown") else None
    (found,) = findings(servers.restarts, told(restarts=(restart(kind, asked, 100, gone=150, ready=160),)))
    assert found.confidence == confidence


# Standstills.


def still(end: float = 400, kind: str = "open", **more: Any) -> dict[str, Any]:
    known = {"host_id": "A", "sql_instance": None, "start": at(100), "end": at(end), "seconds_low": end - 100,
             "seconds_high": end - 100, "kind": kind, "clock_gained_s": None, "kept_running": [],
             "witnesses": []}  # fmt: skip
    return known | more


def stood(row: dict[str, Any], *events: dict[str, Any], **more: Any) -> list[Finding]:
    made = replace(told(events=list(events)), standstills=(row,), **more)
    return findings(servers.standstills, made, LIMITS)


@pytest.mark.parametrize(
    ("kind", "confidence"),
    [("machine paused", 0.9), ("SQL Server silent", 0.85), ("clock stepped", 0.7), ("open", 0.6)],
)
def test_a_standstill_is_as_sure_as_what_shows_its_kind(kind, confidence):
    (found,) = stood(still(kind=kind, clock_gained_s=300.0))
    assert found.confidence == confidence


@pytest.mark.parametrize(
    ("low", "words"),
    [
        (299.1, {"kind": "open", "low": 299.1, "high": None, "busy_low": None}),
        (299.0, {"kind": "open", "low": 299.0, "high": 300.0, "busy_low": None}),
    ],
)
def test_bounds_less_than_a_second_apart_are_one_length(low, words):
    (found,) = stood(still(seconds_low=low, seconds_high=300.0))
    assert_facts(found, **words)


@pytest.mark.parametrize(("seconds", "n"), [(-201, 0), (-200, 1), (101, 1), (102, 0)])
def test_processors_that_were_busy_five_minutes_before_may_be_what_it_came_of(seconds, n):
    busy = event(seconds, "A", "processors_busy", value=97.0, unit="%")
    (found,) = stood(still(), busy, event(90, "B", "processors_busy", value=99.0, unit="%"))
    assert [each.value for each in found.evidence if each.unit == "%"] == [97.0] * n
    assert behind(found)["is_busy"] == bool(n)


def test_the_last_three_samples_of_busy_processors_and_six_witnesses_are_shown():
    busy = [event(n, "A", "processors_busy", value=90.0 + n, unit="%") for n in range(5)]
    seen = [reason(120 + n, "A", "late sample", f"sample {n}") for n in range(8)]
    (found,) = stood(still(witnesses=seen), *busy)
    assert [each.value for each in found.evidence if each.unit == "%"] == [92.0, 93.0, 94.0]
    assert [each.value for each in found.evidence[-6:]] == [f"sample {n}" for n in range(6)]
    assert len(found.evidence) == 3 + 3 + 6


@pytest.mark.parametrize(
    ("kind", "in_incident", "severity"),
    [
        ("late sample", False, "notice"),
        ("lease_expired", False, "warning"),
        ("lease_expired", True, "notice"),
    ],
)
def test_a_standstill_is_a_warning_where_a_group_lost_something_and_no_failover_tells_it(
    kind, in_incident, severity
):
    incidents = (incident(1),) if in_incident else (incident(1, hosts=["B"]),)
    (found,) = stood(still(witnesses=[reason(300, "A", kind, "x")]), incidents=incidents)
    assert found.severity == severity


@pytest.mark.parametrize(("start", "end", "severity"), [(401, 500, "warning"), (400, 500, "notice"),
                                                        (0, 100, "notice"), (0, 99, "warning")])  # fmt: skip
def test_a_failover_tells_a_standstill_that_touches_its_incident(start, end, severity):
    near = incident(1, start=at(start), end=at(end))
    (found,) = stood(still(witnesses=[reason(300, "A", "lease_expired", "x")]), incidents=(near,))
    assert found.severity == severity


@pytest.mark.parametrize(("seconds", "n"), [(99, 1), (100, 0), (460, 0), (461, 1)])
def test_what_is_slow_until_a_minute_after_a_standstill_is_late_because_of_it(seconds, n):
    made = replace(told(events=[event(seconds, "A", "long_io", value=16_000.0)]), standstills=(still(),))
    assert len(findings(servers.long_io, made)) == n


def test_a_clock_that_is_set_makes_nothing_late():
    events = [event(401, "A", "long_io", value=16_000.0)]
    made = replace(told(events=events), standstills=(still(kind="clock stepped", clock_gained_s=300.0),))
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


def test_three_refusals_are_shown_of_a_group_without_a_primary():
    gone = event(100, "A", "replica_state", ag="AG", before="PRIMARY_NORMAL", after="RESOLVING_NORMAL")
    refused = [event(110 + n, "A", "failover_refused", ag="AG", text=f"no {n}") for n in range(5)]
    (found,) = findings(groups.no_primary, told(events=[gone, *refused], last=900), LIMITS)
    assert [each.value for each in found.evidence[2:]] == ["no 0", "no 1", "no 2"]


def left(*events: dict[str, Any], times: tuple[float, ...] = (600,), rows: Any = ()) -> list[Finding]:
    gone = [
        event(time, "A", "resource_left", "cluster log", ag="AG", text=f"gone at {time}") for time in times
    ]
    return findings(groups.left, told(list(rows), [*gone, *events]), [{"host": "A"}], LIMITS)


@pytest.mark.parametrize(("seconds", "n"), [(479, 1), (480, 0), (720, 0), (721, 1)])
def test_what_a_replica_wrote_two_minutes_around_tells_of_a_group_that_left_its_node(seconds, n):
    assert len(left(event(seconds, "B", "replica_state", ag="AG"))) == n
    assert len(left(rows=[failover(seconds, seconds)])) == n


@pytest.mark.parametrize(("seconds", "n"), [(659, 0), (660, 1)])
def test_a_group_that_is_online_within_a_minute_did_not_leave(seconds, n):
    assert len(left(event(seconds, "B", "resource_online", "cluster log", ag="AG"))) == n


def test_of_the_times_that_a_group_left_the_last_five_are_shown_and_of_what_came_before_too():
    before = [event(2800 + n, "A", "lease_lost", "cluster log", ag="AG", text=f"lease {n}") for n in range(7)]
    elsewhere = [
        event(2810, "A", "lease_lost", ag="OTHER", text="x"),
        event(2810, "B", "lease_lost", text="x"),
    ]
    early = event(2699, "A", "quorum_lost", "cluster log", text="x")
    (found,) = left(*before, *elsewhere, early, times=(*range(1000, 2000, 200), 2820))
    assert [each.value for each in found.evidence] == [
        *(f"gone at {time}" for time in (1200, 1400, 1600, 1800, 2820)), *(f"lease {n}" for n in range(2, 7))
    ]  # fmt: skip


# Two primaries.


def reigned(end: float, *events: dict[str, Any], skew: dict[str, Any] = SKEW, **more: Any) -> list[Finding]:
    """Judge a group whose old primary A resigns only then, of which B was primary from 100 s on."""
    states = [(0, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"), (100, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
              (end, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")]  # fmt: skip
    rows = [
        event(time, host, "replica_state", ag="AG", before=before, after=after) | skew
        for time, host, before, after in states
    ]
    coverage = Coverage([Stretch(host, None, "ERRORLOG", at(0), at(7200)) for host in "AB"])
    made = replace(told(events=[*rows, *events]), coverage=coverage, **more)
    return findings(groups.two_primaries, made, LIMITS)


@pytest.mark.parametrize(("end", "skew", "n"), [(100.9, SKEW, 0), (101, SKEW, 1), (159, {}, 0), (160, {}, 1)])
def test_two_primaries_are_told_from_a_second_on_and_a_minute_where_clocks_were_not_compared(end, skew, n):
    found = reigned(end, skew=skew)
    assert [each.confidence for each in found] == [0.9 if skew else 0.7] * n


def test_how_long_there_were_two_is_told_to_the_millisecond():
    awake = event(100.5, "A", "dump") | SKEW
    (found,) = reigned(110.00049, awake)
    assert [each.value for each in found.evidence[:2]] == [10.0, 10.0]
    (found,) = reigned(200.00049)
    assert [each.value for each in found.evidence[:3]] == [100.0, 0.0, 100.0]


@pytest.mark.parametrize(
    ("wrote", "labels"), [(130, ["both running"]), (130.1, ["both running", "both running, at most"])]
)
def test_a_primary_that_wrote_nothing_for_half_a_minute_is_not_known_to_have_been_awake(wrote, labels):
    (found,) = reigned(200, event(wrote, "A", "dump") | SKEW)
    assert [each.label for each in found.evidence if "running" in each.label] == labels


@pytest.mark.parametrize(("until", "severity"), [(199.1, "notice"), (199, "critical")])
def test_an_old_primary_that_was_awake_for_a_second_could_have_accepted_writes(until, severity):
    (found,) = reigned(200, standstills=(still(until, start=at(100)),))
    assert found.severity == severity


@pytest.mark.parametrize("kind", ["stop_requested", "system_shutdown"])
def test_a_primary_that_is_stopped_says_so(kind):
    (found,) = reigned(300, event(200, "A", kind, text="stopping") | SKEW)
    assert found.window == {"start": iso(100), "end": iso(200)}
    assert found.evidence[-1].value == "stopping"


# What is part of something else, and what is shown of much.


def test_what_a_host_noted_within_two_minutes_of_a_failover_or_restart_is_explained():
    row = restart("stopped", 1000, 990, gone=1050, ready=1060)
    unasked, bare = row | {"asked": None}, row | {"asked": None, "last_sign": None}
    made = told([failover(500, 508), failover(None, 1) | {"end": None}],
                restarts=(row, unasked, bare))  # fmt: skip
    assert sorted(noted.explained(made)) == [
        ("A", at(380), at(628)), ("A", at(870), at(1180)), ("A", at(880), at(1180)),
        ("A", at(940), at(1180)), ("B", at(380), at(628)),
    ]  # fmt: skip


def test_the_clock_of_each_host_tells_when_a_failover_explains_what_it_noted():
    ahead = event(0, "B", "ready", skew_ms=4000.0)
    assert sorted(noted.explained(told([failover(500, 508)], [ahead]))) == [
        ("A", at(376), at(624)), ("B", at(380), at(628))
    ]  # fmt: skip


def test_captures_that_would_tell_more_are_listed_with_their_hosts():
    assert SAID.page("missing", summary.missing(told())) == ""


def test_twenty_failovers_are_told_one_by_one_the_latest():
    made = told([failover(100 * n, 100 * n + 8) for n in range(1, 26)])
    shown = summary.stories(made, findings(failed_over.failovers, made, LIMITS))
    assert [each.window["start"] for each in shown["stories"]] == [iso(100 * n) for n in range(6, 26)]


def test_key_figures_are_told_to_the_millisecond():
    made = told([failover(0, 4.00049), failover(100, 101.50049)])
    shown = {each.label: each.value for each in summary.key_figures(made, [])}
    assert (shown["without a primary in all"], shown["longest without a primary"]) == (5.501, 4.0)


# The figure.


def drawn(*events: dict[str, Any], resources: tuple[str, ...] = ()) -> Any:
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
    nameless = seen["witnesses"][0] | {"host_id": None, "source": "cluster log"}
    marks = drawn(seen | {"witnesses": [*seen["witnesses"], nameless]})
    (hover,) = [text for trace in marks.data if trace.type == "scatter" for (text,) in trace.customdata]
    assert hover == ("dump<br>2024-03-05 12:00:00.0 UTC<br>a dump<br>ERRORLOG of A<br>cluster log of a host")


@pytest.mark.parametrize(("seconds", "is_told"), [(108 + 1800, True), (108 + 1801, False)])
def test_a_database_takes_its_role_within_half_an_hour_of_its_group(seconds, is_told):
    role = event(seconds, "B", "database_role", database="Sales", before="RESOLVING", after="PRIMARY")
    (found,) = failed(failover(100, 108), events=[role])
    assert bool(behind(found)["databases"]) == is_told


@pytest.mark.parametrize(("connected", "is_alone"), [(106, False), (105, True), (167, False), (168, True)])
def test_a_new_primary_is_alone_if_no_partner_connects_within_a_minute(connected, is_alone):
    back = event(connected, "B", "connected", replica="A", ag="AG")
    coverage = Coverage([Stretch("B", None, "ERRORLOG", at(0), at(7200))])
    (found,) = failed(failover(100, 108), events=[back], coverage=coverage)
    assert (behind(found)["alone"] is not None) == is_alone


@pytest.mark.parametrize(("seconds", "is_explained"), [(39, False), (40, True), (160, True), (161, False)])
def test_what_happens_to_an_end_within_a_minute_explains_a_loss(seconds, is_explained):
    (found,) = lost(100, 900, event(seconds, "B", "quorum_lost", "cluster log"))
    assert bool(behind(found)["by"]) == is_explained


@pytest.mark.parametrize(("late", "is_told"), [(0.9, False), (1.0, True)])
def test_a_lease_had_run_out_before_it_was_noted_from_a_second_on(late, is_told):
    (found,) = leases(100, late=late)
    assert bool(behind(found)["late"]) == is_told


@pytest.mark.parametrize(("skew_ms", "is_told"), [(90.0, False), (100.0, True), (-100.0, True)])
def test_a_clock_differs_from_a_tenth_of_a_second_on(skew_ms, is_told):
    made = told(events=[event(0, "A", "ready", skew_ms=skew_ms)],
                restarts=(restart("open", None, 100, gone=150, ready=160),))  # fmt: skip
    (found,) = findings(servers.restarts, made)
    assert bool(behind(found)["ahead"]) == is_told


@pytest.mark.parametrize(
    ("before", "since", "is_moved"),
    [(144, 150, True), (145, 150, False), (0, 145, True), (0, 165, True), (0, 166, False)],
)
def test_a_start_names_its_node_within_five_seconds_of_its_log(before, since, is_moved):
    place = {"host_id": "A", "sql_instance": "MSSQLSERVER", "content_id": "log-A", "line": 1}
    nodes = (place | {"time": at(before), "node": "N1"}, place | {"time": at(since), "node": "N2"})
    row = restart("stopped", 100, 100, gone=150, ready=160)
    (found,) = findings(servers.restarts, replace(told(restarts=(row,)), nodes=nodes))
    assert bool(behind(found)["moved"]) == is_moved
