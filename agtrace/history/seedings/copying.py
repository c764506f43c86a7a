"""Index of copies by time, to find others at the same time without scanning all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from agtrace.history.seedings.operation import Operation
from agtrace.history.timed import Overlaps


class Copying:
    """The copies of operations by their times, of all hosts and of each."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        every: list[tuple[datetime, datetime]] = []
        by_host: dict[str | None, list[tuple[datetime, datetime]]] = defaultdict(list)
        for each in operations:
            start, end = each.copy_start, each.copy_end
            if start is None:
                continue
            every.append((start, end or start))
            for host in _hosts(each):
                by_host[host].append((start, end or datetime.max.replace(tzinfo=start.tzinfo)))
        self._every = Overlaps(every)
        self._by_host = {host: Overlaps(spans) for host, spans in by_host.items()}

    def reach_into(self, begin: datetime, end: datetime) -> bool:
        """Return whether a copy ran then; of one that has no end only its start counts."""
        return self._every.count(begin, end) > 0

    def is_alone(self, operation: Operation) -> bool:
        """Return whether no other seeding copied at the same time with any of the same hosts."""
        begin, end = operation.copy_start, operation.copy_end
        if begin is None or end is None:
            return True
        own = 1 if begin < end else 0
        return all(self._by_host[host].count(begin, end) <= own for host in _hosts(operation))


def _hosts(operation: Operation) -> set[str | None]:
    return {side.host for side in operation.sides}
