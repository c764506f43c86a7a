"""The sample case of backup tuning: 19 configurations, 25 runs each, as a blog article's table has them.

The article gives a range of MB/s for each configuration. The runs here are symmetric about its
middle, their 5th and 95th percentiles are its ends, and the three slowest of each are those that
begin within a quarter of an hour of the first one behind an idle hour. Runs on weekends take the values
farther from the middle, as the article says that variation was higher then.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import random
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from simulation.formats.pdh_text import write_pdh

SEED = 2013
HOST = "AZSQL01"
DATABASE = "TestBackupDB"
PAGES = 3_951_905
RUNS, COLD = 25, 3
OFFSET_MINUTES = 120
MONDAY = dt.datetime(2013, 6, 3)
SOURCES = tuple("FGHI")
TARGETS = tuple("JKLMNOPQ")
SECOND = dt.timedelta(seconds=1)
PERFMON_S = 15
WARM_UP_S = 15 * 60
"""What begins so soon after a pause of an hour or more is cold: the article saw 10 to 20 minutes."""
BREAKS = ((12 * 60, 28 * 60), (31 * 60, 44 * 60))
"""Breaks within a session, seconds: disks stay warm."""
SECOND_PAUSES = ((61 * 60, 88 * 60), (91 * 60, 118 * 60))
"""Pauses before the second session of a day, seconds: the article saw disks turn cold after about 60 minutes.
"""
SETTINGS = {"vm_size": "XL", "data_disk_cache": "OFF", "allocation_unit": "4 KB", "recovery_model": "SIMPLE"}
"""What the article held the same in all runs and no log knows."""


class Tested(NamedTuple):
    """A row of the article's table: throughput in MB/s, of 2^20 bytes."""

    media: str
    targets: int
    write_cache: str
    buffer_count: int
    transfer_kb: int
    location: str
    low: float
    high: float

    @property
    def name(self) -> str:
        return (
            f"{self.media} {self.targets} {self.write_cache} {self.buffer_count} x {self.transfer_kb} "
            f"{self.location}"
        )


TABLE = tuple(
    Tested(media, int(targets), cache, int(count), int(size), location.replace("_", " "), float(low),
    float(high))
    for media, targets, cache, count, size, location, low, high in (
        line.split()
        for line in """
        DISK 1 OFF 13 1024 LOCAL 90 95
        DISK 1 ON 13 1024 LOCAL 127 138
        DISK 1 OFF 25 1024 LOCAL 100 110
        DISK 1 OFF 50 1024 LOCAL 100 121
        DISK 1 OFF 100 1024 LOCAL 102 132
        DISK 1 OFF 13 64 LOCAL 18 26
        DISK 1 OFF 13 2048 LOCAL 45 105
        DISK 1 OFF 13 4096 LOCAL 65 128
        DISK 1 OFF 100 4096 LOCAL 135 146
        DISK 1 ON 100 4096 LOCAL 97 109
        URL 1 OFF 13 1024 LOCAL 110 112
        URL 1 OFF 13 1024 REMOTE_DC 102 109
        URL 1 OFF 13 1024 REMOTE_RG 101 108
        DISK 2 OFF 13 1024 LOCAL 90 128
        DISK 2 OFF 100 4096 LOCAL 143 153
        DISK 4 OFF 13 1024 LOCAL 97 166
        DISK 4 OFF 13 4096 LOCAL 160 167
        DISK 8 OFF 13 1024 LOCAL 114 173
        DISK 8 OFF 100 4096 LOCAL 164 170
        """.strip().splitlines()
    )
)  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One backup: when it began (local time) and how long it took."""

    tested: Tested
    start: dt.datetime
    seconds: float
    is_cold: bool
    session: int

    @property
    def end(self) -> dt.datetime:
        return self.start + dt.timedelta(seconds=self.seconds)

    @property
    def mb_per_s(self) -> float:
        return PAGES / 128 / self.seconds


@dataclass(frozen=True)
class Truth:
    """What was made: the files, and the MB/s of every run by configuration."""

    files: list[str]
    runs: dict[str, list[float]]
    cold: dict[str, list[float]]


def write_case(folder: Path, seed: int = SEED) -> Truth:
    """Write the case into a folder."""
    runs = schedule(random.Random(seed))
    files = {
        f"{HOST}/ERRORLOG": errorlog(runs),
        f"{HOST}/perfmon.csv": perfmon(random.Random(seed + 1), [r for r in runs if r.session == 0]),
        "runs.csv": labels(runs),
    }
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return Truth(
        sorted(files),
        {t.name: sorted(r.mb_per_s for r in runs if r.tested == t) for t in TABLE},
        {t.name: sorted(r.mb_per_s for r in runs if r.tested == t and r.is_cold) for t in TABLE},
    )


def throughputs(chance: random.Random, tested: Tested) -> list[float]:
    """Return 25 values in order, symmetric, whose p5 and p95 are the ends of the range."""
    middle, half = (tested.low + tested.high) / 2, (tested.high - tested.low) / 2
    away = sorted(chance.betavariate(1.6, 1.2) for _ in range(RUNS // 2))
    # p5 lies a fifth of the way from the second to the third lowest value.
    scale = half / (0.8 * away[-2] + 0.2 * away[-3])
    away = [min(value * scale, 1.1 * away[-2] * scale) for value in away]
    return [middle - value for value in reversed(away)] + [middle] + [middle + value for value in away]


def schedule(chance: random.Random) -> list[Run]:
    """Lay the runs out over two weeks: two sessions a day, each behind more than an idle hour.

    A session begins with cold runs, for as long as the disks take to warm up. Breaks within it are
    too short for them to turn cold.
    """
    cold: list[tuple[Tested, float]] = []
    weekend: list[tuple[Tested, float]] = []
    working: list[tuple[Tested, float]] = []
    for tested in TABLE:
        values = throughputs(chance, tested)
        warm = values[COLD:]
        farthest = [*warm[:3], values[RUNS // 2], *warm[-4:]]
        cold += [(tested, value) for value in values[:COLD]]
        weekend += [(tested, value) for value in farthest]
        working += [(tested, value) for value in warm if value not in farthest]
    for group in (cold, weekend, working):
        chance.shuffle(group)
    sessions = _cold_starts(chance, cold)
    # The first session, which perfmon saw, holds every configuration.
    first = [working.pop(next(i for i, (t, _) in enumerate(working) if t == tested)) for tested in TABLE]
    chance.shuffle(first)
    is_weekend = [(MONDAY + dt.timedelta(days=n // 2)).weekday() >= 5 for n in range(len(sessions))]
    runs: list[Run] = []
    for number, batch in enumerate(sessions):
        left = is_weekend[number:].count(is_weekend[number])
        group = weekend if is_weekend[number] else working
        warm = first if number == 0 else [group.pop() for _ in range(-(-len(group) // left))]
        pauses = [chance.randrange(180, 540) for _ in warm]
        for length in BREAKS:
            pauses[chance.randrange(len(pauses))] = chance.randrange(*length)
        time = _begin(chance, number, runs)
        for tested, value, pause, is_cold in [
            *((*each, True) for each in batch),
            *((*each, pause, False) for each, pause in zip(warm, pauses, strict=True)),
        ]:
            run = Run(tested, time, _seconds(value), is_cold, number)
            runs.append(run)
            time = (run.end + dt.timedelta(seconds=pause)).replace(microsecond=0)
    return runs


def _seconds(mb_per_s: float) -> float:
    return round(PAGES / 128 / mb_per_s, 2)


def _cold_starts(
    chance: random.Random, cold: list[tuple[Tested, float]]
) -> list[list[tuple[Tested, float, int]]]:
    """Return each session's cold runs with the pauses after them: those that start in the warm-up."""
    found: list[list[tuple[Tested, float, int]]] = []
    since = float(WARM_UP_S)
    for tested, value in cold:
        if since >= WARM_UP_S:
            found.append([])
            since = 0.0
        found[-1].append((tested, value, chance.randrange(180, 540)))
        since += _seconds(value) + found[-1][-1][2]
    return found


def _begin(chance: random.Random, number: int, runs: list[Run]) -> dt.datetime:
    """Return the start of a session: in the morning or after noon, the second at least an hour later."""
    day = number // 2
    if number % 2 == 0:
        hours = 8 if day % 2 == 0 else 13
        return MONDAY + dt.timedelta(days=day, hours=hours, seconds=chance.randrange(40 * 60))
    pause = chance.randrange(*SECOND_PAUSES[day % 2])
    return (runs[-1].end + dt.timedelta(seconds=pause)).replace(microsecond=0)


def devices(run: Run, number: int) -> list[str]:
    """Name the targets of a run."""
    if run.tested.media == "URL":
        return [f"http://backups.blob.core.windows.net/backup/{DATABASE}-{number}.bak"]
    return [rf"{drive}:\Backup\{DATABASE}.bak" for drive in TARGETS[: run.tested.targets]]


def data_files() -> list[str]:
    return [
        rf"{drive}:\Data\{DATABASE}_{n}.{'mdf' if n == 1 else 'ndf'}" for n, drive in enumerate(SOURCES, 1)
    ]


def errorlog(runs: list[Run]) -> bytes:
    """Write the ERRORLOG, as an editor saved it in UTF-8."""
    begin = MONDAY + dt.timedelta(hours=6)
    lines = [_line(begin, source, text) for source, text in START]
    for number, run in enumerate(runs):
        lines += [_line(time, source, text) for time, source, text in _backup(run, number)]
    return "".join(lines).encode()


def _line(time: dt.datetime, source: str, text: str) -> str:
    stamp = f"{time:%Y-%m-%d %H:%M:%S}.{time.microsecond // 10_000:02}"
    return f"{stamp} {source:<12}{text}\r\n"


START = (
    (
        "Server",
        "Microsoft SQL Server 2012 (SP1) - 11.0.3339.0 (X64) \r\n"
        "\tJan 14 2013 19:02:10 \r\n"
        "\tCopyright (c) Microsoft Corporation\r\n"
        "\tEnterprise Edition (64-bit) on Windows NT 6.1 <X64> (Build 7601: Service Pack 1) (Hypervisor)\r\n",
    ),
    ("Server", "(c) Microsoft Corporation."),
    ("Server", "All rights reserved."),
    ("Server", "Server process ID is 1412."),
    ("Server", "UTC adjustment: 2:00"),
    ("Server", "SQL Server detected 1 sockets with 8 cores per socket and 8 logical processors per socket, "
        "8 total logical processors; using 8 logical processors based on SQL Server licensing. This is an "
        "informational message; no user action is required."),
    ("Server", "Detected 14335 MB of RAM. This is an informational message; no user action is required."),
    ("spid7s", f"Server name is '{HOST}'. This is an informational message only. No user action is "
        f"required."),
    ("spid51", "DBCC TRACEON 3004, server process ID (SPID) 51. This is an informational message only; no "
        "user action is required."),
    ("spid51", "DBCC TRACEON 3014, server process ID (SPID) 51. This is an informational message only; no "
        "user action is required."),
    ("spid51", "DBCC TRACEON 3213, server process ID (SPID) 51. This is an informational message only; no "
        "user action is required."),
    ("spid51", "DBCC TRACEON 3605, server process ID (SPID) 51. This is an informational message only; no "
        "user action is required."),
)  # fmt: skip


def _backup(run: Run, number: int):
    """Yield the entries of one backup: flags 3004, 3014 and 3213, then message 18264."""
    tested, spid = run.tested, "spid51"
    count, size = tested.buffer_count, tested.transfer_kb
    total = count * size * 1024

    def at(seconds: float) -> dt.datetime:
        return run.start + dt.timedelta(seconds=seconds)

    if tested.media == "URL":
        text = (
            f"BackupToUrl process initiated with PID: {2680 + number % 900}, for database name [{DATABASE}]"
        )
        yield at(-0.35), "spid51", text
    yield at(0), spid, f"BackupDatabase: Database {DATABASE}"
    for text in (
        "Backup/Restore buffer configuration parameters",
        "Memory limit: 895MB",
        f"BufferCount: {count}",
        "Sets Of Buffers:            1",
        f"MaxTransferSize: {size} KB",
        "Min MaxTransferSize:        64 KB",
        f"Total buffer space:         {total // 2**20} MB",
        "Tabular data device count:  4",
        "Fulltext data device count: 0",
        "Filestream device count:    0",
        "TXF device count:           0",
        "Filesystem i/o alignment:   512",
        f"Media Buffer count:           {count}",
        f"Media Buffer size:          {size}KB",
    ):
        yield at(0.06), spid, text
    yield at(0.06), spid, "Backup: Media open"
    yield at(0.11), spid, "Backup: Media ready to backup"
    yield at(0.34), spid, "BackupDatabase: Checkpoint done"
    yield at(0.49), spid, "BackupDatabase: Work estimates done"
    yield at(0.52), spid, "Backup: Copying data"
    yield at(0.53), spid, "Backup: DBReaderCount = 4"
    for name in data_files():
        yield at(0.54), spid, f"Started file {name}"
    yield (
        at(run.seconds - 0.12),
        spid,
        f"Backup data streams: Initial={PAGES * 8192} Final={PAGES * 8192} ExcessMode=0",
    )
    names = ", ".join(f"'{name}'" for name in devices(run, number))
    yield (
        at(run.seconds),
        "Backup",
        f"Database backed up. Database: {DATABASE}, creation date(time): 2013/05/31(15:58:39), pages "
        f"dumped: {PAGES}, "
        f"first LSN: 317:{260174 + 40 * number}:37, last LSN: 317:{260191 + 40 * number}:1, number of dump "
        f"devices: "
        f"{tested.targets}, device information: (FILE=1, TYPE={tested.media}: {{{names}}}). This is an "
        f"informational "
        "message only. No user action is required.",
    )


def labels(runs: list[Run]) -> bytes:
    """Write runs.csv: what of each run no log knows."""
    zone = dt.timezone(dt.timedelta(minutes=OFFSET_MINUTES))
    lines = [f"label,write_cache,location,{','.join(SETTINGS)},start,end"]
    same = ",".join(SETTINGS.values())
    for number, run in enumerate(runs, 1):
        start = (run.start - SECOND).replace(tzinfo=zone).isoformat()
        end = (run.end.replace(microsecond=0) + 2 * SECOND).replace(tzinfo=zone).isoformat()
        tested = run.tested
        lines.append(f"run {number},{tested.write_cache},{tested.location},{same},{start},{end}")
    return ("\n".join(lines) + "\n").encode()


def perfmon(chance: random.Random, runs: list[Run]) -> bytes:
    """Write a perfmon log of one session: disks, processor, network card.

    A data disk delivers at most about 42 MB/s; near that its reads queue up. Nothing waits for
    writes. The card carries what goes to a URL.
    """
    read = [f"LogicalDisk({d}:)" for d in SOURCES]
    write = [f"LogicalDisk({d}:)" for d in TARGETS]
    card = "Network Interface(Microsoft Hyper-V Network Adapter)"
    paths = [rf"{d}\{c}" for d in read for c in ("Avg. Disk sec/Read", "Disk Read Bytes/sec")]
    paths += [rf"{d}\{c}" for d in write for c in ("Avg. Disk sec/Write", "Disk Write Bytes/sec")]
    paths += [r"Processor(_Total)\% Processor Time", rf"{card}\Bytes Sent/sec", rf"{card}\Current Bandwidth"]
    times, rows = [], []
    time = runs[0].start.replace(second=0) - dt.timedelta(minutes=2)
    while time < runs[-1].end + dt.timedelta(minutes=2):
        run = next((r for r in runs if r.start < time - PERFMON_S * SECOND and time <= r.end), None)
        times.append(time + dt.timedelta(milliseconds=chance.randrange(20)))
        rows.append(_sample(chance, run))
        time += PERFMON_S * SECOND
    return write_pdh(
        [rf"\\{HOST}\{path}" for path in paths], rows, zone=" (W. Europe Daylight Time)(-120)", times=times
    )


def _sample(chance: random.Random, run: Run | None) -> list[float]:
    rate = run.mb_per_s * 2**20 if run is not None else 0.0
    full = rate / len(SOURCES) / (42 * 2**20)

    def about(value: float, digits: int = 0) -> float:
        return round(value * chance.uniform(0.96, 1.04), digits)

    row: list[float] = []
    for _ in SOURCES:
        row += [about(0.006 / max(1.06 - full, 0.06), 5) if rate else 0, about(rate / len(SOURCES))]
    to_disk = run is not None and run.tested.media == "DISK"
    for place in range(len(TARGETS)):
        if run is not None and to_disk and place < run.tested.targets:
            latency = 0.002 if run.tested.write_cache == "ON" else 0.0075
            row += [about(latency, 5), about(rate / run.tested.targets)]
        else:
            row += [0, 0]
    sent = rate * 1.03 if run is not None and not to_disk else 2500
    return [*row, about(4 + rate / 2**20 / 12, 1), about(sent), 10_000_000_000]


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
