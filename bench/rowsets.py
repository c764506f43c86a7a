"""Outputs of the PerfStats script to rowsets: MB/s and the most memory, reading and ingesting.

``python bench/rowsets.py`` writes outputs of 100 MB and 1 GB to a temporary folder, reads and ingests
each in a fresh process, ``--repeat`` times in turn, warm page cache, and prints a Markdown table with
medians. ``--mb 100`` measures one size; ``--check`` ends with status 1 where reading is slower than
100 MB/s, or memory grows with the file.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.machine import machine

TARGET_MB_S = 100.0
TARGET_RSS_MB = 500.0
START = datetime(2026, 3, 1, 8, 0, 0, 220_000)

REQUESTS = (
    ("runtime", 30, "t"), ("session_id", 10, "n"), ("request_id", 11, "n"), ("ecid", 11, "n"),
    ("blocking_session_id", 19, "n"), ("task_state", 15, "s"), ("wait_type", 50, "w"),
    ("wait_duration_ms", 20, "n"), ("wait_resource", 40, "s"), ("resource_description", 140, "s"),
    ("last_wait_type", 50, "w"), ("open_trans", 11, "n"), ("request_cpu_time", 16, "n"),
    ("request_logical_reads", 21, "n"), ("request_reads", 20, "n"), ("request_writes", 20, "n"),
    ("memory_usage", 12, "n"), ("session_cpu_time", 16, "n"), ("command", 32, "s"),
    ("database_id", 11, "n"), ("host_name", 20, "s"), ("program_name", 50, "s"),
    ("group_id", 11, "n"), ("query_hash", 20, "s"), ("plan_handle", 98, "s"),
)  # fmt: skip
WAITS = (
    ("runtime", 30, "t"), ("waiting_tasks_count", 20, "n"), ("wait_time_ms", 20, "n"),
    ("max_wait_time_ms", 20, "n"), ("signal_wait_time_ms", 20, "n"), ("wait_type", 60, "w"),
)  # fmt: skip
COUNTERS = (
    ("runtime", 30, "t"), ("cntr_value", 20, "n"), ("object_name", 30, "s"),
    ("counter_name", 40, "s"), ("instance_name", 50, "s"),
)  # fmt: skip
FILES = (
    ("runtime", 30, "t"), ("DbId", 6, "n"), ("FileId", 6, "n"), ("AvgIOTimeMS", 20, "n"),
    ("TimeStamp", 11, "n"), ("NumberReads", 20, "n"), ("BytesRead", 20, "n"),
    ("IoStallReadMS", 20, "n"), ("NumberWrites", 20, "n"), ("BytesWritten", 20, "n"),
    ("IoStallWriteMS", 20, "n"), ("IoStallMS", 20, "n"), ("BytesOnDisk", 20, "n"),
    ("type_desc", 60, "s"), ("database", 128, "s"), ("file", 260, "s"),
)  # fmt: skip
ROWSETS = (
    ("requests", REQUESTS, 40, 1), ("dm_os_wait_stats", WAITS, 300, 6),
    ("sysperfinfo_raw (general perf subset)", COUNTERS, 250, 6), ("File Stats (full)", FILES, 60, 6),
)  # fmt: skip
"""Name, columns, rows, and every how many intervals of 10 s."""


def write_output(path: Path, size: int) -> None:
    """Write an output of about so many bytes: an hour is made, and repeated with other times."""
    chance = random.Random(7)
    intervals = [_interval(chance, number) for number in range(12)]
    with path.open("wb") as file:
        file.write(b"Starting SQL Server Perf Stats Script...\r\n")
        written, number = 0, 0
        while written < size:
            moment = (START + timedelta(seconds=10 * number)).isoformat(timespec="milliseconds")
            text = intervals[number % len(intervals)].replace(b"2026-03-01T08:00:00.220", moment.encode())
            file.write(text)
            written, number = written + len(text), number + 1


def _interval(chance: random.Random, number: int) -> bytes:
    lines = ["Start time: 2026-03-01T08:00:00.220", " "]
    for name, columns, rows, every in ROWSETS:
        if number % every:
            continue
        lines += ["", f"-- {name} --", " ".join(title.ljust(width) for title, width, _kind in columns)]
        lines.append(" ".join("-" * width for _title, width, _kind in columns))
        lines += [
            " ".join(_cell(chance, width, kind, row) for _title, width, kind in columns)
            for row in range(rows)
        ]
        lines += ["", f"DebugPrint: perfstats {name} - {chance.randrange(900)}ms, rowcount={rows}"]
    return "\r\n".join([*lines, "", ""]).encode("ascii")


def _cell(chance: random.Random, width: int, kind: str, row: int) -> str:
    if kind == "t":
        return "2026-03-01T08:00:00.220".ljust(width)
    if kind == "n":
        return str(chance.randrange(10 ** min(width - 1, 10)) if chance.random() > 0.2 else 0).rjust(width)
    if kind == "w":
        return f"WAIT_TYPE_{row:03}".ljust(width)
    if chance.random() < 0.3:
        return "NULL".ljust(width)
    words = " ".join(chance.choice(("Sales", "D:\\data\\log.ldf", "0x3A5B", "Büro"[:1])) for _ in range(3))
    return words[:width].ljust(width)


def read(path: Path) -> dict[str, float]:
    """Read the whole output; give seconds and the most memory in MB."""
    from agtrace.readers.base import Source
    from agtrace.readers.query_results import READER

    rows, start, cpu = 0, time.perf_counter(), time.process_time()
    for table, batch in READER.read(Source.of_path(path)):
        rows += batch.num_rows if table == "rowset_rows" else 0
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    return {"seconds": seconds, "cpu": cpu, "rss_mb": _peak_mb(), "rows": rows}


def ingest(path: Path) -> dict[str, float]:
    """Ingest it into a store; the same figures."""
    from agtrace.ingest import ingest as into_store

    with tempfile.TemporaryDirectory(dir=path.parent.parent) as store:
        start, cpu = time.perf_counter(), time.process_time()
        into_store(path.parent, store=Path(store), jobs=1)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        stored = sum(file.stat().st_size for file in Path(store).rglob("*.parquet"))
    return {"seconds": seconds, "cpu": cpu, "rss_mb": _peak_mb(), "stored_mb": stored / 1e6}


def _peak_mb() -> float:
    # What `getrusage` says of a child begins with what its parent had.
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mb", type=int, action="append", help="sizes (default 100 and 1000)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each (default 3)")
    parser.add_argument("--folder", type=Path, help="where the outputs are made")
    parser.add_argument("--no-ingest", action="store_true", help="only read")
    parser.add_argument("--check", action="store_true", help="status 1 where a target is missed")
    parser.add_argument("--run", nargs=2, metavar=("WHAT", "PATH"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        what, path = arguments.run
        print(json.dumps({"read": read, "ingest": ingest}[what](Path(path))))
        return 0
    print(machine(), "\n")
    print("| output | what | MB/s | MB per second of the processor | most memory |\n|---|---|---|---|---|")
    reads = []
    for mb in arguments.mb or [100, 1000]:
        folder = Path(tempfile.mkdtemp(prefix="agtrace-bench-", dir=arguments.folder))
        try:
            path = folder / "case" / "SRV_20260301T0800000000_PerfStats.out"
            path.parent.mkdir()
            write_output(path, mb * 1_000_000)
            for what in ("read",) if arguments.no_ingest else ("read", "ingest"):
                found = [measured(what, path) for _ in range(arguments.repeat)]
                size = path.stat().st_size / 1e6
                speed = size / statistics.median(f["seconds"] for f in found)
                alone = size / statistics.median(f["cpu"] for f in found)
                memory = max(f["rss_mb"] for f in found)
                print(f"| {mb:,} MB | {what} | {speed:.0f} | {alone:.0f} | {memory:.0f} MB |", flush=True)
                reads += [(speed, memory)] if what == "read" else []
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    missed = any(speed < TARGET_MB_S or memory > TARGET_RSS_MB for speed, memory in reads)
    return int(arguments.check and missed)


def measured(what: str, path: Path) -> dict[str, float]:
    """Run one measurement in a process of its own."""
    command = [sys.executable, __file__, "--run", what, str(path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    sys.exit(main())
