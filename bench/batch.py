"""Many small cases in one batch: time, memory, and a question to all of them.

Run ``python bench/batch.py [--cases 1000] [--pages 20] [--copies 0] [--together 0]``. Findings and
results for all, pages for some. Prints a Markdown block; memory is the resident set of all its processes
as it goes. With ``--copies`` what is done over all cases is timed with so many more; with ``--together`` so
many are opened together, and asked, once they were.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import agtrace
from agtrace.batch import Options, Reports, batch, open_results
from agtrace.batch.results import merge
from agtrace.batch.status import write_page
from bench.machine import machine
from tests.ingest import texts

QUESTION = 'select severity, id, count(distinct "case") as cases from findings group by all'


def make(inbox: Path, count: int) -> None:
    """Write cases of two captures each."""
    for number in range(count):
        case = inbox / f"case{number:05}"
        case.mkdir(parents=True)
        host = f"SQL{number % 7}"
        (case / "perf.csv").write_bytes(texts.perfmon(50 + number % 50, host=host))
        (case / "ERRORLOG").write_bytes(texts.errorlog(20, server=host))


def resident_mb() -> float:
    """Return the resident memory of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def multiply(out: Path, count: int) -> dict[str, float]:
    """Add copies of the cases to the results, so many more; time the work over all."""
    reports = Reports(out)
    took = {}
    with reports.lock():
        known = list(reports.records().values())
        for number in range(count):
            one = known[number % len(known)]
            name = f"copy{number:06}"
            shutil.copytree(reports.rows / one.rows, reports.rows / name / "rows")
            reports.keep(replace(one, name=name, source=f"{one.source}/{name}", rows=f"{name}/rows"))
        for what, work in (
            ("records read", lambda: Reports(out).records()),
            ("results put together", lambda: merge(reports)),
            ("page written", lambda: write_page(reports, {})),
        ):
            begin = time.monotonic()
            work()
            took[what] = time.monotonic() - begin
    return took


def together(cases: list[Path]) -> dict[str, tuple[float, float]]:
    """Ask cases that were opened together before; return seconds by the clock and of the processor."""
    took: dict[str, tuple[float, float]] = {}
    if not cases:
        return took
    with agtrace.open_cases(cases) as opened:
        opened.findings()
        opened.failovers()
    for what, ask in (
        ("findings", lambda opened: opened.findings()),
        ("failovers", lambda opened: opened.failovers()),
        ("perfmon", lambda opened: opened.perfmon("*", every="1min")),
        ("plot", lambda opened: opened.plot("*Bytes*", every="1min")),
    ):
        begin, used = time.monotonic(), processor_s()
        with agtrace.open_cases(cases) as opened:
            ask(opened)
        took[what] = time.monotonic() - begin, processor_s() - used
    return took


def processor_s() -> float:
    """Return the processor time of this process and of its ended children."""
    mine, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def children_mb() -> float:
    """Return the resident memory of the processes that work beside this one, now."""
    children = psutil.Process().children(recursive=True)
    sizes = []
    for child in children:
        with contextlib.suppress(psutil.Error):
            sizes.append(child.memory_info().rss)
    return sum(sizes) / 1e6


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--together", type=int, default=0, help="cases opened together")
    parser.add_argument("--copies", type=int, default=0, help="cases made of the others' results")
    parser.add_argument("--jobs", type=int, help="cases side by side; default one per core")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="agtrace-batch-") as name:
        inbox, out = Path(name) / "in", Path(name) / "out"
        make(inbox, options.cases)
        memory: list[float] = []

        def log(line: str) -> None:
            if ": reported in" in line:
                memory.append(resident_mb() + children_mb())

        begin, used = time.monotonic(), processor_s()
        done = batch([inbox], out, Options(pages=False, jobs=options.jobs), log)
        seconds, used = time.monotonic() - begin, processor_s() - used
        begin = time.monotonic()
        again = batch([inbox], out, Options(pages=False))
        unchanged_s = time.monotonic() - begin
        some = [inbox / f"case{number:05}" for number in range(options.pages)]
        begin = time.monotonic()
        if some:
            batch(some, out, Options(), themselves=True)
        pages_s = time.monotonic() - begin
        over_all = multiply(out, options.copies) if options.copies else {}
        page_mb = (out / "index.html").stat().st_size / 1e6
        asked = []
        for _ in range(5):
            begin = time.monotonic()
            with open_results(out) as results:
                results.sql(QUESTION).fetchall()
            asked.append(time.monotonic() - begin)
        opened_s = together([inbox / f"case{number:05}" for number in range(options.together)])
        size = sum(path.stat().st_size for path in (out / "results").iterdir())
    tenth = max(len(memory) // 10, 1)
    sys.stdout.write(
        f"{machine('duckdb', 'pyarrow')}\n\n"
        f"| what | measured |\n|---|---|\n"
        f"| {options.cases:,} cases of 2 captures, findings and results | {seconds:.0f} s, "
        f"{seconds / options.cases:.2f} s each ({used / options.cases:.2f} s of processor); "
        f"{len(done.broken) + len(done.postponed)} failed |\n"
        f"| the same again, nothing changed ({again.unchanged:,} cases) | {unchanged_s:.1f} s |\n"
        f"| pages for {options.pages} | {pages_s:.0f} s |\n"
        f"| resident memory after the first and the last tenth | {memory[tenth - 1]:.0f} MB, "
        f"{memory[-1]:.0f} MB |\n"
        + "".join(
            f"| `open_cases` of {options.together}, the second time, and {what} | {clock:.2f} s, "
            f"{used:.2f} s of processor |\n"
            for what, (clock, used) in opened_s.items()
        )
        + "".join(f"| {what}, with {options.copies:,} copies | {s:.2f} s |\n" for what, s in over_all.items())
        + f"| one question to all, median of 5 | {statistics.median(asked):.2f} s; results "
        f"{size / 1e6:.1f} MB, page {page_mb:.1f} MB |\n"
    )


if __name__ == "__main__":
    main()
