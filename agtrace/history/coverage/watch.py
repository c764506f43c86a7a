"""What the coverage of a case answers: was this very server watched then, and until when?"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from agtrace.history.base import View
from agtrace.measure.base import once_per_case

ROLE_SOURCES = ("ERRORLOG", "AlwaysOn_health")
"""What writes down that a replica changed its role."""


@dataclass(frozen=True)
class Stretch:
    """A time that a source of a server covers, UTC by its own clock.

    Parameters
    ----------
    instance
        None where the capture leaves it open.
    expected_s
        How often it was to write; None where it writes only when something happens.
    """

    host: str
    instance: str | None
    source: str
    first: datetime
    last: datetime
    expected_s: float | None = None


class Coverage:
    """The stretches of a case.

    Parameters
    ----------
    stretches
        Those whose offset from UTC is known.
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
        """Give the instances of a host that its captures name."""
        return {one.instance for one in self._of_host.get(host, ()) if one.instance is not None}

    def of(
        self, host: str, instance: str | None = None, sources: Collection[str] | None = None
    ) -> list[Stretch]:
        """Give the stretches that speak of a server, in order of time.

        Parameters
        ----------
        instance
            None asks for all of the host. A capture that leaves its instance open speaks of the only
            one that its host has, and of none where it has several.
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
        """Give the parts of a span in which none of the sources watched the server."""
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

    def watched(
        self,
        host: str,
        instance: str | None,
        begin: datetime,
        end: datetime,
        sources: Collection[str] | None = None,
    ) -> bool:
        """Tell whether a server was watched for the whole of a span, be it a moment."""
        if begin == end:
            return any(one.first <= begin <= one.last for one in self.of(host, instance, sources))
        return not self.gaps(host, instance, begin, end, sources)

    def until(
        self, host: str, instance: str | None, moment: datetime, sources: Collection[str] | None = None
    ) -> datetime:
        """Give the last instant until which a server was watched without a break from a moment on.

        The moment itself where it was not watched then.
        """
        reached = moment
        for one in self.of(host, instance, sources):
            if one.first <= reached:
                reached = max(reached, one.last)
        return reached


@once_per_case
def coverage(view: View) -> Coverage:
    """Give what the servers of a case were watched by."""
    rows = view.rows("select * from coverage where first is not null and last is not null")
    return Coverage(
        Stretch(
            row["host_id"], row["sql_instance"], row["source"], row["first"], row["last"], row["expected_s"]
        )
        for row in rows
    )
