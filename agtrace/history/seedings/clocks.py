"""Times of several hosts on one clock, as far as it is known how their clocks differ."""

from __future__ import annotations

from datetime import datetime, timedelta

from agtrace.history.base import View

SAME_HOST = timedelta(seconds=2)
OTHER_HOST = timedelta(seconds=10)
"""What the clocks of two hosts may differ by where their skew is unknown."""


class Clocks:
    """How far apart the clocks of two hosts are, by pair: what the first is ahead of the second."""

    def __init__(self, view: View) -> None:
        self._ahead: dict[tuple[str | None, str | None], timedelta] = {}
        for row in view.rows("select host_id, other_host_id, ms from skew where ms is not null"):
            ahead = timedelta(milliseconds=row["ms"])
            self._ahead[row["host_id"], row["other_host_id"]] = ahead
            self._ahead[row["other_host_id"], row["host_id"]] = -ahead
        self.widest = max(map(abs, self._ahead.values()), default=timedelta(0)) + OTHER_HOST
        """What two hosts' times of one moment differ by at most."""

    def onto(self, time: datetime | None, of: str | None, host: str | None) -> datetime | None:
        """Return a time of host ``of`` as the clock of ``host`` would have shown it."""
        return None if time is None else time - self._ahead.get((of, host), timedelta(0))

    def tolerance(self, a: str | None, b: str | None) -> timedelta:
        """Return how far times of two hosts may differ that are of one moment."""
        if a is not None and a == b:
            return SAME_HOST
        return 2 * SAME_HOST if (a, b) in self._ahead else OTHER_HOST
