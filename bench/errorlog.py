"""Speed of the ERRORLOG reader on a 200 MB file of about a million entries.

Run ``python bench/errorlog.py [--mb 200]``. Prints MB/s of file bytes, best of five, beside the
speed at which this machine copies memory, and a Markdown block.
"""

from __future__ import annotations

import argparse
import datetime as dt
import platform
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agtrace.readers.base import ReadOptions, Source
from agtrace.readers.errorlog import READER
from simulation.formats.errorlog import Log

ROUNDS = 5


def make(megabytes: int) -> bytes:
    """Write a log: failed logins, traced backups, AG messages, errors, continuation lines."""
    log = Log(step=dt.timedelta(milliseconds=10)).start(flags=(3004, 3014, 3213, 3605))
    head = log.windows()
    rounds: list[bytes] = []
    size, number = len(head), 0
    while size < megabytes * 1_000_000:
        part = Log(log.time + dt.timedelta(seconds=2 * number))
        _one_round(part, number)
        rounds.append(part.windows(bom=False))
        size += len(rounds[-1])
        number += 1
        if number == 500:
            break
    # The rounds differ in time, names and numbers; after 500 of them they come again.
    body = b"".join(rounds)
    times = max(1, -(-(megabytes * 1_000_000 - len(head)) // len(body)))
    return head + body * times


def _one_round(log: Log, number: int) -> None:
    database = f"Sales{number % 17}"
    for login in range(24):
        log.error(
            "Logon",
            18456,
            14,
            8,
            f"Login failed for user 'app{login}'. Reason: Password did not match that for the login "
            f"provided. [CLIENT: 10.0.{number % 250}.{login}]",
        )
    log.backup(database, 1000 + number, f"spid{51 + number % 9}")
    log.add("spid20s", f"Starting up database '{database}'.")
    if number % 10 == 0:
        log.replica_state("AG1", "SECONDARY_NORMAL", "RESOLVING_NORMAL")
        log.role_change(database, "SECONDARY", "RESOLVING")
    log.add(
        "spid14s",
        f"FlushCache: cleaned up 11208 bufs with {number} writes in 463587 ms (avoided 8791 new dirty "
        f"bufs) for db 10:0",
        "\t\taverage writes per second:   0.24 writes/sec ",
        "\t\taverage throughput:   0.19 MB/sec, I/O saturation: 1009, context switches 2085",
        "\t\tlast target outstanding: 2, avgWriteLatency 111",
    )


def measure(data: bytes) -> tuple[float, dict[str, int]]:
    """Read everything; give seconds and rows per table."""
    rows: dict[str, int] = {}
    start = time.perf_counter()
    for table, batch in READER.read(Source.of_bytes(data, "ERRORLOG"), ReadOptions()):
        rows[table] = rows.get(table, 0) + batch.num_rows
    return time.perf_counter() - start, rows


def main() -> None:
    """Make the file, read it, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=200)
    options = parser.parse_args()
    data = make(options.mb)
    megabytes = len(data) / 1e6
    best, rows = min((measure(data) for _ in range(ROUNDS)), key=lambda one: one[0])
    block = np.frombuffer(data, np.uint8)
    copies = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        block.copy()
        copies.append(time.perf_counter() - start)
    print(f"ERRORLOG, UTF-16, {megabytes:.0f} MB, {rows}")
    print()
    print("| what | MB/s |")
    print("|---|---|")
    print(f"| ERRORLOG to Arrow, all tables | {megabytes / best:.0f} |")
    print(f"| memory copy of the same bytes | {megabytes / min(copies):.0f} |")
    print()
    print(
        f"Python {platform.python_version()}, pyarrow {pa.__version__}, numpy {np.__version__}, "
        f"{platform.machine()}"
    )


if __name__ == "__main__":
    main()
