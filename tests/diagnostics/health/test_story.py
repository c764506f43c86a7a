"""The story of an incident: cause first, its impact, what is not known, and which one is opened."""

from __future__ import annotations

from dataclasses import replace

from agtrace.diagnostics.health import failed_over, groups, story, summary
from agtrace.diagnostics.health.analysis import SAID
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, reason, told

LIMITS = Thresholds()
LEFT, IN_PLACE = reason(100, "A", "replica_state", "gone"), reason(108, "B", "replica_state", "in place")
SLOW = event(90, "A", "long_io", value=36_000.0, unit="ms", thing="L:\\a.ldf")
BACK = event(109, "B", "database_role", database="X", before="RESOLVING", after="PRIMARY")


def state(seconds, host, before, after):
    return event(
        seconds, host, "replica_state", ag="AG", before=before, after=after, text=f"{before} to {after}"
    )


def stories(case):
    doubled = groups.two_primaries(case, LIMITS)
    judged = [*failed_over.failovers(case, LIMITS, doubled), *groups.no_primary(case, LIMITS), *doubled]
    return story.stories(case, judged)


def shown(case, opened=0):
    found = stories(case)
    return summary.told(found, found[opened], SAID)


def test_the_cause_comes_first_from_when_it_began():
    case = told([failover(100, 108, cause="long_io", reasons=[LEFT, IN_PLACE])], [SLOW, BACK])
    lines = shown(case).first.lines
    assert [(line.utc, line.host) for line in lines] == [
        ("12:00:54.0", "A"), ("12:01:40.0", "A"), ("12:01:48.0", "B"), ("12:01:49.0", "B"),
    ]  # fmt: skip
    assert (lines[0].where, lines[0].time) == ("A/ERRORLOG line 7", "2024-03-05T12:00:54.000Z")


def test_the_clock_of_a_host_stands_beside_utc():
    offsets = ({"host": "A", "minutes": -300, "since": at(-9e6).replace(tzinfo=None)},)
    case = replace(told([failover(100, 108, reasons=[LEFT, IN_PLACE])]), offsets=offsets)
    assert [line.local for line in shown(case).first.lines] == ["07:01:40.0", ""]


def test_of_several_failovers_a_table_links_to_each():
    rows = [failover(n * 1000, n * 1000 + 8, failover_id=n, reasons=[]) for n in (1, 2, 3)]
    found = shown(told(rows), opened=1)
    assert [(each.key, each.away) for each in found.moved] == [
        ("failover-1", "8 s"), ("failover-2", "8 s"), ("failover-3", "8 s"),
    ]  # fmt: skip
    assert (found.opened, [each.key for each in found.rest]) == ("failover-2", ["failover-1", "failover-3"])


def test_the_worst_incident_is_opened_where_the_headline_is_about_none():
    rows = [failover(n * 1000, n * 1000 + 5 * n, failover_id=n, reasons=[]) for n in (1, 3, 2)]
    assert story.opened(stories(told(rows)), None).key == "failover-3"


def test_a_story_shows_few_lines_and_folds_the_rest():
    kinds = [reason(90 + n / 10, "A", kind, "its text") for n, kind in enumerate(sorted(story.WORDED))]
    first = shown(told([failover(100, 108, reasons=[*kinds, LEFT, IN_PLACE])])).first
    assert len(first.lines) == story.SHOWN
    assert len(first.more) == len(kinds) + 2 - story.SHOWN
