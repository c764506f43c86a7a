"""Time of the backup notebook's tables on 1,000,000 ERRORLOG entries with 20,000 operations.

Run ``python bench/backup.py [--operations 20000]``. The log is read once, untimed; then the tables are made
from the store in a new process, best of three, and a Markdown block is printed.
"""

from __future__ import annotations

import argparse
import datetime as dt
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from simulation.formats.errorlog import Entry, Log

ROUNDS = 3
TABLES = ("operations", "stages", "configurations", "effects", "hours")


def make(path: Path, operations: int) -> int:
    """Write a log of traced backups of 200 databases, 50 entries each; nine sessions overlap."""
    entries = 0
    start = dt.datetime(2024, 1, 1, 0, 10)
    with path.open("wb") as file:
        head = Log(dt.datetime(2024, 1, 1)).start(flags=(3004, 3014, 3213, 3605))
        file.write(head.linux())
        entries += len(head.entries)
        batch: list[Entry] = []
        for number in range(operations):
            batch += one(number, start + dt.timedelta(seconds=20 * number))
            if len(batch) > 40_000 or number == operations - 1:
                batch.sort(key=lambda entry: entry.time)
                file.write("".join(f"{line}\n" for e in batch for line in e.original()).encode())
                entries += len(batch)
                batch = []
    return entries


def one(number: int, begin: dt.datetime) -> list[Entry]:
    """Return the entries of a backup, with the server's others meanwhile."""
    log = Log(begin, step=dt.timedelta(milliseconds=400))
    database, pages = f"Sales{number % 200}", 50_000 + number % 977
    log.backup(database, pages, f"spid{51 + number % 9}")
    seconds = (log.time - begin).total_seconds()
    log.entries.pop()
    rate = pages / 128 / seconds
    log.add(
        "Backup",
        f"BACKUP DATABASE successfully processed {pages} pages in {seconds:.3f} seconds ({rate:.3f} MB/sec).",
    )
    while len(log.entries) < 50:
        log.add(
            "Logon",
            f"Login succeeded for user 'app{number % 7}'. Connection made using SQL Server authentication.",
        )
    return log.entries


def timed(case: Path) -> tuple[float, float, int]:
    """Open the case and make every table, as the notebook does; give seconds, those of processors, rows."""
    from agtrace import open_case

    opened = open_case(case, ingest=False)
    begin, worked = time.perf_counter(), time.process_time()
    backup = opened.backup
    tables = [getattr(backup, f"tbl_{name}")() for name in TABLES]
    return time.perf_counter() - begin, time.process_time() - worked, len(tables[0])


def main() -> None:
    """Make the log, read it, and time the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--operations", type=int, default=20_000)
    parser.add_argument("--case", type=Path, help="time this case, which is read already")
    options = parser.parse_args()
    if options.case:
        seconds, worked, rows = timed(options.case)
        print(f"{seconds:.3f} {worked:.3f} {rows}")
        return
    from agtrace import open_case

    with tempfile.TemporaryDirectory() as folder:
        case = Path(folder) / "case"
        case.mkdir()
        entries = make(case / "ERRORLOG", options.operations)
        open_case(case).close()
        runs = []
        for _ in range(ROUNDS):
            command = [sys.executable, __file__, "--case", str(case)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            runs.append([float(number) for number in done.stdout.split()])
    seconds, worked, rows = min(runs)
    where = platform.processor() or platform.machine()
    print(
        f"| entries | operations | tables, best of {ROUNDS} (s) | of that processors (s) | Python | "
        f"processor |"
    )
    print("|---|---|---|---|---|---|")
    print(
        f"| {entries:,} | {rows:,.0f} | {seconds:.2f} | {worked:.2f} | {platform.python_version()} | "
        f"{where} |"
    )


if __name__ == "__main__":
    main()
