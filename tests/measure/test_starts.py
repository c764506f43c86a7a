"""What a server was at a moment: taken from its starts, by one rule for all who ask."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agtrace.measure import processors
from agtrace.measure.starts import starts, values
from tests.diagnostics import tiny

EDITIONS = """
A | startup | 0 | edition | Standard Edition | 0
A@later | startup | 0 | edition | Enterprise Edition | 60
A@last | startup | 0 | edition | Developer Edition | 120
"""
MEMORY = """
A | startup | 0 | memory_mb | 8192 | 0
A@later | startup | 0 | memory_mb | 16384 | 60
"""


def moments(*seconds: int):
    return [tiny.START.replace(tzinfo=UTC) + timedelta(seconds=s) for s in seconds]


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ((30,), ["Standard Edition"]),
        ((60,), ["Enterprise Edition"]),
        ((30, 90), ["Standard Edition", "Enterprise Edition"]),
        ((-10,), ["Standard Edition", "Enterprise Edition", "Developer Edition"]),
        ((), ["Standard Edition", "Enterprise Edition", "Developer Edition"]),
    ],
    ids=["before the change", "at it", "on both sides", "before any start", "at no known time"],
)
def test_the_last_start_before_a_moment_tells(at, told):
    known = starts(tiny.case(facts=EDITIONS))["A"]
    assert list(values(known, "edition", moments(*at))) == told


def test_every_start_may_tell_where_it_is_not_known_when_one_was():
    known = starts(tiny.case(facts=EDITIONS, zone_unknown=("A",)))["A"]
    assert len(values(known, "edition", moments(130))) == 3


def test_another_instance_says_nothing_of_this_one_but_of_the_host():
    facts = """
    A | startup | 0 | edition   | Standard Edition | 0
    A | startup | 0 | memory_mb | 8192             | 0
    A@other | startup | 0 | edition   | Enterprise Edition | 60
    A@other | startup | 0 | memory_mb | 16384              | 60
    """
    case = tiny.case(facts=facts)
    case.insert("captures", [{"capture_id": "startup-A@other", "sql_instance": "OTHER"}])
    known = starts(case)["A"]
    assert list(values(known, "edition", moments(90))) == ["Standard Edition", "Enterprise Edition"]
    assert list(values(known, "memory_mb", moments(90))) == ["16384"]


def test_memory_is_that_of_the_moment():
    known = processors.starts(tiny.case(facts=MEMORY))["A"]
    assert processors.installed(known, moments(30)) == [8192]
    assert processors.installed(known, moments(90)) == [16384]
    assert processors.installed(known, moments(30, 90)) == [8192, 16384]
