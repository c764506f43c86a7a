"""One case on a real Dask cluster: two workers beside one, and one of them killed halfway.

Run ``python bench/cluster.py [--files 200] [--runs 5]``. Scheduler and workers are started from the
command line, one thread each. Prints a Markdown block.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agtrace.engines import connected
from agtrace.ingest import ingest
from bench.machine import machine
from tests.engines.clusters import Running, cluster
from tests.ingest import texts
from tests.kills import stored

ROWS = 40_000
"""A task of a tenth of a second or more: what the scheduler adds to each is a few ms."""


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

    def __init__(self, engine: Any, running: Running, half: int) -> None:
        self.engine, self.running, self.half = engine, running, half

    def map(self, *words: Any) -> Iterator[Any]:
        for number, done in enumerate(self.engine.map(*words)):
            if number == self.half:
                self.running.workers[-1].kill()
            yield done


def seconds(case: Path, store: Path, engine: Any) -> float:
    """Ingest into a new store; give the time it took."""
    shutil.rmtree(store, ignore_errors=True)
    begin = time.monotonic()
    done = ingest(case, store, engine=engine)
    assert not done.failed, done
    return time.monotonic() - begin


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    took: dict[int, list[float]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory(prefix="agtrace-cluster-") as name:
        scratch = Path(name)
        case, store = scratch / "case", scratch / "store"
        size = make(case, options.files)
        expected = stored(ingest(case, scratch / "expected", jobs=1).store)
        # Both clusters are there all the while and take turns: what else the machine does meets both.
        with cluster(scratch / "c1", 1) as one, cluster(scratch / "c2", 2) as two:
            for number in range(options.runs + 1):
                for count, running in ((1, one), (2, two)):
                    with connected(running.address) as engine:
                        each = seconds(case, store, engine)
                    # The first time each worker imports what it needs.
                    took[count] += [each] if number else []
            with connected(two.address) as engine:
                killed_s = seconds(case, store, Killing(engine, two, options.files // 2))
            alive = [worker.poll() is None for worker in two.workers]
            same = stored(store) == expected
    ratio = statistics.median(took[1]) / statistics.median(took[2])
    sys.stdout.write(
        f"{machine('distributed', 'pyarrow')}\n\n"
        f"{options.files} files, {size / 1e6:.0f} MB, one thread per worker, median of {options.runs}\n\n"
        f"| what | measured |\n|---|---|\n"
        f"| one worker | {statistics.median(took[1]):.1f} s ({min(took[1]):.1f} to {max(took[1]):.1f}) |\n"
        f"| two workers | {statistics.median(took[2]):.1f} s ({min(took[2]):.1f} to {max(took[2]):.1f}); "
        f"**{ratio:.2f} times** as fast |\n"
        f"| two workers, one killed halfway ({alive.count(True)} left) | {killed_s:.1f} s; "
        f"the store is {'the same' if same else '**another**'} |\n"
    )


if __name__ == "__main__":
    main()
