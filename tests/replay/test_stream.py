"""A stream whose queue can be worked out by hand."""

from __future__ import annotations

import time

import numpy as np
import pytest

from agtrace.replay import limits as hops
from agtrace.replay.change import Change
from agtrace.replay.limits import Beside
from agtrace.replay.load import Load
from agtrace.replay.stream import streamed
from agtrace.thresholds import Thresholds

LIMITS = Thresholds()
MB = 1e6


def load(*, generated: float, carried: float, first: float = 0.0, seconds: int = 1200, packed: float = 1.0):
    """Return a stream that generates and carries so many MB/s of log, a sample every 5 s."""
    times = np.arange(0.0, seconds + 1, 5.0)
    came = generated * MB * times
    queue = np.maximum(first * MB + came - carried * MB * times, 0.0)
    received = first * MB + came - queue
    return Load(times, came, received, packed * received, queue, (), True)


def after(stream, change, **beside):
    return streamed(stream, Beside(**beside), change, LIMITS)


def test_a_replay_gives_back_what_was():
    found = after(load(generated=2, carried=1.5), Change())
    assert found.captured.send_queue_end_bytes == pytest.approx(600 * MB)
    assert found.replayed.send_queue_end_bytes == pytest.approx(600 * MB, rel=0.001)
    assert max(found.errors.values()) < 0.001


def test_twice_the_path_holds_no_queue_and_still_ends_at_three():
    told = after(load(generated=2, carried=1.5), Change(capacity=2.0), limit=hops.NETWORK).after
    assert told["send_queue_p95_bytes"] < MB
    assert told["caught_up_s"] == 0
    assert told["caught_up_from_end_s"] == pytest.approx(600)  # 600 MB at 3 - 2 MB/s
    assert (told["next_limit"], told["carries_bytes_per_s"]) == ("network", pytest.approx(3 * MB))


def test_what_waited_at_the_begin_is_gone_at_the_rate_that_is_left():
    stream = load(generated=2, carried=1.9, first=300)
    told = after(stream, Change(capacity=2.0), limit=hops.NETWORK).after
    assert told["caught_up_s"] == pytest.approx(298 / 1.8, rel=0.02)
    assert told["received_bytes_per_s"] == pytest.approx((2 * 1200 + 300) * MB / 1200, rel=0.01)


def test_a_path_that_stays_too_slow_never_catches_up():
    told = after(load(generated=2, carried=1, first=100), Change(capacity=1.5), limit=hops.NETWORK).after
    assert told["caught_up_s"] is None
    assert told["send_queue_end_bytes"] == pytest.approx((100 + 0.5 * 1200) * MB, rel=0.01)


def test_more_load_fills_the_queue_by_what_is_more():
    told = after(load(generated=2, carried=1.5), Change(load=1.5), limit=hops.NETWORK).after
    assert told["send_queue_end_bytes"] == pytest.approx(1.5 * 1200 * MB, rel=0.01)


def test_what_a_byte_takes_on_the_wire_counts_against_the_path():
    # A third of each byte goes over the wire: 0.5 MB/s there, and a copy of 2 MB/s carries 6 of log.
    stream = load(generated=2, carried=1.5, packed=1 / 3)
    found = after(stream, Change(window="scaled"), limit=hops.WINDOW, copy=2 * MB)
    assert found.after["carries_bytes_per_s"] == pytest.approx(6 * MB)
    assert "copy" in found.assumes


def test_half_the_round_trip_carries_twice_as_much_through_a_window():
    stream = load(generated=2, carried=1.3107)
    beside = {"limit": hops.WINDOW, "round_trip": 0.05, "window": 65_535.0}
    told = after(stream, Change(rtt_ms=25.0), **beside).after
    assert told["carries_bytes_per_s"] == pytest.approx(2.6214 * MB, rel=0.01)
    assert after(stream, Change(rtt_ms=100.0), **beside).after["carries_bytes_per_s"] == pytest.approx(
        0.65535 * MB, rel=0.01
    )


def test_without_a_copy_nobody_knows_what_a_scaled_window_carries():
    found = after(load(generated=2, carried=1.5), Change(window="scaled"), limit=hops.WINDOW)
    assert (found.after, found.whys) == ({}, ["no_copy"])


def test_a_better_path_does_not_help_a_slow_disk():
    found = after(load(generated=2, carried=1.5), Change(capacity=4.0), limit=hops.DISK)
    assert found.after["send_queue_end_bytes"] == pytest.approx(600 * MB, rel=0.01)
    assert "other_hop_limits" in found.assumes


def test_a_path_that_was_never_full_promises_nothing_of_more_load():
    found = after(load(generated=1, carried=5), Change(load=3.0))
    assert (found.after, found.whys) == ({}, ["path_not_seen"])


def test_a_copy_tells_where_a_path_ends_that_was_never_full():
    told = after(load(generated=1, carried=5), Change(load=3.0), copy=2 * MB).after
    assert told["send_queue_end_bytes"] == pytest.approx(1200 * MB, rel=0.01)
    assert told["next_limit"] == "network"


def test_a_queue_that_the_load_does_not_explain_carries_no_estimate():
    stream = load(generated=2, carried=1.5)
    odd = Load(stream.times, stream.generated, stream.received, stream.wire, stream.queue * 1.5, (), True)
    found = after(odd, Change(capacity=2.0), limit=hops.NETWORK)
    assert (found.after, found.whys) == ({}, ["queue_differs"])


def test_flow_control_is_the_next_limit_of_small_messages_over_a_long_way():
    found = after(
        load(generated=2, carried=1.5), Change(capacity=100.0), limit=hops.NETWORK, round_trip=0.1,
        message_bytes=1000.0, has_larger_gates=False,
    )  # fmt: skip
    # 1,792 messages of 1,000 B in each round trip of 0.1 s.
    assert found.after["next_limit"] == "flow control"
    assert found.after["carries_bytes_per_s"] == pytest.approx(17.92 * MB)


def test_a_day_of_ten_databases_takes_two_seconds():
    times = np.arange(0.0, 86_400.0, 5.0)
    came = 2 * MB * times
    queue = np.maximum(0.2 * MB * times - 1e9, 0)
    stream = Load(times, came, came - queue, came - queue, queue, (), True)
    began = time.process_time()
    streamed(stream, Beside(limit=hops.NETWORK), Change(capacity=2.0), LIMITS)
    assert time.process_time() - began < 2
