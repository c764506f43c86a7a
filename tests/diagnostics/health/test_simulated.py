"""Lives whose failovers are known: each is told with its cause, and none that never happened.

They are drawn anew in every run, a few here and many by ``python bench/failovers.py``. A failure shows the
seed; ``AGTRACE_TESTS_SEED`` draws the same again.
"""

from __future__ import annotations

import pytest

from simulation.groups.answers import Answer, Score, answers
from tests.effort import fresh_seed, thorough

pytestmark = [thorough, pytest.mark.complete]

COUNT = 4
MOST_FIRST = 60
"""With which of so many cases the few begin: every scenario has its turn, and lives without a failover."""


@pytest.fixture(scope="module")
def score() -> Score:
    seed = fresh_seed()
    print(f"AGTRACE_TESTS_SEED={seed}; one of them: python bench/failovers.py --seed {seed} --case N")
    return Score(list(answers(COUNT, seed, seed % MOST_FIRST)))


def lines(found: list[Answer]) -> str:
    return "\n".join(answer.line() for answer in found)


def test_no_cause_is_surely_wrong(score):
    assert not score.surely_wrong, lines(score.surely_wrong)


def test_no_failover_is_missed(score):
    assert not score.missed, lines(score.missed)


def test_no_failover_is_claimed_that_never_happened(score):
    assert not score.claimed, lines(score.claimed)


def test_the_causes_are_named(score):
    # 48 of 50 at least: two of four that are not right would be a chance of one in a hundred.
    wrong = [answer for answer in score.answers if not answer.is_right]
    assert len(wrong) <= 1, lines(wrong)
