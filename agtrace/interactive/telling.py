"""Events and log entries as frames, filtered by host and time, in a chosen zone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from agtrace import globs
from agtrace.errors import CaseError
from agtrace.interactive import named
from agtrace.interactive.around import around
from agtrace.interactive.asked import Moment, in_zone, kinds_meant, part_meant
from agtrace.store import CaseView
from agtrace.tables.frames import frame_of

if TYPE_CHECKING:
    import pandas as pd

Hosts = str | Iterable[str] | None


class Telling:
    """The methods of a case for events and log entries.

    In every method ``host`` is a name in any spelling, a glob, or several of them; ``start`` (included)
    and ``end`` (excluded) are times, ISO 8601; ``tz`` is the zone of times without one and of the times in
    the result: ``"UTC"``, a name such as ``"Europe/Berlin"``, or ``"local"``, the own time of each host
    (the columns ``*_local``). Events with a duration are included if they overlap the window.
    """

    view: CaseView

    def timeline(
        self,
        host: Hosts = None,
        kind: str | Iterable[str] | None = None,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
        tz: str = "UTC",
    ) -> pd.DataFrame:
        """Return the events of the groups and their servers, in chronological order.

        Parameters
        ----------
        kind
            Kinds of events, by name or glob (docs/store/timeline_kinds.md lists them).
        host, start, end, tz
            As in all methods (docs/lab.md).

        Raises
        ------
        CaseError
            The case has no such host, or the timeline no such kind.

        Examples
        --------
        >>> case.timeline(host="JBSAG1")["host_id"].unique().tolist()
        ['JBSAG1']
        """
        part, kinds = part_meant(self.view, host, start, end, tz), kinds_meant(self.view, kind)
        condition = part.rows(named.columns("timeline"))
        found = self.view.table(
            f"SELECT * FROM timeline WHERE ($kinds IS NULL OR list_contains($kinds, kind)) AND {condition} "
            "ORDER BY time NULLS LAST, time_local",
            {"kinds": kinds},
        )
        return in_zone(frame_of(found), part.window)

    def around(self, at: Moment, minutes: float = 5, *, host: Hosts = None, tz: str = "UTC") -> pd.DataFrame:
        """Return every log entry around a moment: ERRORLOGs, events, cluster and event logs.

        Parameters
        ----------
        at
            The time.
        minutes
            Minutes before and after it.
        host, tz
            As in all methods (docs/lab.md).

        Returns
        -------
        pandas.DataFrame
            time (NaT if unknown), time_local, host_id, source, text, path and line (for an event, its number
            in the file, from 0); in chronological order. ``attrs["window"]`` has the window and zone.

        Raises
        ------
        CaseError
            ``at`` is not a time, ``minutes`` is not a duration, or the case has no such host.

        Examples
        --------
        >>> found = case.around("2019-08-20 12:21", minutes=5)
        >>> found.attrs["window"], len(found) > 10
        ('2019-08-20 12:16:00 to 2019-08-20 12:26:00 UTC', True)
        """
        return around(self.view, at, minutes, host=host, tz=tz)

    def errorlog(
        self,
        host: Hosts = None,
        like: str | Iterable[str] | None = None,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
        tz: str = "UTC",
    ) -> pd.DataFrame:
        """Return ERRORLOG entries, by host in the order of their files.

        Parameters
        ----------
        like
            Glob for the message, or several, case-insensitive.
        host, start, end, tz
            As in all methods (docs/lab.md).

        Returns
        -------
        pandas.DataFrame
            Columns as in docs/store.md; ``time`` is NaT if the zone is unknown.

        Raises
        ------
        CaseError
            The case has no such host.
        """
        part = part_meant(self.view, host, start, end, tz)
        likes = "|".join(f"(?:{globs.expression(each)})" for each in globs.named(like)) if like else None
        found = self.view.table(
            f"SELECT * FROM errorlog WHERE {part.rows(('host_id', 'time', 'time_local'))} "
            "AND ($like IS NULL OR regexp_full_match(message, $like, 'is')) "
            "ORDER BY host_id, time_local, content_id, line",
            {"like": likes},
        )
        return in_zone(frame_of(found), part.window)

    def events(
        self,
        name: str | None = None,
        host: Hosts = None,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
        tz: str = "UTC",
    ) -> pd.DataFrame:
        """Return the Extended Events of one name from all captures, in chronological order.

        Parameters
        ----------
        name
            Name of the event; without it, the captured events are listed.
        host, start, end, tz
            As in all methods (docs/lab.md).

        Returns
        -------
        pandas.DataFrame
            ``_host_id`` (NULL if unknown), ``_content_id``, ``_seq``, ``_time``, ``_ticks`` (100
            ns since 1601), the fields under their own names, actions as ``action_<name>``. The list has
            event, n, first_time, last_time.

        Raises
        ------
        CaseError
            No such events were captured.
        """
        view = f"events_{name}"
        if name is not None and view not in self.view.events:
            there = named.event_names(self.view)
            raise CaseError(f"no Extended Event {name!r} was captured", globs.instead(name, there))
        part = part_meant(self.view, host, start, end, tz)
        if name is None:
            return in_zone(named.event_list(self.view, part), part.window)
        found = self.view.table(
            f"SELECT * FROM {named.with_hosts(view)} WHERE {part.rows(named.EVENT_PLACE)} "
            "ORDER BY _ticks, _content_id, _seq"
        )
        return in_zone(frame_of(found), part.window)

    def backups(
        self, host: Hosts = None, *, start: Moment | None = None, end: Moment | None = None, tz: str = "UTC"
    ) -> pd.DataFrame:
        """Return every backup and restore, one row each (relation ``backups`` of docs/store.md)."""
        return self._relation("backups", host, start, end, tz)

    def seedings(
        self, host: Hosts = None, *, start: Moment | None = None, end: Moment | None = None, tz: str = "UTC"
    ) -> pd.DataFrame:
        """Return every seeding, one row each (relation ``seedings``); a host matches either end."""
        return self._relation("seedings", host, start, end, tz)

    def roles(
        self, host: Hosts = None, *, start: Moment | None = None, end: Moment | None = None, tz: str = "UTC"
    ) -> pd.DataFrame:
        """Return the roles over time, one row per replica and period (relation ``roles``)."""
        return self._relation("roles", host, start, end, tz)

    def failovers(
        self, host: Hosts = None, *, start: Moment | None = None, end: Moment | None = None, tz: str = "UTC"
    ) -> pd.DataFrame:
        """Return every change of primary, one row each (relation ``failovers``)."""
        return self._relation("failovers", host, start, end, tz)

    def trials(
        self, *, start: Moment | None = None, end: Moment | None = None, tz: str = "UTC"
    ) -> pd.DataFrame:
        """Return every test of a load generator, one row each (relation ``trials``)."""
        return self._relation("trials", None, start, end, tz)

    def _relation(
        self, name: str, host: Hosts, start: Moment | None, end: Moment | None, tz: str
    ) -> pd.DataFrame:
        part = part_meant(self.view, host, start, end, tz)
        return in_zone(named.relation(self.view, name, part), part.window)
