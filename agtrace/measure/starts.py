"""Properties of servers and hosts from the starts of SQL Server in ERRORLOGs, and when they held.

The only source of edition, build, operating system, processors and memory at a given time: a server may have
been changed between two starts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from agtrace.measure.base import View, once_per_case
from agtrace.store.sql_files import beside

_sql = beside(__file__)

OF_INSTANCE = ("edition", "product", "product_version")
"""Logged properties of the instance of SQL Server; another instance on the host may differ."""
OF_HOST = ("cores", "logical_processors", "memory_mb", "os", "sockets", "system_manufacturer", "system_model")


@dataclass(frozen=True)
class Start:
    """A start of SQL Server.

    Parameters
    ----------
    instance
        None if not in the log.
    time
        UTC; None if only ``time_local``, the host's own, is known.
    told
        Values as logged, by names in `OF_INSTANCE` and `OF_HOST`.
    path
        The ERRORLOG.
    """

    host: str
    instance: str | None
    time: datetime | None
    time_local: datetime | None
    told: Mapping[str, str]
    path: str


class Dated(Protocol):
    """A value known from a start on."""

    @property
    def time(self) -> datetime | None:
        """UTC."""

    @property
    def time_local(self) -> datetime | None:
        """The host's own time."""


D = TypeVar("D", bound=Dated)


@once_per_case
def starts(view: View) -> Mapping[str, tuple[Start, ...]]:
    """Return the starts in each host's ERRORLOGs, in time order."""
    if "startup" not in view.topics:
        return {}
    found: dict[str, list[Start]] = {}
    for row in view.rows(_sql("starts.sql"), {"keys": [*OF_INSTANCE, *OF_HOST]}):
        told = dict(zip(row.pop("keys"), row.pop("values"), strict=True))
        found.setdefault(row["host"], []).append(Start(told=told, **row))
    return {host: tuple(own) for host, own in found.items()}


def in_force(known: Iterable[D], moments: Collection[datetime]) -> list[D]:
    """Return the starts whose properties may hold at some of these times, in chronological order.

    The last start before a time counts; if there is none, or its time is unknown, every start may.

    Parameters
    ----------
    known
        Starts in order of time.
    moments
        UTC; without a zone the host's local time. If empty, all starts are returned.
    """
    every = list(known)
    counted: set[int] = set()
    for moment in moments:
        dates = [start.time_local if moment.tzinfo is None else start.time for start in every]
        before = [(at, place) for place, at in enumerate(dates) if at is not None and at <= moment]
        if not before or None in dates:
            return every
        counted.add(max(before)[1])
    return [every[place] for place in sorted(counted)] if moments else every


def values(known: Iterable[Start], key: str, moments: Collection[datetime]) -> dict[str, str]:
    """Return the possible values of something at these moments, with their ERRORLOG.

    Parameters
    ----------
    known
        Starts of one host.
    """
    by_instance: dict[str | None, list[Start]] = {}
    for start in known:
        if key in start.told:
            own = start.instance if key in OF_INSTANCE else None
            by_instance.setdefault(own, []).append(start)
    return {start.told[key]: start.path for own in by_instance.values() for start in in_force(own, moments)}
