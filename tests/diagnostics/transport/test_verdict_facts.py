"""What the words of a verdict may name: each fact where it was seen, and none where it was not."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.transport.verdict_facts import _loss, judged
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.links import Link
from agtrace.measure.gapped import Spread
from agtrace.measure.machines import Lost
from tests.diagnostics.transport.made import both, link, primary, secondary, verdict
from tests.diagnostics.transport.made_signs import signs
from tests.folded import folded


def facts(of: Link, beside: StreamFacts | None = None, *parts: Any, **more: Any) -> dict[str, Any]:
    return dict(judged(verdict(of, beside, *parts, **more)).facts)


def of(found: dict[str, Any], *names: str) -> list[Any]:
    return [found[name] for name in names]


# Who sends to whom, and what moved.


@pytest.mark.parametrize(
    ("stream", "side", "primary_name"),
    [
        (both(), "both", "P"), (link(primary(), None), "primary", "P"),
        (link(None, secondary()), "replica", "P"),
        (link(None, secondary(), primary_name=""), "replica", "the primary"),
    ],
)  # fmt: skip
def test_the_sides_that_were_captured_are_told(stream, side, primary_name):
    assert of(facts(stream), "side", "primary") == [side, primary_name]


def test_rates_are_means_over_the_rows_of_each_side():
    here = {"flushed": [2.0] * 30 + [4.0] * 30, "sent": [1.0] * 30 + [3.0] * 30, "transport": 9}
    there = {"received": [5.0] * 30 + [7.0] * 30, "redone": [6.0] * 30 + [8.0] * 30}
    found = facts(both(here, there), rows=slice(30, 60))
    assert of(found, "flushed", "sent", "sent_as", "received", "redone") == [4, 3, "log", 7, 8]


@pytest.mark.parametrize(
    ("stream", "is_unseen"),
    [(both(), False), (both({"flushed": None}), True), (link(None, secondary()), False)],
)
def test_log_that_a_captured_primary_did_not_count_is_unseen(stream, is_unseen):
    assert facts(stream)["flushed_unseen"] == is_unseen


# What an unscaled window and the loss let through.


def rate(mean: float, *, steady: bool = False) -> Spread:
    return Spread(20, mean, mean, mean, mean if steady else 2 * mean, 2 * mean)


def lost(windows: float) -> Lost:
    """Return the losses that let so many unscaled windows through in each round trip."""
    return Lost((1.22 * 1460 / 65_535 / windows) ** 2, 1, 20, "perfmon")


FITS = ["the stream to the replica"]
TRIP = 0.065535
"""One window carries 1 MB/s in this round trip."""


@folded(
    ("more", "met", "is_close"),
    [
        ({"round_trip": TRIP}, None, None),
        ({"lost": lost(0.5)}, None, None),
        ({"lost": lost(0.5), "tuning": "disabled"}, "loss", False),
        ({"lost": lost(2), "tuning": "disabled"}, "window", False),
        # The lower of the two is met where it holds the stream back, else what the stream is like decides.
        ({"lost": lost(0.5), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(5e5)}, "loss", False),
        ({"lost": lost(0.9), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(9e5)}, "loss", True),
        (
            {"lost": lost(9), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(1e6, steady=True),
             "fits": FITS}, "window", False,
        ),
        (
            {"lost": lost(1.2), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(1e6, steady=True),
             "fits": FITS}, "window", True,
        ),
        ({"lost": lost(9), "round_trip": TRIP, "ceiling": rate(9e6)}, "near", False),
        ({"lost": lost(1.2), "round_trip": TRIP, "ceiling": rate(1.2e6)}, "near", False),
        ({"lost": lost(1.5), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(1.6e6)},
         "near", False),
        ({"lost": lost(1), "round_trip": TRIP, "ceiling": rate(3.1e6)}, "exceeded", False),
        ({"lost": lost(1), "round_trip": TRIP, "ceiling": rate(3.2e5)}, "far", False),
        ({"lost": lost(0.5), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(1e5)},
         "far_from_both", False),
        ({"lost": lost(9), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(1e5)},
         "far_from_both", False),
        ({"lost": lost(0.5), "tuning": "disabled", "round_trip": TRIP, "ceiling": rate(2e6)},
         "exceeded", False),
        ({"lost": lost(1), "round_trip": TRIP, "ceiling": None}, "far", False),
    ],
)  # fmt: skip
def test_loss_is_weighed_against_the_stream_and_an_unscaled_window(more, met, is_close):
    found = _loss(signs(**more))
    assert (found and (found["met"], found["is_close"])) == (met and (met, is_close))


def test_what_loss_lets_through_is_told_in_windows_and_in_bytes():
    found = _loss(signs(lost=lost(2), round_trip=TRIP))
    assert found is not None
    assert (found["windows"], found["bytes_per_s"]) == (pytest.approx(2), pytest.approx(2e6))
    assert found["share"] == lost(2).share
