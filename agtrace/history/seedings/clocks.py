"""Times of several hosts on one clock, as far as it is known how their clocks differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

SAME_HOST = timedelta(seconds=2)
OTHER_HOST = timedelta(seconds=10)
"""What the clocks of two hosts may differ by where nothing tells how much they do."""


@dataclass(frozen=True)
class Skews:
    """How far apart the clocks of two hosts are: by pair, what the first is ahead of the second."""

    ahead: Mapping[tuple[str, str], timedelta] = field(default_factory=dict)

    @property
    def widest(self) -> timedelta:
        """What two hosts' times of one moment differ by at most."""
        return max(map(abs, self.ahead.values()), default=timedelta(0)) + OTHER_HOST

    def onto(self, time: datetime | None, of: str | None, host: str | None) -> datetime | None:
        """Give a time of host ``of`` as the clock of ``host`` would have shown it."""
        if time is None:
            return None
        return time - self.ahead.get((of or "", host or ""), timedelta(0))

    def tolerance(self, a: str | None, b: str | None) -> timedelta:
        """Give how far times of two hosts may differ that are of one moment."""
        if a is not None and a == b:
            return SAME_HOST
        known = (a or "", b or "") in self.ahead
        return 2 * SAME_HOST if known else OTHER_HOST
