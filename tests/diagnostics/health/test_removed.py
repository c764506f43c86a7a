"""Groups of which one kind of evidence was not captured: right or open, and no remaining entry unreported."""

from __future__ import annotations

from collections import Counter

import pytest

from simulation.groups.answers import SURE
from simulation.groups.removed import Left, answers
from tests.effort import IS_THOROUGH, fresh_seed, thorough

FIXED = ((501, 10), (501, 25))
"""Seed and number: three nodes of which each follows a primary that another log shows; a paused machine."""
RIGHT = 0.95


def faults(answer: Left) -> list[str]:
    return [*(text for text, _ in answer.contradicted), *answer.unreported]


@pytest.mark.complete
@pytest.mark.parametrize(("seed", "number"), FIXED)
def test_what_is_left_of_a_case_is_right_and_reported(seed, number):
    found = {one.removal: faults(one) for one in answers(number, seed)}
    assert {removal.name: texts for removal, texts in found.items() if texts} == {}


@pytest.mark.complete
@thorough
@pytest.mark.skipif(not IS_THOROUGH, reason="many draws")
def test_evidence_removed_from_many_draws_leaves_them_right_or_open():
    seed, counted = fresh_seed(), Counter()
    for number in range(36):
        for one in answers(number, seed):
            print(f"AGTRACE_TESTS_SEED={seed} #{number} {one.removal.name}: {faults(one)}")
            counted["all"] += 1
            counted["right"] += not faults(one)
            counted["sure"] += any(sure > SURE for _, sure in one.contradicted)
            counted["unreported"] += bool(one.unreported)
    assert counted["right"] >= RIGHT * counted["all"]
    assert (counted["sure"], counted["unreported"]) == (0, 0)
