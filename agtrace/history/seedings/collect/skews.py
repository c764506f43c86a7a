"""Times of several hosts on one clock, as far as the captures tell how their clocks differ."""

from __future__ import annotations

from datetime import datetime, timedelta

from agtrace.history.base import View

SAME_HOST = timedelta(seconds=2)
OTHER_HOST = timedelta(seconds=10)
"""What the clocks of two hosts may differ by where nothing tells how much they do."""


class Skews:
    """How far apart the clocks of two hosts are."""

    def __init__(self, view: View | None = None) -> None:
        self._ahead: dict[tuple[str, str], timedelta] = {}
        rows = view.table("select host_id, other_host_id, ms from skew") if view else None
        for row in rows.to_pylist() if rows is not None else []:
            if row["ms"] is not None:
                ahead = timedelta(milliseconds=row["ms"])
                self._ahead[row["host_id"], row["other_host_id"]] = ahead
                self._ahead[row["other_host_id"], row["host_id"]] = -ahead

    @property
    def widest(self) -> timedelta:
        """What two hosts' times of one moment differ by at most."""
        return max(map(abs, self._ahead.values()), default=timedelta(0)) + OTHER_HOST

    def onto(self, time: datetime | None, of: str | None, host: str | None) -> datetime | None:
        """Give a time of host ``of`` as the clock of ``host`` would have shown it."""
        if time is None:
            return None
        return time - self._ahead.get((of or "", host or ""), timedelta(0))

    def tolerance(self, a: str | None, b: str | None) -> timedelta:
        """Give how far times of two hosts may differ that are of one moment."""
        if a is not None and a == b:
            return SAME_HOST
        known = (a or "", b or "") in self._ahead
        return 2 * SAME_HOST if known else OTHER_HOST
