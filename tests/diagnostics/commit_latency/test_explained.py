"""What wait statistics explain of commits and of the send queue, and when."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from agtrace.diagnostics import commit_latency
from agtrace.diagnostics.commit_latency import CommitLatency
from tests.behind import assert_facts, texts
from tests.diagnostics.tiny import case

SAID = Path(commit_latency.__file__).parent / "said"
STREAM = (
    "SQL2 | - | streams | stream_id=1; primary_host_id=SQL1; replica_host_id=SQL2; replica=SQL2; "
    "start=2024-03-05T12:00:00Z; end=2024-03-05T12:10:00Z"
)
QUEUE = r"""
    SQL2 | \SQLServer:Database Replica(Sales)\Log Send Queue  | 9000
    SQL2 | \SQLServer:Database Replica(Other)\Log Send Queue  | 3000
    SQL2 | \SQLServer:Database Replica(_Total)\Log Send Queue | 999999
    SQL1 | \SQLServer:Database Replica(Sales)\Log Send Queue  | 0
"""


def waited(wait, ms, n=600, at=60, host="SQL1"):
    return f"{host} | {at} | waits | wait_type={wait}; seconds=60; waiting_tasks={n}; wait_ms={ms}; line=7"


def interval(at, commit=5400, write=480, **more):
    return [waited("HADR_SYNC_COMMIT", commit, at=at, **more), waited("WRITELOG", write, at=at, **more)]


def asked(*relations, perfmon=QUEUE):
    return CommitLatency(case(perfmon, relations="\n".join([STREAM, *relations])))


def test_a_minute_is_told_with_what_it_explains_and_the_queue():
    assert_facts(texts(asked(*interval(60)).say_waits)["waits.md"], told=1)


def test_minutes_that_tell_the_same_are_one_stretch():
    made = asked(*interval(60), *interval(120), *interval(180, commit=480, write=5400), *interval(300))
    told = [(each.cause, len(each.rows)) for each in made.stretches]
    assert told == [("replica", 2), ("log", 1), ("replica", 1)]
    assert_facts(texts(made.say_waits)["waits.md"], told=3)


@pytest.mark.parametrize(
    ("commit", "write", "cause"),
    [
        (2100, 1200, "both"),  # 3.5 ms against 2 ms: not twice as long
        (2401, 1200, "replica"),
        (1200, 2401, "log"),
        (600, 500, None),  # all below a millisecond
        (1200, 480, "replica"),
    ],
)
def test_what_is_twice_as_long_is_what_commits_wait_for(commit, write, cause):
    assert [each.cause for each in asked(*interval(60, commit, write)).stretches] == (
        [cause] if cause else []
    )


LIVES = {
    "replica": ([*interval(60)], [*interval(60, commit=600)], [waited("WRITELOG", 480)]),
    "log": ([*interval(60, 1200, 2401)], [*interval(60, 1200, 2400)], [waited("WRITELOG", 2401)]),
    "both": ([*interval(60, 2100, 1200)], [*interval(60, 600, 500)], [waited("WRITELOG", 1200)]),
    "no_log": ([waited("HADR_SYNC_COMMIT", 5400)], [*interval(60)], []),
    "flow_control": (
        [*interval(60), waited("HADR_DATABASE_FLOW_CONTROL", 6000)],
        [*interval(60), waited("HADR_DATABASE_FLOW_CONTROL", 5999)],
        [*interval(60)],
    ),
    "catch_up": (
        [*interval(60), waited("HADR_SYNCHRONIZING_THROTTLE", 6000)],
        [*interval(60), waited("HADR_SYNCHRONIZING_THROTTLE", 5999)],
        [*interval(60)],
    ),
}
"""Of each cause the waits of a minute in which it is true, nearly true, and was not captured."""


@pytest.mark.parametrize("cause", LIVES)
def test_each_cause_is_told_where_it_is_true_alone(cause):
    told = [[each.cause for each in asked(*waits).stretches] for waits in LIVES[cause]]
    assert (cause in told[0], cause in told[1], cause in told[2]) == (True, False, False)


def test_every_cause_has_its_lives():
    words = tomllib.loads((SAID / "waits.toml").read_text(encoding="utf-8"))
    assert set(words) - {"commits", "meanwhile", "told"} == set(LIVES)


def test_few_commits_explain_nothing():
    assert asked(*interval(60, n=19)).stretches == []
    assert len(asked(*interval(60, n=20)).stretches) == 1
    assert_facts(texts(asked(*interval(60, n=19)).say_waits)["waits.md"], seen=True, told=[])


@pytest.mark.parametrize(
    ("wait", "cause", "words"),
    [
        ("HADR_DATABASE_FLOW_CONTROL", "flow_control", {"told": 1}),
        ("HADR_TRANSPORT_FLOW_CONTROL", "flow_control", {"told": 1}),
        ("HADR_SYNCHRONIZING_THROTTLE", "catch_up", {"told": 1}),
    ],
)
def test_a_gate_that_held_log_back_explains_the_queue(wait, cause, words):
    made = asked(*interval(60), waited(wait, 6000))
    assert [each.cause for each in made.stretches] == [cause]
    assert_facts(texts(made.say_waits)["waits.md"], **words)


def test_waits_for_threads_and_the_log_buffer_are_told_besides():
    made = asked(*interval(60), waited("THREADPOOL", 6000), waited("LOGBUFFER", 5999))
    assert_facts(texts(made.say_waits)["waits.md"], told=1)


def test_without_the_replicas_counters_it_says_what_is_missing():
    made = asked(*interval(60), perfmon="")
    assert_facts(texts(made.say_waits)["waits.md"], told=1)


def test_without_the_waits_for_the_log_nothing_is_said_of_it():
    made = asked(waited("HADR_SYNC_COMMIT", 5400))
    assert [each.cause for each in made.stretches] == ["no_log"]


def test_without_wait_statistics_it_says_how_to_capture_them():
    assert_facts(texts(asked().say_waits)["waits.md"], seen=False, told=[])


def test_without_anything_the_figure_and_the_table_are_empty():
    made = asked()
    assert list(made.fig_waits().data) == []
    assert made.tbl_waits().empty


def test_waits_of_a_secondary_that_commits_nothing_are_no_intervals():
    assert asked(waited("WRITELOG", 5400, host="SQL2")).explained == []


def test_the_finding_tells_the_time_in_which_commits_waited_longest():
    (found,) = asked(*interval(60), *interval(120, commit=5400, write=5000)).findings()
    assert_facts(found, n=1200, stretch=True)
    assert [each.label for each in found.evidence] == [
        "commit wait mean", "log write mean", "log send queue meanwhile",
    ]  # fmt: skip
    assert found.evidence[2].value == 12000 * 1024


def test_the_table_and_the_figure_show_every_interval():
    made = asked(*interval(60), *interval(120, n=19))
    table = made.tbl_waits()
    assert table["explains"].tolist() == ["replica", ""]
    assert table["commit_mean_ms"].tolist() == [9.0, pytest.approx(5400 / 19)]
    assert [line.name for line in made.fig_waits().data] == [
        "SQL1: waits for replicas", "SQL1: waits for the log", "SQL1: log send queue",
    ]  # fmt: skip
