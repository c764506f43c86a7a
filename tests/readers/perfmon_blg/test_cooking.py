"""Binary logs: from raw values to what Windows shows, sample by sample."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulation.formats.blg_blocks import (
    AVERAGE_BASE,
    AVERAGE_BULK,
    AVERAGE_TIMER,
    BULK_RATE,
    ELAPSED_TIME,
    FRACTION,
    FRACTION_BASE,
    LARGE_RAWCOUNT,
    MULTI_BASE,
    MULTI_TIMER_100NS,
    PRECISION_100NS,
    RATE,
    TIMER_100NS,
    TIMER_100NS_INVERSE,
    WHOLE,
    Definition,
    Instance,
    Item,
    Many,
    Objects,
    One,
    PerfObject,
)
from tests.folded import folded
from tests.readers.perfmon_blg.blg_logs import SECOND, kinds, log_of, read, values

ITEM = Item("O", "C", RATE)
PATH = r"\\HOST\O\C"


def cooked(type_: int, *raw: tuple[int, int] | One, time_base: int = SECOND) -> dict[int, float]:
    """Cook a counter that says (first, second) in each sample."""
    rows = [[one if isinstance(one, One) else One(*one)] for one in raw]
    return values(read(log_of([replace(ITEM, type=type_, time_base=time_base)], rows)))[PATH]


@folded(
    ("type_", "expected"),
    [
        (RATE, {1: 25 / (3 * SECOND / SECOND)}),
        (AVERAGE_BULK, {1: 25 / (3 * SECOND)}),
        (AVERAGE_TIMER, {1: 25 / SECOND / (3 * SECOND)}),
        (TIMER_100NS, {1: 100 * (25 / (3 * SECOND))}),
        (TIMER_100NS_INVERSE, {1: 100 * (1 - 25 / (3 * SECOND))}),
        (PRECISION_100NS, {1: 100 * (25 / (3 * SECOND))}),
        (LARGE_RAWCOUNT, {0: 5, 1: 30}),
        (FRACTION, {0: 100 * (5 / SECOND), 1: 100 * (30 / (4 * SECOND))}),
        (ELAPSED_TIME, {0: (SECOND - 5) / SECOND, 1: (4 * SECOND - 30) / SECOND}),
        (MULTI_TIMER_100NS, {1: 100 * (25 / (3 * SECOND)) / 1}),
    ],
)
def test_changes_need_two_samples_and_states_do_not(type_, expected):
    assert cooked(type_, (5, SECOND), (30, 4 * SECOND)) == expected


def test_whole_objects_bring_their_base_and_their_clock():
    definitions = (
        Definition(1, AVERAGE_TIMER, 8),
        Definition(2, AVERAGE_BASE, 4),
        Definition(3, FRACTION, 4),
        Definition(4, FRACTION_BASE, 4),
        Definition(5, RATE, 4),
        Definition(6, ELAPSED_TIME, 8),
        Definition(7, MULTI_TIMER_100NS, 8),
        Definition(8, MULTI_BASE, 4),
    )

    def row(average, base, part, whole, count, since, busy, cores, time):
        data = [average, base, part, whole, count, since, busy, cores]
        one = PerfObject(100, definitions, None, data, time=time, frequency=1000)
        return [Objects([one], perf_time=7 * time, perf_frequency=3_579_545)]

    names = {100: "O", 1: "Average", 3: "Fraction", 5: "Rate", 6: "Elapsed", 7: "Multi"}
    rows = [row(2**33, 10, 1, 4, 100, 500, 0, 4, 1000), row(2**33 + 99, 13, 3, 4, 160, 500, SECOND, 4, 3000)]
    tables = read(log_of([Item("O", "*", WHOLE)], rows, names))
    assert values(tables) == {
        r"\\HOST\O\Average": {1: 99 / 3_579_545 / 3},
        r"\\HOST\O\Fraction": {0: 25, 1: 75},
        r"\\HOST\O\Rate": {1: 60 / (7 * 2000 / 3_579_545)},
        r"\\HOST\O\Elapsed": {0: (1000 - 500) / 1000, 1: (3000 - 500) / 1000},
        # A second of one core in a second of four.
        r"\\HOST\O\Multi": {1: 25},
    }
    assert kinds(tables) == {"assumed_multi_timer": 1}


def test_a_base_that_does_not_follow_leaves_its_fraction_out():
    definitions = (Definition(3, FRACTION, 4), Definition(5, LARGE_RAWCOUNT, 8))
    one = PerfObject(100, definitions, None, [1, 2])
    names = {100: "O", 3: "Fraction", 5: "Count"}
    tables = read(log_of([Item("O", "*", WHOLE)], [[Objects([one])]], names))
    assert values(tables) == {r"\\HOST\O\Count": {0: 2}}
    assert kinds(tables) == {"no_base": 1}


def test_a_counter_that_falls_is_missing_once():
    assert cooked(BULK_RATE, (9, 0), (5, SECOND), (6, 2 * SECOND)) == {2: 1}


def test_a_wrap_at_32_bits_is_missing_too():
    assert cooked(RATE, (2**32 - 1, 0), (1, SECOND), (2, 2 * SECOND)) == {2: 1}


def test_time_that_stands_still_or_runs_back_gives_no_rate():
    assert cooked(BULK_RATE, (1, 5), (2, 5), (3, 4), (4, 4 + SECOND)) == {3: 1}


def test_an_idle_processor_is_at_zero_and_not_below():
    more_idle_than_time = SECOND + SECOND // 50
    assert cooked(TIMER_100NS_INVERSE, (0, 0), (more_idle_than_time, SECOND)) == {1: 0}


def test_a_disk_can_be_busier_than_a_hundred_percent():
    assert cooked(TIMER_100NS, (0, 0), (4 * SECOND, SECOND)) == {1: 400}


@pytest.mark.parametrize(
    ("type_", "expected", "told"),
    [
        (AVERAGE_TIMER, {1: 0}, {}),
        (AVERAGE_BULK, {1: 0}, {}),
        (PRECISION_100NS, {1: 0}, {"assumed_zero_base": 1}),
        (FRACTION, {0: 0, 1: 0}, {"assumed_zero_base": 2}),
        (BULK_RATE, {}, {}),
    ],
)
def test_zero_denominators(type_, expected, told):
    tables = read(log_of([replace(ITEM, type=type_)], [[One(0, 0)], [One(0, 0)]]))
    assert values(tables)[PATH] == expected
    assert kinds(tables) == told


def test_no_valid_data_no_value_and_no_rate_after_it():
    no_machine = One(0, 0, status=0x800007D0)
    rows = [[One(0, 0)], [no_machine], [One(5, 2 * SECOND)], [One(7, 3 * SECOND)]]
    tables = read(log_of([replace(ITEM, type=BULK_RATE)], rows))
    assert values(tables)[PATH] == {3: 2}
    assert kinds(tables) == {"invalid_status": 1, "assumed_after_invalid": 1}
    # PDH_CSTATUS_NEW_DATA is valid.
    assert cooked(LARGE_RAWCOUNT, One(1, status=1), One(2, status=2)) == {0: 1}


def test_an_instance_that_was_away_begins_anew():
    rows = [
        [Many([("a", 0, 0)])],
        [Many([("a", 5, SECOND), ("b", 3, SECOND)])],
        [Many([("b", 4, 2 * SECOND)])],
        [Many([("a", 9, 3 * SECOND), ("b", 6, 3 * SECOND)])],
        [Many([("a", 9, 4 * SECOND)])],
    ]
    tables = read(log_of([replace(ITEM, type=BULK_RATE, instance="*")], rows))
    assert values(tables) == {r"\\HOST\O(a)\C": {1: 5, 4: 0}, r"\\HOST\O(b)\C": {2: 1, 3: 2}}
    assert kinds(tables) == {"assumed_first_appearance": 2}


def test_the_change_is_taken_across_two_processes_when_numbers_move_up():
    definitions = (Definition(1, BULK_RATE, 8),)
    names = {100: "Process", 1: "IO"}

    def row(n, *bytes_):
        found = [Instance("svchost", [value]) for value in bytes_]
        return [Objects([PerfObject(100, definitions, found)], n * SECOND, SECOND)]

    rows = [row(0, 10, 50, 1000), row(1, 12, 1500), row(2, 14, 1600)]
    tables = read(log_of([Item("Process", "*", WHOLE, "*")], rows, names))
    assert values(tables) == {
        r"\\HOST\Process(svchost)\IO": {1: 2, 2: 2},
        r"\\HOST\Process(svchost#1)\IO": {1: 1450, 2: 100},
        r"\\HOST\Process(svchost#2)\IO": {},
    }
