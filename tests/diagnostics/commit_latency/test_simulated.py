"""Cases whose hops are simulated: the dominant one is named, percentiles and skew are right.

``python bench/commit_cases.py`` asks about 30; here are a few, drawn anew in every run.
"""

from __future__ import annotations

from random import SystemRandom

import pytest

from tests.diagnostics.drawn_blocks import Answer, answers

pytestmark = pytest.mark.complete

COUNT = 4


@pytest.fixture(scope="module")
def found() -> list[Answer]:
    seed = SystemRandom().randrange(10**6)
    print(f"seed {seed}: python bench/commit_cases.py --count {COUNT} --seed {seed}")
    return list(answers(COUNT, seed))


@pytest.mark.parametrize("what", ["hop_wrong", "numbers_wrong", "skew_wrong"])
def test_what_is_simulated_is_what_is_answered(found, what):
    wrong = [answer for answer in found if getattr(answer, what)]
    assert not wrong, "\n".join(answer.line() for answer in wrong)
