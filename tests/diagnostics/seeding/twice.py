"""Processor work of a copy, the load of the cores, links in bits, and redo after it."""

from __future__ import annotations

from agtrace.diagnostics.seeding.analysis import Seeding
from tests.diagnostics.seeding.cases import copy, request
from tests.diagnostics.seeding.test_findings import WAY
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
