"""What was busy at the moments of slow commits: disks, processors, redo, flow control; and what is no
finding.
"""

from __future__ import annotations

from datetime import UTC, timedelta
from functools import cache

import pyarrow as pa
import pytest

from agtrace.diagnostics.commit_latency import CommitLatency
from agtrace.tables.history import RELATIONS
from tests.behind import assert_facts
from tests.diagnostics.tiny import START, case

BLOCKS, EVERY_MS = 2400, 250
SLOW_S = (127, 247, 367, 487)
"""Seconds in which the slow commits lie: 600 s are captured, samples are every 5 s."""
DISK = (
    r"SQL2 | \PhysicalDisk(1 L:)\Avg. Disk sec/Write | 25x0.002, 2x0.060, 22x0.002, 2x0.060, 22x0.002, "
    r"2x0.060, 22x0.002, 2x0.060, 0.002"
)
QUEUE = (
    r"SQL2 | \SQLServer:Database Replica(Sales)\Recovery Queue | 25x900, 2x90000, 22x900, 2x90000, 22x900, "
    r"2x90000, 22x900, 2x90000, 900"
)
GATE = (
    r"SQL1 | \SQLServer:Availability Replica(AG:SQL2)\Flow Control Time (ms/sec) | 25x0, 2x600, 22x0, "
    r"2x600, 22x0, 2x600, 22x0, 2x600, 0"
)


@cache
def log_blocks(skew_ms=0.0, databases=("Sales",)):
    """Return blocks of both sides over 600 s, 32 of them slow: eight from each of these seconds on.

    Only those of the first database are.
    """
    rows = []
    for database in databases:
        for n in range(BLOCKS):
            first = START.replace(tzinfo=UTC) + timedelta(milliseconds=n * EVERY_MS)
            second = n * EVERY_MS / 1000
            is_slow = database == "Sales" and any(at <= second < at + 2 for at in SLOW_S)
            ms = 90.0 if is_slow else 3.0 + n * 7919 % BLOCKS / BLOCKS
            rows.append(
                {"ag": "AG", "database": database, "group_database_id": f"id-{database}",
                 "primary_host": "SQL1",
                 "replica_host": "SQL2", "replica": "SQL2", "replica_id": "R2", "commit_mode": "synchronous",
                 "log_block_id": n, "attempt": 1, "bytes": 4096, "t_first": first, "t_sent": first,
                 "t_received": first,
                 "t_flushed": first + timedelta(milliseconds=1),
                 "t_ack_processed": first + timedelta(milliseconds=ms),
                 "remote_harden_ms": ms - 1, "network_ms": 1.0, "commit_ms": ms, "joined": True,
                 "skew_ms": skew_ms}
            )  # fmt: skip
    return pa.Table.from_pylist(rows, schema=RELATIONS["log_blocks"])


def asked(blocks=None, **more):
    made = case(**more)
    table = log_blocks() if blocks is None else blocks
    made.offer(("log_blocks",), lambda: {"log_blocks": table})
    return CommitLatency(made)


def common(found):
    (hop,) = [f for f in found.findings() if f.id == "commit.hop"]
    assert_facts(hop, others=[])
    return {e.label: e.value for e in hop.evidence if " of SQL" in e.label}, hop.narrative


@pytest.fixture(scope="module")
def busy():
    """A disk, redo and flow control that are busy when commits are slow."""
    return asked(perfmon=f"{DISK}\n{QUEUE}\n{GATE}")


def test_the_moments_of_the_replica_are_by_its_own_clock():
    """Its samples were taken by a clock that is 100 s ahead."""
    later = DISK.replace("25x0.002", "45x0.002", 1)
    both = f"{later}\n{later.replace('Write', 'Read')}"
    evidence, _ = common(asked(log_blocks(skew_ms=100_000.0), perfmon=both))
    assert evidence["disk write of SQL2 at slow commits"] == pytest.approx(60)
    assert evidence["disk read of SQL2 at slow commits"] == pytest.approx(60)


def gates(event, column, value, *spans):
    lines = [
        f"SQL1 | {at} | {event} | control_action={what}; {column}={value}"
        for since, until in spans
        for at, what in ((since, "Set"), (until, "Cleared"))
    ]
    return "\n".join(lines)


SPANS = [(at - 0.5, at + 2.5) for at in SLOW_S]


def test_commits_that_met_a_closed_gate():
    """Events tell it commit by commit."""
    events = gates("hadr_transport_flow_control_action", "target_availability_replica_id", "r2", *SPANS)
    evidence, _text = common(asked(events=events))
    assert evidence["send gate of SQL1 at slow commits"] == 100
    assert evidence["send gate of SQL1 at other commits"] < 1


def test_the_slowest_commits_are_listed_with_what_was_busy_then(busy):
    table = busy.tbl_slow()
    assert len(table) == 50
    first = table.iloc[0]
    assert first["commit_ms"] == 90
    assert first["replica_disk_write_ms"] == pytest.approx(60)
    assert first["recovery_queue_mb"] == pytest.approx(90000 / 1024)
    assert first["flow_control_percent"] == pytest.approx(60)
    usual = table[table["commit_ms"] < 90]
    assert {2.0, 60.0} == set(usual["replica_disk_write_ms"].round(6))


def test_every_series_is_in_the_table_with_both_values(busy):
    table = busy.tbl_beside()
    assert list(table["what"]) == ["flow control", "disk write", "recovery queue"]
    assert list(table["slow_commits"]) == [32, 32, 32]
