"""A folder of files that nothing understands: how long until it is said so.

Run ``python bench/unknown_files.py [--files 10000] [--rounds 5] [--archive]``. Each verb runs on a case
that was never seen before; prints the best and the median of the rounds by the clock, and the least time of
the processor with all child processes. The exit status is 1 where ``agtrace ingest`` takes more than 1 ms a
file at its best.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.machine import machine


def main() -> int:
    """Write the files, run the verbs, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--archive", action="store_true", help="the files are members of one zip")
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="agtrace-bench-") as scratch:
        case = Path(scratch) / "case"
        _write(case, options.files)
        if options.archive:
            _pack(case)
        best = {verb: _best(verb, case, options.rounds) for verb in ("ingest", "findings")}
    return 0 if best["ingest"] <= options.files / 1000 else 1


def _write(case: Path, files: int) -> None:
    case.mkdir()
    chance = random.Random(1)
    for number in range(files):
        words = " ".join(str(chance.random()) for _ in range(chance.randint(1, 200)))
        (case / f"file{number:06}.txt").write_text(f"no capture {number} {words}\n")


def _pack(case: Path) -> None:
    """Replace the files of a folder by an archive of them."""
    files = sorted(case.iterdir())
    with zipfile.ZipFile(case / "files.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.name)
            file.unlink()


def _best(verb: str, case: Path, rounds: int) -> float:
    seconds, used = [], []
    for _ in range(rounds):
        shutil.rmtree(case / ".agtrace", ignore_errors=True)
        before, start = _processor_s(), time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "agtrace", verb, str(case)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        seconds.append(time.perf_counter() - start)
        used.append(_processor_s() - before)
    print(
        f"{verb}: best {min(seconds):.1f} s, median {statistics.median(seconds):.1f} s; "
        f"of the processor {min(used):.1f} s"
    )
    return min(seconds)


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
