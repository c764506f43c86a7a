"""What a page says of sent against received: which numbers are named of a stream, and which are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport import summary
from agtrace.diagnostics.transport.sent_received import SentReceived, sent_received
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.links import Link
from agtrace.history.streams.paths import Path, Settings
from tests.diagnostics.transport.made import LIMITS, MB, N, both, known, link, part, primary, studied

OLD = known(version=12)


def compared(of: Link, beside: StreamFacts | None = None) -> SentReceived:
    parts = [part(of, database=name) for name in of.group.databases.values()]
    (found,) = sent_received(beside or known(), [studied(of, parts=parts)])
    return found


def told(of: Link, beside: StreamFacts | None = None) -> dict[str, Any]:
    (found,) = summary.of_links([compared(of, beside)], LIMITS)["links"]
    return found


@pytest.mark.parametrize(
    ("received", "is_doubtful"), [(1.09, False), (1.11, True), (0.91, False), (0.89, True)]
)
def test_bytes_of_one_unit_that_differ_by_a_tenth_are_doubtful(received, is_doubtful):
    assert told(both(there={"received": received * MB}))["is_doubtful"] == is_doubtful


# Where the log is that did not arrive.

SECONDS = 5 * (N - 1)


def left(arrives: float, queued: float, **more: Any) -> dict[str, Any] | None:
    """Return the facts on a stream with given shares of log that arrive and wait in the queue."""
    grown = queued * MB * SECONDS / 1024 / (N - 1)
    there = {"received": arrives * MB, "queue": [grown * n for n in range(N)]} | more
    return told(both(there=there))["left"]


@pytest.mark.parametrize(
    ("arrives", "queued", "is_queued"),
    [(0.8, 0.2, True), (0.8, 0.16, True), (0.8, 0.14, False), (0.8, 0.24, True), (0.8, 0.26, False),
     (0.9499, 0.05, True)],
)  # fmt: skip
def test_log_that_did_not_arrive_must_be_in_the_queue(arrives, queued, is_queued):
    found = left(arrives, queued)
    assert found is not None
    assert found["is_queued"] == is_queued
    assert found["bytes"] == pytest.approx((1 - arrives) * MB * SECONDS, rel=0.02)
    assert found["growth"] == pytest.approx(queued * MB * SECONDS, rel=0.02)


def test_where_the_log_is_needs_a_queue_and_a_stream_that_lags():
    assert left(0.9501, 0.05) is None
    assert left(0.8, 0.2, queue=None) is None


# Compression.


@pytest.mark.parametrize(("wire", "is_compressed"), [(1 / 1.051, True), (1 / 1.049, False), (2, False)])
def test_a_stream_with_fewer_bytes_on_the_wire_than_of_log_is_compressed(wire, is_compressed):
    found = told(both(there={"wire": wire * MB}))
    assert found["log_per_byte"] == pytest.approx(1 / wire)
    assert found["is_compressed"] == is_compressed


def test_the_peaks_of_a_compressed_stream_are_told_of_what_counts_the_wire():
    peaks = [1.0] * 59 + [9.0]
    of = both({"sent": peaks}, {"received": [2.0] * 58 + [7.0] * 2})
    assert told(of, OLD)["peaks"] == {"sent": 9, "received": 7}
    assert told(of)["peaks"] is None
    assert told(both({"sent": None}, {"received": 2}), OLD)["peaks"] is None
    assert told(both({"sent": peaks}, {"received": None}), OLD)["peaks"] is None


# Clocks, and what was sent again.


@pytest.mark.parametrize(
    ("skew", "aligned", "apart"),
    [(None, True, None), (0.9995, True, None), (1.0, True, 1.0), (-2.5, True, 2.5), (5.0, False, None)],
)
def test_clocks_that_are_apart_by_a_second_are_told(skew, aligned, apart):
    assert told(both(skew=skew, aligned=aligned))["clocks_apart"] == apart


# One primary, several replicas.


def streams(**sent: float) -> list[SentReceived]:
    """Return the streams of one primary to several replicas: bytes sent per byte of log received."""
    found = []
    for replica, each in sent.items():
        of = both({"sent": each * MB})
        of.replica = replica
        found.append(compared(of, OLD))
    return found


def side_by_side(found: list[SentReceived]) -> list[dict[str, Any]]:
    return summary.of_links(found, LIMITS)["side_by_side"]


def test_a_primary_that_compresses_for_one_replica_and_not_for_another_is_told():
    (one,) = side_by_side(streams(S=0.5, T=1.0, U=1 / 1.04, V=1 / 1.06))
    assert (one["sender"], one["ratio"], one["mode"]) == ("P", 0.5, None)
    assert [(each.link.replica, round(ratio, 3)) for each, ratio in one["less"]] == [("S", 0.5), ("V", 0.943)]
    assert [(each.link.replica, round(ratio, 3)) for each, ratio in one["as_is"]] == [("T", 1), ("U", 0.962)]


def test_streams_that_are_alike_or_of_other_primaries_or_of_log_are_not_told():
    assert side_by_side(streams(S=0.5, T=0.6)) == side_by_side(streams(S=1, T=1)) == []
    one, other = streams(S=0.5, T=1)
    other.link.primary_name = "Q"
    assert side_by_side([one, other]) == []
    assert side_by_side([streams(S=0.5)[0], compared(both())]) == []
    nothing = compared(both(there={"received": 0}), OLD)
    assert side_by_side([streams(S=0.5)[0], nothing, compared(link(primary(), None), OLD)]) == []


# In a line.


def test_the_heading_of_one_stream_says_what_compares_or_why_nothing_does():
    one = compared(both(there={"received": 0.5 * MB}))
    assert summary.headline([one]) == {"links": [one], "compared": 0.5, "why": ""}
    alone = compared(link(primary(), None))
    assert summary.headline([alone]) == {"links": [alone], "compared": None, "why": "S was not captured"}
    unknown = compared(both(), known(version=None))
    assert summary.headline([unknown])["why"] == "version of SQL Server not known"
    unsent = compared(both({"sent": None}), known(version=None))
    assert summary.headline([unsent])["why"].endswith("nor bytes sent to the replica")
    assert summary.headline([one, alone]) == {"links": [one, alone], "compared": None, "why": None}
    assert summary.headline([]) == {"links": [], "compared": None, "why": None}


# Paths and settings.


def path(copy: float | None, replica: str = "S") -> Path:
    of = both()
    of.replica = replica
    return Path(of, copy, None, None, "", {}, None)


def test_copies_are_told_once_each_in_their_order():
    found = summary.of_paths([path(2e6), path(1e6, "T"), path(2e6), path(None, "U"), path(3e6)], [])
    assert found == {"copies": [("S", 2e6), ("T", 1e6), ("S", 3e6)], "odd": [], "is_usual": False}


def test_odd_settings_are_told_by_value_with_their_hosts_and_what_is_usual():
    looks = [
        Settings("S", "a", {"autotuning_level": "disabled", "rss": "on"}, ["autotuning_level"]),
        Settings("T", "b", {"autotuning_level": "disabled", "ecn": "on"}, ["autotuning_level", "ecn"]),
        Settings("T", "c", {"autotuning_level": "disabled"}, ["autotuning_level"]),
        Settings("", "d", {"autotuning_level": "restricted"}, ["autotuning_level"]),
        Settings("P", "e", {"autotuning_level": "normal"}),
    ]
    found = summary.of_paths([], looks)
    assert found["odd"] == [
        {"setting": "autotuning_level", "value": "disabled", "hosts": ["S", "T"], "usual": "normal"},
        {"setting": "ecn", "value": "on", "hosts": ["T"], "usual": ""},
        {"setting": "autotuning_level", "value": "restricted", "hosts": ["d"], "usual": "normal"},
    ]
    assert not found["is_usual"]
    assert summary.of_paths([], looks[-1:])["is_usual"]
    assert not summary.of_paths([], [])["is_usual"]


def test_blank_samples_are_no_part_of_what_is_compared():
    sent = [MB] * 30 + [np.nan] * 30
    assert told(both({"sent": sent}))["compared"].ratio == 1
