"""The moments of a story one by one: which, when, of what weight, and which story is opened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import failed_over, groups, story
from agtrace.diagnostics.health.rows import TimelineWitness
from agtrace.diagnostics.health.story import BRINGS_ABOUT, DECIDES, FOLLOWS, SUPPORTS, Moment, Story
from agtrace.diagnostics.health.things import things
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, iso, reason, state, still, told, watched
from tests.folded import folded

LIMITS = Thresholds()
LEFT, IN_PLACE = reason(100, "A", "replica_state", "gone"), reason(108, "B", "replica_state", "in place")


def stories(case, lost=groups.no_primary):
    doubled = groups.two_primaries(case, LIMITS)
    judged = [*failed_over.failovers(case, LIMITS, doubled), *lost(case, LIMITS), *doubled]
    return story.stories(case, judged)


def moments(row=None, events=(), **more):
    made = replace(told([row or failover(100, 108, reasons=[LEFT, IN_PLACE])], list(events)), **more)
    (found,) = stories(made)
    return [
        ((each.time - at(0)).total_seconds(), each.host, each.said, each.weight) for each in found.moments
    ]


STATES = [(100.0, "A", "left", BRINGS_ABOUT), (108.0, "B", "in_place", DECIDES)]


@folded(
    ("row", "expected"),
    [
        (reason(108.0005, "B", "replica_state", "x"), ("in_place", DECIDES)),
        (reason(108.05, "B", "replica_state", "x"), ("written", SUPPORTS)),
        (reason(107.95, "B", "replica_state", "x"), ("written", SUPPORTS)),
        (reason(108, "A", "replica_state", "x"), ("left", BRINGS_ABOUT)),
        (reason(108.9, "A", "replica_state", "x"), ("left", BRINGS_ABOUT)),
        (reason(109, "A", "replica_state", "x"), ("left_late", DECIDES)),
        (reason(108, "C", "replica_state", "x"), ("written", SUPPORTS)),
        (reason(90, "A", "dump", "x"), ("dump", BRINGS_ABOUT)),
        (reason(108, "A", "dump", "x"), ("dump", BRINGS_ABOUT)),
        (reason(108.1, "A", "dump", "x"), ("dump", SUPPORTS)),
        (reason(90, "A", "memory_low", "x"), ("memory_low", SUPPORTS)),
        (reason(90, "A", "something", "x"), ("written", SUPPORTS)),
        (reason(90, None, "dump", "x"), ("dump", BRINGS_ABOUT)),
    ],
)
def test_an_entry_is_told_by_what_it_says_of_the_failover(row, expected):
    ((_, host, *found),) = moments(failover(100, 108, reasons=[row]))
    assert (host, tuple(found)) == (row.host_id or "", expected)


def test_of_entries_of_one_kind_and_host_the_first_is_told():
    rows = [reason(90 + n, host, "dump", "x") for n, host in enumerate("ABA")]
    assert moments(failover(100, 108, reasons=[*rows, LEFT, IN_PLACE])) == [
        (90.0, "A", "dump", BRINGS_ABOUT), (91.0, "B", "dump", BRINGS_ABOUT), *STATES
    ]  # fmt: skip


def slow(seconds, value, thing="a"):
    return event(seconds, "A", "long_io", value=value, thing=thing)


@pytest.mark.parametrize(
    ("rows", "since"),
    [
        ([slow(90, 36_000.0)], 54.0),
        ([slow(90, None)], 75.0),
        ([slow(90, 16_000.0), slow(95, 36_000.0)], 59.0),
    ],
)
def test_reads_and_writes_stalled_since_the_first_of_them_began_and_for_fifteen_seconds_at_least(rows, since):
    assert moments(events=rows) == [(since, "A", "slow", DECIDES), *STATES]


def facts_of(row=None, events=(), **more):
    made = replace(told([row or failover(100, 108, reasons=[LEFT, IN_PLACE])], list(events)), **more)
    (found,) = stories(made)
    return found.facts


@pytest.mark.parametrize(
    ("start", "high", "is_bound", "seconds"),
    [(60, 40.0, False, 40.0), (60, 40.9, False, 40.0), (60, 41.0, True, 40.0), (100, 40.0, None, None),
     (100.5, 40.0, None, None)],
)  # fmt: skip
def test_the_old_primary_stalled_since_it_stood_still_before_it_was_lost(start, high, is_bound, seconds):
    row = still("A", start, 120, seconds_low=40.0, seconds_high=high)
    facts = facts_of(standstills=(row,))
    assert facts["stalled_s"] == seconds
    assert (facts["stalled"] and (facts["stalled"].by, facts["stalled"].is_bound)) == (
        seconds and ("standstill", is_bound)
    )


def test_slow_files_come_before_a_standstill_as_what_stalled_it():
    facts = facts_of(events=[slow(90, 36_000.0)], standstills=(still("A", 20, 120),))
    assert (facts["stalled"].by, facts["stalled"].is_bound, facts["stalled_s"]) == ("files", False, 46.0)


@pytest.mark.parametrize(("cause", "is_told"), [("standstill", True), ("network", False)])
def test_a_standstill_is_told_where_it_is_the_cause(cause, is_told):
    row = failover(100, 108, cause=cause, reasons=[LEFT, IN_PLACE])
    stood = [(90.0, "A", "stands_still", DECIDES), (120.0, "A", "goes_on", FOLLOWS)]
    found = moments(row, standstills=(still("A", 90, 120),))
    assert sorted(found) == sorted([*STATES, *(stood if is_told else [])])


def test_busy_processors_are_told_where_the_cause_rests_on_them():
    rows = [event(80 + n, "A", "processors_busy", value=97.0, sql_percent=20.0) for n in (0, 9)]
    rows[0] = rows[0]._replace(witnesses=[TimelineWitness("x", "A", None, None)])
    busy = reason(95, "A", "processors_busy", "busy")
    assert moments(events=rows) == STATES
    assert (
        moments(failover(100, 108, reasons=[LEFT, IN_PLACE, reason(90, "B", "dump", "x")]), rows)[1:]
        == STATES
    )
    row = failover(100, 108, reasons=[busy, LEFT, IN_PLACE])
    assert moments(row, rows) == [(80.0, "A", "busy", DECIDES), *STATES]
    assert moments(row) == STATES
    (found,) = stories(told([row], rows))
    assert (found.moments[0].place, found.moments[0].facts["until"]) == ("A/ERRORLOG line 7", at(89))


@pytest.mark.parametrize(("seconds", "weight"), [(109, FOLLOWS), (108.9, SUPPORTS), (1008, FOLLOWS)])
def test_a_partner_that_is_back_follows_unless_it_was_never_away(seconds, weight):
    back = event(seconds, "B", "connected", replica="A", ag="AG", text="established")
    assert moments(events=[back], coverage=watched(B=7200)) == [
        *STATES,
        (float(seconds), "B", "partner", weight),
    ]


def test_a_group_without_a_primary_has_a_story_of_what_was_written():
    rows = [
        state(10, "A", "RESOLVING_NORMAL", "PRIMARY_NORMAL"), state(20, "B", "X", "SECONDARY_NORMAL"),
        state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
        event(130, "B", "online_failed", ag="AG", text="why not"),
        state(140, "B", "SECONDARY_NORMAL", "RESOLVING_NORMAL"),
    ]  # fmt: skip
    made = replace(told(events=rows), coverage=watched(A=900, B=900))
    (found,) = stories(made)
    place = {host: f"{host}/ERRORLOG line 7" for host in "AB"}
    assert found.moments == (
        Moment(at(100), None, "A", "left", place["A"], {"ag": "AG", "both": 0.0}),
        Moment(at(130), None, "B", "written", place["B"], {"kind": "online failed", "text": "why not"}),
        Moment(at(140), None, "B", "stays", place["B"], {"state": "RESOLVING_NORMAL", "ag": "AG"}),
    )
    assert found.key == "no-primary-1"
    assert found.facts == dict(found.judged.facts) | {
        "at": at(100), "back": None, "stalled": None, "databases_back": 0, "databases_known": 0, "both": None,
        "partner": None, "unseen": [], "against": [], "lacks": {}, "is_sure": True, "ag": "AG",
        "until": at(900),
    }  # fmt: skip


def reigns(end=110, group="AG"):
    rows = [(0, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"), (100, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
            (end, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")]  # fmt: skip
    return [state(*row, ag=group)._replace(skew_ms=0.0) for row in rows]


def doubled(*rows, events=None, **more):
    ordered = sorted(events or reigns(), key=lambda row: row.time)
    made = replace(told(list(rows), ordered), coverage=watched(A=7200, B=7200), **more)
    return stories(made, lambda *_: [])


def test_two_primaries_without_a_failover_have_a_story_of_both():
    (found,) = doubled()
    assert [(each.time, each.host, each.said, each.facts) for each in found.moments] == [
        (at(100), "B", "in_place", {"seconds": None, "ag": "AG"}),
        (at(110), "A", "left_late", {"both": 10.0, "ag": "AG"}),
    ]
    assert found.key == "two-primaries-1"
    assert found.facts == dict(found.judged.facts) | {
        "at": at(100), "back": at(100), "stalled": None, "databases_back": 0, "databases_known": 0,
        "both": 10.0, "seconds": None, "partner": None, "unseen": [], "against": [], "lacks": {},
        "is_sure": True, "ag": "AG",
    }  # fmt: skip


def test_two_primaries_after_a_failover_are_part_of_its_story():
    assert [each.key for each in doubled(failover(90, 100))] == ["failover-1"]


@pytest.mark.parametrize(("until", "unseen"), [(99, ["C"]), (7200, [])])
def test_a_replica_whose_log_ends_before_an_outage_is_unseen(until, unseen):
    made = told([failover(100, 108)], [state(10, "C", "X", "SECONDARY_NORMAL")])
    (found,) = stories(replace(made, coverage=watched(A=7200, B=7200, C=until)), lambda *_: [])
    assert found.facts["unseen"] == unseen


def test_the_longest_stall_is_in_seconds():
    made = told(events=[slow(90, 16_000.0), slow(95, 36_000.0)])
    assert things(failover(100, 108), made)["longest"] == 36


# Which one is opened.


def judged(id_, start=100, severity="warning", **subject):
    return Judged(
        said="", id=id_, severity=severity, subject=subject, evidence=(), confidence=0.9,
        window={"start": iso(start), "end": iso(start + 8)},
    )  # fmt: skip


def made(key, id_, start=100, severity="warning", **facts):
    return Story(key, judged(id_, start, severity), (), facts)


FAILED, LOST, BOTH = "health.failover", "health.no_primary", "health.two_primaries"


@folded(
    ("first", "key"),
    [
        (judged(FAILED, 100), "f1"), (judged(FAILED, 300), "f2"), (judged(LOST, 300), "n1"),
        (judged(BOTH, 500), "t1"), (judged(BOTH, 100, ag="AG"), "f2"), (judged(BOTH, 900, ag="G3"), "worst"),
        (judged(BOTH, 900), "worst"), (judged(FAILED, 900, ag="AG"), "worst"),
        (judged("health.lease", 100), "worst"), (None, "worst"),
    ],
)  # fmt: skip
def test_the_story_that_the_first_finding_is_about_is_opened_else_the_worst(first, key):
    found = [
        made("f1", FAILED, 100, doubled=None, seconds=500.0),
        made("f2", FAILED, 300, doubled={"group": "AG"}),
        made("n1", LOST, 300, seconds=900.0),
        made("t1", BOTH, 500),
        made("worst", FAILED, 700, "critical", doubled=None, seconds=3.0),
    ]
    assert story.opened(found, first).key == key


def test_of_stories_of_one_severity_the_longest_is_the_worst():
    unknown, short, long = (made(str(n), FAILED, seconds=n) for n in (None, 0.05, 8.0))
    assert [each.seconds for each in (unknown, short, long)] == [0.0, 0.05, 8.0]
    assert made("x", BOTH).seconds == 0.0
    assert story.opened([unknown, short, long], None) is long
    assert story.opened([unknown, short], None) is short
    assert story.opened([], None) is None


def lines(*weights):
    return tuple(Moment(at(n), None, "A", str(n), "", {}, weight) for n, weight in enumerate(weights))


@pytest.mark.parametrize(
    ("weights", "shown"),
    [
        ([SUPPORTS] * 5, [0, 1, 2, 3, 4]),
        ([SUPPORTS] * 6, []),
        ([SUPPORTS, DECIDES, SUPPORTS, FOLLOWS, SUPPORTS, BRINGS_ABOUT], [1, 3, 5]),
        ([FOLLOWS] * 8, [0, 1, 2, 3, 4, 5, 6]),
        ([FOLLOWS] * 4 + [BRINGS_ABOUT] * 4 + [DECIDES] * 2, [0, 4, 5, 6, 7, 8, 9]),
    ],
)
def test_seven_moments_that_decide_are_shown_and_five_are_told_whole(weights, shown):
    found = replace(made("x", FAILED), moments=lines(*weights))
    assert [each.said for each in found.shown] == [str(n) for n in shown]
    assert [each.said for each in found.folded] == [str(n) for n in range(len(weights)) if n not in shown]
