"""tests/articles.md: every row has a place, and what it quotes of the seeding samples is said there."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import nbformat
import pytest

import agtrace
from agtrace.diagnostics import analyses

pytestmark = pytest.mark.complete

ARTICLES = Path(__file__).with_name("articles.md").read_text(encoding="utf-8")
SECTIONS = dict(zip(*[iter(re.split(r"^## (.+)\n", ARTICLES, flags=re.M)[1:])] * 2, strict=True))
NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
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


@pytest.mark.complete
@pytest.mark.parametrize("section", CASES)
def test_what_a_row_quotes_is_in_the_report(section, sample_store):
    said = []
    for name in CASES[section]:
        with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
            pages = (case.seeding, case.comparison)
            for finding in (f for page in pages for f in page.findings()):
                said += [finding.title, finding.narrative, finding.recommendation]
                said += [f"{each.label} {each.value}" for each in finding.evidence]
            said += [case.comparison.say_contradictions(), ", ".join(case.overview.tbl_hosts()["cores"])]
    headings = "".join(
        (Path(__file__).parents[1] / "notebooks" / f"{page}.ipynb").read_text("utf-8")
        for page in ("seeding", "comparison")
    )
    text = "\n".join(said) + headings
    quoted = [quote for row in rows(section) for quote in QUOTED.findall(row[2])]
    assert len(quoted) > 10
    assert [quote for quote in quoted if quote.rstrip(" .") not in text] == []


def test_what_the_rows_on_the_log_send_queue_quote_is_in_the_report(sample_store):
    """Quotations may leave out words: "network card of ... in use"."""
    (section,) = (name for name in SECTIONS if name.endswith("(003)"))
    said = [shown(page) for page in ("transport", "percentiles", "comparison", "overview")]
    for name in ("log_send_queue", "log_send_queue_fixed", "log_send_queue_ping"):
        with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
            for finding in case.findings():
                said += [finding.title, finding.narrative, finding.recommendation]
                said += [f"{each.label} {each.value}" for each in finding.evidence]
    text = "\n".join(said)
    quoted = [quote for row in rows(section) for quote in QUOTED.findall(row[2])]
    assert len(quoted) > 40
    assert [q for q in quoted if not re.search(re.escape(q).replace(r"\.\.\.", ".*"), text)] == []


def test_the_sections_and_labels_that_the_rows_on_routing_name_exist(sample_store):
    (section,) = (name for name in SECTIONS if name.endswith("(002)"))
    places = [row[2] for row in rows(section)]
    store = sample_store("read_only_routing")
    with agtrace.open_case(agtrace.sample("read_only_routing"), store=store) as case:
        findings = case.workload.findings()
    labels = {each.label for finding in findings for each in finding.evidence}
    headings = shown("workload") + shown("overview")
    titles = {question.title for question in analyses().values()}
    named = [name for place in places for name in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", place)]
    assert len(named) > 20
    assert [name for name in named if name not in titles and name not in headings] == []
    told = [label for place in places for label in re.findall(r"\[([^\]]+)\]", place)]
    assert [label for label in told if label not in labels] == []


def shown(page: str) -> str:
    """Return a notebook's content with its sample: its text and its stored outputs, without markup."""
    notebook = nbformat.read(NOTEBOOKS / f"{page}.ipynb", as_version=4)
    parts = []
    for cell in notebook.cells:
        parts.append(cell.source)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            texts = (output.get("text", ""), data.get("text/markdown", ""), data.get("text/html", ""))
            parts += [html.unescape(re.sub("<[^>]+>", "", text)) for text in texts]
            figure = data.get("application/vnd.plotly.v1+json", "")
            parts.append(json.dumps(figure, ensure_ascii=False))
    return "\n".join(parts)
