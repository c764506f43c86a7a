"""Randomised transport cases with a known cause: does the diagnostic name it?

Run ``python bench/transport_cases.py [--count 200] [--seed N] [--case K] [--at-once]``. Prints the seed, a
confusion table, every wrong verdict with its confidence, every false alarm, and every clock that is
off without a word; the exit status is 1 where the run shows less than it must. Cases are simulated
by simulation, whose docstrings say what counts as the truth; ``--case`` shows one case in full.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import SystemRandom

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agtrace.say import words
from simulation.chains.answers import Score, answer, answers
from simulation.chains.draw import AT_ONCE, CAUSES

NAMED = 0.95


def main() -> int:
    """Run the cases and print what they show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**6))
    parser.add_argument("--case", type=int, help="only this case, in full")
    parser.add_argument("--at-once", action="store_true", help="only paths with a window and losses at once")
    given = parser.parse_args()
    causes = AT_ONCE if given.at_once else tuple(CAUSES)
    print(f"seed {given.seed}")
    if given.case is not None:
        one = answer(given.case, given.seed, causes)
        print(one.drawn, one.line(), words.told(one.findings), sep="\n")
        print(*(f"{f.title}\n  {f.narrative}\n  {f.recommendation}" for f in one.findings), sep="\n")
        return 0
    begun = time.perf_counter()
    score = Score(list(answers(given.count, given.seed, causes)))
    share = len(score.named) / max(len(score.carried), 1)
    print(score.table())
    print(f"{len(score.answers)} cases in {time.perf_counter() - begun:.0f} s; "
          f"named {len(score.named)} of {len(score.carried)} carried ({share:.1%})")  # fmt: skip
    for title, listed in (
        ("not named", [a for a in score.carried if not a.named]),
        ("wrong", [a for a in score.answers if a.wrong]),
        ("wrong with confidence above 0.7", score.surely_wrong),
        ("false alarms", score.false_alarms),
        ("a clock is off and nothing says so", score.untold),
    ):
        print(f"{title}: {len(listed)}")
        print("".join(f"  {a.line()}\n" for a in listed), end="")
    missed = share < NAMED or score.surely_wrong or score.false_alarms
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
