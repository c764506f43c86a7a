"""When redo is behind, and when readers are what holds it up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport import verdict as v
from agtrace.diagnostics.transport.judge import judge
from agtrace.diagnostics.transport.rows import BlockedRedo
from tests.diagnostics.asking import record
from tests.diagnostics.transport.made import MB, N, both, known, lag, part
from tests.diagnostics.transport.test_judge import GROWING, told
from tests.folded import folded


@pytest.mark.parametrize(("queue", "severity"), GROWING)
def test_redo_that_falls_behind_is_critical_where_a_fifth_of_the_log_stays(queue, severity):
    of = both()
    assert told(judge(of, [part(of, redo_lag=queue)], known())) == [("redo_limited", severity, 0.7)]


def test_redo_that_readers_hold_up_is_told_by_itself():
    names = ("a", "b", "c")
    of = both(
        {"flushed": dict.fromkeys(names, MB)},
        {"received": dict.fromkeys(names, MB), "blocked": {"a": 1, "b": 0, "c": 0}},
        databases=names,
    )
    parts = [
        part(of, database="a", redo_lag=lag(5, 30)), part(of, database="b", redo_lag=lag(20, 60)),
        part(of, database="c", redo_lag=lag(10, 40)),
    ]  # fmt: skip
    found = judge(of, parts, known())
    assert [(each.kind.said, each.databases, each.rows, each.confidence) for each in found] == [
        ("redo_blocked", ["a"], slice(5, 30), 0.8), ("redo_limited", ["b", "c"], slice(10, 60), 0.7),
    ]  # fmt: skip


def is_blocked(blocked: Any, redone: Any = MB, rows: tuple[int, int] = (0, N)) -> bool:
    of = both(there={"blocked": blocked, "redone": redone})
    (found,) = judge(of, [part(of, redo_lag=lag(*rows))], known())
    return found.kind is v.REDO_BLOCKED


def at(*places: int, value: float = 1.0, rest: float = 0.0) -> list[float]:
    return [value if place in places else rest for place in range(N)]


@folded(
    ("blocked", "redone", "is_told"),
    [
        (at(3, 9, 20), MB, True),
        (at(3, 9), MB, False),
        (at(3, 9, 20, value=0.5), MB, True),
        # Redo stands still until a block ends: one that is counted at 10 lasts to 12.
        (at(10), at(11, 12, value=0, rest=MB), True),
        (at(10), at(11, value=0, rest=MB), False),
        (at(10), at(12, 13, 14, value=0, rest=MB), False),
        # What stood still before the first block was not blocked, the last sample comes not before the first.
        (at(59), at(0, 1, 2, value=0, rest=MB), False),
        (at(0), at(1, 2, value=0, rest=MB), True),
        (at(3, 9, 20), None, True),
        (None, MB, False),
    ],
)
def test_redo_is_blocked_in_a_share_of_the_samples(blocked, redone, is_told):
    assert is_blocked(blocked, redone) == is_told


def test_only_samples_that_are_known_count_and_those_of_the_time_of_the_queue():
    assert is_blocked([1.0] + [0.0] * 18 + [np.nan] * 41)
    assert not is_blocked([1.0] + [0.0] * 20 + [np.nan] * 39)
    assert not is_blocked(at(3, 9, 20), rows=(30, 60))
    assert not is_blocked([1.0] * 30 + [np.nan] * 30, rows=(30, 60))
    assert is_blocked(at(3), rows=(0, 20))


LOOKED = record(BlockedRedo, host_id="S", at=150.0, waited_s=14.75, database="SALES")


@folded(
    ("changed", "rows", "is_told"),
    [
        ({}, (0, N), True), ({"waited_s": 14.7}, (0, N), False), ({"waited_s": None}, (0, N), False),
        ({"host_id": "P"}, (0, N), False), ({"database": None}, (0, N), True),
        ({"database": "Stock"}, (0, N), False), ({"at": 0.0}, (0, N), True), ({"at": 295.0}, (0, N), True),
        ({"at": -1.0}, (0, N), False), ({"at": 296.0}, (0, N), False),
        ({"waited_s": 10.0}, (20, 60), True), ({"waited_s": 9.9}, (20, 60), False),
        ({"waited_s": 10.0, "at": 99.0}, (20, 60), False),
    ],
)  # fmt: skip
def test_a_look_shows_redo_blocked_for_a_share_of_the_time_and_ten_seconds(changed, rows, is_told):
    of = both()
    (found,) = judge(of, [part(of, redo_lag=lag(*rows))], known(), [LOOKED._replace(**changed)])
    assert (found.kind is v.REDO_BLOCKED) == is_told


def test_a_look_does_not_compare_with_samples_in_local_time():
    of = both()
    assert of.secondary is not None
    of.secondary.is_local = True
    (found,) = judge(of, [part(of, redo_lag=lag())], known(), [LOOKED])
    assert found.kind is v.REDO_LIMITED
