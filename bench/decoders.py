"""Decoders of text beside what people use instead, in the same run: processor time of both.

``python bench/decoders.py [--mb 200] [--rounds 5] [--only ERRORLOG]`` writes logs to a scratch folder and
prints a Markdown table. ERRORLOGs and cluster logs are read to all of their tables in Arrow; beside that
``iconv -f UTF-16 -t UTF-8 LOG | grep -cE PATTERN`` counts one kind of line (``-f CP1252`` where the log is in
8 bits). Perfmon text is read to long rows in Arrow; beside that polars reads and unpivots it, with the
same type of times and numbers, where it is installed. Each side runs in processes of its own, in turn,
least of the rounds; times are those of the processor, with all threads and child processes, without
imports.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agtrace.readers.base import Source

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

WARM_BYTES = 400_000

ERRORS = "Error: [0-9]+, Severity: [0-9]+"
RESOURCES = r"(WARN|ERR) +\[RES\]"


@dataclass(frozen=True)
class Log:
    """A log, and what is run beside ours."""

    name: str
    file: str
    write: Callable[[Path, int], None]
    peer: str
    least: float
    """How many times the peer's speed ours must have."""


def errorlog(path: Path, megabytes: int) -> None:
    from bench.errorlog import make

    path.write_bytes(make(megabytes))


def cluster_log(encoding: str) -> Callable[[Path, int], None]:
    def written(path: Path, megabytes: int) -> None:
        from bench.support_logs import cluster_log as lines
        from bench.support_logs import write

        write(path, encoding, lines, megabytes * 1_000_000)

    return written


def perfmon(columns: int) -> Callable[[Path, int], None]:
    def written(path: Path, megabytes: int) -> None:
        from bench.pdh_text import write_log

        write_log(path, columns, max(10, megabytes * 1_000_000 // (columns * 16)))

    return written


LOGS = (
    Log(
        "ERRORLOG, UTF-16", "ERRORLOG", errorlog, f"iconv -f UTF-16 -t UTF-8 {{}} | grep -cE '{ERRORS}'", 0.5
    ),
    Log(
        "cluster log, UTF-16",
        "Node1_cluster.log",
        cluster_log("utf-16-le"),
        f"iconv -f UTF-16 -t UTF-8 {{}} | grep -cE '{RESOURCES}'",
        0.5,
    ),
    Log(
        "cluster log, 8-bit",
        "Cluster.log",
        cluster_log("cp1252"),
        f"iconv -f CP1252 -t UTF-8 {{}} | grep -cE '{RESOURCES}'",
        0.5,
    ),
    Log("perfmon, 5,000 counters", "wide.csv", perfmon(5_000), "polars", 1.0),
    Log("perfmon, 200 counters", "tall.csv", perfmon(200), "polars", 1.0),
)


def processor_s() -> float:
    """Return the processor time of this process, its threads, and the child processes that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def ours(source: Source) -> int:
    """Read all tables; give the rows."""
    from agtrace.readers import detect
    from agtrace.readers.base import ReadOptions

    found = detect(source.head(), source.name)
    assert found is not None
    return sum(batch.num_rows for _table, batch in found[0].read(source, ReadOptions()))


def piped(command: str, path: Path) -> int:
    """Run a command of the shell; give the count that it prints."""
    return int(
        subprocess.run(["bash", "-c", command.format(path)], stdout=subprocess.PIPE, check=True).stdout
    )


def polars(path: Path) -> int:
    """Read a perfmon log and unpivot it; give the rows."""
    import polars as pl

    names = pl.read_csv(path, n_rows=0).columns
    kinds = dict.fromkeys(names[1:], pl.Float64)
    table = pl.read_csv(path, null_values=[" "], schema_overrides=kinds)
    time_column = names[0]
    time = pl.col(time_column).str.to_datetime("%m/%d/%Y %H:%M:%S%.3f", time_unit="us")
    return table.with_columns(time).unpivot(index=time_column).drop_nulls().height


def one(side: str, path: Path) -> None:
    """Run one side once, and print what it cost."""
    run: Callable[[], int]
    if side == "ours":
        from agtrace.readers.base import Source

        # What is done once for all logs of a process: imports, and patterns of known messages.
        with path.open("rb") as file:
            ours(Source.of_bytes(file.read(WARM_BYTES), path.name))
        run = lambda: ours(Source.of_path(path))  # noqa: E731
    elif side == "polars":
        import polars as _loaded  # noqa: F401

        run = lambda: polars(path)  # noqa: E731
    else:
        run = lambda: piped(side, path)  # noqa: E731
    used, start = processor_s(), time.perf_counter()
    count = run()
    print(json.dumps([processor_s() - used, time.perf_counter() - start, count]))


def measured(side: str, path: Path) -> tuple[float, float, int]:
    command = [sys.executable, __file__, "--run", side, str(path)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True)
    used, wall, count = json.loads(done.stdout)
    return used, wall, count


def row(log: Log, folder: Path, megabytes: int, rounds: int) -> str:
    """Measure a log; give its row of the table."""
    path = folder / log.file
    log.write(path, megabytes)
    size = path.stat().st_size / 1e6
    is_there = log.peer != "polars" or importlib.util.find_spec("polars") is not None
    mine, theirs = [], []
    for _ in range(rounds):
        mine.append(measured("ours", path))
        if is_there:
            theirs.append(measured(log.peer, path))
    path.unlink()
    own = min(mine)[0]
    cells = [log.name, f"{size:.0f}", f"{own:.2f} s, **{size / own:.0f}**"]
    if not theirs:
        return f"| {' | '.join(cells)} | not installed | |"
    peer = min(theirs)[0]
    name = log.peer.split(" {}")[0].replace("|", "\\|") if log.peer == "polars" else ""
    cells += [
        f"{name} {peer:.2f} s, {size / peer:.0f}".strip(),
        f"**{own / peer:.2f}** (max. {1 / log.least:g})",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mb", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="part of a log's name")
    parser.add_argument("--run", nargs=2, metavar=("SIDE", "LOG"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        one(options.run[0], Path(options.run[1]))
        return
    from bench.machine import machine

    shutil.which("iconv") or sys.exit("iconv is missing")
    print(f"{machine('xelib', 'pyarrow')}\n")
    print("| log | MB | ours, processor, MB/s | peer, processor, MB/s | of the peer's time |")
    print("|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for log in LOGS:
            if options.only in log.name:
                print(row(log, Path(folder), options.mb, options.rounds), flush=True)


if __name__ == "__main__":
    main()
