"""Tickets of whole cases: word for word where a sample tells an incident and where it tells commits."""

from __future__ import annotations

import re
import shutil

import pytest

import agtrace
from agtrace.report.ticket import alone
from agtrace.say.ticket import MOST_WORDS
from tests.report.looks import samples
from tests.shared import CAPTURES, needs_captures

pytestmark = pytest.mark.complete

STORY = re.compile(r"- \d\d:\d\d:\d\d\.\d UTC \(\d\d:\d\d:\d\d\.\d there\) (\w+): .* \(`(.+)` line (\d+)\)")
EVIDENCE = re.compile(r"- ([\w ]+): ([\d.]+ [%\w]+) \(.+\)")


def parts(name, store):
    """Return the paragraphs of the ticket of a sample."""
    return told(agtrace.sample(name), store(name)).strip().split("\n\n")


def told(case, store):
    with agtrace.open_case(case, store=store) as opened:
        text, failures = alone(opened)
    assert failures == []
    return text


def test_the_ticket_of_an_incident_tells_it_line_by_line_with_file_and_line(sample_store):
    title, about, summary, what, story, do = parts("failover_lease_cpu", sample_store)
    assert title.startswith("# SalesAG: ")
    assert about == (
        "Case failover_lease_cpu, 2024-02-06 14:45:11 to 14:45:16 UTC (5.3 s); critical, "
        "confidence high (85 %)."
    )
    assert re.findall(r"\b[\d.]+ m?s\b", what) == ["5.3 s", "8.1 s", "20 ms", "10 s"]
    assert [STORY.fullmatch(line).groups() for line in story.splitlines()] == [
        ("HASQL1", "HASQL1/system_health_0_133517019137000000.xel", "40"),
        ("HASQL1", "HASQL1/HASQL1_MSSQLSERVER_SQLDIAG_0_133517019199000000.xel", "6"),
        ("HASQL2", "HASQL2/ERRORLOG", "54"),
        ("HASQL2", "HASQL2/ERRORLOG", "56"),
        ("HASQL1", "HASQL1/ERRORLOG", "55"),
    ]
    assert summary.startswith("SalesAG failed over from HASQL1 to HASQL2 at 2024-02-06 14:45:11 UTC")
    assert do.startswith(
        "**Do** (the report has 4 more steps):\n1. On HASQL1 and HASQL2, compare the hardened LSNs"
    )


def test_the_ticket_of_a_finding_has_its_reason_its_evidence_and_what_to_collect(sample_store):
    title, about, summary, why, evidence, do, collect = parts("commit_network", sample_store)
    assert title.startswith("# ")
    assert (
        about
        == "Case commit_network, 2024-03-05 12:00:00 to 12:00:20 UTC (21 s); notice, confidence high (90 %)."
    )
    assert summary.startswith(
        "Commits of Sales to SQL2 take 27.8 ms on average from 2024-03-05 12:00:00 UTC on"
    )
    assert summary.endswith(
        "Making it twice as fast would save at most 12.8 ms a commit, by arithmetic over the same blocks."
    )
    assert [EVIDENCE.fullmatch(line).groups() for line in evidence.splitlines()] == [
        ("network share", "92.1 %"), ("network p50", "24.6 ms"), ("network p99", "41.1 ms"),
    ]  # fmt: skip
    assert [text.partition(" ")[0] for text in (why, collect)] == ["**Why:**", "**Collect:**"]
    assert do.startswith(
        "**Do** (the report has 4 more steps):\n1. On SQL1, measure round trip and loss: `ping -n 100 SQL2`."
    )


@pytest.mark.parametrize("name", samples())
def test_a_ticket_has_300_words_at_most(name, sample_store):
    text = told(agtrace.sample(name), sample_store(name))
    assert 60 < len(text.split()) <= MOST_WORDS
    assert "**Do" in text


@needs_captures
def test_the_ticket_of_nine_failovers_names_the_first_cause_and_the_longest(tmp_path):
    shutil.copytree(CAPTURES / "failover_2017", tmp_path / "case", ignore=shutil.ignore_patterns("expected"))
    text = told(tmp_path / "case", tmp_path / "store")
    assert len(text.split()) <= MOST_WORDS
    assert "2017-10-23 18:51:58 UTC" in text
    assert "ERRORLOG.2` line 161" in text
