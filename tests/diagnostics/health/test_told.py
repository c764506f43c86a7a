"""What the relations of a case tell, by whose clock, and where it is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import told as of_case
from agtrace.history.coverage import Coverage, Stretch
from tests.diagnostics.health.cases import at, event, failover, state, still, told
from tests.folded import folded

AHEAD = event(0, "B", "ready", skew_ms=2500.0)


def test_what_is_not_known_of_an_event_or_a_failover_counts_as_none():
    nothing = {"value": None, "seconds_without_primary": None, "confidence": None}
    known = {"value": 3.0, "seconds_without_primary": 8.0, "confidence": 0.8}
    asked = (of_case.amount, of_case.away, of_case.surety)
    assert [[each(row) for each in asked] for row in (nothing, known)] == [[0.0, 0.0, 0.0], [3.0, 8.0, 0.8]]


@pytest.mark.parametrize(
    ("from_", "to", "words"),
    [("A", "B", "from A to B"), ("A", "A", "in place on A"),
     (None, "B", "from a host that is not known to B"), ("A", None, "from A to a host that is not known"),
     (None, None, "from a host that is not known to a host that is not known")],
)  # fmt: skip
def test_a_route_names_both_hosts_or_the_one_that_it_stays_on(from_, to, words):
    assert of_case.route({"from_host": from_, "to_host": to}) == words


def test_the_session_of_groups_is_known_by_its_files():
    rows = [
        {"host": host, "kind": kind, "path": path}
        for host, kind, path in (
            ("A", "Extended Events", "A/AlwaysOn_health_0.xel"), ("A", "SQL Server ERRORLOG", "A/ERRORLOG"),
            ("B", "Extended Events", "B/system_health_0.xel"),
        )
    ]  # fmt: skip
    assert of_case.kinds_captured(rows) == {
        "A": {"Extended Events", "AlwaysOn_health", "SQL Server ERRORLOG"},
        "B": {"Extended Events"},
    }


def test_a_host_whose_clock_nothing_compares_has_the_common_one():
    made = told(events=[AHEAD])
    assert [made.common(at(10), host) for host in ("B", "A", None)] == [at(7.5), at(10), at(10)]
    assert [made.by_clock_of(host, at(10)) for host in ("B", "A")] == [at(12.5), at(10)]
    assert [made.knows_clock(host) for host in ("B", "A")] == [True, False]


def local(seconds):
    return at(seconds).replace(tzinfo=None)


def test_a_host_shows_the_time_of_its_last_offset_by_its_own_clock():
    offsets = (
        {"host": "B", "minutes": 60, "since": local(-100)}, {"host": "B", "minutes": 120, "since": local(10)},
        {"host": "C", "minutes": -300, "since": local(0)},
    )  # fmt: skip
    made = told(events=[AHEAD], offsets=offsets)
    assert [made.local(at(seconds), "B") for seconds in (-103, -102.5, 7.4, 7.5)] == [
        None, local(3500), local(3609.9), local(7210)
    ]  # fmt: skip
    assert [made.local(at(0), host) for host in ("C", "A", None)] == [local(-18_000), None, None]


def test_events_of_several_kinds_are_given_in_order_of_time():
    rows = [event(seconds, "A", kind) for seconds, kind in
            ((1, "dump"), (2, "ready"), (3, "dump"), (4, "ready"), (5, "dump"))]  # fmt: skip
    made = told(events=rows)
    assert made.within(at(2), at(4), "ready", "dump") == rows[1:4]
    assert made.within(at(1), at(4), "dump") == [rows[0], rows[2]]


def test_states_are_those_of_a_replica_that_is_named():
    rows = [state(10, "B", "X", "Y"), state(20, "A", "X", "Y"), state(30, "A", "Y", "X")]
    bare = [state(40, None, "X", "Y"), state(50, "A", "X", "Y", ag=None)]
    assert told(events=[*rows, *bare]).states == {("AG", "A"): rows[1:], ("AG", "B"): rows[:1]}
    assert list(told(events=rows).states) == [("AG", "A"), ("AG", "B")]


def test_a_place_is_a_path_of_120_characters_at_most_and_a_line():
    made = replace(told(), paths={"short": "A/ERRORLOG", "exact": "x" * 120, "long": "x" * 121})
    assert made.place("short", 4) == "A/ERRORLOG line 4"
    assert made.place("short", None) == "A/ERRORLOG"
    assert made.place("short", 0) == "A/ERRORLOG line 0"
    assert made.place("exact", None) == "x" * 120
    assert made.place("long", None) != "x" * 121
    assert [made.place(name, None, "a look") for name in (None, "other")] == ["a look", "a look"]
    assert made.place(None, 3, "a look") == "a look line 3"
    assert made.place(None, None) == ""


def written(host, content, line=7, source="ERRORLOG"):
    return {"source": source, "host_id": host, "content_id": content, "line": line}


def test_who_wrote_something_is_told_with_host_and_place_as_far_as_they_are_known():
    made = told()
    assert made.source(written("A", "log-A")) == "ERRORLOG of A, A/ERRORLOG line 7"
    assert made.source(written(None, "log-A")) == "ERRORLOG, A/ERRORLOG line 7"
    assert made.source(written("A", "log-A", None)) == "ERRORLOG of A, A/ERRORLOG"
    assert made.source(written("A", "other", None)) == "ERRORLOG of A"


def test_the_first_three_witnesses_of_an_event_are_named():
    made = told()
    names = [made.source(written(host, f"log-{host}")) for host in "ABCD"]
    seen = [written(host, f"log-{host}") for host in "ABCD"]
    assert made.sources({"witnesses": seen}) == "; ".join(names[:3])
    assert [made.sources({"witnesses": each}) for each in ([], None)] == ["timeline", "timeline"]


@folded(
    ("own", "its", "may_be"),
    [
        (["one"], ["one"], True), (["one"], ["two"], False), (["one", "two"], ["two"], True),
        ([], ["two"], True), (["one"], [], True), (["unknown"], ["two"], True), (["one"], ["unknown"], True),
        (["one", "unknown"], ["two", "unknown"], False), (None, None, True),
    ],
)  # fmt: skip
def test_events_may_be_of_one_instance_unless_others_wrote_each(own, its, may_be):
    made = told(instances={"one": "ONE", "two": "TWO"})
    rows = [{"witnesses": names and [written("A", name) for name in names]} for names in (own, its)]
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


def test_a_host_is_watched_until_its_captures_end_by_the_common_clock():
    seen = Coverage([Stretch("B", None, "ERRORLOG", at(0), at(900))])
    made = replace(told(events=[AHEAD]), coverage=seen)
    assert made.watched_until("B", at(100)) == at(897.5)
    assert made.watched_until("B", at(898)) == at(898)
    assert made.watched_until("A", at(100)) == at(100)


def test_replicas_of_a_group_are_those_that_are_known_and_those_that_tell_of_it():
    members = tuple({"ag": ag, "replica": name} for ag, name in
                    (("AG", "b.contoso.com"), ("AG", r"C\INST"), ("OTHER", "X"), ("AG", "A")))  # fmt: skip
    rows = [state(10, "A", "X", "Y"), state(20, "@log", "X", "Y"), state(30, "Y", "X", "Y", ag="OTHER")]
    assert told(events=rows, members=members).replicas("AG") == ["@log", "A", "B", "C"]


def test_a_span_of_unknown_begin_is_its_end():
    made = told(events=[AHEAD])
    assert made.span(failover(100, 108)) == (at(97.5), at(105.5))
    assert made.span(failover(None, 108)) == (at(105.5), at(105.5))


@pytest.mark.parametrize(
    ("start", "end", "stop"),
    [(0, 300, 100), (100, 300, 100), (101, 300, 200), (0, 100, None), (201, 300, None)],
)
def test_what_a_log_first_leaves_out_in_a_span_is_its_stop(start, end, stop):
    rows = [{"host_id": "A", "from_s": at(seconds).timestamp()} for seconds in (200, 100, 200)]
    made = replace(told(), left_out=(*rows, {"host_id": "A", "from_s": None}))
    assert made.stop("A", at(start), at(end)) == (None if stop is None else at(stop))
    assert made.stop("B", at(start), at(end)) is None


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
    assert found == sorted(found, key=lambda row: row["time"])


def test_groups_and_hosts_are_those_that_something_happened_to():
    rows = [event(0, "B", "ready"), event(1, None, "dump", ag="G2"), event(2, "A", "dump", ag="")]
    made = told([failover(100, 108, ag="G1")], rows)
    assert (made.groups, made.hosts) == (["G1", "G2"], ["A", "B"])
