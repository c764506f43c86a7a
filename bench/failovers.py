"""Randomised lives of a group with known failovers: does the diagnostic tell each with its cause?

Run ``python bench/failovers.py [--count 50] [--seed N] [--first K] [--case K] [--keep DIR]``. Prints the
seed, what was answered to which scenario, and every failover that was missed, claimed, misread or not named;
the exit status is 1 where the run shows less than it must. Cases are simulated by simulation, whose
docstrings say what counts as the truth; ``--case`` shows one in full, ``--keep`` leaves its files.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random, SystemRandom

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agtrace.say import wording
from simulation.groups.answers import Score, answer, answers
from simulation.groups.draw import draw
from simulation.groups.files import write_group

RIGHT = 0.95


def main() -> int:
    """Run the cases and print what they show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**6))
    parser.add_argument("--first", type=int, default=0, help="begin with this case of the run")
    parser.add_argument("--case", type=int, help="only this case, in full")
    parser.add_argument("--keep", type=Path, help="write the files of that case into this folder")
    given = parser.parse_args()
    print(f"seed {given.seed}")
    if given.case is not None:
        return _show(given.case, given.seed, given.keep)
    begun = time.perf_counter()
    score = Score(list(answers(given.count, given.seed, given.first)))
    print(score.table())
    print(f"{len(score.answers)} cases in {time.perf_counter() - begun:.0f} s; "
          f"{len(score.right)} with every root cause right")  # fmt: skip
    for title, listed in (
        ("not right", [a for a in score.answers if not a.is_right]),
        ("wrong with confidence above 0.7", score.surely_wrong),
        ("failovers missed", score.missed),
        ("failovers that never happened", score.claimed),
    ):
        print(f"{title}: {len(listed)}")
        print("".join(f"  {a.line()}\n" for a in listed), end="")
    told = [f"#{a.case.number} {text}" for a in score.answers for text in a.inexact]
    print(f"windows off by more than 2 s: {len(told)}", *(f"  {text}" for text in told), sep="\n")
    print(score.told_beside())
    few = len(score.right) < RIGHT * len(score.answers)
    return 1 if few or score.surely_wrong or score.missed or score.claimed else 0


def _show(number: int, seed: int, keep: Path | None) -> int:
    if keep is not None:
        case = draw(number, Random(f"{seed}-{number}"))
        write_group(keep, case.life, case.taken)
        print(case.line, *(t.failover for t in case.truths), sep="\n")
        return 0
    one = answer(number, seed)
    print(one.line(), *(t.failover for t in one.case.truths), wording.told(one.findings), sep="\n")
    print(*(f"{f.title}\n  {f.narrative}\n  {f.recommendation}" for f in one.findings), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
