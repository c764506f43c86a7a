"""The timeline of a case, and what every axis of time marks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from agtrace.diagnostics import Evidence, Finding
from agtrace.diagnostics.overview.rows import Captures
from agtrace.history.coverage import Coverage, Stretch
from agtrace.history.reference_clock import ReferenceClock
from agtrace.history.unrelated import GroupSet
from agtrace.report.frame import headlines
from agtrace.report.marks import marks
from agtrace.report.pages import Front
from agtrace.report.timeline import MOST_EVENTS, Marked, TimelineRows, chosen, drawn
from tests.diagnostics.asking import record

T0 = datetime(2024, 3, 5, 12, tzinfo=UTC)


def at(minutes):
    return T0 + timedelta(minutes=minutes)


def ms(minutes):
    return round(at(minutes).timestamp() * 1000)


def capture(host="A", kind="perfmon text log", start=0, end=60, *, local_only=False):
    return record(
        Captures, host=host, kind=kind, shown_first=at(start), shown_last=at(end), local_only=local_only
    )


def event(minutes, kind="lease_expired", host="A", **given):
    told = dict.fromkeys(("before", "after", "ag", "replica", "database")) | {"hosts": [host]} | given
    return {"host_id": host, "kind": kind, "time": at(minutes), **told}


def finding(start, end, severity="warning", subject=None, **window):
    given = {"start": at(start).isoformat(), "end": at(end).isoformat()} | window
    numbers = (Evidence("n", 1, "s", "l"),)
    return Finding("health.failover", severity, "<b>It", "n", subject or {}, given, numbers)


def watched(host="A", start=0, end=60, source="ERRORLOG"):
    return Stretch(host, None, source, at(start), at(end))


def role(host="A", start=None, end=None, evidence="message 19406", name="PRIMARY", ag="AG"):
    bounds = [None if one is None else at(one) for one in (start, end)]
    return {
        "ag": ag,
        "host_id": host,
        "role": name,
        "start": bounds[0],
        "end": bounds[1],
        "evidence": evidence,
    }


def rows(captures, roles, events, findings, clock=None, coverage=None):
    seen = coverage or [watched(row.host) for row in captures]
    return TimelineRows(captures, roles, events, findings, clock or ReferenceClock(), Coverage(seen))


def marked(*given, **more):
    return [Marked(finding(*given, **more), "health.html#finding-1")]


def test_a_lane_of_a_host_has_its_captures_roles_and_events():
    told = drawn(rows([capture()], [role(end=30)], [event(30, ag="AG")], marked(15, 30)))
    assert told["hosts"] == ["A"]
    assert told["spans"] == [[0, 0, ms(0), ms(60)]]
    assert told["lanes"][0] == "counters"
    assert told["roles"] == [[0, "primary", ms(0), ms(30), False]]
    assert told["marks"] == [[0, "leases", ms(30) * 1000, "lease expired (AG)"]]
    assert told["findings"] == [[ms(15), ms(30), "warning", "<b>It", "health.html#finding-1"]]
    assert list(told["looks"]) == ["leases"]


def test_the_reference_clock_is_named_beside_how_far_each_host_is_ahead_of_it():
    roles = [role(start=10, end=20)]
    clock = ReferenceClock("B", {"A": timedelta(minutes=1), "B": timedelta()})
    told = drawn(rows([capture()], roles, [], [], clock))
    assert told["roles"] == [[0, "primary", ms(10), ms(20), False]]
    assert (told["clock"], told["apart"]) == ("B", [60_000])


def test_a_role_without_an_end_is_drawn_as_far_as_its_source_goes_and_assumed_as_far_as_others_do():
    seen = [watched(end=20), watched(start=10, end=40, source="perfmon"), watched(start=50, end=55)]
    told = drawn(rows([capture()], [role(start=10, name="RESOLVING")], [], [], coverage=seen))
    assert told["roles"] == [
        [0, "resolving", ms(10), ms(20), False],
        [0, "resolving", ms(50), ms(55), True],
        [0, "resolving", ms(20), ms(40), True],
    ]


def test_a_role_is_drawn_nowhere_where_nothing_of_its_host_was_captured_or_nothing_tells_it():
    seen = [watched(end=20)]
    nothing = [role("A", 30, 50), role(name=None)]
    assert drawn(rows([capture()], nothing, [], [], coverage=seen))["roles"] == []


def test_a_role_that_counters_tell_is_drawn_where_counters_were_captured():
    seen = [watched(end=20), watched(start=30, end=40, source="perfmon")]
    told = drawn(rows([capture()], [role(evidence="counters")], [], [], coverage=seen))
    assert told["roles"] == [[0, "primary", ms(30), ms(40), False], [0, "primary", ms(0), ms(20), True]]


def test_an_event_is_marked_on_the_host_that_captured_it_where_its_own_was_not():
    told_by = event(50, "node_removed", "A", hosts=["B"])
    seen = [watched("A", 0, 40), watched("B", 0, 60)]
    told = drawn(rows([capture(), capture("B")], [], [told_by, event(20), event(55)], [], coverage=seen))
    assert [mark[:3] for mark in told["marks"]] == [
        [1, "cluster", ms(50) * 1000],
        [0, "leases", ms(20) * 1000],
    ]


def test_lanes_are_grouped_by_availability_group_that_of_the_headline_first():
    captures = [capture(host) for host in "ABCD"]
    roles = [role("A", ag="G1"), role("C", ag="G1"), role("B", ag="G2"), role("D", ag="G2")]
    told = drawn(rows(captures, roles, [], marked(1, 2, subject={"ag": "G2", "from": "D", "to": "B"})))
    assert (told["hosts"], told["groups"]) == (["D", "B", "A", "C"], ["G2", "G2", "G1", "G1"])


def test_lanes_of_unrelated_groups_are_named_by_them():
    captures = [capture(host) for host in "ABCD"]
    roles = [role(host, ag="G1") for host in "ABCD"]
    seen = Coverage(watched(host) for host in "ABCD")
    sets = [replace(one, ags=("G1",)) for one in SETS]
    told = drawn(TimelineRows(captures, roles, [], [], ReferenceClock(), seen, sets))
    assert told["groups"] == ["G1 (A)", "G1 (A)", "G1 (C)", "G1 (C)"]


SETS = [
    GroupSet(("G1",), frozenset("AB"), ("A", "B"), None, None),
    GroupSet(("G2",), frozenset("CD"), ("C", "D"), None, None),
]


def test_each_unrelated_group_has_a_headline_that_names_it():
    worst = finding(1, 2, "critical", {"ag": "G2", "from": "C", "to": "D"})
    other = finding(1, 2, "warning", {"host": "B"})
    about_none = finding(1, 2, "critical")
    found = headlines(SETS, [other, worst, about_none])
    assert found == {"G1": other, "G2": worst}
    assert Front(headlines=found).group_headlines == ["G1: <b>It: n 1 s.", "G2: <b>It: n 1 s."]
    assert headlines(SETS[:1], [worst]) == {}
    assert Front().named(worst) == "<b>It: n 1 s."


def test_what_changed_is_told_from_and_to():
    told = drawn(rows([capture()], [], [event(1, "replica_state", before="A", after="B", replica="R")], []))
    assert told["marks"][0][1:] == ["role changes", ms(1) * 1000, "replica state: A to B (R)"]


def test_it_opens_a_minute_around_what_the_headline_is_about():
    told = drawn(rows([capture(end=6000)], [], [], marked(3000, 3000.1)))
    assert told["shown"] == [ms(2999), ms(3001.1)]
    assert drawn(rows([capture()], [], [], []))["shown"] == [ms(0), ms(60)]


def test_the_host_of_the_headline_comes_first():
    told = rows(
        [capture("A"), capture("B")], [], [], marked(1, 2, subject={"ag": "AG", "from": "B", "to": "A"})
    )
    assert drawn(told)["hosts"] == ["B", "A"]


def test_a_log_of_months_does_not_hide_a_failover():
    told = rows([capture(kind="SQL Server ERRORLOG", start=-100_000), capture()], [], [], marked(20, 30))
    assert drawn(told)["whole"] == [ms(15), ms(35)]


def test_without_a_time_in_utc_there_is_no_timeline():
    assert drawn(rows([capture(local_only=True)], [], [], [])) is None


def test_of_very_many_events_the_rare_ones_are_all_kept():
    events = [event(n / 100, "connected") for n in range(5000)] + [event(1), event(2)]
    kept = chosen(events)
    assert MOST_EVENTS * 0.8 < len(kept) <= MOST_EVENTS
    assert [row["kind"] for row in kept].count("lease_expired") == 2
    assert kept == sorted(kept, key=lambda row: row["time"])


def test_the_moments_of_the_headline_come_first():
    told = rows([capture()], [], [event(5), event(30.5), event(50)], marked(30, 31))
    assert told.moments == [at(30), at(30.5), at(5), at(50)]
    assert told.about_first == 2


def test_changes_of_the_primary_and_warnings_are_marked():
    roles = [role("A", 0), role("B", 10), role("A", 10, name="SECONDARY"), role("A", 20)]
    found = [finding(5, 6), finding(1, 2, "notice"), finding(1, 2, local=True)]
    start = round(T0.timestamp() * 1000)
    assert [((m["start"] - start) / 60_000, m["text"], m["tone"]) for m in marks(found, roles)] == [
        (10, "B becomes primary", "role"),
        (20, "A becomes primary", "role"),
        (5, "&lt;b&gt;It", "warning"),
    ]
