"""What is said of commits, by ways made by hand."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.commit_latency import judge
from agtrace.diagnostics.commit_latency.analysis import SAID
from agtrace.diagnostics.commit_latency.beside import Beside
from agtrace.diagnostics.commit_latency.measured import Spread
from agtrace.say.said import Judged
from tests.diagnostics.commit_latency.made import TOLD, WAITED, hop, link, spread, stretch


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
