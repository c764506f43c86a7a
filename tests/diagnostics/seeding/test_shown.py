"""What the seeding page shows: the answer in words, figures and tables."""

from __future__ import annotations

import html

import pytest

from agtrace.diagnostics.seeding.analysis import Seeding
from agtrace.measures import by_name
from agtrace.say.figures import describe
from tests.behind import assert_facts, texts
from tests.diagnostics.seeding.cases import copy, request
from tests.diagnostics.tiny import case

WAY = (
    "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 0.2 SENDING_FILE_LIST, 1 LIMIT_CONCURRENT_BACKUPS, 50 SEEDING, "
    "151 CATCHUP, 180 COMPLETED"
)
EVENTS = (
    request("A", "source", WAY, success=True)
    + request("B", "target", "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 50 SEEDING, 151 CATCHUP, 180 COMPLETED",
        remote="r1", success=True)
    + copy("A", "source", 51, 151, remote="B", size=10**10, waits="3000 80000")
    + copy("B", "target", 51, 151, guids="b a", remote="A", size=10**10, waits="3000 80000")
)  # fmt: skip
PERFMON = r"""
A | \Network Interface(nic)\Bytes Sent/sec     | 11x0, 20x103000000, 0
B | \LogicalDisk(D:)\Disk Write Bytes/sec      | 11x0, 20x100000000, 0
"""


def shown() -> Seeding:
    return Seeding(case(PERFMON, events=EVENTS))


def plain(text: str) -> str:
    return html.unescape(text)


def test_the_states_in_words():
    assert_facts(texts(Seeding(case()).say_timeline)["timeline.md"], most=30, told=[])


def test_the_timeline_has_a_bar_per_state_and_end():
    assert describe(shown().fig_timeline()) == (
        "short states: 6 bars\nLIMIT_CONCURRENT_BACKUPS: 1 bar\nSEEDING: 2 bars\nCATCHUP: 2 bars\n"
        "ReadingAndSendingData: 1 bar\nCHECK_IF_SEEDING_NEEDED: 1 bar\nReceivingAndWritingData: 1 bar"
    )


def test_the_timeline_s_bars_lie_where_the_states_lay():
    fig = shown().fig_timeline()
    (slot,) = [trace for trace in fig.data if trace.name == "LIMIT_CONCURRENT_BACKUPS"]
    assert (slot.y[0], slot.x[0]) == ("A (source)", 49_000)
    assert str(slot.base[0]).startswith("2024-03-05")
    assert str(slot.base[0]).endswith("12:00:01")
    assert slot.marker.pattern.shape == "x"
    assert fig.layout.title.text == "Seeding 1 waited 49 s in LIMIT_CONCURRENT_BACKUPS"


def test_the_rate_stands_beside_wire_and_disks():
    fig = shown().fig_rate()
    assert fig.layout.title.text == "Mean rate of the copy, seeding 1: 100 MB/s"
    assert describe(fig).split("\n") == [
        "database, between progress reports: 10 points, 100 to 100 MB/s, 0 gaps",
        "sent by the source: 43 points, 0 to 103 MB/s, 0 gaps",
        "disks of the target, written: 43 points, 0 to 100 MB/s, 0 gaps",
    ]
    (shade,) = fig.layout.shapes
    assert (shade.x0, shade.x1) == (0, 100)


def test_waits_are_drawn_as_shares_of_the_copy():
    fig = shown().fig_waits()
    disk, network = fig.data
    assert list(disk.y) == ["1: A (source)", "1: B (target)"]
    assert [round(x, 6) for x in disk.x] == [3, 3]
    assert [round(x, 6) for x in network.x] == [80, 80]


def test_figures_of_nothing_say_so():
    empty = Seeding(case())
    assert empty.fig_timeline().layout.title.text == "No states captured"
    assert empty.fig_rate().layout.title.text == "No copy with known times was captured"
    assert empty.fig_waits().layout.title.text == "Waits were captured on neither end"


def test_seedings_of_one_name_that_begin_at_one_moment_are_told_apart():
    way = "0 PENDING, 1 SEEDING, 30 {}"
    events = request("A", "source", way.format("FAILED"), failure="115 Seeding") + request(
        "A", "source", way.format("COMPLETED"), operation="op2", success=True
    )
    told = plain(Seeding(case(events=events)).say_summary()).split("\n")[2:]
    assert not [line for line in told if "seeded" in line and "failed" in line]


@pytest.mark.complete
def test_tables():
    (row,) = shown().tbl_operations().to_dict("records")
    assert {k: row[k] for k in ("database", "source", "target", "outcome", "start", "end")} == {
        "database": "Sales", "source": "A", "target": "B", "outcome": "completed",
        "start": "2024-03-05 12:00:00", "end": "2024-03-05 12:03:00",
    }  # fmt: skip
    assert (row["copied_gb"], row["mb_per_s"], row["slot_seconds"], row["catchup_seconds"]) == (
        10,
        100,
        49,
        29,
    )
    assert (row["wire_gb"], row["compressed"]) == (10.3, "no")
    states = shown().tbl_states()
    assert states[(states.role == "source") & (states.layer == "seeding")][["state",
        "seconds"]].values.tolist() == [
        ["PENDING", 0.1], ["CHECK_IF_SEEDING_NEEDED", 0.1], ["SENDING_FILE_LIST", 0.8],
        ["LIMIT_CONCURRENT_BACKUPS", 49.0], ["SEEDING", 101.0], ["CATCHUP", 29.0], ["COMPLETED", 0.0],
    ]  # fmt: skip
    waits = shown().tbl_waits()
    assert waits[["host", "disk_s", "network_s", "mostly"]].values.tolist() == [
        ["A", 3.0, 80.0, "network"], ["B", 3.0, 80.0, "network"],
    ]  # fmt: skip
    resources = shown().tbl_resources()
    assert resources[["host", "resource", "unit", "mean", "n"]].values.tolist() == [
        ["A", "network_sent", "wire MB/s", 103.0, 19], ["B", "disk_written", "MB/s", 100.0, 19],
    ]  # fmt: skip
    for frame in (Seeding(case()).tbl_operations(), Seeding(case()).tbl_states()):
        assert len(frame) == 0


def test_the_columns_of_every_table_are_measures_declared_once():
    seeding = shown()
    frames = (
        seeding.tbl_operations(), seeding.tbl_states(), seeding.tbl_waits(), seeding.tbl_resources(),
        seeding.tbl_estimate(),
    )  # fmt: skip
    quantiles = {"p5", "p50", "p95"}
    for frame in frames:
        assert set(frame.columns) - quantiles <= by_name(seeding.measures).keys()


def test_no_state_breaks_out_of_a_figure():
    way = "0 PENDING, 1 <script>alert(1)</script>, 60 COMPLETED"
    made = case(events=request("A", "source", way, success=True))
    drawn = Seeding(made).fig_timeline().to_json()
    assert "script" in drawn
    assert "<script" not in drawn.replace("\\u003c", "<").lower()
