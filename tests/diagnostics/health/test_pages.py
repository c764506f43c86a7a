"""What the page of health says beside the findings: stories, lanes, key figures."""

from __future__ import annotations

from agtrace.diagnostics.health.figures import stays
from tests.diagnostics.health.cases import at, state, told


def test_the_last_role_lasts_for_as_long_as_its_host_was_watched():
    events = [
        state(10, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        state(10, "B", "RESOLVING_NORMAL", "SECONDARY_NORMAL"),
    ]
    one = told(events=events, last=9000, watched={"A": 600, "B": 5})
    assert [(s.host, s.end) for s in stays(one)] == [("A", at(600)), ("B", at(10))]
