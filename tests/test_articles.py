"""docs/articles.md: every row has a place, and what it quotes of the seeding samples is said there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import agtrace

ARTICLES = (Path(__file__).parents[1] / "docs" / "articles.md").read_text(encoding="utf-8")
SECTIONS = dict(zip(*[iter(re.split(r"^## (.+)\n", ARTICLES, flags=re.M)[1:])] * 2, strict=True))
QUOTED = re.compile(r'(?<!\w)"([^"]+)"')  # not the sign of seconds in 06'55"
CASES = {
    "Direct seeding: monitoring and performance (000)": ("direct_seeding", "direct_seeding_cores"),
    "Direct seeding: compression (001)": ("seeding_compression",),
}


def rows(section: str) -> list[list[str]]:
    lines = [line for line in SECTIONS[section].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("section", SECTIONS)
def test_no_row_is_without_a_place(section):
    for row in rows(section):
        assert len(row) == 4, row
        assert row[0], row
        assert row[2], row


@pytest.mark.sample
@pytest.mark.parametrize("section", CASES)
def test_what_a_row_quotes_is_in_the_report(section, tmp_path):
    said = []
    for name in CASES[section]:
        with agtrace.open_case(agtrace.sample(name), store=tmp_path / name) as case:
            pages = (case.seeding, case.comparison)
            for finding in (f for page in pages for f in page.findings()):
                said += [finding.title, finding.narrative, finding.recommendation]
                said += [f"{each.label} {each.value}" for each in finding.evidence]
            said += [case.comparison.say_contradictions(), ", ".join(case.overview.tbl_hosts()["cores"])]  # fmt: skip
    headings = "".join(
        (Path(__file__).parents[1] / "notebooks" / f"{page}.ipynb").read_text("utf-8")
        for page in ("seeding", "comparison")
    )
    text = "\n".join(said) + headings
    quoted = [quote for row in rows(section) for quote in QUOTED.findall(row[2])]
    assert len(quoted) > 10
    assert [quote for quote in quoted if quote.rstrip(" .") not in text] == []
