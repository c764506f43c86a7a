"""Starts of instances, and what all starts of an instance agree on."""

from __future__ import annotations

import pytest

from tests.diagnostics.tiny import START, case

FIRST = """
A | startup | 0 | product_version | 15.0.1 | 0
A | startup | 0 | memory_mb       | 64     | 0
A | startup | 0 | system_model    | Virtual Machine | 0
"""
SECOND = "A | startup | 1 | product_version | 15.0.2 | 60"
SHOWN = "select version, only_version, memory_mb from server_versions"


def test_a_start_has_what_its_log_says_of_it():
    (row,) = case(facts=FIRST).rows(
        "select host_id, version, memory_mb, machine_model, edition, time_local from server_starts"
    )
    assert tuple(row.values()) == ("A", "15.0.1", 64, "Virtual Machine", None, START)


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        (FIRST, ("15.0.1", "15.0.1", 64)),
        (FIRST + SECOND, ("15.0.2", None, 64)),
        (FIRST + SECOND + "\nA | startup | 1 | memory_mb | 32 | 60", ("15.0.2", None, None)),
    ],
)
def test_a_version_is_the_last_that_started_and_the_rest_what_all_starts_say(facts, shown):
    assert [tuple(row.values()) for row in case(facts=facts).rows(SHOWN)] == [shown]
