"""What held a copy back: waits of both ends, saturated resources, and where they disagree."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agtrace.diagnostics.seeding.analysis import Seeding
from agtrace.diagnostics.seeding.limits import DISK, NETWORK, judge
from agtrace.history.seedings import SOURCE, TARGET, Operation, Side
from agtrace.measure.usage import Usage
from agtrace.thresholds import Thresholds
from tests.diagnostics.seeding.cases import copy, request
from tests.diagnostics.tiny import START, Case, case

BEGIN = START.replace(tzinfo=UTC)
END = BEGIN + timedelta(seconds=100)
HOSTS = {SOURCE: "A", TARGET: "B"}


def operation(source: str, target: str) -> Operation:
    """A copy of 100 s; waits in seconds ``disk network`` of each end, "" where not captured."""

    def side(role: str, waits: str) -> Side:
        disk, network = (int(w) * 1000 for w in waits.split()) if waits else (None, None)
        return Side(
            role, HOSTS[role], copy_start=BEGIN, copy_end=END, disk_wait_ms=disk, network_wait_ms=network
        )

    return Operation(
        1, "Sales", "AG", None, side(SOURCE, source), side(TARGET, target), BEGIN, END, BEGIN, END,
        10**10, "reported", 10**10, "completed",
    )  # fmt: skip


def usages(text: str) -> list[Usage]:
    """``host resource percent, ...``"""
    rows = (part.split() for part in text.split(",") if part.strip())
    return [
        Usage(1, host, resource, "x", "%", 20, *[float(value)] * 5, 100.0) for host, resource, value in rows
    ]


NET, SRC, TGT = (NETWORK, ""), (DISK, SOURCE), (DISK, TARGET)


def test_the_user_s_thresholds_hold():
    waits = operation("40 50", "40 50")
    assert judge(waits, [], Thresholds()).limit is None
    assert judge(waits, [], Thresholds(seeding_wait_dominance=0.55)).limit == NET
    assert judge(operation("1 15", "1 15"), [], Thresholds()).limit is None
    assert judge(operation("1 15", "1 15"), [], Thresholds(seeding_wait_share=0.1)).limit == NET
    full = usages("A card_sent_busy 60")
    assert judge(operation("", ""), full, Thresholds(seeding_card_share=0.5)).limit == NET
    busy = usages("B disk_busy 60")
    assert judge(operation("", ""), busy, Thresholds(seeding_disk_busy_share=0.5)).limit == TGT


# From events and perfmon to findings.

WAY = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 1 SEEDING, 101 CATCHUP, 110 COMPLETED"


def made(source: str, target: str, perfmon: str = "", ends: str = "AB") -> Case:
    """A copy of 10 GB in 100 s (100 MB/s); waits in seconds ``disk network``."""
    events = ""
    if "A" in ends:
        events += request("A", "source", WAY, success=True)
        events += copy("A", "source", 1, 101, remote="B", size=10**10, waits=_ms(source))
    if "B" in ends:
        events += request("B", "target", WAY, remote="r1", success=True)
        events += copy("B", "target", 1, 101, guids="b a", remote="A", size=10**10, waits=_ms(target))
    return case(perfmon, events=events)


def _ms(waits: str) -> str:
    return " ".join(str(int(w) * 1000) for w in waits.split())


def ids(view: Case) -> set[str]:
    return {f.id for f in Seeding(view).findings()}


RECEIVED = r"""
B | \Network Interface(nic)\Bytes Received/sec     | 102000000, 20x102000000, 0
B | \Network Interface(nic)\Current Bandwidth      | 820000000
"""


@pytest.mark.complete
def test_the_end_that_only_perfmon_saw_is_the_one_that_the_other_end_names():
    (limited,) = [
        f
        for f in Seeding(made("3 80", "", RECEIVED, ends="A")).findings()
        if f.id == "seeding.network_limited"
    ]
    assert limited.subject["target"] == "B"
    assert limited.confidence == 0.65
    found = ids(made("3 80", "", RECEIVED.replace("B |", "C |"), ends="A"))
    assert found == {"seeding.completed", "quality.not_captured"}
