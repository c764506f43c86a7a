"""Core-seconds: utilisation times cores times seconds, on hosts with different numbers of cores."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agtrace.measure.processors import Start, counted, known, logged
from agtrace.measure.usage import Window, core_loads, usage
from tests.diagnostics import tiny
from tests.folded import folded

START = tiny.START.replace(tzinfo=UTC)
GB = 10**9


def of_hosts(perfmon, facts="", *, begin=0, end=60, rows=13, zone_unknown=()):
    """Return (cores, core-seconds) of the processors of each host in a window."""
    case = tiny.case(perfmon, facts=facts, rows=rows, zone_unknown=zone_unknown)
    zone = None if zone_unknown else UTC
    first, last = (tiny.START.replace(tzinfo=zone) + timedelta(seconds=s) for s in (begin, end))
    return {
        u.host: (u.cores.count if u.cores else None, u.core_seconds)
        for u in usage(case, [Window(1, first, last)], ("cpu",))
    }


TOTALS = r"""
A | \Processor(_Total)\% Processor Time | 33
B | \Processor(_Total)\% Processor Time | 66
C | \Processor(_Total)\% Processor Time | 66
"""


def test_half_the_cores_at_twice_the_utilisation_are_the_same_work():
    facts = """
    A | startup | 0 | logical_processors | 4 | -100
    B | startup | 0 | logical_processors | 2 | -100
    """
    found = of_hosts(TOTALS, facts)
    assert found["A"] == (4, pytest.approx(0.33 * 4 * 60))
    assert found["B"] == (2, pytest.approx(0.66 * 2 * 60))
    assert found["C"] == (None, None)


def test_core_seconds_per_gb():
    (used,) = usage(
        tiny.case(
            r"A | \Processor(_Total)\% Processor Time | 25",
            facts="A | startup | 0 | logical_processors | 8 | -100",
            rows=13,
        ),
        [Window(1, START, START + timedelta(seconds=60))],
        ("cpu",),
    )
    assert used.core_seconds_per_gb(30 * GB) == pytest.approx(0.25 * 8 * 60 / 30)
    assert used.core_seconds_per_gb(None) is None
    assert used.core_seconds_per_gb(0) is None


def test_instances_of_processor_are_counted_where_no_log_tells():
    perfmon = r"""
    A | \Processor(0)\% Processor Time      | 10
    A | \Processor(1)\% Processor Time      | 30
    A | \Processor(2)\% Processor Time      | 20
    A | \Processor(_Total)\% Processor Time | 20
    """
    assert of_hosts(perfmon) == {"A": (3, pytest.approx(0.2 * 3 * 60))}


def test_those_of_processor_information_count_where_processor_has_a_total_only():
    perfmon = r"""
    A | \Processor(_Total)\% Processor Time               | 20
    A | \Processor Information(0,0)\% Processor Time      | 10
    A | \Processor Information(0,1)\% Processor Time      | 30
    A | \Processor Information(0,_Total)\% Processor Time | 20
    A | \Processor Information(1,0)\% Processor Time      | 10
    A | \Processor Information(1,1)\% Processor Time      | 30
    A | \Processor Information(1,_Total)\% Processor Time | 20
    A | \Processor Information(_Total)\% Processor Time   | 20
    """
    assert of_hosts(perfmon) == {"A": (4, pytest.approx(0.2 * 4 * 60))}


def test_processors_added_before_a_start_count_from_then_on():
    facts = """
    A | startup | 0 | logical_processors | 4 | -100
    A@later | startup | 0 | logical_processors | 8 | 30
    """
    perfmon = r"A | \Processor(_Total)\% Processor Time | 50"
    assert of_hosts(perfmon, facts, begin=0, end=30) == {"A": (4, pytest.approx(60))}
    assert of_hosts(perfmon, facts, begin=30, end=60) == {"A": (8, pytest.approx(120))}


def test_local_time_is_compared_with_local_time():
    facts = "A | startup | 0 | logical_processors | 4 | -100"
    perfmon = r"A | \Processor(_Total)\% Processor Time | 50"
    assert of_hosts(perfmon, facts, zone_unknown=("A",)) == {"A": (4, pytest.approx(120))}


@folded(
    ("means", "n"),
    [
        ({"0": 5.0, "1": 7.0, "_Total": 6.0}, 2),
        ({"0": 6.0, "_Total": 6.0}, 1),
        ({"0": 5.0, "1": 7.0}, None),  # without the total it is not known whether these are all
        ({"0": 5.0, "1": 7.0, "_Total": 40.0}, None),  # nor are they
        ({"0": 5.0, "2": 7.0, "_Total": 6.0}, None),
        ({"one": 6.0, "_Total": 6.0}, None),
        ({"0,0": 6.0, "0,2": 6.0, "_Total": 6.0}, None),
        ({"0,0": 6.0, "1,0": 6.0, "0,_Total": 6.0, "1,_Total": 6.0, "_Total": 6.0}, 2),
        ({"_Total": 6.0}, None),
        ({f"{n}": 6.0 for n in range(2049)} | {"_Total": 6.0}, None),  # more than Windows has
        ({"\u0661": 6.0, "0": 6.0, "_Total": 6.0}, 1),
        ({}, None),
    ],
)
def test_instances_count_where_they_are_all_there_are(means, n):
    assert counted(means) == n


@pytest.mark.parametrize(
    ("log", "count", "said"),
    [
        (4, None, 4), (None, 4, 4), (4, 4, 4), (None, None, None),
        (80, 64, 80),  # Processor lists those of one group
        (4, 8, 8),  # the log is of a start before some were added
    ],
)  # fmt: skip
def test_the_larger_number_is_right(log, count, said):
    found = known(log, count)
    assert (found.count if found else None) == said


def test_without_a_start_before_it_all_starts_must_agree():
    def start(hour, cores):
        return Start("A", datetime(2024, 3, 5, hour, tzinfo=UTC), None, cores, None)

    before = datetime(2024, 3, 5, 1, tzinfo=UTC)
    assert logged([start(2, 4), start(3, 4)], before) == 4
    assert logged([start(2, 4), start(3, 8)], before) is None
    assert logged([start(2, 4), start(3, None)], before) == 4
    assert logged([], before) is None


PER_CORE = r"""
A | \Processor(0)\% Processor Time      | 10
A | \Processor(1)\% Processor Time      | 80
A | \Processor(2)\% Processor Time      | 30
A | \Processor(10)\% Processor Time     | 0
A | \Processor(_Total)\% Processor Time | 30
B | \Processor(_Total)\% Processor Time | 30
"""


def test_the_load_of_each_core_in_order_of_their_numbers():
    case = tiny.case(PER_CORE, rows=13)
    (loads,) = core_loads(case, [Window(1, START, START + timedelta(seconds=60))])
    assert (loads.host, loads.n, loads.busiest) == ("A", 12, "1")
    assert list(loads.means.items()) == [("0", 10), ("1", 80), ("2", 30), ("10", 0)]
    assert loads.evenness == pytest.approx(30 / 80)
