"""What the question asks of ways and waits that it is given."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.commit_latency import CommitLatency, beside
from agtrace.diagnostics.commit_latency.needs import NEEDS
from agtrace.measure.usage import Window
from agtrace.say import words
from tests.behind import assert_facts, texts
from tests.diagnostics.commit_latency.made import at, link, stretch
from tests.diagnostics.tiny import case

WAITED = {"host": "SQL1", "n": 1234, "mean": 7.5}


def asked(*links: Any) -> CommitLatency:
    question = CommitLatency(case())
    question.__dict__ |= {"links": list(links), "waited": [WAITED]}
    return question


def test_waits_are_told_where_no_whole_commit_was_captured():
    assert_facts(texts(asked().say_summary)["summary.md"], waited=1, judged=[], left_out=[])
    assert_facts(texts(asked(link(commit=None)).say_summary)["summary.md"], waited=1, judged=1, left_out=[])


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


def test_the_twelve_stretches_are_told_in_which_commits_waited_longest():
    question = asked()
    made = [stretch("SQL1", 100.0 * (1 + n % 7) + n, 1e6) for n in range(14)]
    question.__dict__ |= {"stretches": made, "explained": [{}]}
    page = question.say_waits()
    assert_facts(texts(question.say_waits)["waits.md"], more=2, told=12)
    waits = [each.facts["commit_mean"] for each in made]
    left = sorted(waits)[:2]
    assert not [each for each in left if f" {words.number(each, 'ms')} on average" in page]


class Asked:
    """A case that keeps what is run."""

    def __init__(self, rows: list[Any]) -> None:
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self.held = rows

    def run(self, query: str, given: dict[str, Any]) -> None:
        self.ran.append((query, given))

    def rows(self, _query: str) -> list[Any]:
        return self.held


def gathered(monkeypatch: Any, *, seen: bool, rows: list[Any]) -> tuple[bool, Asked, list[Any]]:
    view: Any = Asked(rows)
    kept: list[Any] = []
    monkeypatch.setattr(beside.usage, "keep_series", lambda _view, *given: kept.append(given) or seen)
    return beside.gather(view, lambda name: name, [link()]), view, kept


OF_HOSTS = {"links": ["id-sales R2"], "primaries": ["SQL1"], "replicas": ["SQL2"]}
OF_GATES = OF_HOSTS | {"instances": ["AG:SQL2"], "starts": [at(-60)], "ends": [at(120)]}
OF_RESOURCES = {
    "numbers": [0], "resources": ["disk_write_ms", "disk_read_ms", "cpu", "recovery_queue"],
    "names": ["disk write", "disk read", "processors", "recovery queue"], "factors": [1.0, 1.0, 1.0,
    2.0**-20],
}  # fmt: skip


def test_what_hosts_did_is_gathered_from_a_minute_before_to_a_minute_after(monkeypatch):
    has_rows, view, kept = gathered(monkeypatch, seen=True, rows=[1])
    assert has_rows
    assert kept == [([Window(0, at(-60), at(120), "Sales")], tuple(OF_RESOURCES["resources"]))]
    assert view.ran == [("flow_control.sql", OF_GATES), ("hosts.sql", OF_HOSTS | OF_RESOURCES)]


def test_without_series_of_hosts_only_gates_are_gathered(monkeypatch):
    has_rows, view, _kept = gathered(monkeypatch, seen=False, rows=[])
    assert not has_rows
    assert [query for query, _given in view.ran] == ["flow_control.sql"]


def test_the_hops_between_need_every_event_but_those_of_the_ends_and_of_the_wait():
    ends, between, wait = (need.names for need in NEEDS[:3])
    assert set(ends) == {"hadr_capture_log_block", "hadr_transport_receive_log_block_message"}
    assert wait == ("hadr_db_commit_mgr_harden",)
    assert {"hadr_log_block_send_complete", "hadr_receive_harden_lsn_message"} <= set(between)
    assert not {*ends, *wait} & set(between)
