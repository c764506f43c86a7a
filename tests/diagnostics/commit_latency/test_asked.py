"""What the question asks of ways and waits that it is given."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.commit_latency import CommitLatency
from tests.behind import assert_facts, texts
from tests.diagnostics.commit_latency.made import WAITED, link
from tests.diagnostics.tiny import case


def asked(*links: Any) -> CommitLatency:
    question = CommitLatency(case())
    question.__dict__ |= {"links": list(links), "waited": [WAITED]}
    return question


def test_waits_are_told_where_no_whole_commit_was_captured():
    assert texts(asked().say_summary)["summary.md"]["waited"] == [WAITED]
    assert_facts(texts(asked().say_summary)["summary.md"], judged=[], left_out=[])
    facts = texts(asked(link(commit=None)).say_summary)["summary.md"]
    assert facts["waited"] == [WAITED]
    assert_facts(facts, judged=1, left_out=[])


def test_ways_are_judged_that_commits_wait_for_and_of_which_enough_was_seen():
    whole, replica_alone = link(), link(commit=None)
    bare, few = link({}, None), link(blocks=19)
    commit_alone, not_awaited = link({}), link(commit_mode="asynchronous")
    enough = link(blocks=20)
    question = asked(whole, replica_alone, bare, few, commit_alone, not_awaited, enough)
    assert question.judged == [whole, replica_alone, commit_alone, enough]


@pytest.mark.parametrize(("blocks", "asked_of"), [(None, []), ("blocks", ["SQL2", "SQL3"])])
def test_changes_are_estimated_for_each_replica_whose_blocks_are_known(monkeypatch, blocks, asked_of):
    told: list[str] = []
    monkeypatch.setattr("agtrace.replay.what_if.blocks_of", lambda _view, _replica: blocks)
    monkeypatch.setattr("agtrace.replay.offers.of_commits", lambda _dominant: ["a change"])
    monkeypatch.setattr("agtrace.replay.what_if.what_if", lambda replica, *_given: told.append(replica))
    question = asked(link(), link(database="HR"), link(replica="SQL3"), link(commit=None, replica="SQL4"))
    assert len(question._estimates) == len(asked_of)
    assert sorted(told) == asked_of
