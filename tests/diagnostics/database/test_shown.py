"""Logs that a look shows as nearly full, and logs of very many virtual log files."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.database import Databases
from tests.diagnostics.tiny import case

LOOK = "A | {} | databases | database=Sales; {}"


def found(*rows):
    judged = Databases(case(relations="\n".join(rows))).findings()
    return [(one.id, one.severity, one.evidence[0].value) for one in judged]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("log_used_percent=80", [("database.log_full", "warning", 80.0)]),
        ("log_used_percent=79.9", []),
        ("vlf_count=10000", [("database.recovery", "notice", 10_000)]),
        ("vlf_count=9999", []),
        ("log_reuse_wait=AVAILABILITY_REPLICA", []),
    ],
)
def test_what_a_look_shows_is_judged_by_its_threshold(shown, expected):
    assert found(LOOK.format(60, shown)) == expected


def test_the_last_look_counts_and_a_look_without_a_time_only_alone():
    full, empty = "log_used_percent=99", "log_used_percent=1"
    assert found(LOOK.format(60, full), LOOK.format(90, empty)) == []
    assert found(LOOK.format(60, empty), LOOK.format("-", full)) == []
    assert found(LOOK.format("-", full)) == [("database.log_full", "warning", 99.0)]


def test_system_databases_are_left_out():
    assert found("A | 60 | databases | database=tempdb; log_used_percent=99") == []
