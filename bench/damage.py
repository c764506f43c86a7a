"""Damaged captures in folders of 500, every verb over each folder.

Run ``python bench/damage.py [50000] [--seed N]``. Ends with status 1, and says where, when a verb ends
with another status than 0 or 1, a reader has a defect, or a capture takes more than 5 s or 300 MB beyond the
200 MB of the process.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.ingest.damaged import Tally, run


def main() -> int:
    """Make the folders, run the verbs, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    tally, told = Tally(), 0
    for tally in run(options.count, options.seed):
        print(
            f"{tally.inputs:,} inputs, {dict(tally.statuses)}, {dict(tally.verbs)}, slowest "
            f"{tally.slowest:.2f} s, largest {tally.largest >> 20} MB, {len(tally.failures)} failures",
            flush=True,
        )
        for failure in tally.failures[told:]:
            print(f"  {failure}", flush=True)
        told = len(tally.failures)
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
