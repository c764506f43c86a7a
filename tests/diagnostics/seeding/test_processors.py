"""Processor work of a copy, the load of the cores, links in bits, and redo after it."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.seeding.analysis import Seeding
from agtrace.say.figures import describe
from tests.behind import assert_facts
from tests.diagnostics.seeding.cases import copy, operation_row, request
from tests.diagnostics.seeding.test_findings import DONE, WAY, one
from tests.diagnostics.tiny import case

SECOND = "300 PENDING, 300.1 CHECK_IF_SEEDING_NEEDED, 301 SEEDING, 351 CATCHUP, 360 COMPLETED"
TWICE = (
    request("A", "source", WAY, success=True)
    + request("A", "source", SECOND, success=True, operation="op2")
    + request("B", "target", WAY, remote="r1", success=True)
    + request("B", "target", SECOND, remote="r1", success=True, operation="op2")
    + copy("A", "source", 1, 101, remote="B", size=10**10)
    + copy("B", "target", 1, 101, guids="b a", remote="A", size=10**10)
    + copy("A", "source", 301, 351, remote="B", guids="c d", size=10**10)
    + copy("B", "target", 301, 351, guids="d c", remote="A", size=10**10)
)
OF_TWICE = r"""
A | \Network Interface(nic)\Bytes Sent/sec     | 21x103000000, 40x0, 10x40000000, 0
B | \Network Interface(nic)\Bytes Received/sec | 21x103000000, 40x0, 10x40000000, 0
A | \Processor(_Total)\% Processor Time    | 21x20, 40x2, 10x30, 2
B | \Processor(_Total)\% Processor Time    | 21x40, 40x2, 10x60, 2
"""
CORES = """
A | startup | 0 | logical_processors | 4 | -100
B | startup | 0 | logical_processors | 2 | -100
"""


def compressed(perfmon=OF_TWICE, facts=CORES):
    found = Seeding(case(perfmon, facts=facts, events=TWICE)).findings()
    return next(f for f in found if f.id == "seeding.compression" and f.severity == "notice")


def test_what_compression_cost_is_measured_in_core_seconds_per_gb():
    finding = compressed()
    assert_facts(finding, pace="faster", times="2.0", worked=2, judged=True, known=["A", "B"])
    values = {e.label: (e.value, e.unit) for e in finding.evidence}
    for end in ("source", "target"):
        work = f"processor work of the {end} per GB of the database"
        assert values[work] == (6.0, "core-s/GB")
        assert values[f"{work} (2024-03-05 12:00:01 UTC, uncompressed)"] == (8.0, "core-s/GB")


def test_more_work_is_said_to_be_more():
    finding = compressed(OF_TWICE.replace("10x30", "10x90"))
    assert_facts(finding, worked=2, judged=True, known=["A", "B"])


def test_without_cores_compression_has_no_known_cost():
    finding = compressed(facts="")
    assert_facts(finding, worked=2, judged=True)


PER_CORE = r"""
A | \Processor(0)\% Processor Time      | 10
A | \Processor(1)\% Processor Time      | 90
A | \Processor(2)\% Processor Time      | 20
A | \Processor(3)\% Processor Time      | 40
A | \Processor(_Total)\% Processor Time | 40
B | \Processor(0)\% Processor Time      | 58
B | \Processor(1)\% Processor Time      | 62
B | \Processor(_Total)\% Processor Time | 60
"""


def test_the_load_of_the_cores():
    seeding = Seeding(case(PER_CORE, events=DONE))
    (finding,) = [f for f in seeding.findings() if f.id == "seeding.completed"]
    assert_facts(finding, processors=[3, 3], cores=2)
    table = seeding.tbl_cores().set_index("host")
    assert table.loc["A", "core 1"] == 90
    assert table.loc["A", "mean_over_busiest"] == pytest.approx(0.44)
    assert "Cores of A at 10 to 90 % in seeding 1, the least even" in seeding.fig_cores().layout.title.text


def test_nothing_is_said_of_cores_that_were_not_sampled():
    seeding = Seeding(case(OF_TWICE, events=DONE))
    assert not any("Load of the cores" in f.narrative for f in seeding.findings())
    assert seeding.tbl_cores().empty
    assert "The load of single cores was not captured" in seeding.fig_cores().layout.title.text


def test_the_view_alone_tells_how_long_a_seeding_took():
    # completion_time - start_time needs no zone.
    seeding = Seeding(case(facts=operation_row("A", 0, 1000, 1480, ag_name="ag", database_name="Sales")))
    finding = next(f for f in seeding.findings() if f.id == "seeding.completed")
    assert_facts(finding, catchup=None)
    assert finding.window == {}
    values = {e.label: (e.value, e.unit) for e in finding.evidence}
    assert values["time from request to end"] == (480.0, "s")
    assert seeding.tbl_operations()["seconds"].tolist() == [480.0]


def test_redo_while_the_target_catches_up():
    events = DONE.replace("110 | ", "160 | ")
    perfmon = r"B | \SQLServer:Database Replica(Sales)\Redone Bytes/sec | 21x0, 12x12000000, 1000000"
    messages = "B | 102 | parallel_redo | 49930 | event=started; database=Sales; pool_size=4"
    made = case(perfmon, messages, events=events)
    finding = one(made, "seeding.completed")
    assert "redo after the copy, highest" in {each.label for each in finding.evidence}
    values = {e.label: (e.value, e.unit) for e in finding.evidence}
    assert values["redo after the copy"] == (12_000_000, "log B/s")
    figure = Seeding(made).fig_redo()
    assert (
        "Mean redo while the target caught up, seeding 1: 12 MB/s with 4 threads" in figure.layout.title.text
    )
    assert describe(figure) == "redo of B: 23 points, 1 to 12 log MB/s, 0 gaps"


LIMITED = r"""
A | \Network Interface(nic)\Bytes Sent/sec     | 21x121000000, 0
B | \Network Interface(nic)\Bytes Received/sec | 21x121000000, 0
A | \Network Interface(nic)\Current Bandwidth  | 10000000000
B | \Network Interface(nic)\Current Bandwidth  | 10000000000
A | \LogicalDisk(D:)\Disk Read Bytes/sec       | 21x118000000, 0
A | \LogicalDisk(D:)\% Idle Time               | 21x53, 100
"""


def test_a_limiting_network_is_told_beside_the_link_and_the_disks():
    events = copy("A", "source", 1, 101, remote="B", size=11_800_000_000, waits="1000 90000")
    events += copy("B", "target", 1, 101, guids="b a", remote="A", size=11_800_000_000, waits="1000 95000")
    finding = one(case(LIMITED, events=events), "seeding.network_limited")
    assert_facts(finding, idle=1, card_end="A", is_full=False)
    sources = {e.label: e.source for e in finding.evidence}
    assert sources["network of the source"].endswith("mean, n = 19: 968 Mb/s of 10.0 Gb/s")
