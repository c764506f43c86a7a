"""Every kind of event that the timeline has is known by its name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import agtrace
from agtrace.diagnostics.health.story import WORDED
from agtrace.say.event_marks import CHANGES, FAMILIES
from agtrace.tables.timeline_kinds import KINDS

ROOT = Path(__file__).parents[2]


def test_the_kinds_of_docs_are_those_that_are_known():
    text = (ROOT / "docs" / "store" / "timeline_kinds.md").read_text("utf-8")
    rows = [line for line in text.partition("## Notes")[0].splitlines() if line.startswith("| ")]
    named = {name for row in rows[1:] for name in re.findall(r"`(\w+)`", row)}
    assert named == set(KINDS)


def test_what_is_marked_and_worded_is_known():
    assert sorted({*FAMILIES, *CHANGES, *WORDED} - {*KINDS}) == []


@pytest.mark.complete
@pytest.mark.parametrize(
    "name", ["failover_lease_cpu", "failover_io_stall", "secondary_lost", "log_send_queue"]
)
def test_what_a_sample_tells_is_known(name, sample_store):
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), ingest=False) as case:
        assert sorted(set(case.timeline()["kind"]) - set(KINDS)) == []
