"""PDH text to the store, side by side with pandas: speed, memory, bytes a cell, reading one back.

``python bench/pdh_text.py`` writes two logs of 100 M cells (5,000 columns x 20,000 rows and
200 x 500,000, 1.5 GB each) to a temporary folder, ingests each with `agtrace.ingest.ingest` and
prints a Markdown block. ``--scale 0.02`` makes it short. The baseline is what one writes by hand:
`pandas.read_csv` (C engine, ``na_values=" "``, explicit time format), ``melt`` and a default
``to_parquet``, on the first 20 % of the rows. Both sides run in fresh processes, one after the
other, warm page cache; speeds are compared per byte, medians of ``--repeat`` runs.
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
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.machine import machine

SHAPES = {"wide": (5_000, 20_000), "tall": (200, 500_000)}
DISTINCT_VALUES = 4_000
BLANKS = 0.01
BASELINE_SHARE = 0.2
INTERVAL_MS = 5_000
JITTER_MS = (1, 40)
ROWS_AT_ONCE = 2_000_000
TARGETS = {"ratio": 5.0, "rss_mb": 1_000.0, "bytes_per_cell": 2.0, "one_of_all": 10.0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="share of the rows (default 1)")
    parser.add_argument("--repeat", type=int, default=5, help="runs of either side (default 5)")
    parser.add_argument("--shape", choices=[*SHAPES, "both"], default="both")
    parser.add_argument("--folder", type=Path, help="keep the generated logs here")
    parser.add_argument("--run", nargs=3, metavar=("SIDE", "LOG", "OUT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        side, log, out = arguments.run
        print(json.dumps({"ours": run_ours, "pandas": run_pandas}[side](Path(log), Path(out))))
        return
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="agtrace-bench-"))
    try:
        shapes = SHAPES if arguments.shape == "both" else {arguments.shape: SHAPES[arguments.shape]}
        print(report(shapes, folder, arguments.scale, arguments.repeat))
    finally:
        if not arguments.folder:
            shutil.rmtree(folder, ignore_errors=True)


# The logs


def write_log(path: Path, columns: int, rows: int, seed: int = 7) -> None:
    """Write a log as perfmon does: all cells quoted, CRLF, row 0 half blank, then 1 % blanks."""
    chance = np.random.default_rng(seed)
    cells = np.array([f'"{text}"'.encode() for text in value_texts(chance)] + [b'" "'], dtype=object)
    blank = len(cells) - 1
    start = np.datetime64("2026-03-01T08:00:00.000", "ms").astype(np.int64)
    stamps = start + np.arange(rows) * INTERVAL_MS + chance.integers(*JITTER_MS, rows, endpoint=True)
    step = max(1, ROWS_AT_ONCE // columns)
    with path.open("wb") as file:
        file.write(header(columns))
        for first in range(0, rows, step):
            count = min(step, rows - first)
            picks = chance.integers(0, DISTINCT_VALUES, (count, columns), dtype=np.int16)
            picks[chance.random((count, columns), dtype=np.float32) < BLANKS] = blank
            if first == 0:
                picks[0, ::2] = blank
            for stamp, row in zip(stamps[first : first + count], cells[picks], strict=True):
                file.write(b'"%s",%s\r\n' % (stamp_text(int(stamp)), b",".join(row.tolist())))


def value_texts(chance: np.random.Generator) -> list[str]:
    """Return 4,000 distinct values as perfmon formats them: counts, and rates with 17 digits."""
    counts = np.unique((10 ** chance.uniform(0, 12, DISTINCT_VALUES)).astype(np.int64))
    counts = chance.permutation(counts)[: DISTINCT_VALUES // 2]
    rates = 10 ** chance.uniform(-2, 5, DISTINCT_VALUES - len(counts))
    return [str(count) for count in counts] + [f"{rate:.17g}" for rate in rates]


def stamp_text(milliseconds: int) -> bytes:
    moment = dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=milliseconds)
    return f"{moment:%m/%d/%Y %H:%M:%S}.{moment.microsecond // 1000:03d}".encode()


def header(columns: int) -> bytes:
    paths = (
        rf'"\\BENCH01\SQLServer:Databases(Database{n // 10:04d})\Counter {n % 10} Bytes/sec"'
        for n in range(columns)
    )
    return ('"(PDH-CSV 4.0) (Pacific Standard Time)(480)",' + ",".join(paths) + "\r\n").encode()


def cut_log(log: Path, out: Path, rows: int) -> None:
    """Write the header and the first rows of a log."""
    with log.open("rb") as source, out.open("wb") as target:
        for _ in range(rows + 1):
            target.write(source.readline())


# Either side, in a process of its own


def run_ours(log: Path, out: Path) -> dict[str, float]:
    """Ingest the folder of one log."""
    # pyarrow imports pandas with the first array from a list; imports are timed on neither side.
    import pandas  # noqa: F401

    from agtrace.ingest import ingest
    from agtrace.readers import readers

    readers()

    start = time.perf_counter()
    result = ingest(log.parent, out, jobs=1)
    seconds = time.perf_counter() - start
    assert result.ingested == 1, result
    (samples,) = out.rglob("samples.parquet")
    return {"seconds": seconds, "rss_mb": peak_rss_mb(), **read_back(samples)}


def read_back(samples: Path) -> dict[str, float]:
    """Time one counter against all, and count cells and bytes."""
    import pyarrow.parquet as pq

    metadata = pq.read_metadata(samples)
    series = pq.read_table(samples, columns=["counter_no"])["counter_no"]
    some = series[len(series) // 2].as_py()
    columns = ["counter_no", "tick", "value"]
    start = time.perf_counter()
    cells = sum(len(batch) for batch in pq.ParquetFile(samples).iter_batches(columns=columns))
    all_seconds = time.perf_counter() - start
    one_seconds = []
    for _ in range(5):
        start = time.perf_counter()
        one = pq.read_table(samples, columns=columns, filters=[("counter_no", "=", some)])
        one_seconds.append(time.perf_counter() - start)
    assert 0 < len(one) < cells
    return {
        "cells": cells,
        "bytes": samples.stat().st_size,
        "row_groups": metadata.num_row_groups,
        "all_seconds": all_seconds,
        "one_seconds": statistics.median(one_seconds),
    }


def run_pandas(log: Path, out: Path) -> dict[str, float]:
    """Do what one writes by hand."""
    import pandas as pd

    start = time.perf_counter()
    wide = pd.read_csv(log, engine="c", na_values=" ", parse_dates=[0], date_format="%m/%d/%Y %H:%M:%S.%f")
    assert str(wide.dtypes.iloc[0]).startswith("datetime64"), wide.dtypes.iloc[0]
    wide.melt(id_vars=wide.columns[0]).to_parquet(out / "melted.parquet")
    return {"seconds": time.perf_counter() - start, "rss_mb": peak_rss_mb()}


def peak_rss_mb() -> float:
    """Return the peak resident memory of this process, in MB (10^6 bytes)."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (x for x in status.read_text().splitlines() if x.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / 1e6
    import psutil

    memory = psutil.Process().memory_info()
    return getattr(memory, "peak_wset", memory.rss) / 1e6


def spawn(side: str, log: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory(dir=log.parent.parent) as out:
        command = [sys.executable, __file__, "--run", side, str(log), out]
        root = str(Path(__file__).resolve().parents[1])
        environment = os.environ | {"PYTHONPATH": root}
        done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True)
    return json.loads(done.stdout)


# The report


def report(shapes: dict[str, tuple[int, int]], folder: Path, scale: float, repeat: int) -> str:
    lines = [
        f"### PDH text to the store ({dt.datetime.now(dt.UTC):%Y-%m-%d})",
        "",
        machine("xelib", "pyarrow", "pandas", "numpy") + ".",
        "",
        "| log | MB | ours, MB/s | pandas, MB/s | ratio (min. 5) | peak MB (max. 1,000) "
        "| bytes a cell (max. 2) | one of all counters (min. 10 when wide) |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, (columns, all_rows) in shapes.items():
        lines.append(measure(name, columns, max(10, int(all_rows * scale)), folder, repeat))
    return "\n".join(lines)


def measure(name: str, columns: int, rows: int, folder: Path, repeat: int) -> str:
    log = folder / f"{name}-{rows}" / "whole" / "log.csv"
    part = log.parent.parent / "part" / "log.csv"
    if not log.exists():
        log.parent.mkdir(parents=True)
        part.parent.mkdir(parents=True)
        write_log(log, columns, rows)
        cut_log(log, part, int(rows * BASELINE_SHARE))
    ours, pandas = [], []
    for _ in range(repeat):
        ours.append(spawn("ours", log))
        pandas.append(spawn("pandas", part))
    speed = log.stat().st_size / 1e6 / median(ours, "seconds")
    baseline = part.stat().st_size / 1e6 / median(pandas, "seconds")
    one = ours[0]
    return (
        f"| {name}: {columns:,} x {rows:,} | {log.stat().st_size / 1e6:,.0f} "
        f"| {speed:.0f} ({spread(ours)}) | {baseline:.1f} ({spread(pandas)}) "
        f"| **{speed / baseline:.1f}** | {max(run['rss_mb'] for run in ours):,.0f} "
        f"| {one['bytes'] / one['cells']:.2f} "
        f"| {median(ours, 'all_seconds') / median(ours, 'one_seconds'):.0f} times faster "
        f"({one['row_groups']} row groups) |"
    )


def median(runs: list[dict[str, float]], key: str) -> float:
    return statistics.median(run[key] for run in runs)


def spread(runs: list[dict[str, float]]) -> str:
    seconds = sorted(run["seconds"] for run in runs)
    return f"{seconds[0]:.1f} to {seconds[-1]:.1f} s"


if __name__ == "__main__":
    main()
