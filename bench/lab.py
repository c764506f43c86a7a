"""A large case in a notebook: a counter drawn, and 50 series.

Run ``python bench/lab.py [--rows 13000] [--folder DIR]``. Processor time of all threads, and
time by the clock; "again" is the least of three in one session, "in a new session" of three processes.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.machine import machine
from bench.pdh_text import write_log

COLUMNS = 5_000
SERIES = 50
COUNTER = "Counter 0 Bytes/sec"
ROUNDS = 3

Took = tuple[float, float]
"""Seconds of the processor, and by the clock."""


def main() -> None:
    """Write the case, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=13_000)
    parser.add_argument("--folder", type=Path, help="keep the case here")
    parser.add_argument("--session", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.session:
        print(json.dumps(session(Path(options.session))))
        return
    with tempfile.TemporaryDirectory(prefix="agtrace-lab-") as scratch:
        folder = options.folder or Path(scratch)
        large = folder / "large"
        write(large, options.rows)
        sessions = [_session(large) for _ in range(ROUNDS)]
    print(f"{machine('duckdb', 'pyarrow', 'pandas')}\n\n| what | processor | by the clock |\n|---|--:|--:|")
    for what in sessions[0]:
        took = min(tuple(each[what]) for each in sessions[1:])
        print(f"| {what} | {took[0]:.2f} s | {took[1]:.2f} s |")


def write(large: Path, rows: int) -> None:
    """Write the case, unless it is there."""
    if not large.exists():
        large.mkdir(parents=True)
        write_log(large / "perf.csv", COLUMNS, rows)


def session(large: Path) -> dict[str, Took]:
    """Measure in this process, which has imported nothing before."""
    import agtrace

    found: dict[str, Took] = {}
    case, found["the large case opened, with the imports"] = timed(lambda: agtrace.open_case(large))
    one = {"instance": "Database0000"}
    _figure, found["one counter drawn, first in a new session"] = timed(lambda: case.plot(COUNTER, **one))
    again = [timed(lambda: case.plot(COUNTER, **one))[1] for _ in range(ROUNDS)]
    found["one counter drawn, again in the session"] = min(again)
    some = [f"Database{number:04}" for number in range(SERIES // 10)]
    frame, found[f"case.perfmon of {SERIES} series"] = timed(lambda: case.perfmon("Counter *", instance=some))
    took = timed(lambda: case.perfmon("Counter *", instance=some))[1]
    found[f"case.perfmon of {SERIES} series, again"] = took
    parts = [str(path) for path in case.store.glob("parts/*/samples.parquet")]
    chosen = case.sql(f"SELECT counter_no FROM counters WHERE instance IN {tuple(some)}").fetchall()
    numbers = [number for (number,) in chosen]
    rows, found["raw read of them by pyarrow"] = timed(lambda: raw_arrow(parts, numbers))
    raw, found["raw read of them by DuckDB"] = timed(lambda: raw_duckdb(parts, numbers))
    assert len(rows) == len(raw) == frame.notna().sum().sum()
    case.close()
    return found


def raw_arrow(parts: list[str], numbers: list[int]):
    """Read the samples of series as a frame."""
    import pyarrow.parquet as pq

    columns = ["counter_no", "tick", "value"]
    return pq.read_table(parts, columns=columns, filters=[("counter_no", "in", numbers)]).to_pandas()


def raw_duckdb(parts: list[str], numbers: list[int]):
    """Read the same by DuckDB."""
    import duckdb

    query = f"SELECT counter_no, tick, value FROM read_parquet({parts}) WHERE counter_no IN {tuple(numbers)}"
    return duckdb.sql(query).df()


def timed(work: Callable[[], object]):
    """Do work; give what it gives, and how long it took."""
    before, begin = _processor_s(), time.perf_counter()
    given = work()
    return given, (_processor_s() - before, time.perf_counter() - begin)


def _processor_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _session(large: Path) -> dict[str, Took]:
    command = [sys.executable, __file__, "--session", str(large)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
