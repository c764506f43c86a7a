"""Pages of a report: how big they are, and how soon a browser shows them.

``python bench/pages.py`` makes a case of 50 million samples out of a sample case (its group with more
databases, its hour over and over), reports on it, opens each page in Chromium and prints a Markdown block:
bytes and the seconds from asking for a page until its figures are drawn, best of ``--repeat``. ``--sample
NAME`` measures a sample case as it is instead. The exit status is 1 where a page is bigger or later than it
may be.
"""

from __future__ import annotations

import argparse
import datetime as dt
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import agtrace
from agtrace.report import report
from bench.machine import machine
from tests.report.browser import Browser, browser

SAMPLE = "log_send_queue"
DATABASE = b"(StackOverflow2010)"
"""The database whose counters each further one has, too."""
LOG = "DataCollector01.csv"
STAMP = "%m/%d/%Y %H:%M:%S.%f"


@dataclass(frozen=True)
class Limits:
    """What a page may have: bytes, and seconds until it is shown."""

    page_bytes: int
    page_s: float
    index_s: float


LARGE, SMALL = Limits(5_000_000, 3.0, 3.0), Limits(1_000_000, 1.0, 0.3)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=50_000_000)
    parser.add_argument("--databases", type=int, default=40, help="of the group (default 40)")
    parser.add_argument("--sample", help="measure this sample case as it is")
    parser.add_argument("--repeat", type=int, default=3, help="how often a page is opened")
    parser.add_argument("--folder", type=Path, help="keep the case and its report here")
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="agtrace-bench-"))
    try:
        if arguments.sample:
            case, limits, what = agtrace.sample(arguments.sample), SMALL, arguments.sample
        else:
            case, limits = folder / "case", LARGE
            written = write_case(case, arguments.samples, arguments.databases)
            what = f"{written:,} samples of {arguments.databases} databases"
        begun = time.perf_counter()
        made = report(case, folder / "report", store=folder / "store")
        print(f"{machine('plotly')}\n\n{what}: report made in {time.perf_counter() - begun:.0f} s\n")
        with browser(folder / "profile") as tab:
            return measure(tab, [made.index, *made.pages.values()], limits, arguments.repeat)
    finally:
        if not arguments.folder:
            shutil.rmtree(folder, ignore_errors=True)


def write_case(case: Path, samples: int, databases: int) -> int:
    """Write a case of about so many samples; give how many there are."""
    shutil.copytree(agtrace.sample(SAMPLE), case)
    logs = sorted(case.rglob(LOG))
    return sum(lengthen(log, samples // len(logs), databases) for log in logs)


def lengthen(log: Path, samples: int, databases: int) -> int:
    """Add databases to the group of a log, and repeat its rows until it has so many samples."""
    head, *rows = log.read_bytes().splitlines()
    names = head.split(b'","')
    like = [place for place, name in enumerate(names) if DATABASE in name]
    added = [b"(Database%03d)" % number for number in range(databases)]
    paths = [*names[:-1], names[-1].removesuffix(b'"')]
    paths += [paths[place].replace(DATABASE, name) for name in added for place in like]
    begun, interval = _times(rows)
    tails = [_tail(row, like, databases) for row in rows]
    width, written = len(paths) - 1, 0
    with log.open("wb") as file:
        file.write(b'","'.join(paths) + b'"\r\n')
        for number, tail in enumerate(_without_end(tails)):
            moment = begun + number * interval
            file.write(b'"%s%s\r\n' % (moment.strftime(STAMP)[:-3].encode(), tail))
            written += width
            if written >= samples:
                return written
    raise AssertionError("rows without an end have ended")


def _without_end(tails: list[bytes]) -> Iterator[bytes]:
    """Yield the rows, then all but the first repeatedly: in it, rates are blank."""
    yield from tails
    while True:
        yield from tails[1:]


def _times(rows: list[bytes]) -> tuple[dt.datetime, dt.timedelta]:
    stamps = (rows[place][1 : rows[place].index(b'"', 1)].decode() for place in (0, -1))
    first, last = (dt.datetime.strptime(each, STAMP) for each in stamps)  # noqa: DTZ007
    return first, (last - first) / (len(rows) - 1)


def _tail(row: bytes, like: list[int], databases: int) -> bytes:
    """Return a row after its stamp, the cells of one database repeated for the others."""
    cells = row.removesuffix(b'"').split(b'","')
    further = [cells[place] for place in like] * databases
    return b'","'.join([b"", *cells[1:], *further]) + b'"'


def measure(tab: Browser, pages: list[Path], limits: Limits, repeat: int) -> int:
    """Open the pages, print what each has and takes; 1 where one has or takes too much."""
    missed = 0
    print("| page | bytes | seconds | processor seconds |\n|---|---|---|---|")
    for page in pages:
        size = page.stat().st_size
        seconds, processor = map(min, zip(*(_shown_in(tab, page) for _ in range(repeat)), strict=True))
        most_s = limits.index_s if page.stem == "index" else limits.page_s
        missed += (size > limits.page_bytes) + (seconds > most_s)
        told = f"{_marked(size, limits.page_bytes, ',')} | {_marked(seconds, most_s, '.2f')}"
        print(f"| {page.stem} | {told} | {processor:.2f} |")
    print(f"\nmissed: {missed}")
    return int(missed > 0)


def _shown_in(tab: Browser, page: Path) -> tuple[float, float]:
    """Return the seconds until a page is shown, and its processor seconds, which vary less."""
    before = tab.processor_s()
    tab.open(page)
    return tab.run("performance.now()") / 1000, tab.processor_s() - before


def _marked(value: float, most: float, shape: str) -> str:
    text = f"{value:{shape}}"
    return text if value <= most else f"**{text}** (max. {most:{shape}})"


if __name__ == "__main__":
    sys.exit(main())
