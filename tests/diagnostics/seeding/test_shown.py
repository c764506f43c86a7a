"""What the seeding page shows: the answer in words, figures and tables."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.seeding.analysis import Seeding
from agtrace.say.figures import describe
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


def test_figures_of_nothing_say_so():
    empty = Seeding(case())
    assert empty.fig_timeline().layout.title.text == "No states captured"
    assert empty.fig_rate().layout.title.text == "No copy with known times was captured"
    assert empty.fig_waits().layout.title.text == "Waits were captured on neither end"


@pytest.mark.complete
def test_tables():
    (row,) = shown().tbl_operations().to_dict("records")
    assert {k: row[k] for k in ("database", "source", "target", "outcome", "start", "end")} == {
        "database": "Sales", "source": "A", "target": "B", "outcome": "completed",
        "start": "2024-03-05 12:00:00", "end": "2024-03-05 12:03:00",
    }  # fmt: skip
    assert (row["copied_gb"], row["mb_per_s"], row["slot_seconds"], row["catchup_seconds"]) == (
        10, 100, 49, 29,
    )  # fmt: skip
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
