"""Coverage of a case: whether a server was watched at a time, and until when."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agtrace.history.base import View
from agtrace.measure.base import once_per_case

ROLE_SOURCES = ("ERRORLOG", "AlwaysOn_health")
"""Sources that record role changes of replicas."""
AROUND = timedelta(seconds=1)
"""An event this near the first or last record of a source counts as covered, since skew is an estimate."""


@dataclass(frozen=True)
class Stretch:
    """A span covered by a source of a server, in UTC by the server's own clock.

    Parameters
    ----------
    instance
        None if the capture does not show it.
    expected_s
        Expected interval between its records; None if it only writes on events.
    """

    host: str
    instance: str | None
    source: str
    first: datetime
    last: datetime
    expected_s: float | None = None


@dataclass(frozen=True)
class Piece:
    """A part of a span that was captured.

    Parameters
    ----------
    is_assumed
        Whether it is covered only by sources without such events: the state is assumed to have continued.
    """

    first: datetime
    last: datetime
    is_assumed: bool = False


class Coverage:
    """The covered spans of a case.

    Parameters
    ----------
    stretches
        The spans whose offset from UTC is known.
    """

    def __init__(self, stretches: Iterable[Stretch] = ()) -> None:
        self._of_host: dict[str, list[Stretch]] = {}
        for stretch in stretches:
            self._of_host.setdefault(stretch.host, []).append(stretch)

    @property
    def hosts(self) -> list[str]:
        """Hosts that something of is covered, sorted."""
        return sorted(self._of_host)

    def instances(self, host: str) -> set[str]:
        """Return the instances of a host that its captures name."""
        return {one.instance for one in self._of_host.get(host, ()) if one.instance is not None}

    def of(
        self, host: str, instance: str | None = None, sources: Collection[str] | None = None
    ) -> list[Stretch]:
        """Return the spans that cover a server, in chronological order.

        Parameters
        ----------
        instance
            None: all of the host. A capture without an instance belongs to the only instance of its host, or
            to none if there are several.
        sources
            None: all.
        """
        known = self.instances(host)
        found = [
            one
            for one in self._of_host.get(host, ())
            if (sources is None or one.source in sources)
            and (
                instance is None or one.instance == instance or (one.instance is None and known <= {instance})
            )
        ]
        return sorted(found, key=lambda one: (one.first, one.last))

    def gaps(
        self,
        host: str,
        instance: str | None,
        begin: datetime,
        end: datetime,
        sources: Collection[str] | None = None,
    ) -> list[tuple[datetime, datetime]]:
        """Return the parts of a span in which no source covered the server."""
        found, reached = [], begin
        for one in self.of(host, instance, sources):
            if one.last < reached:
                continue
            if one.first >= end:
                break
            if one.first > reached:
                found.append((reached, one.first))
            reached = max(reached, one.last)
        if reached < end:
            found.append((reached, end))
        return found

    def pieces(
        self, host: str, begin: datetime | None, end: datetime | None, sources: Collection[str]
    ) -> list[Piece]:
        """Return the parts of a span covered by the sources, else those covered by any other source.

        Parts away from both bounds are also assumed: the sources may have missed a change.

        Parameters
        ----------
        begin, end
            None: unbounded.
        """
        shown = [
            replace(one, is_assumed=not (begin == end or begin == one.first or end == one.last))
            for one in _clipped(self.of(host, None, sources), begin, end)
        ]
        if not shown:
            return [replace(one, is_assumed=True) for one in _clipped(self.of(host), begin, end)]
        assumed = []
        for one in _clipped(self.of(host), begin, end):
            reached = one.first
            for other in shown:
                if other.first > reached:
                    assumed.append(Piece(reached, min(other.first, one.last), True))
                reached = max(reached, other.last)
                if reached >= one.last:
                    break
            if reached < one.last:
                assumed.append(Piece(reached, one.last, True))
        return [*shown, *assumed]

    def is_watched(self, host: str, moment: datetime) -> bool:
        """Return whether any source watched a server at a moment."""
        return any(one.first - AROUND <= moment <= one.last + AROUND for one in self._of_host.get(host, ()))

    def watched(
        self,
        host: str,
        instance: str | None,
        begin: datetime,
        end: datetime,
        sources: Collection[str] | None = None,
    ) -> bool:
        """Return whether a server was covered for the whole of a span, be it a moment."""
        if begin == end:
            return any(one.first <= begin <= one.last for one in self.of(host, instance, sources))
        return not self.gaps(host, instance, begin, end, sources)

    def until(
        self, host: str, instance: str | None, moment: datetime, sources: Collection[str] | None = None
    ) -> datetime:
        """Return the time until which a server was covered without a break from a given time on.

        The given time itself if it was not watched then.
        """
        reached = moment
        for one in self.of(host, instance, sources):
            if one.first <= reached:
                reached = max(reached, one.last)
        return reached


def _clipped(stretches: Iterable[Stretch], begin: datetime | None, end: datetime | None) -> list[Piece]:
    """Return the parts of a span covered by stretches, merged if adjacent, in chronological order."""
    found: list[Piece] = []
    for one in stretches:
        first = max(one.first, begin) if begin else one.first
        last = min(one.last, end) if end else one.last
        # A span that starts with the last record is covered at that moment.
        if first > last or (first == last and begin != first):
            continue
        if found and first <= found[-1].last:
            found[-1] = replace(found[-1], last=max(found[-1].last, last))
        else:
            found.append(Piece(first, last))
    return found


@once_per_case
def coverage(view: View) -> Coverage:
    """Return the sources that cover the servers of a case."""
    rows = view.rows("select * from coverage where first is not null and last is not null")
    return Coverage(
        Stretch(
            row["host_id"], row["sql_instance"], row["source"], row["first"], row["last"], row["expected_s"]
        )
        for row in rows
    )
