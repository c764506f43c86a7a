"""A finding is a card, and nothing that a stranger named becomes markup of it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from agtrace.say.finding import Evidence, Finding
from agtrace.say.findings import Findings, by_severity

HOSTILE = "<img src=x onerror=alert(1)>$$\\require{}$$\x1b[31m\u202e"


def finding(name: str = "SQL1", **fields) -> Finding:
    given = {
        "id": "transport.redo_limited", "severity": "warning", "title": f"Redo of {name} is slow",
        "narrative": f"It redoes 5 MB/s on {name}.\n\nSeen over 10 min.", "subject": {"host": name},
        "evidence": (Evidence(f"redone, {name}", 5_240_000, "log B/s", name), Evidence("n", 120, "", "SQL1")),
        "recommendation": f"Look at `{name}`.", "confidence": 0.9,
    }  # fmt: skip
    return Finding(**(given | fields))


def test_in_a_console_it_is_a_few_lines_with_numbers_and_advice():
    assert repr(finding()).splitlines() == [
        "WARNING transport.redo_limited",
        "  Redo of SQL1 is slow",
        "  host SQL1; confidence high (90 %)",
        "  It redoes 5 MB/s on SQL1.",
        "  Seen over 10 min.",
        "    redone, SQL1: 5.2 log MB/s (SQL1)",
        "    and 1 more entry of evidence",
        "  Do: Look at `SQL1`.",
    ]


def test_in_a_notebook_it_is_a_card_with_all_its_evidence_folded():
    page = finding()._repr_html_()
    assert "Evidence: 2 entries" in page
    assert "<b>5.2 log MB/s</b>" in page
    assert "Finding(" not in page


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_nothing_of_a_name_becomes_markup_mathematics_or_a_terminal_code():
    hostile = finding(HOSTILE)
    tags = Tags()
    tags.feed(hostile._repr_html_())
    assert tags.seen <= {"div", "b", "code", "span", "p", "details", "summary", "table", "tr", "td"}
    assert tags.attributes <= {"style", "title", "class"}
    assert "tex2jax_ignore mathjax_ignore" in hostile._repr_html_()
    for shown in (hostile._repr_html_(), repr(hostile)):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", shown)


def test_a_list_of_findings_is_their_cards_and_still_a_list():
    found = by_severity([finding(severity="info"), finding()])
    assert isinstance(found, Findings)
    assert found == [finding(), finding(severity="info")]
    assert repr(found).count("redo_limited") == 2
    assert found._repr_html_().count("<details>") == 2
    assert repr(Findings()) == "No findings."
    assert "No findings." in Findings()._repr_html_()
