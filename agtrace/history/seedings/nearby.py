"""Index of parts by time, for lookups without scanning all.

A seeding that fails at once is retried for days: thousands of copies of one database.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from agtrace.history.seedings.parts import Part
from agtrace.history.timed import Stretches


class Nearby:
    """Indexes of parts in a sequence, by time; ``untimed`` are those with unknown times."""

    def __init__(self, parts: Sequence[Part]) -> None:
        spans = [(part.first, part.last) for part in parts]
        self.untimed = [place for place, (first, last) in enumerate(spans) if first is None or last is None]
        self._timed = Stretches(
            (first, last, place)
            for place, (first, last) in enumerate(spans)
            if first is not None and last is not None
        )

    def around(self, first: datetime | None, last: datetime | None, slack: timedelta) -> list[int]:
        """Return the indexes of parts that overlap a span widened by ``slack``."""
        if first is None or last is None:
            return []
        return self._timed.touching(first - slack, last + slack)
