"""Readers that wait until a secondary has row versions, at a look at its requests."""

from __future__ import annotations

from agtrace.diagnostics.readable import Readable
from tests.diagnostics.tiny import case

WAIT = "HADR_DATABASE_WAIT_FOR_TRANSITION_TO_VERSIONING"
ROW = f"A | 5 | hadr_requests | session_id=61; database=Ost; command=SELECT; wait_type={WAIT}; wait_ms={{}}"


def test_readers_that_wait_for_versions_are_told_with_the_remedy_on_the_primary():
    rows = "\n".join(ROW.format(ms) for ms in (845_000, 745_000))
    analysis = Readable(case(relations=rows))
    assert analysis.missing() == []
    (one,) = analysis.findings()
    assert (one.severity, one.subject) == ("warning", {"host": "A", "kind": "versioning"})
    assert [(each.value, each.unit) for each in one.evidence] == [(2, "requests"), (845, "s")]
    assert "On the primary, find the oldest transactions: `SELECT s.session_id" in one.recommendation


def test_output_without_a_host_and_a_time_is_told_all_the_same():
    (one,) = Readable(case(relations=ROW.format(1000).replace("A | 5", "@x | -"))).findings()
    assert (one.subject, one.window) == ({"kind": "versioning"}, {})
