"""Each number is computed once: what pages, terminal and ticket show is in one relation or finding."""

from __future__ import annotations

import html
import re

import pytest

import agtrace
from agtrace.cli import main
from agtrace.report import report
from agtrace.report.ticket import alone
from agtrace.say import wording
from agtrace.say.finding import Evidence, Finding
from agtrace.say.findings import by_severity
from tests.numbers import constants, known, numbers, of_finding, unknown, written

SAMPLES = ("commit_redo", "commit_network", "failover_lease_cpu", "log_send_queue", "secondary_lost",
           "direct_seeding", "endpoint_certificate", "failover_planned")  # fmt: skip
SMALL = "secondary_lost"
PAGES = ("index", "health", "transport")
LEFT_OUT = re.compile(r"<(script|style|svg)\b.*?</\1>|What the remedy would bring.*?<h2", re.S)
"""Not read as text, or an estimate."""
DRAWN = re.compile(r"\n[^\n]*\d points?[, ][^\n]*")
"""What a figure draws: its samples."""


def test_numbers_are_found_with_their_units():
    text = (
        "786 MB wait for 15 min 58 s at 5.2 log MB/s, n = 12 of 3 (95 %), at 12:20:02; +192 KB/s, 0 s, v1.2 s"
    )
    assert numbers(text) == ["786 MB", "15 min 58 s", "5.2 MB/s", "95 %", "192 KB/s", "0 s"]


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(95.2, "s", "1 min 35 s"), (0.7685, "ratio", "76.8 %"), (786e6, "B", "786 MB"), (5.33, "s", "5.3 s"),
     (1860, "ms", "1.9 s"), (728e3, "log B/s", "728 KB/s")],
)  # fmt: skip
def test_a_value_is_written_by_the_rule_for_its_unit(value, unit, text):
    assert text in set(written(value, unit))


def test_one_length_of_time_is_written_in_one_way():
    for seconds in (0.231, 5.33, 27.6, 94.8, 958.2):
        shown = wording.value_of(Evidence("time without a primary", seconds, "s", "s"))
        assert shown == agtrace.say.words.span(seconds)


def test_a_number_of_no_relation_or_finding_is_found():
    finding = Finding("x.y", "notice", "t", "n", evidence=(Evidence("lost", 94.8, "s", "s"),))
    among = {*of_finding(finding), *constants()}
    assert unknown("lost 1 min 35 s of 77.2 %", among) == ["77.2 %"]


def test_the_terminal_shows_numbers_of_relations_and_findings(sample_store, capsys):
    store = sample_store(SMALL)
    assert main(["findings", str(agtrace.sample(SMALL)), "--store", str(store)]) == 0
    with agtrace.open_case(agtrace.sample(SMALL), store=store) as case:
        assert unknown(capsys.readouterr().out, known(case, case.findings())) == []


def test_a_ticket_shows_numbers_of_relations_and_findings(sample_store):
    with agtrace.open_case(agtrace.sample(SMALL), store=sample_store(SMALL)) as case:
        page, failures = alone(case)
        assert not failures
        assert unknown(page, known(case, case.findings())) == []


@pytest.mark.complete
@pytest.mark.parametrize("name", SAMPLES)
def test_a_title_shows_numbers_of_its_own_finding(name, sample_store):
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
        for finding in by_severity(case.findings()):
            among = {*of_finding(finding), *constants()}
            assert unknown(wording.verdict_of(finding), among) == [], finding.title


@pytest.mark.complete
@pytest.mark.parametrize("name", SAMPLES)
def test_pages_show_numbers_of_relations_and_findings(name, sample_store, tmp_path):
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
        among = known(case, case.findings())
    made = report(agtrace.sample(name), out=tmp_path / "report", store=sample_store(name))
    wrong = {}
    for page in PAGES:
        path = made.index.parent / f"{page}.html"
        if path.is_file():
            text = re.sub(r"<[^>]*>", "\n", LEFT_OUT.sub(" ", path.read_text(encoding="utf-8")))
            if found := unknown(DRAWN.sub("", html.unescape(text)), among):
                wrong[page] = found
    assert not wrong
