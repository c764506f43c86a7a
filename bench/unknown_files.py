"""A folder of files that nothing understands: how long until it is said so.

Run ``python bench/unknown_files.py [--files 10000] [--rounds 5]``. Each verb runs on a case that was
never seen before; prints the best and the median of the rounds. The exit status is 1 where
``agtrace ingest`` takes more than 1 ms a file at its best.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.machine import machine


def main() -> int:
    """Write the files, run the verbs, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="agtrace-bench-") as scratch:
        case = Path(scratch) / "case"
        _write(case, options.files)
        best = {verb: _best(verb, case, options.rounds) for verb in ("ingest", "findings")}
    return 0 if best["ingest"] <= options.files / 1000 else 1


def _write(case: Path, files: int) -> None:
    case.mkdir()
    chance = random.Random(1)
    for number in range(files):
        words = " ".join(str(chance.random()) for _ in range(chance.randint(1, 200)))
        (case / f"file{number:06}.txt").write_text(f"no capture {number} {words}\n")


def _best(verb: str, case: Path, rounds: int) -> float:
    seconds = []
    for _ in range(rounds):
        shutil.rmtree(case / ".agtrace", ignore_errors=True)
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "agtrace", verb, str(case)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        seconds.append(time.perf_counter() - start)
    print(f"{verb}: best {min(seconds):.1f} s, median {statistics.median(seconds):.1f} s")
    return min(seconds)


if __name__ == "__main__":
    sys.exit(main())
