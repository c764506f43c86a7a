"""Randomised log blocks with known hops: does the diagnostic name the hop, the percentiles, the skew?

Run ``python bench/commit_cases.py [--count 30] [--seed N]``. Prints the seed, what is wrong with each case
and a summary; the exit status is 1 where more than one case in thirty names a wrong hop, or any
percentile or skew is off. Cases are drawn by tests/diagnostics/drawn_blocks.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import SystemRandom

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.diagnostics.drawn_blocks import answers


def main() -> int:
    """Run the cases and print what they show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**6))
    given = parser.parse_args()
    print(f"seed {given.seed}")
    begun = time.perf_counter()
    found = list(answers(given.count, given.seed))
    hops, numbers, skews = (
        [a for a in found if getattr(a, what)] for what in ("hop_wrong", "numbers_wrong", "skew_wrong")
    )
    for answer in found:
        if answer.hop_wrong or answer.numbers_wrong or answer.skew_wrong:
            print(answer.line())
    print(
        f"{given.count} cases in {time.perf_counter() - begun:.0f} s: dominant hop wrong in {len(hops)}, "
        f"percentiles in {len(numbers)}, skew in {len(skews)}"
    )
    return 1 if 30 * len(hops) > given.count or numbers or skews else 0


if __name__ == "__main__":
    raise SystemExit(main())
