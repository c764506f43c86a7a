"""What a path lets through at most: one unscaled window, or what its losses leave, in each round trip."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from agtrace.history.streams.network_facts import UNSCALED_WINDOW

SEGMENT = 1460
"""Payload of a TCP segment on Ethernet, bytes; no capture tells that of a path."""

MATHIS = 1.22
"""What a lossy path carries is at most ``MATHIS x SEGMENT / (round trip x sqrt(loss))``.

M. Mathis, J. Semke, J. Mahdavi, T. Ott: "The macroscopic behavior of the TCP congestion avoidance
algorithm", Computer Communication Review 27(3), 1997. Loss is taken as the share of segments that
were sent again.
"""

RULE = (
    f"{MATHIS:g} x {SEGMENT:,} B / (round trip x square root of the share of segments sent again), "
    "Mathis et al. 1997"
)


@dataclass(frozen=True)
class Bounds:
    """What holds one connection back, each by itself.

    Parameters
    ----------
    round_trip
        Seconds; None where it was not measured. Then only the two of them compare.
    share
        Segments that were sent again, of all; None where that was not captured.
    """

    round_trip: float | None
    share: float | None

    @property
    def window(self) -> float | None:
        """What an unscaled window would carry, bytes per second."""
        return UNSCALED_WINDOW / self.round_trip if self.round_trip else None

    @property
    def loss(self) -> float | None:
        """What the loss would let through, bytes per second."""
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
