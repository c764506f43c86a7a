"""What is judged of commits, by ways made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.commit_latency import judge
from agtrace.diagnostics.commit_latency.beside import Beside
from agtrace.diagnostics.commit_latency.judge import InCommon
from agtrace.diagnostics.commit_latency.measured import Drift, Link
from agtrace.say.said import Judged
from tests.diagnostics.commit_latency.made import LIMITS, TOLD, WAITED, at, hop, link, spread, stretch
from tests.folded import folded


def shown(judged: Judged) -> list[tuple[str, Any, str, str]]:
    return [(each.label, each.value, each.unit, each.source) for each in judged.evidence]


# Latency.

BOTH = "data-movement events of SQL1 and SQL2"


def test_latency_is_told_by_commit_wait_hops_and_clocks():
    of = link(
        {"send": 2.0}, wait=spread(8.0, n=1200), skew_ms=5.0, spread_ms=1.0, drift=Drift(0.0)
    )  # fmt: skip
    made = judge.latency(of)
    assert (made.said, made.id, made.severity, made.confidence) == ("latency", "commit.latency", "info", 0.9)
    assert made.subject == {"ag": "AG", "database": "Sales", "replica": "SQL2"}
    assert made.window == {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:01:00+00:00"}
    waits = "hadr_db_commit_mgr_harden of SQL1, n = 1,200"
    assert shown(made) == [
        ("commit p50", 20.0, "ms", BOTH), ("commit p95", 40.0, "ms", BOTH), ("commit p99", 60.0, "ms", BOTH),
        ("commit wait p50", 8.0, "ms", waits), ("commit wait p95", 16.0, "ms", waits),
        ("commit wait p99", 24.0, "ms", waits), ("commit wait mean", 8.0, "ms", waits),
        ("send p50", 2.0, "ms", BOTH), ("send p95", 4.0, "ms", BOTH), ("send p99", 6.0, "ms", BOTH),
        ("send share", 10.0, "%", BOTH),
        ("joined blocks", 300, "blocks", BOTH), ("skew", 5.0, "ms", BOTH), ("skew spread", 1.0, "ms", BOTH),
        ("skew drift", 0.0, "ms/h", BOTH),
    ]  # fmt: skip


def test_one_side_tells_no_clocks_and_is_less_sure():
    made = judge.latency(link({"send": 2.0}, None, is_joined=False, skew_ms=5.0, replica_host=None))
    assert made.confidence == 0.8
    assert [each[0] for each in shown(made)] == ["send p50", "send p95", "send p99"]
    assert shown(made)[0][3] == "data-movement events of SQL1"
    nobody = judge.latency(link({"send": 2.0}, None, is_joined=False, primary_host=None, replica_host=None))
    assert shown(nobody)[0][3] == "data-movement events of an unknown host"


# Waits alone.


def test_waits_are_told_with_the_queue_of_the_longest_stretch():
    stretches = [
        stretch("SQL1", 500, 1e6), stretch("SQL1", 900, 2e6), stretch("SQL1", 5000, None), stretch("SQL9",
        9e9, 3e6)
    ]  # fmt: skip
    made = judge.waits(WAITED, "AG", stretches)
    assert (made.said, made.severity, made.confidence, made.subject) == (
        "latency.waits", "info", 0.6, {"ag": "AG"}
    )  # fmt: skip
    assert made.window == {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:01:00+00:00"}
    assert shown(made) == [
        ("commit wait mean", 7.5, "ms", "HADR_SYNC_COMMIT of SQL1, n = 1,234"),
        ("log write mean", 1.5, "ms", "WRITELOG of SQL1, n = 5,678"),
        ("log send queue meanwhile", 2e6, "B", "perfmon of SQL2, n = 1,500"),
    ]
    assert made.facts["stretch"].waited_ms == 900


@pytest.mark.parametrize("unknown", [{"start": None}, {"end": None}])
def test_waits_of_an_unknown_time_have_no_window(unknown):
    made = judge.waits(WAITED._replace(**unknown, write_mean=None), "AG", [])
    assert (made.window, len(made.evidence), made.facts["stretch"]) == ({}, 1, None)


# The hop that dominates.


def test_a_hop_is_told_with_its_share_and_percentiles():
    made = hop(link({"remote harden": spread(12.0, 50.0), "send": 1.0}, spread(20.0, 80.0)))
    assert (made.id, made.severity, made.confidence) == ("commit.hop", "notice", 0.9)
    assert shown(made) == [
        ("dominant hop", "remote harden", "", BOTH), ("remote harden share", 60.0, "%", BOTH),
        ("remote harden p50", 12.0, "ms", BOTH), ("remote harden p99", 36.0, "ms", BOTH),
        ("dominant hop of the slowest 1 %", "remote harden", "", BOTH),
    ]  # fmt: skip
    facts = made.facts
    assert (facts["hop"], facts["share"], facts["other_among_slow"], facts["later"]) == (
        "remote harden", 60.0, None, ""
    )  # fmt: skip
    assert facts["of_hop"] is facts["link"].hops["remote harden"]


def test_a_hop_of_commits_that_take_no_time_has_no_share():
    assert hop(link({"network": 0.0}, 0.0)).facts["share"] == 0.0


def test_no_hop_is_told_where_commits_were_not_captured():
    assert judge.hop(link(commit=None), [], (), LIMITS) is None
    assert judge.hop(link({}), [], (), LIMITS) is None


def test_where_the_local_log_dominates_the_slowest_are_not_told_apart():
    of = link(
        {"local harden": 18.0, "network": spread(3.0, 40.0)}, spread(20.0, 60.0), outlasting=spread(16.0, 1.0)
    )
    made = hop(of)
    assert (made.facts["hop"], made.facts["share"], made.facts["other_among_slow"]) == (
        "local harden",
        80.0,
        None,
    )


def test_a_replica_that_commits_wait_longer_for_comes_first():
    of = link(waiting_ms=5.0)
    slower, slowest = link(waiting_ms=6.0, replica="SQL3"), link(waiting_ms=7.0, replica="SQL4")
    made = hop(of, slower, slowest)
    assert (made.facts["later"], made.severity) == ("SQL4", "info")
    assert hop(of, link(waiting_ms=5.0, replica="SQL3")).facts["later"] == ""
    local = link({"local harden": 18.0}, outlasting=spread(16.0), waiting_ms=5.0)
    assert hop(local, slowest).facts["later"] == ""


def test_what_was_busy_then_is_evidence():
    disk = Beside("SQL2", "disk write", 1030, 9000, 5, 60.0, 2.0)
    gate = Beside("SQL1", "send gate", 30, 900, 5, 100.0, 1.0)
    made = hop(link(), busy=(disk, gate))
    assert shown(made)[-4:] == [
        ("disk write of SQL2 at slow commits", 60.0, "ms", "perfmon of SQL2, n = 1,030"),
        ("disk write of SQL2 at other commits", 2.0, "ms", "perfmon of SQL2, n = 1,030"),
        ("send gate of SQL1 at slow commits", 100.0, "%", "events of SQL1, n = 30"),
        ("send gate of SQL1 at other commits", 1.0, "%", "events of SQL1, n = 30"),
    ]
    assert made.facts["busy"] == (disk, gate)


# What the slowest have in common.

NOTHING = InCommon(20)


@folded(
    ("told", "common"),
    [
        ({}, {}),
        ({"n": 19, "slow_bytes": 9000}, {"n": 0}),
        ({"slow_bytes": 2000}, {"larger": (2000, 1000)}),
        ({"slow_bytes": 1999}, {}),
        ({"slow_bytes": None}, {}),
        ({"bytes": None, "slow_bytes": 2000}, {}),
        ({"bytes": 0, "slow_bytes": 2000}, {}),
        ({"in_minute": 10}, {"minute": (10, at(0))}),
        ({"in_minute": 9}, {}),
        ({"in_minute": 10, "minutes": 4}, {}),
        ({"in_minute": 10, "minutes": 5}, {"minute": (10, at(0))}),
        ({"in_hour": 10, "hours": 3}, {"hour": (10, at(60))}),
        ({"in_hour": 10, "hours": 2}, {}),
        ({"in_hour": 9, "hours": 4}, {}),
        ({"in_hour": 10, "hours": 4, "in_minute": 10}, {"minute": (10, at(0))}),
        ({"share_of_slow": 0.6, "share_of_all": 0.1}, {"shares": (0.6, 0.1)}),
        ({"share_of_slow": 0.5, "share_of_all": 0.1}, {"shares": (0.5, 0.1)}),
        ({"share_of_slow": 0.49, "share_of_all": 0.1}, {}),
        ({"share_of_slow": 0.6, "share_of_all": 0.6}, {}),
        ({"share_of_slow": 0.6, "share_of_all": 0.1, "databases": 1}, {}),
        ({"share_of_slow": 0.6, "share_of_all": 0.1, "slow_there": 19}, {}),
        ({"share_of_slow": 0.6, "share_of_all": 0.1, "slow_there": 20}, {"shares": (0.6, 0.1)}),
        # Odds of 1.5 against 0.75: twice as many.
        ({"share_of_slow": 0.6, "share_of_all": 0.428}, {"shares": (0.6, 0.428)}),
        ({"share_of_slow": 0.6, "share_of_all": 0.429}, {}),
    ],
)
def test_what_the_slowest_commits_have_in_common(told, common):
    assert hop(link(common=TOLD._replace(**told))).facts["common"] == NOTHING._replace(**common)


def test_nothing_is_known_in_common_where_nothing_was_told():
    assert hop(link()).facts["common"] == InCommon()


# What a change would gain.


def gains(of: Link, *others: Link) -> tuple[float, list[str], list[tuple[str, float]]]:
    facts = hop(of, *others).facts
    return facts["asynchronous"], facts["others"], facts["halves"]


def test_half_the_time_of_disk_and_network_would_save_half_of_it():
    assert gains(link({"send": 5.0, "network": 3.0, "remote harden": 6.0}))[2] == [
        ("remote harden", 3.0), ("network", 1.5)
    ]  # fmt: skip
    assert gains(link({"send": 5.0}))[2] == []


@pytest.mark.parametrize(("outlasts", "saves"), [(16.0, 9.0), (11.0, 9.0)])
def test_half_the_local_log_saves_no_more_than_it_outlasts(outlasts, saves):
    of = link({"local harden": 18.0, "network": 3.0}, outlasting=spread(outlasts))
    assert gains(of)[2] == [("local harden", saves)]
