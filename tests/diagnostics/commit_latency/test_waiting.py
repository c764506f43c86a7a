"""Commits are spoken of only where something captured shows that they waited for a replica."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.commit_latency import CommitLatency
from simulation.commits.model import AG, PRIMARY, REPLICA, database_id
from tests.behind import assert_facts, texts
from tests.diagnostics.commit_latency.test_sides import MODE, SETTING, events, looks
from tests.diagnostics.commit_latency.test_sources import counters, waits
from tests.diagnostics.drawn_blocks import case_of
from tests.diagnostics.tiny import case
from tests.history.log_blocks.test_two_replicas import for_both

pytestmark = pytest.mark.complete

NAME = f"{PRIMARY} | 0 | ag_names | kind=database; id={database_id('Sales')}; name=Sales"
MINUTE = replace(SETTING, blocks=180, apart_ms=330)
COMMIT = "hadr_db_commit_mgr_harden"


def unwaited():
    """Return the events of a session that did not capture commit waits."""
    return events(MINUTE, lambda event: event.event != COMMIT)


def told(asked):
    return [f.id for f in asked.findings() if f.subject.get("replica")]


@pytest.mark.parametrize("mode", [None, "ASYNCHRONOUS"])
def test_without_a_commit_that_waited_nothing_is_said_of_commits(mode):
    asked = CommitLatency(case_of(unwaited(), looks((-900, mode)) if mode else case()))
    assert told(asked) == []
    assert_facts(texts(asked.say_summary)["summary.md"], left_out=1, judged=[], waited=[])


def test_the_summary_says_that_no_commit_is_seen_to_wait():
    assert_facts(
        texts(CommitLatency(case_of(unwaited())).say_summary)["summary.md"], left_out=1, judged=[], waited=[]
    )


def test_commits_that_did_not_wait_are_none_that_waited():
    still = [
        replace(event, fields=event.fields | {"time_to_commit": 0}) if event.event == COMMIT else event
        for event in events(SETTING)
    ]  # fmt: skip
    assert told(CommitLatency(case_of(still))) == []


def test_a_few_commits_that_waited_are_no_rule():
    kept = [event for event in events(MINUTE) if event.event == COMMIT][:5]
    assert told(CommitLatency(case_of(unwaited() + kept))) == []


@pytest.mark.parametrize(
    "made",
    [
        lambda: looks((-900, "SYNCHRONOUS")),
        lambda: case(**waits()),
        lambda: case(**counters(), relations=NAME),
    ],
    ids=["a look", "wait statistics", "counters"],
)
def test_a_look_wait_statistics_or_counters_show_it_too(made):
    assert told(CommitLatency(case_of(unwaited(), made()))) == ["commit.latency", "commit.hop"]


def test_the_replica_alone_tells_what_it_does_with_the_log():
    alone = events(replace(SETTING, sides=(REPLICA,)))
    assert told(CommitLatency(case_of(alone))) == ["commit.latency"]


def test_of_two_replicas_waits_of_the_server_do_not_say_which_is_awaited():
    both = list(for_both(unwaited(), 30))
    asked = CommitLatency(case_of(both, case(**waits())))
    assert told(asked) == []


def test_beside_an_asynchronous_replica_the_other_one_is_awaited():
    look = MODE.format(host=PRIMARY, at=-900, ag=AG, replica="SQL3", mode="ASYNCHRONOUS")
    both = list(for_both(unwaited(), 30))
    asked = CommitLatency(case_of(both, case(**waits(extra=look))))
    assert {f.subject["replica"] for f in asked.findings() if f.subject.get("replica")} == {REPLICA}
