"""Where the rules of the transport change their answer: just within each bound, and just beyond it."""

from __future__ import annotations

from types import SimpleNamespace as Facts
from typing import Any

import pytest

from agtrace.diagnostics.transport import tables
from agtrace.diagnostics.transport.signs import Signs, is_slow
from agtrace.history.streams.bounds import Bounds
from tests.diagnostics.transport.made import LIMITS
from tests.diagnostics.transport.made_signs import (
    IDLE,
    LINK,
    MB,
    SCALED,
    UNSCALED,
    card,
    lost,
    rate,
    signs,
    write,
)
from tests.folded import folded

# The signs.


@pytest.mark.parametrize(
    ("seen", "is_ceiling"),
    [
        (rate(1.29 * MB), True), (rate(1.3 * MB), False), (rate(n=19), False), (rate(p50=0.0), False),
        (rate(0.5, p50=0.5), True),
        (None, False),
    ],
)  # fmt: skip
def test_a_stream_that_hardly_exceeds_its_median_runs_at_a_ceiling(seen, is_ceiling):
    assert signs(ceiling=seen).is_ceiling == is_ceiling


@pytest.mark.parametrize(
    ("seen", "top"), [(rate(), 1.2 * MB), (rate(0.5), 0.5), (rate(0.0), None), (None, None)]
)
def test_the_top_of_a_stream_is_its_95th_percentile(seen, top):
    assert signs(ceiling=seen).top == top


@folded(
    ("speed", "cards", "is_slow", "is_fast"),
    [
        (0.8 * MB, IDLE, True, False), (0.79 * MB, IDLE, False, False), (5 * MB, IDLE, True, False),
        (5.01 * MB, IDLE, False, False), (5.99 * MB, IDLE, False, False), (6 * MB, IDLE, False, True),
        (MB, [*IDLE, card(0.5)], False, False), (MB, [card(0.49)], True, False), (MB, [], False, False),
        (None, IDLE, False, False),
    ],
)  # fmt: skip
def test_a_copy_is_as_slow_as_the_stream_or_much_faster(speed, cards, is_slow, is_fast):
    found = signs(copy=speed, cards=cards)
    assert (found.copy_slow, found.copy_fast) == (is_slow, is_fast)
    assert found.cards_idle == (None if not cards else cards[-1].share < 0.5)


def test_a_copy_beside_no_stream_is_neither_slow_nor_fast():
    found = signs(ceiling=None, copy=MB, cards=IDLE)
    assert (found.copy_slow, found.copy_fast) == (False, False)


@pytest.mark.parametrize(
    ("more", "may_be"),
    [
        ({}, False), ({"fits": ["Sales"]}, True), ({"fits": ["Sales"], "tuning": "normal"}, False),
        ({"fits": ["Sales"], "handshake": SCALED}, False), ({"handshake": UNSCALED}, True),
        ({"tuning": "disabled"}, True), ({"tuning": "disabled", "handshake": SCALED}, True),
    ],
)  # fmt: skip
def test_a_window_may_be_unscaled_where_it_is_set_so_or_fits_and_nothing_says_that_it_scales(more, may_be):
    assert signs(**more).may_be_unscaled == may_be


def near(share_of_loss: float) -> Signs:
    """Return a stream that runs at a share of the limit that its path's loss sets."""
    bound = Bounds(0.1, 0.0001).loss
    assert bound is not None
    return signs(ceiling=rate(mean=share_of_loss * bound), round_trip=0.1, lost=lost(0.0001))


@pytest.mark.parametrize(("share", "is_near"), [(0.32, False), (0.34, True), (2.99, True), (3.01, False)])
def test_a_stream_runs_near_what_its_loss_lets_through(share, is_near):
    assert near(share).near_loss is is_near
    assert near(share).loss_binds == is_near


@folded(
    ("more", "against"),
    [
        ({"handshake": SCALED}, "handshake"), ({"handshake": UNSCALED}, ""), ({"tuning": "normal"}, "tuning"),
        ({"tuning": "normal", "ceiling": rate(), "fits": ["Sales"], "copy": MB, "cards": IDLE}, ""),
        ({"tuning": "normal", "ceiling": rate(), "fits": ["Sales"]}, "tuning"),
        ({"tuning": "disabled"}, ""), ({"round_trip": 0.1}, "rate"),
        ({"round_trip": 0.1, "fits": ["Sales"]}, ""), ({"lost": lost(0.01)}, "loss"), ({}, ""),
    ],
)  # fmt: skip
def test_what_speaks_against_an_unscaled_window(more, against):
    assert signs(**more).window_against == against


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({"tuning": "disabled"}, ["tuning"]),
        ({"tuning": "disabled", "ceiling": rate()}, ["tuning", "ceiling"]),
        ({"handshake": UNSCALED, "ceiling": rate()}, ["handshake", "ceiling"]),
        ({"fits": ["Sales"], "ceiling": rate()}, ["ceiling", "fits"]),
        ({"ceiling": rate(), "copy": MB, "cards": IDLE}, ["ceiling", "copy"]),
    ],
)
def test_two_signs_show_an_unscaled_window_if_one_is_of_the_window_itself(more, shown):
    found = signs(**more)
    assert found.window == shown
    assert found.is_window == (len(shown) >= 2 and shown != ["ceiling", "copy"])


# Log writes.


@folded(
    ("own", "other", "slow"),
    [
        (write(LIMITS.log_write_ms), None, True),
        (write(LIMITS.log_write_ms - 0.1), None, False),
        (write(LIMITS.log_write_ms, 19), None, False),
        (write(LIMITS.log_write_floor_ms), write(LIMITS.log_write_floor_ms / LIMITS.log_write_ratio), True),
        (write(LIMITS.log_write_floor_ms - 0.1), write(0.1), False),
        (write(LIMITS.log_write_floor_ms), write(0.1, is_log=False), False),
        (write(LIMITS.log_write_floor_ms), write(0.5), True),
        (write(LIMITS.log_write_floor_ms), write(0.0), False),
        (write(LIMITS.log_write_floor_ms), write(LIMITS.log_write_floor_ms), False),
        (None, write(1), False),
    ],
)
def test_log_writes_are_slow_by_themselves_or_against_those_of_the_primary(own, other, slow):
    assert is_slow(own, other, LIMITS) == slow


# The tables.


def path(**more: Any) -> dict[str, Any]:
    known = {"copy": None, "carries": None, "stream": None, "round_trip": None, "unit": "log B/s",
             "handshake": None, "cards": {},
             "link": Facts(**vars(LINK), times=[0.0, 60.0], is_local=False)}  # fmt: skip
    (row,) = tables._path_rows(Facts(**known | more))
    return row


def test_a_path_is_a_row_with_what_was_measured_of_it():
    bare = path()
    assert (bare["start"], bare["end"]) == ("1970-01-01T00:00:00Z", "1970-01-01T00:01:00Z")
    assert (bare["round_trip_ms"], bare["handshake"], "bulk_copy" in bare) == (None, "", False)
    known = path(round_trip=0.1561, copy=MB, stream=rate(), handshake=SCALED, cards={"P": card(0.25)})
    assert (known["round_trip_ms"], known["handshake"]) == (156.1, "window scaled")
    assert (known["bulk_copy"], known["stream_p50"], known["stream_p95"]) == (
        "1.0 MB/s, 8 Mb/s", "1.0 MB/s, 8 Mb/s", "1.2 MB/s, 10 Mb/s"
    )  # fmt: skip
    assert known["card_in_use"] == "250 MB/s, 2.0 Gb/s, 25 %"
    assert path(handshake=UNSCALED)["handshake"] == "window not scaled"
