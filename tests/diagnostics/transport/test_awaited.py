"""Commits that wait for a replica's log, disks and links that do or do not hold it back."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.transport import costs, verdict_facts
from agtrace.diagnostics.transport.commit import CommitDelay
from agtrace.diagnostics.transport.verdict import FULL_CARD, REDO_LIMITED
from agtrace.measure.machines import Card, Disk
from tests.diagnostics.transport.made_shown import (
    ALL,
    LIMITS,
    both,
    link,
    primary,
    secondary,
    signs,
    spread,
    verdict,
)
from tests.diagnostics.transport.test_costs import loss


def delay(p95_ms):
    here = primary()
    group = link(here, secondary(), ag="AG").group
    return CommitDelay(group, here, ALL, p95_ms / 2, spread(p95_ms / 2), {}, 50.0, [], None)


@pytest.mark.parametrize(("p95_ms", "severity"), [(60_000, "critical"), (59_998, "notice"), (10, "info")])
def test_commits_that_wait_for_a_minute_are_critical(p95_ms, severity):
    assert costs.of_commit(delay(p95_ms), {}, LIMITS).severity == severity


def test_a_commit_that_waits_behind_a_queue_is_told_with_it():
    judged = costs.of_commit(delay(60_000), {}, LIMITS, {"S": 16e9})
    assert judged.facts["queued"] == [{"replica": "S", "bytes": 16e9}]


@pytest.mark.parametrize(
    ("p95_ms", "said", "severity"),
    [
        (150_000, "rpo.awaited", "notice"),
        (149_000, "rpo.counted", "warning"),
        (None, "rpo.counted", "warning"),
    ],
)
def test_log_that_commits_wait_for_is_no_loss_of_acknowledged_commits(p95_ms, said, severity):
    awaited = None if p95_ms is None else delay(p95_ms)
    judged = costs.of_loss(both(), [loss(300.0, grows=1.0)], LIMITS, (), awaited)
    assert (judged.said, judged.severity) == (said, severity)


@pytest.mark.parametrize(
    ("disk", "is_fast"),
    [
        (Disk("D:", 20.0, 20.0, 50.0), True),
        (Disk("D:", 20.1, 1.0, 10.0), False),
        (Disk("D:", 1.0, 1.0, 51.0), False),
        (Disk("D:", 1.0, None, None), True),
    ],
)
def test_disks_that_are_fast_and_idle_do_not_hold_redo_back(disk, is_fast):
    assert verdict_facts._disks(verdict(both(), REDO_LIMITED, disks=(disk,)))["is_fast"] is is_fast


@pytest.mark.parametrize(
    ("card", "found"),
    [
        (Card("P", 12e6, 12.5e6, "N", 125e6), {"is_slow": True, "fastest": 125e6}),
        (Card("P", 120e6, 125e6, "N"), {"is_slow": False, "fastest": None}),
    ],
)
def test_how_a_card_is_linked(card, found):
    linked = verdict_facts._linked(verdict(both(), FULL_CARD, signs=signs(cards=[card])))
    assert {name: linked[name] for name in found} == found
