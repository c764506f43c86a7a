"""Texts of findings hold names as they are: they are escaped where they become HTML or Markdown, nowhere
else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

import agtrace
from agtrace.diagnostics import analyses
from agtrace.say import cards
from agtrace.say.finding import Finding
from agtrace.say.wording import running_text
from simulation.commits.model import AG_ID, IDS, PRIMARY, REPLICA, database_id
from tests.behind import assert_facts
from tests.diagnostics.commit_latency.test_sides import SETTING, events
from tests.diagnostics.drawn_blocks import case_of
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import CEILING, SLOW, perfmon

ESCAPED = re.compile(r"&(?:#\d+|#x[0-9a-f]+|amp|lt|gt|quot);|\\[_*#\[\]<>`]", re.IGNORECASE)
SAMPLES = sorted(path.name for path in agtrace.sample("log_send_queue").parent.iterdir() if path.is_dir())
DATABASE, GROUP = "CRM_Main*#1", "A_G <b>[x](y)"
NAMED = f"""
    {PRIMARY} | 0 | ag_names | kind=database; id={database_id("Sales")}; name={DATABASE}
    {PRIMARY} | 0 | ag_names | kind=group; id={AG_ID}; name={GROUP}
    {PRIMARY} | 0 | ag_names | kind=replica; id={IDS[REPLICA]}; name=SQL_2
    {PRIMARY} | 45 | waits | wait_type=HADR_SYNC_COMMIT; seconds=30; waiting_tasks=600; wait_ms=99000
"""


def texts(finding: Finding) -> Iterator[str]:
    yield from (finding.title, finding.narrative, finding.recommendation, *finding.subject.values())
    for each in finding.evidence:
        yield from (each.label, each.unit, each.source, str(each.value))


def escaped(findings: list[Finding]) -> list[str]:
    return [text for finding in findings for text in texts(finding) if ESCAPED.search(text)]


def hostile() -> list[Finding]:
    """Find all there is in a case whose database and group have names full of marks."""
    rows = perfmon(SLOW, CEILING).replace("(Sales)", f"({DATABASE})").replace("AG:", "A_G*:")
    made = case_of(events(SETTING), case(rows, relations=NAMED))
    return [each for analysis in analyses().values() for each in analysis(made).findings()]


@pytest.mark.complete
def test_no_text_of_a_finding_holds_an_escape():
    found = hostile()
    assert {"commit.latency", "commit.hop", "transport.window_limited"} & {f.id for f in found}
    assert escaped(found) == []
    (hop,) = (f for f in found if f.id == "commit.hop")
    assert_facts(hop, hop="remote harden", share=92.6338, of_hop=True)
    assert DATABASE in json.dumps(hop.to_dict())
    assert DATABASE in cards.text(hop)


@pytest.mark.complete
def test_pages_show_the_names_literally():
    (hop,) = (f for f in hostile() if f.id == "commit.hop")
    odd = Finding("x", "info", f"{GROUP} & more", "-", {}, {}, hop.evidence)
    assert "A_G &lt;b&gt;[x](y) &amp; more" in cards.page([odd])
    assert "A_G &lt;b&gt;[x](y) &amp; more" in running_text(odd.title)


@pytest.mark.complete
@pytest.mark.parametrize("name", [name for name in SAMPLES if name[0] not in "._"])
def test_no_finding_on_a_sample_holds_an_escape(name, sample_store):
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as opened:
        assert escaped(opened.findings()) == []
