"""One case on a real Dask cluster: two workers beside one, and one of them killed halfway.

Run ``python bench/cluster.py [--files 200] [--runs 5] [--huge 1000]``: a case of many files, and one of
a single huge log (MB), which is read span by span. Scheduler and workers are started from the command
line, one thread each. Prints a Markdown block.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agtrace.engines import connected
from agtrace.ingest import ingest
from bench.machine import machine
from bench.pdh_text import write_log
from tests.engines.clusters import Running, cluster
from tests.ingest import texts
from tests.ingest.test_divided import tables
from tests.kills import stored

ROWS = 40_000
"""A task of a tenth of a second or more: what the scheduler adds to each is a few ms."""

COLUMNS, CELL_BYTES = 5_000, 14


def make(case: Path, files: int) -> int:
    """Write perfmon logs and ERRORLOGs, no two alike; give their bytes."""
    case.mkdir()
    for number in range(files):
        host = f"SQL{number:03}"
        if number % 2:
            data = texts.errorlog(ROWS + number, server=host)
        else:
            data = texts.perfmon(ROWS + number, host=host)
        name = "ERRORLOG" if number % 2 else "perf.csv"
        (case / host).mkdir()
        (case / host / name).write_bytes(data)
    return sum(path.stat().st_size for path in case.rglob("*") if path.is_file())


class Killing:
    """An engine that loses a worker once half of the tasks are done."""

    here = False
    at_once = 2

    def __init__(self, engine: Any, running: Running, half: int) -> None:
        self.engine, self.running, self.half = engine, running, half

    def map(self, *words: Any) -> Iterator[Any]:
        for number, done in enumerate(self.engine.map(*words)):
            if number == self.half and done[0].key.startswith("decode-"):
                self.running.workers[-1].kill()
            yield done


def seconds(case: Path, store: Path, engine: Any) -> float:
    """Ingest into a new store; give the time it took."""
    shutil.rmtree(store, ignore_errors=True)
    begin = time.monotonic()
    done = ingest(case, store, engine=engine)
    assert not done.failed, done
    return time.monotonic() - begin


def hold(running: Running) -> None:
    """Pin each worker to a core, as if it were a machine with one: readers take a thread ahead."""
    for number, worker in enumerate(running.workers):
        for thread in psutil.Process(worker.pid).threads():
            psutil.Process(thread.id).cpu_affinity([number % (os.cpu_count() or 1)])


def measure(what: str, case: Path, runs: int, half: int, held: Callable[[Path], dict[str, object]]) -> None:
    """Ingest a case with one worker and with two, in turn, and once with one killed after some jobs.

    Prints a table; ``held`` gives what a store holds, to be compared.
    """
    took: dict[int, list[float]] = {1: [], 2: []}
    own = case.with_name(f"{case.name}-clusters")
    store, expected = own / "store", own / "expected"
    assert not ingest(case, expected, jobs=1).failed
    # Both clusters are there all the while and take turns: what else the machine does meets both.
    with cluster(own / "1", 1) as one, cluster(own / "2", 2) as two:
        for running in (one, two):
            hold(running)
        for number in range(runs + 1):
            for count, running in ((1, one), (2, two)):
                with connected(running.address) as engine:
                    each = seconds(case, store, engine)
                # The first time each worker imports what it needs.
                took[count] += [each] if number else []
        with connected(two.address) as engine:
            killed_s = seconds(case, store, Killing(engine, two, half))
        alive = [worker.poll() is None for worker in two.workers]
        is_same = held(store) == held(expected)
    ratio = statistics.median(took[1]) / statistics.median(took[2])
    sys.stdout.write(
        f"\n{what}, one core and thread per worker, median of {runs}\n\n| what | measured |\n|---|---|\n"
        f"| one worker | {statistics.median(took[1]):.1f} s ({min(took[1]):.1f} to {max(took[1]):.1f}) |\n"
        f"| two workers | {statistics.median(took[2]):.1f} s ({min(took[2]):.1f} to {max(took[2]):.1f}); "
        f"**{ratio:.2f} times** as fast |\n"
        f"| two workers, one killed halfway ({alive.count(True)} left) | {killed_s:.1f} s; "
        f"the store is {'the same' if is_same else '**another**'} |\n"
    )
    sys.stdout.flush()


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--huge", type=int, default=1000, help="MB of the single log; 0 for none")
    options = parser.parse_args()
    sys.stdout.write(f"{machine('distributed', 'pyarrow')}\n")
    with tempfile.TemporaryDirectory(prefix="agtrace-cluster-") as name:
        if options.files:
            case = Path(name) / "files"
            what = f"{options.files} files, {make(case, options.files) / 1e6:.0f} MB"
            measure(what, case, options.runs, options.files // 2, stored)
        if options.huge:
            case = Path(name) / "huge"
            case.mkdir()
            log = case / "perf.csv"
            write_log(log, COLUMNS, options.huge * 1_000_000 // (COLUMNS * CELL_BYTES))
            what = f"one log of {log.stat().st_size / 1e6:.0f} MB"
            measure(what, case, options.runs, options.huge // 300, tables)


if __name__ == "__main__":
    main()
