"""Interpretation of the arguments common to all methods of a case: host, kind, start, end, tz."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from agtrace.errors import CaseError
from agtrace.globs import instead, matches, named
from agtrace.history.entries import Clocks
from agtrace.moments import Window
from agtrace.resolve.clocks import UTC_BY_FORMAT
from agtrace.resolve.names import is_meant
from agtrace.store import CaseView
from agtrace.store.part import Part
from agtrace.tables.timeline_kinds import KINDS

if TYPE_CHECKING:
    import pandas as pd

Moment = str | datetime
"""ISO 8601, or a datetime."""


def hosts_meant(view: CaseView, asked: str | Iterable[str] | None) -> frozenset[str] | None:
    """Return the hosts of a case matched by names or globs; None if all hosts are meant.

    Raises
    ------
    CaseError
        The case has no such host; the message lists its hosts.
    """
    if asked is None:
        return None
    there = [row["host_id"] for row in view.rows("SELECT host_id FROM hosts ORDER BY 1")]
    found: set[str] = set()
    for name in named(asked):
        meant = {host for host in there if is_meant(host, name)}
        if not meant:
            raise CaseError(f"the case has no host {name!r}", f"its hosts are: {', '.join(there) or 'none'}")
        found |= meant
    return frozenset(found)


def part_meant(
    view: CaseView,
    host: str | Iterable[str] | None = None,
    start: Moment | None = None,
    end: Moment | None = None,
    tz: str = "UTC",
) -> Part:
    """Return the requested hosts and window; warn about data that cannot be converted to UTC.

    Raises
    ------
    CaseError
        The case has no such host, a bound is not a time, or there is no such zone.
    """
    part = Part(Window.of(start, end, tz), hosts_meant(view, host))
    if not part.window.holds_all() and not part.window.is_local:
        unknown = [each for each in Clocks(view).unknown if part.hosts is None or each in part.hosts]
        if unknown:
            warnings.warn(
                f"what {', '.join(unknown)} told in local time is left out: how far it is from UTC is not "
                "known (tz='local' asks in local time)",
                stacklevel=4,
            )
    return part


def in_utc(view: CaseView, part: Part) -> Part:
    """Return a part with its window in UTC, even if requested in the local time of its hosts.

    Raises
    ------
    CaseError
        Their offset from UTC is unknown, or differs between hosts.
    """
    if not part.window.is_local:
        return part
    found: list[datetime | None] = []
    for bound in (part.window.start, part.window.end):
        places = view.rows(
            "SELECT DISTINCT ($bound::TIMESTAMP - to_minutes(offset_minutes)) AT TIME ZONE 'UTC' AS time "
            "FROM clocks JOIN captures USING (capture_id) WHERE clocks.source <> $by_format "
            "AND $bound::TIMESTAMP >= local_from AND $bound::TIMESTAMP < local_to "
            "AND ($hosts IS NULL OR list_contains($hosts, host_id))",
            {"bound": bound, "by_format": UTC_BY_FORMAT, "hosts": part.hosts and sorted(part.hosts)},
        )
        if bound is not None and len(places) != 1:
            why = (
                "hosts are at different distances from UTC"
                if places
                else "how far it is from UTC is not known"
            )
            raise CaseError(f"{bound} local time: {why}", "name one host, or the zone: tz='Europe/Berlin'")
        found.append(places[0]["time"] if bound is not None else None)
    return replace(part, window=Window(found[0], found[1]))


def in_zone(frame: pd.DataFrame, window: Window) -> pd.DataFrame:
    """Return a frame with its times in the requested zone."""
    import pandas as pd

    if window.tz != "UTC" and not window.is_local:
        for name, kind in frame.dtypes.items():
            if isinstance(kind, pd.DatetimeTZDtype):
                frame[name] = frame[name].dt.tz_convert(window.tz)
    return frame


def kinds_meant(view: CaseView, asked: str | Iterable[str] | None) -> list[str] | None:
    """Return the kinds of the timeline matched by names or globs; None if all kinds are meant.

    Raises
    ------
    CaseError
        The timeline has no such kind; the message names the nearest.
    """
    if asked is None:
        return None
    there = [row["kind"] for row in view.rows("SELECT DISTINCT kind FROM timeline ORDER BY 1")]
    known = list(dict.fromkeys([*there, *KINDS]))
    found: list[str] = []
    for name in named(asked):
        meant = [kind for kind in known if matches(kind, name)]
        if not meant:
            raise CaseError(f"the timeline has no kind {name!r}", instead(name, known))
        found += meant
    return found
