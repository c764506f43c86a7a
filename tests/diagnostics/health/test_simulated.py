"""Lives whose failovers are known: each is told with its cause, and none that never happened.

``python bench/failovers.py`` asks about 50, drawn anew in every run, and so does this one thoroughly;
otherwise here are the same few.
"""

from __future__ import annotations

from random import SystemRandom

import pytest

from tests.effort import IS_THOROUGH, thorough
from tests.simulate.group_answers import Answer, Score, answers

pytestmark = thorough

COUNT = 4
SEED = 20240


@pytest.fixture(scope="module")
def score() -> Score:
    seed = SystemRandom().randrange(10**6) if IS_THOROUGH else SEED
    print(f"seed {seed}: python bench/failovers.py --count {COUNT} --seed {seed}")
    return Score(list(answers(COUNT, seed)))


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
