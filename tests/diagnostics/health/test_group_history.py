"""What the relations of a case tell, by whose clock, and where it is written."""

from __future__ import annotations

from agtrace.diagnostics.health import group_history as of_case
from agtrace.diagnostics.health.rows import Kinds, Offsets, TimelineWitness
from tests.diagnostics.health.cases import at, event, still, told
from tests.folded import folded

AHEAD = event(0, "B", "ready", skew_ms=2500.0)


def test_the_session_of_groups_is_known_by_its_files():
    rows = [
        Kinds(host, kind, path)
        for host, kind, path in (
            ("A", "Extended Events", "A/AlwaysOn_health_0.xel"), ("A", "SQL Server ERRORLOG", "A/ERRORLOG"),
            ("B", "Extended Events", "B/system_health_0.xel"),
        )
    ]  # fmt: skip
    assert of_case.kinds_captured(rows) == {
        "A": {"Extended Events", "AlwaysOn_health", "SQL Server ERRORLOG"},
        "B": {"Extended Events"},
    }


def local(seconds):
    return at(seconds).replace(tzinfo=None)


def test_a_host_shows_the_time_of_its_last_offset_by_its_own_clock():
    offsets = (Offsets("B", 60, local(-100)), Offsets("B", 120, local(10)), Offsets("C", -300, local(0)))
    made = told(events=[AHEAD], offsets=offsets)
    assert [made.local(at(seconds), "B") for seconds in (-103, -102.5, 7.4, 7.5)] == [
        None, local(3500), local(3609.9), local(7210)
    ]  # fmt: skip
    assert [made.local(at(0), host) for host in ("C", "A", None)] == [local(-18_000), None, None]


@folded(
    ("own", "its", "may_be"),
    [
        (["one"], ["one"], True), (["one"], ["two"], False), (["one", "two"], ["two"], True),
        ([], ["two"], True), (["one"], [], True), (["unknown"], ["two"], True), (["one"], ["unknown"], True),
        (["one", "unknown"], ["two", "unknown"], False), ([], [], True),
    ],
)  # fmt: skip
def test_events_may_be_of_one_instance_unless_others_wrote_each(own, its, may_be):
    made = told(instances={"one": "ONE", "two": "TWO"})
    rows = [
        event(0, "A", "dump")._replace(
            witnesses=[TimelineWitness("ERRORLOG", "A", name, 7) for name in names]
        )
        for names in (own, its)
    ]
    assert made.may_be_one(*rows) is may_be


def test_captures_that_are_not_there_are_named_by_kind_as_the_platform_has_them():
    captured = {"A": {"SQL Server ERRORLOG"}, "B": {"SQL Server ERRORLOG", "AlwaysOn_health", "cluster log"}}
    made = told(captured=captured, platforms=dict.fromkeys("ABC", "Windows") | {"L": "Linux"})
    assert made.lacking(["A", "B"]) == {"AlwaysOn_health": ["A"], "cluster log": ["A"]}
    assert made.lacking(["C", "L"]) == {
        "SQL Server ERRORLOG": ["C", "L"], "AlwaysOn_health": ["C", "L"], "cluster log": ["C"],
        "Pacemaker log": ["L"],
    }  # fmt: skip
    assert told().lacking(["A"]) == {}


def test_stretches_that_a_host_stood_still_are_cut_to_the_span_and_do_not_overlap():
    stills = (still("A", 150, 200), still("A", 90, 120), still("A", 110, 160), still("B", 100, 200),
              still("A", 170, 180), still("A", 210, 220, kind="clock stepped"),
              still("A", 290, 400))  # fmt: skip
    made = told(standstills=stills)
    assert made.still("A", at(100), at(300)) == [
        (at(100), at(120)), (at(120), at(160)), (at(160), at(200)), (at(290), at(300))
    ]  # fmt: skip
    assert made.still("A", at(120), at(120)) == []


@folded(
    ("start", "end", "hosts", "n"),
    [
        (110, 115, "A", 1), (0, 95, "A", 1), (0, 94, "A", 0), (120, 130, "A", 1), (121, 130, "A", 0),
        (199, 200, "A", 1), (200, 201, "A", 1), (201, 202, "A", 0), (0, 900, "AAB", 3), (0, 900, "C", 0),
    ],
)  # fmt: skip
def test_restarts_near_a_span_are_those_that_last_into_it(start, end, hosts, n):
    rows = [event(95, "A", "restart", end=120), event(150, "B", "restart", end=160),
            event(200, "A", "restart")]  # fmt: skip
    found = told(events=rows).restarts_near(at(start), at(end), *hosts)
    assert len(found) == n
    assert found == sorted(found, key=lambda row: row.time)
