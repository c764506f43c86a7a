"""What is said of real captures was judged by hand: each finding is a row of tests/real/judged.md, none
wrong, none noise.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.effort import IS_THOROUGH, fresh_seed, thorough
from tests.folded import folded
from tests.real.cases import RealCase, alone, together
from tests.real.judged import PAGE, findings, judgements, key
from tests.shared import CAPTURES, needs_captures

pytestmark = pytest.mark.complete

DRAWN = 5
"""Single files that a run draws; all of them are thorough."""
HOW = (
    "judge it beside the raw file, and add its row to tests/real/judged.md: `python -m tests.real.judged` "
    "prints it"
)


def drawn() -> list[RealCase]:
    cases = list(alone()) if CAPTURES.is_dir() else []
    return cases if IS_THOROUGH else Random(fresh_seed()).sample(cases, min(DRAWN, len(cases)))


def unjudged(case: RealCase) -> list[str]:
    known = judgements()
    return [
        f"{case.title}: {one.id} {key(one)} {one.title}"
        for one in findings(case)
        if (case.title, key(one)) not in known
    ]


@needs_captures
@folded("case", list(together()) if CAPTURES.is_dir() else [])
def test_each_finding_of_what_belongs_together_was_judged(case):
    assert unjudged(case) == [], HOW


@needs_captures
@thorough
def test_each_finding_of_a_file_alone_was_judged():
    assert [text for case in drawn() for text in unjudged(case)] == [], HOW


def test_no_finding_is_wrong():
    wrong = [row for row in judgements().values() if row.verdict == "wrong"]
    assert wrong == [], "mend what makes it wrong, not the page"


def test_no_finding_is_noise():
    rows = judgements().values()
    noise = [row for row in rows if row.verdict == "noise"]
    assert len(rows) > 100
    assert noise == [], "mend what makes it one"


def test_each_row_says_what_shows_it():
    assert [row for row in judgements().values() if len(row.shown_by) < 10] == []


def test_the_page_counts_its_rows():
    (line,) = (one for one in PAGE.read_text(encoding="utf-8").splitlines() if one.startswith("| **all** |"))
    rows = list(judgements().values())
    counted = [sum(row.verdict == verdict for row in rows) for verdict in ("right", "noise", "wrong")]
    assert [int(cell) for cell in line.strip("|").split("|")[2:]] == [len(rows), *counted]
