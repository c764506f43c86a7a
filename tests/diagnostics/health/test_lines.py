"""The lines and rows of incidents: times to a tenth, names of sixty characters, tables of several."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import failed_over, story, summary
from agtrace.diagnostics.health.analysis import SAID
from agtrace.diagnostics.health.story import Moment, Story
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, told

FAILED = Judged(said="", id="health.failover", severity="warning", subject={}, evidence=(), confidence=0.5)


def line(local=None, host="A"):
    moment = Moment(at(5), local, host, "left", "A/ERRORLOG line 7", {"ag": "AG"})
    return summary._line(moment, SAID)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "12:00:00.0"), (5.7, "12:00:05.7"), (5.299999, "12:00:05.2"), (5.999999, "12:00:05.9")],
)
def test_a_line_has_the_time_of_its_host_to_a_tenth(seconds, shown):
    found = line(at(seconds).replace(tzinfo=None))
    assert (found.local, found.utc, found.time) == (shown, "12:00:05.0", "2024-03-05T12:00:05.000Z")


SHORT, LONG = "H" * 60, "H" * 61


def test_names_are_shown_to_sixty_characters():
    assert line(host=SHORT).host == SHORT
    assert len(line(host=LONG).host) <= 60

    def moved(name):
        row = failover(100, 108, name, name, ag=name, confidence=None)
        found = summary._moved(Story("key", FAILED, (), {"at": at(100)}), row, SAID)
        return [found.ag, found.old, found.new]

    assert moved(SHORT) == [SHORT] * 3
    assert [len(each) <= 60 for each in moved(LONG)] == [True] * 3


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_table_lists_failovers_where_there_are_several(n):
    made = told([failover(n * 1000, n * 1000 + 8, failover_id=n, reasons=[]) for n in range(1, n + 1)])
    found = story.stories(made, failed_over.failovers(made, Thresholds()))
    assert len(summary.incidents(found, found[0], SAID).moved) == (n if n > 1 else 0)


def test_times_without_a_primary_are_told_to_the_millisecond():
    made = told([failover(0, 4.00644), failover(100, 102)])
    shown = {each.label: each.value for each in summary.key_figures(made, [])}
    assert (shown["without a primary in all"], shown["longest without a primary"]) == (6.006, 4.006)


def test_what_belongs_to_a_failover_is_counted_too():
    lost = [
        event(96, "A", "lease_lost", "cluster"), event(100, "A", "lease_expired"),
        event(101, "A", "connection_timeout", replica="B"),
        event(102, "B", "connection_timeout", replica="A"),
        event(150, "A", "connected", replica="B"), event(500, "A", "lease_lost", "cluster"),
    ]  # fmt: skip
    made = told([failover(100, 108)], lost)
    shown = {each.label: each.value for each in summary.key_figures(made, [])}
    assert (shown["expired leases"], shown["lost connections"]) == (2, 1)


def test_nothing_that_happened_took_no_time():
    assert summary.summary(told(), [])["seconds"] == 0.0
