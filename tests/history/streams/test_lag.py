"""Whether a queue fills, drains or freezes."""

from __future__ import annotations

import numpy as np
import pytest

from agtrace.history.streams.lag import frozen, lag
from agtrace.thresholds import Thresholds

LIMITS = Thresholds()
NAN = np.nan

TIMES = 5.0 * np.arange(120)
RATE = np.full(120, 1e6)


def filled(queue, leaving=RATE):
    return lag(TIMES, np.asarray(queue, float), leaving, LIMITS.behind_s, LIMITS)


def test_a_growing_queue():
    found = filled(np.linspace(0, 360e6, 120), np.full(120, 4e5))
    assert found.growing
    assert found.open_end
    assert found.slope.value == pytest.approx(360e6 / 595)
    assert found.share == pytest.approx(0.602, abs=0.001)


def test_blank_cells_do_not_drain_a_queue():
    queue = np.linspace(0, 360e6, 120)
    queue[30:80] = NAN
    assert filled(queue, np.full(120, 4e5)).first < 30


def test_a_drained_queue_does_not_grow():
    up, down = np.linspace(0, 2e8, 60), np.linspace(2e8, 0, 60)
    found = filled(np.concatenate([up, down]))
    assert not found.growing


@pytest.mark.parametrize(
    "queue",
    [
        np.zeros(120),
        np.full(120, 5e6),  # 5 s of log
        np.r_[np.zeros(40), np.full(59, 9e7), np.zeros(21)],  # filled for less than five minutes
        np.full(120, NAN),
    ],
)
def test_no_lag(queue):
    assert filled(queue) is None


def still(queue, received):
    return frozen(TIMES, np.asarray(queue, float), np.asarray(received, float), LIMITS)


def test_frozen_while_nothing_arrives():
    received = np.r_[np.full(50, 9.0), np.zeros(70)]
    assert still(np.r_[np.arange(50), np.full(70, 50)], received) == (50, 120)


def test_two_levels_are_two_stretches():
    assert still(np.r_[np.full(50, 1), np.full(70, 2)], np.zeros(120)) == (50, 120)


def test_blank_cells_do_not_thaw():
    queue = np.full(120, 7.0)
    queue[20:90:3] = NAN
    assert still(queue, np.zeros(120)) == (0, 120)


def test_not_frozen():
    assert still(np.full(120, 7.0), np.full(120, 9.0)) is None  # log arrives
    assert still(np.arange(120), np.zeros(120)) is None  # it moves
    assert still(np.r_[np.arange(100), np.full(20, 100)], np.zeros(120)) is None  # 100 s
    assert frozen(TIMES, np.full(120, 7.0), None, LIMITS) is None
