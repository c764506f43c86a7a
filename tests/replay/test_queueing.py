"""Queues over whole arrays give what a queue served step by step would hold."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from agtrace.replay.queueing import backlog, chunks, departures, in_order, services


def test_a_queue_holds_what_came_less_what_could_be_carried_since_it_was_empty():
    arrived = np.array([30.0, 40.0, 90.0, 90.0, 100.0, 100.0])
    carried = np.array([0.0, 20.0, 40.0, 60.0, 80.0, 100.0])
    assert backlog(arrived, carried).tolist() == [30.0, 20.0, 50.0, 30.0, 20.0, 0.0]


def test_what_could_be_carried_while_nothing_waited_is_lost():
    arrived = np.array([0.0, 0.0, 0.0, 50.0])
    carried = np.array([0.0, 20.0, 40.0, 60.0])
    assert backlog(arrived, carried).tolist() == [0.0, 0.0, 0.0, 30.0]


def test_a_server_takes_one_block_after_the_other():
    arrivals, took = np.array([0.0, 1.0, 10.0, 10.0]), np.array([5.0, 5.0, 2.0, 2.0])
    assert departures(arrivals, took).tolist() == [5.0, 10.0, 12.0, 14.0]


def test_two_lanes_work_on_two_blocks_at_once():
    arrivals, took = np.array([0.0, 0.0, 0.0, 0.0, 0.0]), np.full(5, 4.0)
    assert departures(arrivals, took, 2).tolist() == [4.0, 4.0, 8.0, 8.0, 12.0]


def test_on_a_way_none_overtakes():
    assert in_order(np.array([0.0, 1.0, 2.0]), np.array([5.0, 1.0, 9.0])).tolist() == [5.0, 5.0, 11.0]


@pytest.mark.parametrize("lanes", [1, 2, 4])
def test_what_servers_took_comes_back_from_when_blocks_came_and_left(lanes):
    rng = np.random.default_rng(3)
    arrivals, took = np.cumsum(rng.exponential(1.0, 400)), rng.exponential(0.9 * lanes, 400)
    left = departures(arrivals, took, lanes)
    again = departures(arrivals, services(arrivals, left, lanes)[0], lanes)
    assert np.abs(again - left).max() < 1e-6


def test_lanes_in_turn_are_close_to_servers_that_take_what_is_next():
    rng = np.random.default_rng(4)
    arrivals, took = np.cumsum(rng.exponential(1.0, 4000)), rng.exponential(1.2, 4000)
    free, last, left = [0.0, 0.0], 0.0, []
    for at, work in zip(arrivals.tolist(), took.tolist(), strict=True):
        done = max(heapq.heappop(free), at) + work
        heapq.heappush(free, done)
        last = max(last, done)
        left.append(last)
    waits = [np.mean(np.array(each) - arrivals) for each in (departures(arrivals, took, 2), left)]
    assert waits[0] == pytest.approx(waits[1], rel=0.4)
    assert waits[0] >= waits[1]


def test_what_is_drawn_comes_from_near_and_in_stretches():
    places = chunks(1000, 40, 50, np.random.default_rng(1))
    assert np.abs(places - np.arange(1000)).max() <= 50
    assert (np.abs(np.diff(places)) == 1).mean() > 0.95
    assert 0 <= places.min() <= places.max() <= 999
