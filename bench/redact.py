"""How much memory `agtrace redact` takes, and how long, of cases that are larger and larger.

Run ``python bench/redact.py [--megabytes 75,150,300]``. Of each size a case is written: a third ERRORLOG, a
third perfmon CSV, a third Extended Events. A process reads it, and another one redacts what was read. The
exit status is 1 where the largest takes more than `MORE` times the memory of the smallest.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import errorlog, pdh_text, xel
from bench.machine import machine

ROOT = Path(__file__).resolve().parents[1]
MORE = 1.5
"""What is held does not grow with what is read; vocabularies and digests of it do a little."""
COLUMNS, CELL = 500, 20
"""Columns of perfmon, and bytes of a cell of them, about."""

ASK = """
import sys
from agtrace.cli import main
try:
    main()
finally:
    from bench.xel import peak_rss_mb
    print(peak_rss_mb(), file=sys.stderr)
"""


def write_case(folder: Path, megabytes: float) -> int:
    """Write a case of that size, and give its bytes."""
    host = folder / "REDACT1"
    host.mkdir(parents=True)
    part = megabytes / 3
    (host / "ERRORLOG").write_bytes(errorlog.make(round(part)))
    pdh_text.write_log(host / "perfmon.csv", COLUMNS, max(2, round(part * 1e6 / COLUMNS / CELL)))
    data, _source = xel.model("system_health")
    xel.repeat_blocks(data, part, host / "system_health_0_1.xel")
    return sum(path.stat().st_size for path in host.iterdir())


def run(*arguments: str | Path) -> tuple[float, float]:
    """Run a command of agtrace; give its seconds and the most memory that it had, MB."""
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", ASK, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    spent = time.perf_counter() - begun
    if done.returncode:
        raise SystemExit(done.stderr)
    return spent, float(done.stderr.split()[-1])


def measured(megabytes: float, folder: Path) -> tuple[str, float]:
    """Return the row of a size, and the memory that redacting it took, MB."""
    case, store, out = folder / "case", folder / "store", folder / "out"
    size = write_case(case, megabytes) / 1e6
    reading, held = run("findings", case, "--store", store, "--jobs", "1")
    spent, most = run(
        "redact", case, "--store", store, "--jobs", "1", "-o", out, "--secret", folder / "secret"
    )
    made = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 1e6
    row = f"| {size:.0f} MB | {reading:.0f} s, {held:.0f} MB | {spent:.1f} s | {size / spent:.0f} MB/s |"
    return f"{row} {most:.0f} MB | {made:.0f} MB |", most


def main() -> int:
    """Measure each size, and give the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", default="75,150,300", help="sizes of the cases")
    sizes = [float(each) for each in parser.parse_args().megabytes.split(",")]
    print(machine("pyarrow", "duckdb"), f"load {os.getloadavg()[0]:.1f}", sep="; ")
    print("\n| captures | read and judged before | redacted in | | most memory | written |")
    print("|--:|--:|--:|--:|--:|--:|")
    taken = []
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="redact-") as folder:
            row, most = measured(size, Path(folder))
        print(row, flush=True)
        taken.append(most)
    return int(taken[-1] > MORE * taken[0])


if __name__ == "__main__":
    sys.exit(main())
