"""What is judged of commits, by ways made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.commit_latency import judge
from agtrace.diagnostics.commit_latency.analysis import SAID
from agtrace.diagnostics.commit_latency.beside import Beside
from agtrace.diagnostics.commit_latency.measured import Link, Spread
from agtrace.diagnostics.commit_latency.waiting import Stretch
from agtrace.say.said import Judged
from tests.diagnostics.commit_latency.made import LIMITS, at, link, spread


def shown(judged: Judged) -> list[tuple[str, Any, str, str]]:
    return [(each.label, each.value, each.unit, each.source) for each in judged.evidence]


def hop(of: Link, *others: Link, busy: tuple[Beside, ...] = ()) -> Judged:
    made = judge.hop(of, list(others), busy, LIMITS)
    assert made is not None
    return made


# Latency.

BOTH = "data-movement events of SQL1 and SQL2"


def test_latency_is_told_by_commit_wait_hops_and_clocks():
    of = link(
        {"send": 2.0}, wait=spread(8.0, n=1200), skew_ms=5.0, spread_ms=1.0, drift_ms_per_h=0.0
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
    assert shown(nobody)[0][3] == "data-movement events of a host that is not known"


# Waits alone.

WAITED = {
    "host": "SQL1", "ag": "AG", "n": 1234, "mean": 7.5, "write_mean": 1.5, "write_source": "WRITELOG of SQL1",
    "writes": 5678, "start": at(0), "end": at(60),
}  # fmt: skip


def stretch(host: str, waited_ms: float, queue: float | None) -> Stretch:
    row = {
        "host_id": host, "start": at(0), "end": at(60), "start_local": at(0), "end_local": at(60),
        "seconds": 60.0,
        "commits": 100, "commit_ms": waited_ms, "writes": 10, "write_ms": 5.0, "flow_control_ms": 0.0,
        "catch_up_ms": 0.0, "threads_ms": 0.0, "log_buffer_ms": 0.0, "queue_bytes": queue, "replica": "SQL2",
        "samples": 1500,
    }  # fmt: skip
    return Stretch([row], "replica")


def test_waits_are_told_with_the_queue_of_the_longest_stretch():
    stretches = [
        stretch("SQL1", 500, 1e6), stretch("SQL1", 900, 2e6), stretch("SQL1", 5000, None), stretch("SQL9",
        9e9, 3e6)
    ]  # fmt: skip
    made = judge.waits(WAITED, stretches)
    assert (made.said, made.severity, made.confidence, made.subject) == (
        "latency.waits", "info", 0.6, {"ag": "AG"}
    )  # fmt: skip
    assert made.window == {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:01:00+00:00"}
    assert shown(made) == [
        ("commit wait mean", 7.5, "ms", "HADR_SYNC_COMMIT of SQL1, n = 1,234"),
        ("log write mean", 1.5, "ms", "WRITELOG of SQL1, n = 5,678"),
        ("log send queue meanwhile", 2e6, "B", "perfmon of SQL2, n = 1,500"),
    ]
    assert made.facts["stretch"]["waited_ms"] == 900


@pytest.mark.parametrize("unknown", [{"start": None}, {"end": None}])
def test_waits_of_an_unknown_time_have_no_window(unknown):
    made = judge.waits(WAITED | unknown | {"write_mean": None}, [])
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


@pytest.mark.parametrize(("mean", "is_slow"), [(20.0, True), (19.9, False)])
def test_a_hop_is_worth_a_notice_where_commits_are_slow(mean, is_slow):
    made = hop(link(commit=mean))
    assert (made.facts["is_slow"], made.severity) == (is_slow, "notice" if is_slow else "info")


def test_a_hop_of_commits_that_take_no_time_has_no_share():
    assert hop(link({"network": 0.0}, 0.0)).facts["share"] == 0.0


def test_a_hop_of_one_side_is_less_sure():
    assert hop(link(is_joined=False)).confidence == 0.7


def test_no_hop_is_told_where_commits_were_not_captured():
    assert judge.hop(link(commit=None), [], (), LIMITS) is None
    assert judge.hop(link({}), [], (), LIMITS) is None


def test_another_hop_may_dominate_the_slowest():
    of = link({"remote harden": spread(12.0, 10.0), "network": spread(3.0, 40.0)}, spread(20.0, 60.0))
    made = hop(of)
    assert made.facts["other_among_slow"] == "network"
    assert ("dominant hop of the slowest 1 %", "network", "", BOTH) in shown(made)


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

TOLD = {
    "n": 20, "bytes": 1000, "slow_bytes": 1000, "minutes": 20, "in_minute": 1, "minute": at(0), "hours": 1,
    "in_hour": 20, "hour": at(60), "share_of_slow": 0.3, "share_of_all": 0.3, "databases": 2,
    "slow_there": 40,
}  # fmt: skip
NOTHING = {"n": 20, "larger": None, "minute": None, "hour": None, "shares": None}


@pytest.mark.parametrize(
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
    assert hop(link(common=TOLD | told)).facts["common"] == NOTHING | common


def test_nothing_is_known_in_common_where_nothing_was_told():
    assert hop(link()).facts["common"] == NOTHING | {"n": 0}


# What a change would gain.


def gains(of: Link, *others: Link) -> tuple[float, list[str], list[tuple[str, float]]]:
    facts = hop(of, *others).facts
    return facts["asynchronous"], facts["others"], facts["halves"]


def test_asynchronous_commit_saves_what_commits_wait_longer_than_for_the_others():
    of = link(waiting_ms=9.0)
    assert gains(of) == (9.0, [], [("remote harden", 6.0)])
    assert gains(of, link(waiting_ms=7.0, replica="SQL3")) == (2.0, ["SQL3"], [("remote harden", 6.0)])
    assert gains(of, link(waiting_ms=12.0, replica="SQL3"))[0] == 0
    assert gains(of, link(replica="SQL3"))[:2] == (9.0, [])
    assert gains(link())[0] == 0


def test_half_the_time_of_disk_and_network_would_save_half_of_it():
    assert gains(link({"send": 5.0, "network": 3.0, "remote harden": 6.0}))[2] == [
        ("remote harden", 3.0), ("network", 1.5)
    ]  # fmt: skip
    assert gains(link({"send": 5.0}))[2] == []


@pytest.mark.parametrize(("outlasts", "saves"), [(16.0, 9.0), (11.0, 9.0)])
def test_half_the_local_log_saves_no_more_than_it_outlasts(outlasts, saves):
    of = link({"local harden": 18.0, "network": 3.0}, outlasting=spread(outlasts))
    assert gains(of)[2] == [("local harden", saves)]


# In words.


def text(made: Judged) -> str:
    return SAID.finding(made).narrative.replace("\n\n", " ")


@pytest.mark.parametrize(
    ("name", "thing", "remedy"),
    [
        ("capture", "capture (60 % of their time)", "Capturing the log is slow on the primary: look at its"),
        (
            "compression",
            "compression (60 %",
            "Compressing the log stream costs more than anything else: on the",
        ),
        (
            "send",
            "send (60 %",
            "Blocks wait on the primary before they are handed to the network: look at flow",
        ),
        (
            "network",
            "the network between SQL1 and SQL2 (60 %",
            "Measure the round trip and its losses between",
        ),
        (
            "receive",
            "receive (60 %",
            "The replica is slow to take blocks in: look at its processors and worker",
        ),
        (
            "decompression",
            "decompression (60 %",
            "The replica is slow to decompress: look at its processors, or",
        ),
        (
            "remote harden",
            "the log disk of SQL2 (remote harden, 60 %",
            "The replica's log disk is what commits",
        ),
        (
            "acknowledgement",
            "acknowledgement (60 %",
            "Acknowledgements are slow to be sent or processed: look",
        ),
        (
            "remote",
            "remote (60 %",
            "Capture the same session on the replica at the same time: it splits this",
        ),
    ],
)
def test_each_hop_is_named_with_its_remedy(name, thing, remedy):
    found = SAID.finding(hop(link({name: 12.0})))
    assert found.title.startswith(f"Commits of Sales wait for {thing}")
    assert found.recommendation.startswith(remedy)
    brief = SAID.finding(hop(link({name: 2.0}, 3.0)))
    assert brief.recommendation.startswith(
        f"Commits are short; no action needed. To shorten them further: {remedy}"
    )


def test_the_local_log_is_named_with_its_remedy():
    of = link({"local harden": 18.0}, outlasting=spread(16.0))
    found = SAID.finding(hop(of))
    assert found.title == "Commits of Sales wait for the log disk of SQL1 (local harden, 80 % of their time)"
    assert found.recommendation == (
        "The primary's own log disk is what commits wait for: a replica makes no difference."
    )
    assert (
        "Half the time for local harden (a log disk of the primary twice as fast) would save at most 9 ms."
        in (found.narrative)
    )


def test_hosts_that_are_not_known_are_called_by_what_they_are():
    title = SAID.finding(hop(link({"network": 12.0}, primary_host=None, replica=None, replica_id=None))).title
    assert "the network between the primary and the replica" in title


def test_a_way_beside_a_slower_one_is_told_with_it():
    found = SAID.finding(hop(link(waiting_ms=5.0), link(waiting_ms=7.0, replica="SQL3")))
    assert found.title == "On the way of Sales to SQL2 remote harden takes longest (60 % of it)"
    assert found.narrative.endswith("Commits wait longer for SQL3: nothing on this way would shorten them.")
    assert found.recommendation == "Shorten the way to SQL3 first."


def test_a_hop_in_words():
    of = link(
        {"remote harden": spread(12.0, 9.0), "network": spread(2.0, 30.0)}, spread(20.0, 60.0), waiting_ms=9.0
    )
    assert text(hop(of, link(waiting_ms=7.0, replica="SQL3"))) == (
        "Over 300 log blocks remote harden takes 12 ms on average (p50 12 ms, p99 36 ms), 60 % of a mean "
        "commit "
        "of 20 ms. Among the slowest 1 % it is network. Asynchronous commit would save 2 ms a commit on "
        "average, "
        "which then wait for SQL3, and risk what is not sent yet. Half the time for remote harden (a log "
        "disk of "
        "the replica twice as fast) would save at most 6 ms. Half the time for network (a way twice as "
        "fast) "
        "would save at most 1 ms."
    )


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"slow_bytes": 5000}, "The slowest 1 % are of larger blocks: median 5.0 KB, of all commits 1.0 KB."),
        ({"in_minute": 10}, "10 of these 20 lie in the minute from 2024-03-05 12:00:00 UTC on."),
        ({"in_hour": 12, "hours": 4}, "12 of these 20 lie in the hour from 2024-03-05 12:01:00 UTC on."),
        ({"share_of_slow": 0.6, "share_of_all": 0.1},
         "Of the slowest 1 % of all databases' commits to SQL2 60 % are of Sales, which has 10 % of all "
         "commits."),
    ],
)  # fmt: skip
def test_what_they_have_in_common_in_words(told, said):
    assert f"mean commit of 20 ms. {said} Asynchronous" in text(hop(link(common=TOLD | told))).replace(
        "\n\n", " "
    )


@pytest.mark.parametrize(
    ("each", "said"),
    [
        (Beside("SQL2", "disk write", 30, 900, 5, 60.0, 2.0),
         "At the moment of the slowest 1 % a disk write of SQL2 took 60 ms on average (at that of the "
         "others 2 ms)."),
        (Beside("SQL2", "disk read", 30, 900, 5, 60.0, 2.0),
         "At the moment of the slowest 1 % a disk read of SQL2 took 60 ms on average (at that of the others "
         "2 ms)."),
        (Beside("SQL2", "processors", 30, 900, 5, 90.0, 20.0),
         "At the moment of the slowest 1 % processors of SQL2 were at 90 % (at that of the others 20 %)."),
        (Beside("SQL2", "recovery queue", 30, 900, 5, 90.0, 2.0),
         "At the moment of the slowest 1 % redo of SQL2 was 90 MB behind (at that of the others 2 MB)."),
        (Beside("SQL1", "flow control", 30, 900, 5, 60.0, 2.0),
         "At the moment of the slowest 1 % flow control held the sender for 60 % of the time (at that of "
         "the others "
         "2 %)."),
        (Beside("SQL1", "database gate", 30, 900, 5, 60.0, 2.0),
         "60 % of the slowest 1 % met a closed database gate of flow control, of the others 2 %."),
    ],
)  # fmt: skip
def test_what_was_busy_in_words(each, said):
    assert said in text(hop(link(), busy=(each,)))


@pytest.mark.parametrize(
    ("of", "title", "narrative", "do"),
    [
        (
            link(skew_ms=None),
            "Commits of Sales to SQL2: median 20 ms, p99 60 ms",
            "300 log blocks from 2024-03-05 12:00:00 UTC to 2024-03-05 12:01:00 UTC were seen on both hosts.",
            "",
        ),
        (
            link(commit=None, is_joined=False, commit_mode=None),
            "What SQL2 does with the log of Sales, hop by hop",
            "300 log blocks from 2024-03-05 12:00:00 UTC to 2024-03-05 12:01:00 UTC were seen on the "
            "replica alone: "
            "whole commits, the wire and the primary are not in it.",
            "Capture the same session on the primary at the same time: only it sees whole commits.",
        ),
        (
            link(is_joined=False, commit_mode=None, wait=Spread(1200, 4.0, (1.0, 2.0, 3.0))),
            "Commits of Sales to SQL2: median 20 ms, p99 60 ms",
            "300 log blocks from 2024-03-05 12:00:00 UTC to 2024-03-05 12:01:00 UTC were seen on the primary "
            "alone: "
            "everything between sending and acknowledgement is one number. Nothing captured says whether the "
            "replica commits synchronously. 1,200 commits waited 4 ms on average after their local flush, "
            "for "
            "whichever synchronous replica was last.",
            "Capture the same session on the replica at the same time: it splits this into wire and disk.",
        ),
    ],
)
def test_latency_in_words(of, title, narrative, do):
    found = SAID.finding(judge.latency(of))
    assert (found.title, found.narrative, found.recommendation) == (title, narrative, do)


@pytest.mark.parametrize(
    ("clocks", "said"),
    [
        (
            {"skew_ms": 0.0, "spread_ms": 0.0},
            "The replica's clock is 0 ms ahead if the way there takes no time, 0 ms ahead if it takes all "
            "of the "
            "wire's: nothing that two hosts write can tell which. No duration given here depends on it.",
        ),
        (
            {"skew_ms": -5.0, "spread_ms": 2.0, "drift_ms_per_h": 3.0, "drift_error_ms_per_h": 2.0},
            "The replica's clock is 5 ms behind if the way there takes no time, 7 ms behind if it takes "
            "all of "
            "the wire's: nothing that two hosts write can tell which. No duration given here depends on it. "
            "It "
            "drifts by 3 ms an hour (give or take 2 ms).",
        ),
        (
            {"skew_ms": 5.0, "spread_ms": 7.0, "drift_ms_per_h": -2.0, "drift_error_ms_per_h": 2.0},
            "The replica's clock is 5 ms ahead if the way there takes no time, 2 ms behind if it takes "
            "all of "
            "the wire's: nothing that two hosts write can tell which. No duration given here depends on it. "
            "It "
            "shows no drift an hour (give or take 2 ms).",
        ),
        ({"skew_ms": 5.0, "spread_ms": None}, ""),
    ],
)
def test_clocks_in_words(clocks, said):
    narrative = text(judge.latency(link(**clocks)))
    assert narrative.partition("were seen on both hosts.")[2].strip() == said


def test_waits_alone_in_words():
    found = SAID.finding(judge.waits(WAITED, [stretch("SQL1", 900, 2e6)]))
    assert found.title == "Commits wait 7.5 ms for replicas on average"
    assert found.narrative == (
        "1,234 commits on SQL1 waited 7.5 ms for replicas on average. A write of the log took 1.5 ms (n = "
        "5,678). "
        "From 2024-03-05 12:00:00 UTC to 2024-03-05 12:01:00 UTC HADR_SYNC_COMMIT took 100 waits of 9 ms "
        "on "
        "average: the remote path, not the local log (WRITELOG 0.5 ms). The log send queue of SQL2 was 2.0 "
        "MB "
        "meanwhile. Wait statistics do not tell the network from the replica's disk, nor one replica from "
        "another."
    )
    bare = SAID.finding(judge.waits(WAITED | {"write_mean": None}, []))
    assert bare.narrative == (
        "1,234 commits on SQL1 waited 7.5 ms for replicas on average. Wait statistics do not tell the "
        "network from "
        "the replica's disk, nor one replica from another."
    )
