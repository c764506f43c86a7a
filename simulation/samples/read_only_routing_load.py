"""The load of the read-only routing case: what the tools were told to do, and what the hosts did meanwhile.

The figures of the article's three tables are the truth.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from simulation.formats.pdh_text import BLANK, Cell, write_pdh

SEED = 2019
AG, DATABASE, INSTANCE = "BAG", "tpcc", "SQLBAG"
PRIMARY, SECONDARY = "SRV153", "SRV154"
OFFSET = timedelta(hours=-4)
ZONE = " (Eastern Daylight Time)(240)"
LOADS = (1, 2, 4, 8, 10, 12)
CONFIGURATIONS = {"Basic AG": "off", "Basic AG with read-only routing": "on"}
MINUTES = {"off": (3, 3, 5, 7, 9, 10), "on": (5, 4, 4, 7, 8, 10)}
TPM = {
    "off": (38718, 70788, 105054, 111798, 116628, 116364),
    "on": (20976, 62718, 96864, 117672, 121872, 123378),
}
STRESS_S = {"off": (3.09, 2.96, 2.97, 3.13, 3.51, 3.98), "on": (2.73, 2.76, 2.79, 2.9, 3.85, 4.48)}
SSD_MB_S = {"off": (283, 292, 282, 272, 441, 517), "on": (270, 277, 284, 265, 658, 848)}

READ, READ_S = "read of 1,000,000 rows of dbo.customer", {"off": 19, "on": 19}
WAREHOUSES, BUILD_USERS, BUILD_S = 20, 4, 1080
MAX_MEMORY_MB = 16_384

DAY = datetime(2019, 4, 23)
BUILD_START = DAY + timedelta(hours=12)
MEMORY_CHANGED = DAY + timedelta(hours=12, minutes=30)
"""UTC: between the build of the database and the first test."""
READ_STARTS = {"off": timedelta(hours=12, minutes=57), "on": timedelta(hours=13, minutes=4)}
STRESS_STARTS = {"off": timedelta(hours=13), "on": timedelta(hours=13, minutes=5)}
"""UTC; each test half a minute after the one before."""
HAMMER_STARTS = {"off": timedelta(hours=14), "on": timedelta(hours=15)}
"""UTC; two minutes of rest after each test."""
EVERY_S = 10
"""The transaction counter's refresh rate."""
BACKGROUND = {PRIMARY: 1.2, SECONDARY: 0.2}
"""Batch requests per second of monitoring."""
IDLE_DISK = {PRIMARY: 0.0, SECONDARY: 20_000.0}
LOG_BYTES_PER_TRANSACTION = 4_600
CARDS = {
    "Broadcom NetXtreme Gigabit Ethernet": 1_000_000_000,
    "Mellanox ConnectX-4 Adapter": 100_000_000_000,
    "Mellanox ConnectX-4 Adapter _2": 100_000_000_000,
}
"""Bits per second."""
BUSY = 1e6
"""Log bytes per second from which queues are seen at all."""


@dataclass(frozen=True)
class Phase:
    """One test: when (UTC), and what the primary's disk and SQL Server do meanwhile."""

    start: datetime
    seconds: float
    disk_read: float
    disk_written: float
    batches: float
    cpu: float
    log: float = 0.0


def hammer_start(routing: str, place: int) -> datetime:
    """Return when a test of HammerDB began, UTC."""
    before = sum(minutes + 2 for minutes in MINUTES[routing][:place])
    return DAY + HAMMER_STARTS[routing] + timedelta(minutes=before)


def stress_start(routing: str, place: int) -> datetime:
    """Return when a test of SQLQueryStress began, UTC."""
    return DAY + STRESS_STARTS[routing] + timedelta(seconds=30 * place)


def read_start(routing: str) -> datetime:
    """Return when the million rows were read, UTC."""
    return DAY + READ_STARTS[routing]


def build_phases() -> dict[str, list[Phase]]:
    """Return the build's effect on both hosts: rows of every warehouse, and their log."""
    log = 21e6
    phase = Phase(BUILD_START, BUILD_S, 1.5e6, 74e6, 220, 22, log)
    return {"off": [phase]}


def stress_phases() -> dict[str, list[Phase]]:
    """Return SQLQueryStress's load on the primary; disks of both hosts add up to the SSD figure.

    In front of them stands the read of a million rows, whose disks the article does not tell.
    """
    found: dict[str, list[Phase]] = {}
    for routing in CONFIGURATIONS.values():
        read = Phase(read_start(routing), READ_S[routing], 42e6, 0.0, 1 / READ_S[routing], 3)
        found.setdefault(routing, []).append(read)
        for place, load in enumerate(LOADS):
            total = SSD_MB_S[routing][place] * 1e6 - IDLE_DISK[SECONDARY]
            seconds = STRESS_S[routing][place]
            found.setdefault(routing, []).append(
                Phase(
                    start=stress_start(routing, place),
                    seconds=seconds,
                    disk_read=total - 150_000,
                    disk_written=150_000,
                    batches=load / seconds,
                    cpu=4 + 2.5 * load,
                )
            )
    return found


def hammer_phases() -> dict[str, list[Phase]]:
    """Return HammerDB's load on the primary."""
    found: dict[str, list[Phase]] = {}
    for routing in CONFIGURATIONS.values():
        for place, load in enumerate(LOADS):
            tpm = TPM[routing][place]
            log = tpm / 60 * LOG_BYTES_PER_TRANSACTION
            found.setdefault(routing, []).append(
                Phase(
                    start=hammer_start(routing, place),
                    seconds=MINUTES[routing][place] * 60,
                    disk_read=tpm * 310.0,
                    disk_written=log * 2.6,
                    batches=tpm / 60,
                    cpu=5 + 4.5 * load,
                    log=log,
                )
            )
    return found


def perfmon(host: str, phases: dict[str, list[Phase]], every: int, *, reads_moved: bool) -> bytes:
    """Return the perfmon log of a host over all phases of one tool."""
    chance = random.Random(f"{SEED} perfmon {host} {every}")
    everything = [(routing, phase) for routing, each in phases.items() for phase in each]
    first = everything[0][1].start - timedelta(seconds=2 * every + 8)
    last = everything[-1][1].start + timedelta(seconds=everything[-1][1].seconds + 2 * every + 8)
    first = first.replace(second=first.second // every * every) + timedelta(milliseconds=4)
    count = int((last - first).total_seconds()) // every
    times = [first + timedelta(seconds=every * n) for n in range(count)]
    rows: list[list[Cell]] = []
    for n, time in enumerate(times):
        values = means(host, everything, time, every, reads_moved=reads_moved)
        wobble = 1 + 0.012 * (1 if n % 2 else -1)
        row: list[Cell] = [column(host, values, wobble, chance) for column in SERIES.values()]
        if n == 0:
            row = [
                BLANK if path.endswith("/sec") or "%" in path else value
                for path, value in zip(SERIES, row, strict=True)
            ]
        rows.append(row)
    paths = [f"\\\\{host}\\{path}" for path in SERIES]
    return write_pdh(paths, rows, zone=ZONE, times=[time + OFFSET for time in times])


def means(
    host: str, phases: list[tuple[str, Phase]], time: datetime, every: int, *, reads_moved: bool
) -> dict[str, float]:
    """Return the means over the interval that ends at a sample."""
    values = {"read": 0.0, "written": IDLE_DISK[host], "batches": BACKGROUND[host], "cpu": 1.0}
    values["log"] = 0.0
    begin = time - timedelta(seconds=every)
    for routing, phase in phases:
        end = phase.start + timedelta(seconds=phase.seconds)
        overlap = (min(time, end) - max(begin, phase.start)).total_seconds()
        # The last reads come back a moment after the client has its rows.
        share = min(max(overlap / every, 0.0), 1.0)
        share = 1.0 if share > 0.95 else share
        if not share:
            continue
        reader = SECONDARY if reads_moved and routing == "on" else PRIMARY
        values["log"] += share * phase.log
        if host == SECONDARY:
            values["written"] += share * phase.log * 2.1
            values["cpu"] += share * phase.log / 2e6
        if host == reader:
            values["read"] += share * phase.disk_read
            values["batches"] += share * phase.batches
            values["cpu"] += share * phase.cpu
        if host == PRIMARY:
            values["written"] += share * phase.disk_written
    return values


Column = Callable[[str, dict[str, float], float, random.Random], Cell]


def series() -> dict[str, Column]:
    """Return every series of a host: path to what it shows."""
    sql = f"MSSQL${INSTANCE}"

    def link(bits: int) -> Column:
        return lambda _h, _v, _w, _c: bits

    def secondary(of: Column) -> Column:
        return lambda host, v, w, c: of(host, v, w, c) if host == SECONDARY else 0

    cards = {f"Network Interface({name})\\Current Bandwidth": link(bits) for name, bits in CARDS.items()}
    return cards | {
        "LogicalDisk(D:)\\Disk Read Bytes/sec": lambda _h, v, _w, _c: round(v["read"]),
        "LogicalDisk(D:)\\Disk Write Bytes/sec": lambda _h, v, _w, _c: round(v["written"]),
        "Processor(_Total)\\% Processor Time": lambda _h, v, w, _c: round(v["cpu"] * w, 3),
        f"{sql}:SQL Statistics\\Batch Requests/sec": lambda _h, v, _w, _c: round(v["batches"], 4),
        f"{sql}:Buffer Manager\\Page reads/sec": lambda _h, v, _w, _c: round(v["read"] / 8192, 2),
        f"{sql}:Databases({DATABASE})\\Log Bytes Flushed/sec": (lambda _h, v, w, _c: round(v["log"] * w)),
        f"{sql}:Database Replica({DATABASE})\\Log Bytes Received/sec": secondary(
            lambda _h, v, w, _c: round(v["log"] * w)
        ),
        f"{sql}:Database Replica({DATABASE})\\Redone Bytes/sec": secondary(
            lambda _h, v, w, _c: round(v["log"] * w)
        ),
        f"{sql}:Database Replica({DATABASE})\\Log Send Queue": secondary(
            lambda _h, v, _w, c: c.randrange(0, 40) if v["log"] > BUSY else 0
        ),
        f"{sql}:Database Replica({DATABASE})\\Recovery Queue": secondary(
            lambda _h, v, _w, c: c.randrange(0, 90) if v["log"] > BUSY else 0
        ),
    }


SERIES = series()
