"""Whatever values a case holds, each analysis answers, and in JSON."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import agtrace
from agtrace import strict_json
from agtrace.diagnostics import analyses
from agtrace.errors import AgtraceError
from tests.effort import thorough, times
from tests.hostile_values import SAMPLES, Tally, look, read, said_wrong

pytestmark = pytest.mark.complete

SMALL = tuple(each for each in SAMPLES if each.startswith(("failover", "secondary", "commit", "read")))
EACH = times(20, 8)


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """A sample, another in each run."""
    scratch = tmp_path_factory.mktemp("samples")
    chosen = random.SystemRandom().sample(SMALL, 1)
    return {name: read(name, scratch) for name in chosen}


def by_one_analysis(chance: random.Random):
    """Ask one analysis of each case: together they are asked often enough."""

    def ask(case: Path) -> tuple[int, str, str]:
        try:
            with agtrace.open_case(case, jobs=1) as opened:
                found = opened.answers(chance.choice(sorted(analyses())))
        except AgtraceError as error:
            return 1, "[]", str(error)
        return 0, strict_json.dumps([each.to_dict() for each in found]), ""

    return ask


@thorough
@pytest.mark.parametrize("part", range(5))
def test_hostile_values_end_no_answer(samples, part):
    seed = random.SystemRandom().randrange(10**6)
    tally = Tally()
    for number in range(EACH):
        look(seed, number, tally, by_one_analysis(random.Random(f"{seed} {number}")), samples)
    assert tally.faults == [], f"python -m tests.hostile_values {EACH} {seed} --samples {' '.join(samples)}"
    assert tally.cases == EACH


@pytest.mark.parametrize(
    ("status", "printed", "complained", "seconds", "wrong"),
    [
        (0, "[]", "", 1.0, ""),
        (1, "[]", "agtrace: bad.csv: cannot be read", 1.0, ""),
        (2, "", "agtrace: wrong", 1.0, "status 2"),
        (1, "", "agtrace: internal error: KeyError", 1.0, "status 1"),
        (0, "[NaN]", "", 1.0, "no JSON: NaN is no JSON"),
        (0, "[]", "", 20.1, "20.1 s"),
        (1, json.dumps([{"id": "quality.analysis_failed", "title": "t", "evidence": []}]), "", 1.0,
         "an analysis failed"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_answer(status, printed, complained, seconds, wrong):
    assert said_wrong(status, printed, complained, seconds).startswith(wrong)
    assert bool(wrong) == bool(said_wrong(status, printed, complained, seconds))
