"""Reasons of a failed seeding, decoded; and what an estimate takes for granted."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.seeding.analysis import Seeding
from agtrace.diagnostics.seeding.estimate import over_link
from agtrace.errors import CaseError
from tests.behind import assert_facts, texts
from tests.diagnostics.seeding.cases import copy, request
from tests.diagnostics.tiny import Case, case
from tests.folded import folded

# Estimates.

WAY = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 1 SEEDING, 101 CATCHUP, 110 COMPLETED"


def measured(source: str, target: str, sent: int | None = None) -> Case:
    """A copy of 10 GB at 100 MB/s; waits in ms ``disk network`` of each end, wire in B/s."""
    events = request("A", "source", WAY, success=True) + request(
        "B", "target", WAY, remote="r1", success=True
    )
    events += copy("A", "source", 1, 101, remote="B", size=10**10, waits=source)
    events += copy("B", "target", 1, 101, guids="b a", remote="A", size=10**10, waits=target)
    perfmon = "" if sent is None else rf"A | \Network Interface(nic)\Bytes Sent/sec | 21x{sent}, 0"
    return case(perfmon, events=events)


def seconds(view: Case, gb: float, link: float | None = None) -> float:
    frame = Seeding(view, database_gb=gb, link_gbit_per_s=link).tbl_estimate()
    (value,) = frame["seconds"].tolist()
    return value


NETWORK, SOURCE_DISK, NONE = ("3000 80000", "3000 80000"), ("80000 3000", "3000 80000"), ("1 1", "1 1")


def test_five_terabytes_over_one_gigabit_take_11_1_hours():
    assert over_link(5000, 1) / 3600 == pytest.approx(11.1, abs=0.02)
    bare = Seeding(case(), database_gb=5000, link_gbit_per_s=1)
    assert_facts(texts(bare.say_estimate)["estimate.md"], estimates=1, most=30)
    assert bare.tbl_estimate()["seconds"].tolist() == [40000]


@pytest.mark.complete
@folded(
    ("limit", "sent", "gb", "link", "expected"),
    [
        # Without a link: the measured rate.
        (NETWORK, None, 1000, None, 10_000),
        (SOURCE_DISK, None, 1000, None, 10_000),
        # Where the network limits, the rate follows the link: 10 Gb/s are 1,250 MB/s.
        (NETWORK, None, 1000, 10, 800),
        (NETWORK, None, 1000, 0.4, 20_000),
        # Half as many bytes on the wire: the link carries twice as much of the database.
        (NETWORK, 50_000_000, 1000, 0.4, 10_000),
        # Where a disk or nothing known limits, a faster link gains nothing, a slower one costs.
        (SOURCE_DISK, None, 1000, 10, 10_000),
        (SOURCE_DISK, None, 1000, 0.4, 20_000),
        (NONE, None, 1000, 10, 10_000),
        (NONE, 50_000_000, 1000, 0.4, 10_000),
    ],
)
def test_estimates(limit, sent, gb, link, expected):
    assert seconds(measured(*limit, sent), gb, link) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("value", [0, -5, float("nan"), float("inf"), True, "ten"])
def test_a_size_that_is_none_is_refused(value):
    with pytest.raises(CaseError, match="database_gb"):
        Seeding(case(), database_gb=value)
