"""What do commits wait for, over millions of data-movement events: how long, and in how much memory?

``python bench/commits.py [--events 20000000] [--folder DIR]`` writes the sessions of two hosts (two
databases, clocks half a second apart that drift by 20 ms an hour), ingests them, and asks for the tables of
the diagnostic from the store, the second time from what was kept. Each step runs in a process of its own; a
line tells its seconds and its largest resident memory. The exit status is 1 where the first tables take more
than 60 s or 2 GB, for 20 million events and in proportion for more or fewer (never less than 10 s), or where
blocks were not joined.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.blg import peak_rss_mb
from bench.machine import machine
from simulation.commits.events import Column, columns
from simulation.commits.model import PRIMARY, REPLICA, START, Setting, Way, way
from simulation.formats.xel import XelFile, filetime
from simulation.formats.xel_bulk import Many, write_many
from simulation.formats.xel_data_movement import DATA_MOVEMENT, SCHEMAS
from simulation.groups.cast import guid

EVENTS = 20_000_000
EVENTS_A_BLOCK = 20
AT_ONCE = 25_000
"""Blocks whose events are written at once."""
FILES = 4
MAX_S, MAX_MB, LEAST_S = 60.0, 2000.0, 10.0
DATABASES = ("Sales", "Stock")
SETTING = Setting(hops_ms={"network": 9.0}, skew_ms=530, drift_ms_per_h=20, apart_ms=20, databases=DATABASES)
EPOCH = filetime(START) - int(START.timestamp()) * 10_000_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--folder", type=Path, help="keep the files here, and take them from there")
    parser.add_argument("--step", nargs=2, metavar=("STEP", "CASE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        step, case = given.step
        print(json.dumps(STEPS[step](Path(case))))
        return 0
    folder = given.folder or Path(tempfile.mkdtemp(prefix="agtrace-bench-"))
    case = folder / "case"
    try:
        if not case.exists():
            began = time.perf_counter()
            written = write(case, given.events)
            print(f"written in {time.perf_counter() - began:.0f} s: {written:,} events")
        print(machine("agtrace", "duckdb", "pyarrow"))
        return measured(case, given.events)
    finally:
        if not given.folder:
            shutil.rmtree(folder, ignore_errors=True)


def measured(case: Path, events: int) -> int:
    """Ingest, ask twice, print; give the exit status."""
    size = sum(path.stat().st_size for path in case.glob("*/*.xel")) / 1e6
    ingested = run("ingest", case)
    print(f"ingest: {size:,.0f} MB in {ingested['seconds']:.0f} s, {size / ingested['seconds']:.0f} MB/s")
    first, again = run("tables", case), run("tables", case)
    for name, told in (("tables", first), ("tables again", again)):
        print(f"{name}: {told['seconds']:.1f} s, {told['cpu']:.1f} s of processors, at most "
            f"{told['mb']:,.0f} MB resident, {told['said']}")  # fmt: skip
    allowed = max(LEAST_S, MAX_S * events / EVENTS)
    is_met = first["seconds"] <= allowed and first["mb"] <= MAX_MB and first["joined"] > 0.99
    print("met" if is_met else f"not met: {allowed:.0f} s, {MAX_MB:.0f} MB, 99 % joined")
    return 0 if is_met else 1


def run(step: str, case: Path) -> dict[str, Any]:
    """Run a step in a process of its own."""
    command = [sys.executable, __file__, "--step", step, str(case)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


# The steps


def timed(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    began, busy = time.perf_counter(), time.process_time()
    told = work()
    seconds = time.perf_counter() - began
    return {"seconds": seconds, "cpu": time.process_time() - busy, "mb": peak_rss_mb(), **told}


def ingest(case: Path) -> dict[str, Any]:
    from agtrace.ingest import ingest as read

    def work() -> dict[str, Any]:
        read(case)
        return {}

    return timed(work)


def tables(case: Path) -> dict[str, Any]:
    import agtrace

    def work() -> dict[str, Any]:
        with agtrace.open_case(case, ingest=False) as opened:
            commits = opened.commit_latency
            found = commits.findings()
            hops, slow, blocks = commits.tbl_hops(), commits.tbl_slow(), commits.tbl_blocks()
            assert len(hops)
            assert len(slow)
            for figure in (commits.fig_waterfall, commits.fig_percentiles, commits.fig_hops):
                figure()
            joined = float(blocks.loc[blocks.joined, "blocks"].sum() / blocks.blocks.sum())
            return {"joined": joined, "said": f"{len(found)} findings, {joined:.2%} of "
                f"{blocks.blocks.sum():,} blocks joined"}  # fmt: skip

    return timed(work)


STEPS = {"ingest": ingest, "tables": tables}


# The files


def write(case: Path, events: int) -> int:
    """Write the sessions of both hosts, a few files each."""
    rng = np.random.default_rng(2024)
    blocks = events // EVENTS_A_BLOCK // len(DATABASES)
    setting = Setting(**{**SETTING.__dict__, "blocks": blocks})
    ways = [way(setting, name, rng) for name in DATABASES]
    per_file = -(-blocks // FILES)
    written = 0
    for host in (PRIMARY, REPLICA):
        (case / host).mkdir(parents=True)
        base = filetime(START - timedelta(seconds=5)) + (host == REPLICA) * 10_000_000
        file = XelFile(base=base, run=guid(f"{host} run"), guid=guid(host), schemas=DATA_MOVEMENT)
        for number in range(FILES):
            cut = range(number * per_file, min((number + 1) * per_file, blocks), AT_ONCE // 2)
            path = case / host / f"AlwaysOn_Data_Movement_Tracing_{number}_{base + number}.xel"
            with path.open("wb") as out:
                parts = (
                    [
                        _many(column, base)
                        for column in _columns(
                            setting, ways, host, first, min(first + AT_ONCE // 2, (number + 1) * per_file)
                        )
                    ]
                    for first in cut
                )
                written += write_many(file, parts, out)
    return written


def _columns(setting: Setting, ways: list[Way], host: str, first: int, last: int) -> Iterator[Column]:
    """Yield the columns of a host for a range of blocks."""
    for each in ways:
        part = Way(
            each.database,
            each.ids[first:last],
            each.sectors[first:last],
            {name: values[first:last] for name, values in each.times.items()},
            {},
        )
        # The same for both hosts: how many commits a block has is drawn.
        rng = np.random.default_rng(first)
        yield from (column for column in columns(setting, part, rng) if column.host == host)


def _many(column: Column, base: int) -> Many:
    return Many(SCHEMAS[column.event], column.at_us * 10 + EPOCH - base, column.fields)


if __name__ == "__main__":
    raise SystemExit(main())
