"""Draws of which one kind of evidence was not captured: right or open, and no remaining entry unreported."""

from __future__ import annotations

from collections import Counter

import pytest

from simulation.chains import removed as chains
from simulation.commits import removed as commits
from simulation.groups import removed as groups
from simulation.groups.answers import SURE
from tests.effort import IS_THOROUGH, fresh_seed, thorough

FIXED = ((groups, 501, 10), (groups, 501, 25), (groups, 70101, 56), (chains, 70201, 7), (commits, 70301, 3))
"""Seed and number: three nodes of which each follows a primary that another log shows; a paused machine; a
forced failover after another one; a window that does not scale; a network that commits wait for.
"""
RIGHT = 0.95


def faults(answer) -> list[str]:
    return [*(text for text, _ in answer.contradicted), *answer.unreported]


@pytest.mark.complete
@pytest.mark.parametrize(("simulator", "seed", "number"), FIXED)
def test_what_is_left_of_a_case_is_right_and_reported(simulator, seed, number):
    found = {one.removal: faults(one) for one in simulator.answers(number, seed)}
    assert found
    assert {removal: texts for removal, texts in found.items() if texts} == {}


@pytest.mark.complete
@thorough
@pytest.mark.skipif(not IS_THOROUGH, reason="many draws")
@pytest.mark.parametrize(("simulator", "count"), [(groups, 36), (chains, 45), (commits, 18)])
def test_evidence_removed_from_many_draws_leaves_them_right_or_open(simulator, count):
    seed, counted = fresh_seed(), Counter()
    for number in range(count):
        for one in simulator.answers(number, seed):
            print(f"AGTRACE_TESTS_SEED={seed} #{number} {one.removal}: {faults(one)}")
            counted["all"] += 1
            counted["right"] += not faults(one)
            counted["sure"] += any(sure > SURE for _, sure in one.contradicted)
            counted["unreported"] += bool(one.unreported)
    assert counted["right"] >= RIGHT * counted["all"]
    assert (counted["sure"], counted["unreported"]) == (0, 0)
