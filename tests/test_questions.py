"""docs/questions.md names findings and pages that there are."""

from __future__ import annotations

import re
from pathlib import Path

from agtrace.diagnostics import analyses
from tests.folded import folded

ROOT = Path(__file__).parents[1]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "questions.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and "?" in line
]
CODE = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted((ROOT / "agtrace" / "diagnostics").rglob("*.py"))
)


def test_there_are_thirty():
    assert len(ROWS) == 30


@folded("row", ROWS)
def test_the_findings_of_an_answer_are_made_and_stand_on_its_pages(row):
    _, answer, pages, _ = row
    found = re.findall(r"`([a-z]+\.[a-z_]+)`", answer)
    assert found
    assert [each for each in found if each not in CODE and not _composed(each)] == []
    assert set(pages.split(", ")) <= set(analyses())


def _composed(finding: str) -> bool:
    """Return whether an id is composed of its question and a kind in the code."""
    question, _, kind = finding.partition(".")
    return f'f"{question}.' in CODE and f'"{kind}"' in CODE
