"""Upper bounds of a path: one unscaled window per round trip, or the rate allowed by its losses."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from agtrace.history.streams.network_facts import UNSCALED_WINDOW

SEGMENT = 1460
"""Payload of a TCP segment on Ethernet, bytes; captures do not contain the actual value."""

MATHIS = 1.22
"""A lossy path carries at most ``MATHIS x SEGMENT / (round trip x sqrt(loss))``.

M. Mathis, J. Semke, J. Mahdavi, T. Ott: "The macroscopic behavior of the TCP congestion avoidance algorithm",
Computer Communication Review 27(3), 1997. Loss is the share of retransmitted segments. """

RULE = (
    f"{MATHIS:g} x {SEGMENT:,} B / (round trip x square root of the share of segments sent again), "
    "Mathis et al. 1997"
)


@dataclass(frozen=True)
class Bounds:
    """Limits of one connection, each on its own.

    Parameters
    ----------
    round_trip
        Seconds; None if not measured: then the two limits can only be compared with each other.
    share
        Share of retransmitted segments; None if not captured.
    """

    round_trip: float | None
    share: float | None

    @property
    def window(self) -> float | None:
        """Return the rate of an unscaled window, bytes per second."""
        return UNSCALED_WINDOW / self.round_trip if self.round_trip else None

    @property
    def loss(self) -> float | None:
        """Return the rate allowed by the loss, bytes per second."""
        windows = self.loss_in_windows
        return None if windows is None or self.window is None else windows * self.window

    @property
    def loss_in_windows(self) -> float | None:
        """How many unscaled windows the loss would let through in each round trip, however long that is."""
        return MATHIS * SEGMENT / sqrt(self.share) / UNSCALED_WINDOW if self.share else None

    @property
    def loss_is_lower(self) -> bool:
        """The loss lets through less than an unscaled window does."""
        return self.loss_in_windows is not None and self.loss_in_windows < 1

    def is_close(self, ratio: float) -> bool:
        """Return whether neither of the two is lower than the other by more than a factor."""
        return self.loss_in_windows is not None and 1 / ratio < self.loss_in_windows < ratio
