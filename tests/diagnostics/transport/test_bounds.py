"""Where the rules of the transport change their answer: just within each bound, and just beyond it."""

from __future__ import annotations

from types import SimpleNamespace as Facts
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport import tables
from agtrace.diagnostics.transport import verdict as v
from agtrace.diagnostics.transport.signs import Signs, is_idle, is_saturated, is_slow
from agtrace.history.streams.bounds import MATHIS, RULE, SEGMENT, Bounds
from agtrace.measure.machines import Processors
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

# What a path lets through.


def test_what_loss_lets_through_is_the_rule_of_mathis_with_ethernet_s_segments():
    assert (MATHIS, SEGMENT) == (1.22, 1460)
    assert RULE == (
        "1.22 x 1,460 B / (round trip x square root of the share of segments sent again), Mathis et al. 1997"
    )
    found = Bounds(0.1, 0.0001)
    assert found.window == 655_350
    assert found.loss == pytest.approx(1.22 * 1460 / 0.01 / 0.1)
    assert found.loss_in_windows == pytest.approx(2.718, abs=0.001)


@pytest.mark.parametrize(("round_trip", "share"), [(None, 0.01), (0.1, None), (None, None), (0.0, 0.0)])
def test_what_was_not_measured_bounds_nothing(round_trip, share):
    found = Bounds(round_trip, share)
    assert found.loss is None
    assert (found.window is None) == (not round_trip)
    assert (found.loss_in_windows is None) == (not share)
    assert found.loss_is_lower == bool(share)


def in_windows(windows: float) -> Bounds:
    """Give a loss that lets so many unscaled windows through in each round trip."""
    return Bounds(None, (1.22 * 1460 / 65_535 / windows) ** 2)


@pytest.mark.parametrize(("windows", "is_lower"), [(0.99, True), (1.01, False)])
def test_loss_is_the_lower_bound_below_one_window(windows, is_lower):
    assert in_windows(windows).loss_is_lower == is_lower


@pytest.mark.parametrize(("windows", "is_close"), [(0.66, False), (0.67, True), (1.49, True), (1.51, False)])
def test_two_bounds_are_close_within_their_ratio(windows, is_close):
    assert in_windows(windows).is_close(1.5) == is_close
    assert not Bounds(0.1, None).is_close(1.5)


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
    ("shares", "is_full"), [([0.84], False), ([0.85], True), ([0.1, 0.9], True), ([], False)]
)
def test_a_card_is_full_from_85_percent_on(shares, is_full):
    assert signs(cards=[card(share) for share in shares]).card_full == is_full


@pytest.mark.parametrize(
    ("seen", "is_busy"),
    [(Processors(90, 20, ""), True), (Processors(89.9, 20, ""), False), (Processors(99, 19, ""), False),
     (None, False)],
)  # fmt: skip
def test_processors_are_busy_from_90_percent_on(seen, is_busy):
    assert signs(processors=seen).processors_busy == is_busy


@pytest.mark.parametrize(("reads", "is_read"), [(None, False), (1, False), (1.01, True)])
def test_log_is_read_back_from_disk_by_more_than_one_read_a_second(reads, is_read):
    assert signs(log_reads=reads).reads_log == is_read


@pytest.mark.parametrize(("n", "share"), [(19, None), (20, 0.01)])
def test_loss_counts_in_enough_samples(n, share):
    assert signs(lost=lost(0.01, n)).bounds.share == share
    assert signs().bounds.share is None


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
    """Give a stream that runs at a share of what the loss on its path would let through."""
    bound = Bounds(0.1, 0.0001).loss
    assert bound is not None
    return signs(ceiling=rate(mean=share_of_loss * bound), round_trip=0.1, lost=lost(0.0001))


@pytest.mark.parametrize(("share", "is_near"), [(0.32, False), (0.34, True), (2.99, True), (3.01, False)])
def test_a_stream_runs_near_what_its_loss_lets_through(share, is_near):
    assert near(share).near_loss is is_near
    assert near(share).loss_binds == is_near


@pytest.mark.parametrize(
    ("more", "binds"),
    [
        ({"lost": lost(0.0002)}, True), ({"lost": lost(0.00019)}, False), ({"lost": lost(0.0)}, False),
        ({"lost": lost(0.0002), "tuning": "disabled"}, False),
        ({"lost": lost(0.01), "tuning": "disabled"}, True), ({}, False),
    ],
)  # fmt: skip
def test_loss_holds_a_stream_back_unless_an_unscaled_window_is_lower(more, binds):
    found = signs(**more)
    assert found.near_loss is None
    assert found.loss_binds == binds


@pytest.mark.parametrize(
    ("p50", "p95", "share", "is_unseen"),
    [
        (589_000, 600_000, None, True), (590_000, 600_000, None, False), (590_000, 800_000, None, True),
        (589_000, 600_000, 0.01, False),
    ],
)  # fmt: skip
def test_loss_may_be_unseen_where_a_stream_does_not_stay_at_what_a_window_carries(p50, p95, share, is_unseen):
    seen = None if share is None else lost(share)
    assert signs(ceiling=rate(p95, p50=p50), round_trip=0.1, lost=seen).loss_unseen == is_unseen
    assert not signs(ceiling=None, round_trip=0.1).loss_unseen


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


def test_the_rate_and_the_round_trip_tell_how_many_windows_are_under_way():
    assert signs(ceiling=rate(655_350), round_trip=0.2).under_way == pytest.approx(2)
    assert signs(ceiling=rate(), round_trip=None).under_way is None
    assert signs(ceiling=None, round_trip=0.2).under_way is None


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


def test_a_disk_is_idle_or_saturated_by_the_share_of_time_in_which_it_writes():
    share = LIMITS.log_idle_share
    assert [is_idle(write(9, busy=each), LIMITS) for each in (None, share - 0.01, share)] == [
        False, True, False
    ]  # fmt: skip
    assert [is_saturated(write(9, busy=each), LIMITS) for each in (None, 0.99 - share, 1 - share)] == [
        False, False, True
    ]  # fmt: skip


# What a verdict is about.


def test_a_window_is_told_to_the_second_in_the_clock_of_its_captures():
    assert v.window(np.array([0.0, 5.0, 59.9996]), is_local=False) == {
        "start": "1970-01-01T00:00:00Z", "end": "1970-01-01T00:01:00Z",
    }  # fmt: skip
    assert v.window(np.array([59.996]), is_local=True) == {
        "start": "1970-01-01T00:00:59", "end": "1970-01-01T00:00:59", "local": True,
    }  # fmt: skip
    assert v.window(np.array([]), is_local=False) == {}


@pytest.mark.parametrize(
    ("more", "databases", "subject"),
    [
        ({}, ["Sales", "Stock"], {"replica": "S", "ag": "AG", "host": "HS", "primary": "P"}),
        ({}, ["Sales"], {"replica": "S", "ag": "AG", "host": "HS", "primary": "P", "database": "Sales"}),
        ({}, [], {"replica": "S", "ag": "AG", "host": "HS", "primary": "P"}),
        ({"ag": "", "primary_name": "", "secondary": None}, [], {"replica": "S"}),
    ],
)
def test_databases_are_named_where_it_is_not_about_all_of_them(more, databases, subject):
    assert v.subject(Facts(**vars(LINK) | more), databases) == subject


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


def test_a_setting_that_is_odd_is_marked_and_one_that_nobody_has_is_no_column():
    looks = [
        Facts(
            host="S", path="S/netsh.txt", odd=["autotuning"], values={"autotuning": "disabled", "rss": "on"}
        ),
        Facts(host="P", path="P/netsh.txt", odd=[], values={"autotuning": "normal", "rss": "on"}),
    ]
    found = tables.tcp_settings(looks)
    assert list(found["autotuning"]) == ["disabled (!)", "normal"]
    assert list(found["rss"]) == ["on", "on"]
    assert list(found.columns) == ["host", "odd", "autotuning", "rss", "source"]
