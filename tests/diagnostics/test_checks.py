"""Each check of a question ends as a problem, fine, not captured or not applicable."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import agtrace
from agtrace.diagnostics import analyses
from agtrace.diagnostics.checks import Check, results
from agtrace.say.finding import Evidence, Finding
from agtrace.say.said import Said
from tests.diagnostics.tiny import case

NO_PROBLEM = {
    "transport.healthy", "quality.not_captured", "quality.case_settings", "quality.own_settings",
}  # fmt: skip
"""Ids of findings that are about no problem of a server."""
HEALTH = Said("agtrace.diagnostics.health")
WATCHED = "SQL1 | - | coverage | source={}; first_local=2024-03-05 12:00:00; last_local=2024-03-05 12:45:00"
LEASE = Check("lease", ("health.lease",), sources=("ERRORLOG",), events=("lease_expired",))


def finding(id_: str, severity: str) -> Finding:
    return Finding(id_, severity, f"{id_} of SQL1", "", evidence=(Evidence("n", 1, "", "log"),))


def of(check, *findings, said=HEALTH, is_missing=False, **made):
    (found,) = results("health", [check], findings, case(**made), said, is_missing=is_missing)
    return found.state, found.text


def test_a_finding_is_a_problem():
    found = finding("health.lease", "warning"), finding("health.lease", "notice")
    assert of(LEASE, *found) == ("problem", "health.lease of SQL1 (and 1 more)")


def test_a_finding_for_information_is_none():
    assert of(LEASE, finding("health.lease", "info")) == ("fine", "health.lease of SQL1")


def test_an_event_of_another_finding_is_a_problem():
    events = "SQL1 | 60 | timeline | kind=lease_expired"
    assert of(LEASE, relations=events) == ("problem", "Lease expired (1), first at 2024-03-05 12:01:00 UTC")


def test_what_was_watched_is_fine():
    assert of(LEASE, relations=WATCHED.format("ERRORLOG")) == (
        "fine",
        "No lease expired and no health check failed: SQL1 watched for 45 min (ERRORLOG)",
    )


def test_another_source_shows_nothing_of_it():
    assert of(LEASE, relations=WATCHED.format("perfmon"))[0] == "not-captured"


def test_hosts_that_have_a_counter_were_watched_by_perfmon():
    check = Check("lease", (), counters=("SQLServer:Transactions\\Version Store Size (KB)",))
    perfmon = r"SQL1 | \SQLServer:Transactions\Version Store Size (KB) | 1, 1"
    both = [WATCHED.format("perfmon"), WATCHED.format("perfmon").replace("SQL1", "SQL2")]
    made = of(check, perfmon=perfmon, relations="\n".join(both))
    assert made[1].endswith(": SQL1 watched for 45 min (perfmon)")
    assert of(check, relations="\n".join(both))[0] == "not-captured"


def test_hosts_that_have_a_topic_were_watched_by_their_log():
    check = Check("lease", (), topics=("power_plan",))
    facts = "SQL1 | power_plan | 1 | plan | Balanced"
    sources = "\n".join(WATCHED.format(source) for source in ("perfmon", "ERRORLOG"))
    assert of(check, relations=sources, facts=facts)[1].endswith(": SQL1 watched for 45 min (ERRORLOG)")
    assert of(check, relations=sources)[0] == "not-captured"


def test_rows_of_relations_are_counted():
    check = Check("lease", (), relations=("waits", "seedings"))
    assert of(check, relations="SQL1 | 60 | waits | wait_type=WRITELOG")[1].endswith("failed: 1 wait")


def test_what_a_case_need_not_have_does_not_apply():
    said = Said("agtrace.diagnostics.seeding")
    check = Check("seeding", ("seeding.failed",), is_optional=True)
    assert of(check, said=said) == ("not-applicable", "No automatic seeding was captured")


def test_each_finding_answers_one_check():
    ids = set()
    for path in (Path(agtrace.__file__).parent / "diagnostics").rglob("*.py"):
        ids |= set(re.findall(r'(?<!\.)\bid="((?:[a-z]+)\.[a-z_]+)"', path.read_text(encoding="utf-8")))
    answered = Counter(
        id_ for analysis in analyses().values() for check in analysis.checks for id_ in check.answers
    )
    assert ids - set(answered) - NO_PROBLEM == set()
    assert [id_ for id_, n in answered.items() if n > 1] == []


@pytest.mark.parametrize("name", sorted(analyses()))
def test_each_check_has_words(name):
    analysis = analyses()[name]
    said = Said(f"agtrace.diagnostics.{name}")
    for check in analysis.checks:
        fields = ("name", "fine", "absent" if check.is_optional else "missing")
        assert [said.text(f"checked.{check.name}.{field}", {}) == "" for field in fields] == [False] * 3
