"""The story of an incident: cause first, its impact, what is not known, and which one is opened."""

from __future__ import annotations

from agtrace.diagnostics.health import failed_over, groups, story, summary
from agtrace.diagnostics.health.analysis import SAID
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import failover, told

LIMITS = Thresholds()


def stories(case):
    doubled = groups.two_primaries(case, LIMITS)
    judged = [*failed_over.failovers(case, LIMITS, doubled), *groups.no_primary(case, LIMITS), *doubled]
    return story.stories(case, judged)


def shown(case, opened=0):
    found = stories(case)
    return summary.incidents(found, found[opened], SAID)


def test_of_several_failovers_a_table_links_to_each():
    rows = [failover(n * 1000, n * 1000 + 8, failover_id=n, reasons=[]) for n in (1, 2, 3)]
    found = shown(told(rows), opened=1)
    assert [(each.key, each.away) for each in found.moved] == [
        ("failover-1", "8 s"), ("failover-2", "8 s"), ("failover-3", "8 s"),
    ]  # fmt: skip
    assert (found.opened, [each.key for each in found.rest]) == ("failover-2", ["failover-1", "failover-3"])
