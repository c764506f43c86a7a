"""Reasons of a failed seeding, decoded; and what an estimate takes for granted."""

from __future__ import annotations

import html
from datetime import UTC, timedelta

import pytest

from agtrace.diagnostics.seeding.analysis import Seeding
from agtrace.diagnostics.seeding.estimate import over_link
from agtrace.diagnostics.seeding.outcomes import STATES, Decoded, decode, decode_all
from agtrace.diagnostics.seeding.verdict import SAID
from agtrace.errors import CaseError
from agtrace.history.seedings.operation import Failure
from tests.behind import assert_facts, texts
from tests.diagnostics.seeding.cases import copy, request
from tests.diagnostics.tiny import START, Case, case
from tests.folded import folded

MOMENT = START.replace(tzinfo=UTC)


def failure(state: int | None, text: str = "", message: int | None = None) -> Failure:
    return Failure(state, text, MOMENT, "event of B", message)


def said(made: Decoded, field: str, mended: object = None) -> str:
    return SAID.text(f"reasons.{made.said}.{field}", made.facts | {"mended": mended})


def test_every_documented_state_has_a_name_and_advice():
    assert list(STATES) == list(range(26))
    for number in STATES:
        for side in (100, 200):
            made = decode(failure(side + number))
            assert said(made, "name")


def test_a_failure_that_is_over_is_not_advised_to_be_started_again():
    made = decode(failure(204))
    assert "Start seeding again" not in said(made, "do", mended="a later one")


def test_each_reason_once_and_numbers_first():
    found = decode_all([failure(None, "x", 19495), failure(215, "Seeding"), failure(215, "Seeding")])
    assert [d.failure.state for d in found] == [215, None]


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


def test_an_estimate_says_what_it_assumes():
    assert_facts(
        texts(Seeding(measured(*NETWORK), database_gb=2000, link_gbit_per_s=10).say_estimate)["estimate.md"],
        estimates=1,
        most=30,
    )


def test_a_link_that_is_slower_than_the_copy_was_is_the_limit():
    said = html.unescape(
        Seeding(measured(*SOURCE_DISK, 102_000_000), database_gb=1000, link_gbit_per_s=0.1).say_estimate()
    )
    assert "whatever the link" not in said
    assert "percentile" not in said


def test_no_percentile_is_faster_than_the_full_link():
    view = measured(*NETWORK, 102_000_000)
    view.run(
        "update events_hadr_physical_seeding_progress set transferred_size_bytes = "
        "transferred_size_bytes + 200000000 where _seq % 2 = 0"
    )
    frame = Seeding(view, database_gb=5000, link_gbit_per_s=1).tbl_estimate()
    assert frame["fastest"][0] == frame["time"][0]
    assert frame["slowest"][0] != frame["time"][0]


def test_an_undecided_wire_is_nothing_to_scale_by():
    view = measured(*NETWORK, 2_000_000)
    view.insert(
        "facts",
        [{"content_id": "log", "host_id": "A", "topic": "startup", "item": 0, "line": 1,
          "key": "startup_parameter", "value": "-dmaster.mdf", "time": MOMENT}],
    )  # fmt: skip
    assert_facts(
        texts(Seeding(view, database_gb=5000, link_gbit_per_s=1).say_estimate)["estimate.md"],
        estimates=1,
        most=30,
    )


def test_without_a_size_usual_ones_are_shown():
    view = measured(*NONE)
    assert Seeding(view).tbl_estimate()["database_gb"].tolist() == [100, 1000, 5000]
    assert_facts(texts(Seeding(view).say_estimate)["estimate.md"], estimates=1, most=30, is_hinted=True)
    assert_facts(texts(Seeding(case()).say_estimate)["estimate.md"], estimates=[])


@pytest.mark.parametrize("value", [0, -5, float("nan"), float("inf"), True, "ten"])
def test_a_size_that_is_none_is_refused(value):
    with pytest.raises(CaseError, match="database_gb"):
        Seeding(case(), database_gb=value)


# What compression cost.


def test_the_cost_of_compression_beside_an_uncompressed_copy():
    after = "300 PENDING, 300.1 CHECK_IF_SEEDING_NEEDED, 301 SEEDING, 351 CATCHUP, 360 COMPLETED"
    events = request("A", "source", WAY, success=True)
    events += request("A", "source", after, success=True, operation="op2")
    events += copy("A", "source", 1, 101, remote="B", size=10**10)
    events += copy("A", "source", 301, 351, remote="B", guids="c d", size=10**10)
    perfmon = r"""
    A | \Network Interface(nic)\Bytes Sent/sec | 21x103000000, 40x0, 10x40000000, 0
    A | \Processor(_Total)\% Processor Time    | 21x20, 40x2, 10x80, 2
    """
    made = case(perfmon, events=events)
    first, second = [f for f in Seeding(made).findings() if f.id == "seeding.compression"]
    assert first.severity == "notice"
    assert_facts(first, worked=1, judged=True, flag="9567", pace="faster", times="2.0")
    assert second.severity == "info"


def test_an_undecided_stream_says_why():
    perfmon = r"A | \Network Interface(nic)\Bytes Sent/sec | 21x88000000, 0"
    events = request("A", "source", WAY, success=True)
    events += copy("A", "source", 1, 101, remote="B", size=10**10)
    (finding,) = [
        f for f in Seeding(case(perfmon, events=events)).findings() if f.id == "seeding.compression"
    ]
    assert_facts(finding, judged=True, flag="9567")
    assert finding.confidence == 0.4


def test_a_slot_that_another_seeding_holds():
    waiting = (
        "2 PENDING, 2.1 CHECK_IF_SEEDING_NEEDED, 3 LIMIT_CONCURRENT_BACKUPS, 102 SEEDING, 152 CATCHUP, 160 "
        "COMPLETED"
    )
    events = request("A", "source", WAY, success=True)
    events += copy("A", "source", 1, 101, remote="B")
    events += request("A", "source", waiting, success=True, operation="op2", database="db2")
    events += copy("A", "source", 102, 152, remote="B", guids="c d", database="Stock")
    (finding,) = [f for f in Seeding(case(events=events)).findings() if f.id == "seeding.waiting_for_slot"]
    assert_facts(
        finding,
        database="Stock",
        source="A",
        target="B",
        begun="2024-03-05T12:00:02+00:00",
        host_name="A",
        wait=True,
    )
    assert finding.window["end"] == (MOMENT + timedelta(seconds=102)).isoformat().replace("+00:00", "Z")
