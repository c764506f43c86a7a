"""What is said of failovers, and of groups that move together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import failed_over
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts
from tests.diagnostics.health.cases import at, event, failover, findings, told

LIMITS = Thresholds()


@pytest.mark.parametrize(
    ("mode", "seconds", "severity"),
    [
        ("planned", 3, "info"),
        ("planned", 61, "notice"),
        ("automatic", 3, "warning"),
        ("automatic", 61, "critical"),
        ("forced", 3, "critical"),
        ("open", 3, "warning"),
    ],
)
def test_severity_follows_mode_and_length(mode, seconds, severity):
    row = failover(100, 100 + seconds, mode=mode)
    assert failed_over.severity(row, LIMITS) == severity


def test_a_statement_that_may_have_been_forced_says_so_and_is_no_warning():
    asked = {"mode": "open", "trigger": "ddl_failover", "cause": "ddl_failover", "confidence": 0.5}
    (found,) = findings(failed_over.failovers, told([failover(100, 103, **asked)]), LIMITS)
    assert found.severity == "notice"
    assert_facts(found, mode="open", trigger="ddl_failover", root="either", groups=["AG"])
    (found,) = findings(failed_over.failovers, told([failover(100, 161, **asked)]), LIMITS)
    assert found.severity == "warning"


def together(rows):
    incident = {
        "incident_id": 1,
        "start": at(90),
        "end": at(200),
        "ags": ["G1", "G2"],
        "hosts": ["A", "B"],
        "kind": "failover",
        "failovers": [row["failover_id"] for row in rows],
        "parts_n": 2,
        "parts": [],
    }
    return replace(told(rows), incidents=(incident,))


@pytest.mark.parametrize(
    ("seconds", "host", "told_of"),
    [(-500, "A", "a restart"), (-501, "A", ""), (60, "B", ""), (103, "A", "a restart"), (104, "A", "")],
)
def test_a_request_to_shut_the_old_primary_down_is_named(seconds, host, told_of):
    asked = event(seconds, host, "shutdown_asked", text="a restart")
    row = failover(100, 103)
    assert failed_over.restarted(row, told([row], [asked])) == told_of
