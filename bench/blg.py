"""Binary performance logs: file to Arrow, to the store beside the same samples as text, to CSV.

``python bench/blg.py`` writes a log of 300 MB as a SQL Server's collector does (whole objects, 2,000
series at a time, processes that come and go), reads it, ingests it, converts it to CSV and ingests
that (also as one does by hand, with pandas), each in a process of its own, and prints a Markdown
block; medians of ``--repeat`` runs, warm page cache. ``--megabytes 20`` makes it short. The last
table takes the way to the store apart, step by step.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.blg_stages import run_pandas, run_stages, stage_table
from bench.machine import machine
from simulation.formats.blg import Form, Log
from simulation.formats.blg_blocks import (
    AVERAGE_BASE,
    AVERAGE_BULK,
    AVERAGE_TIMER,
    BULK_RATE,
    ELAPSED_TIME,
    FRACTION,
    FRACTION_BASE,
    LARGE_RAWCOUNT,
    RATE,
    RAWCOUNT,
    TIMER_100NS,
    WHOLE,
    Definition,
    Instance,
    Item,
    Objects,
    PerfObject,
    Sample,
)

INTERVAL_S = 5
START = dt.datetime(2026, 3, 14, 9, 0)
PROCESSES = 45
PASSING = ["powershell", "sqlcmd", "robocopy", "backint", "WmiPrvSE", "conhost"]
"""Names of processes that come and go: one starts or ends every third sample."""
CHURN_EVERY = 3
TARGETS = {"arrow": 300.0, "rss": 500.0, "ratio": 3.0, "csv": 40.0}

# Types of an object's counters, in the order of its definitions; a base follows what it belongs to.
PROCESS = [TIMER_100NS] * 3 + [LARGE_RAWCOUNT] * 4 + [RATE] + [LARGE_RAWCOUNT] * 5
PROCESS += [RAWCOUNT] * 3 + [ELAPSED_TIME] + [BULK_RATE] * 8 + [RAWCOUNT] * 3
DISK = [RAWCOUNT, TIMER_100NS, TIMER_100NS] + [AVERAGE_TIMER, AVERAGE_BASE] * 3
DISK += [RATE] * 3 + [BULK_RATE] * 3 + [AVERAGE_BULK, AVERAGE_BASE] * 3
DATABASES = [LARGE_RAWCOUNT] * 12 + [BULK_RATE] * 18 + [FRACTION, FRACTION_BASE]
OBJECTS = {
    "Process": (PROCESS, PROCESSES),
    "SQLServer:Databases": (DATABASES, 12),
    "PhysicalDisk": (DISK, 6),
    "Processor Information": ([TIMER_100NS] * 8 + [RATE] * 4, 17),
    "SQLServer:Database Replica": ([BULK_RATE] * 10 + [LARGE_RAWCOUNT] * 6, 5),
    "Memory": ([RATE] * 15 + [LARGE_RAWCOUNT] * 18, 0),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--repeat", type=int, default=3, help="runs of each (default 3)")
    parser.add_argument("--folder", type=Path, help="keep the generated logs here")
    parser.add_argument("--run", nargs=3, metavar=("WHAT", "LOG", "OUT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        what, log, out = arguments.run
        runs = {
            "arrow": run_arrow,
            "store": run_store,
            "csv": run_csv,
            "pandas": run_pandas,
            "stages": run_stages,
        }
        print(json.dumps(runs[what](Path(log), Path(out))))
        return
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="agtrace-bench-"))
    try:
        print(report(folder, arguments.megabytes, arguments.repeat))
    finally:
        if not arguments.folder:
            shutil.rmtree(folder, ignore_errors=True)


# The log


def write_log(path: Path, megabytes: int) -> None:
    """Write a log of about that size, buffer by buffer."""
    names: dict[int, str] = {}
    makers = []
    for title, (name, (types, count)) in enumerate(OBJECTS.items(), start=1):
        names[2 * title] = name
        definitions = []
        for number, kind in enumerate(types):
            index = 1000 * title + 2 * number
            names[index] = f"{name} counter {number}"
            definitions.append(Definition(index, kind, 4 if kind in (RAWCOUNT, RATE) else 8))
        makers.append(Maker(2 * title, tuple(definitions), count, seed=title))
    items = [Item(name, "*", WHOLE, instance="*") for name in OBJECTS]
    log = Log(Form())
    log.add_names(r"\\HOST", names, START)
    log.add_catalogue(items, START)
    log.buffers[0] = b"\0" * 0x10000
    chance = np.random.default_rng(0)
    with path.open("wb") as file:
        for number in range(10_000_000):
            late = int(chance.integers(0, 40_000))
            moment = START + dt.timedelta(seconds=INTERVAL_S * number, milliseconds=late // 1000)
            ticks = (number * INTERVAL_S * 1_000_000 + late) * 10 + 7
            log.add_sample(Sample(moment, [Objects([m.object(number, ticks)], ticks) for m in makers]))
            for buffer in log.buffers[0 if number == 0 else 1 :]:
                file.write(buffer)
            written = file.tell() // 0x10000
            log.buffers[:] = [b""] * max(written, 1)
            if file.tell() >= megabytes * 1_000_000:
                break
        # The header is written last, over its place at the front.
        tail = log.finish()
        file.write(tail[0x10000:])
        file.seek(0)
        file.write(tail[:0x10000])


class Maker:
    """Makes the data of one object, sample by sample."""

    def __init__(self, title: int, definitions: tuple[Definition, ...], count: int, seed: int) -> None:
        self.title, self.definitions = title, definitions
        self.names = [f"instance{n}" for n in range(count)] if count else None
        self.churns = count == PROCESSES
        self.chance = np.random.default_rng(seed)
        self.rows = {n: self.fresh() for n in self.names or [""]}
        self.steps = self.chance.integers(0, 4000, (512, len(definitions)))
        self.steps *= self.chance.random((512, len(definitions))) < 0.6
        self.passing: list[str] = []

    def fresh(self) -> np.ndarray:
        return self.chance.integers(0, 100_000, len(self.definitions))

    def object(self, number: int, ticks: int) -> PerfObject:
        if self.churns and number % CHURN_EVERY == 0:
            self.churn(number)
        instances = []
        for place, (name, row) in enumerate(self.rows.items()):
            row += self.steps[(number * 7 + place * 13) % 512]
            instances.append(Instance(name.split("|")[0], row.tolist()))
        if self.names is None:
            values = instances[0].values
            return PerfObject(self.title, self.definitions, None, values, ticks)
        return PerfObject(self.title, self.definitions, instances, (), ticks)

    def churn(self, number: int) -> None:
        if len(self.passing) > 8:
            del self.rows[self.passing.pop(0)]
        else:
            name = f"{PASSING[number // CHURN_EVERY % len(PASSING)]}|{number}"
            self.passing.append(name)
            self.rows[name] = self.fresh()


# What is measured, each in a process of its own


def run_arrow(log: Path, out: Path) -> dict[str, float]:
    """Decode and cook everything into Arrow batches, on one core."""
    # pyarrow imports pandas with the first array from a list; imports are not timed.
    import pandas  # noqa: F401

    from agtrace.readers.base import ReadOptions, Source
    from agtrace.readers.perfmon_blg import READER

    values = series = 0
    start = Stopwatch()
    for table, batch in READER.read(Source.of_path(log), ReadOptions()):
        values += batch.num_rows if table == "samples" else 0
        series += batch.num_rows if table == "counters" else 0
    return start.stop() | {"values": values, "series": series}


def run_store(log: Path, out: Path) -> dict[str, float]:
    """Ingest the folder of one log."""
    import pandas  # noqa: F401

    from agtrace.ingest import ingest
    from agtrace.readers import readers

    readers()
    start = Stopwatch()
    result = ingest(log.parent, out / "store", jobs=1)
    assert result.ingested == 1, result
    return start.stop()


def run_csv(log: Path, out: Path) -> dict[str, float]:
    """Convert to CSV, as relog does."""
    import pandas  # noqa: F401

    from agtrace.convert import convert
    from agtrace.readers import readers

    readers()
    start = Stopwatch()
    convert(log, out / "log.csv")
    return start.stop() | {"bytes": (out / "log.csv").stat().st_size}


class Stopwatch:
    """Takes wall time and processor time of this process."""

    def __init__(self) -> None:
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def stop(self) -> dict[str, float]:
        """Return both in seconds, and the peak memory so far."""
        return {
            "seconds": time.perf_counter() - self.wall,
            "cpu": time.process_time() - self.cpu,
            "rss": peak_rss_mb(),
        }


def peak_rss_mb() -> float:
    """Return the peak resident memory of this process, in MB (10^6 bytes)."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (x for x in status.read_text().splitlines() if x.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / 1e6
    import psutil

    memory = psutil.Process().memory_info()
    return getattr(memory, "peak_wset", memory.rss) / 1e6


def spawn(what: str, log: Path, repeat: int) -> dict[str, float]:
    """Run ``repeat`` times; give the medians, and the largest memory."""
    runs = []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory(dir=log.parents[1]) as out:
            command = [sys.executable, __file__, "--run", what, str(log), out]
            done = subprocess.run(command, stdout=subprocess.PIPE, env=environment(), check=True)
            runs.append(json.loads(done.stdout))
    return middle(runs)


def middle(runs: list[dict[str, float]]) -> dict[str, float]:
    """Return the medians, and the largest memory."""
    found = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    if "rss" in found:
        found["rss"] = max(run["rss"] for run in runs)
    return found


def environment() -> dict[str, str]:
    root = str(Path(__file__).resolve().parents[1])
    before = os.environ.get("PYTHONPATH")
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [before, root]))}


# The report


def report(folder: Path, megabytes: int, repeat: int) -> str:
    log = folder / "blg" / "log.blg"
    text = folder / "csv" / "log.csv"
    if not log.exists():
        log.parent.mkdir(parents=True)
        write_log(log, megabytes)
    if not text.exists():
        from agtrace.convert import convert

        text.parent.mkdir(parents=True)
        convert(log, text)
    size, text_size = log.stat().st_size / 1e6, text.stat().st_size / 1e6
    arrow, csv = spawn("arrow", log, repeat), spawn("csv", log, repeat)
    # By turns: whatever else the machine does meets both alike.
    turns = [(spawn("store", log, 1), spawn("store", text, 1)) for _ in range(repeat)]
    store, text_store = (middle(list(runs)) for runs in zip(*turns, strict=True))
    pandas = spawn("pandas", text, 1)
    assert pandas["values"] == arrow["values"], (pandas, arrow)
    stages = {"blg": spawn("stages", log, 1), "text": spawn("stages", text, 1)}
    totals = {"blg": store, "text": text_store}
    lines = table(size, text_size, arrow, csv, store, text_store, pandas)
    return "\n".join([*lines, "", *stage_table(stages, totals, arrow["values"])])


def table(size, text_size, arrow, csv, store, text_store, pandas) -> Iterator[str]:
    yield f"### Binary performance logs ({dt.datetime.now(dt.UTC):%Y-%m-%d})"
    yield ""
    yield (
        f"{machine('xelib', 'pyarrow')}; {size:,.0f} MB, {arrow['series']:,.0f} series, "
        f"{arrow['values']:,.0f} values."
    )
    yield ""
    yield "| what | measured | processor time | target |"
    yield "|---|---|---|---|"
    yield (
        f"| file to Arrow, cooked | **{size / arrow['seconds']:.0f} MB/s** "
        f"| {size / arrow['cpu']:.0f} MB/s on one core | {TARGETS['arrow']:.0f} |"
    )
    ratio, cpu_ratio = (text_store[key] / store[key] for key in ("seconds", "cpu"))
    yield (
        f"| to the store | {size / store['seconds']:.0f} MB/s, {store['seconds']:.1f} s; as text "
        f"{text_size:,.0f} MB in {text_store['seconds']:.1f} s: **{ratio:.1f} times** the speed "
        f"| {store['cpu']:.1f} s and {text_store['cpu']:.1f} s: {cpu_ratio:.1f} times "
        f"| {TARGETS['ratio']:.0f} |"
    )
    yield (
        f"| to the store, the text read by pandas | {pandas['seconds']:.1f} s: the binary log "
        f"**{pandas['seconds'] / store['seconds']:.1f} times** the speed "
        f"| {pandas['cpu']:.1f} s: {pandas['cpu'] / store['cpu']:.1f} times | {TARGETS['ratio']:.0f} |"
    )
    yield (
        f"| to CSV | **{csv['bytes'] / 1e6 / csv['seconds']:.0f} MB/s of CSV** "
        f"| {csv['bytes'] / 1e6 / csv['cpu']:.0f} MB/s | {TARGETS['csv']:.0f} |"
    )
    peak = max(arrow["rss"], store["rss"], csv["rss"])
    yield (
        f"| most memory | {arrow['rss']:.0f} MB to Arrow, {store['rss']:.0f} to the store, "
        f"{csv['rss']:.0f} to CSV: **{peak:.0f} MB** | | {TARGETS['rss']:.0f} |"
    )


if __name__ == "__main__":
    main()
