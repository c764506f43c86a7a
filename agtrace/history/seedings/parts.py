"""What captures tell of a seeding while it is put together. Nothing here is changed: a step that
knows more makes a new part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Generic, TypeVar

import pyarrow as pa

from agtrace.history.seedings.clocks import Skews
from agtrace.history.seedings.operation import PROGRESS, Failure, State

COMPLETED, FAILED = "COMPLETED", "FAILED"
SEEDING, PENDING = "SEEDING", "PENDING"
SUCCESS_PHASES = frozenset({"Success", "SuccessWaitingForAsyncCallback"})
FAILED_PHASES = frozenset({"Failed", "Failure", "FailureWaitingForAsyncCallback"})
UNKNOWN = "unknown"
"""Time basis of times without zone that nothing settles."""

NO_TIME = datetime.min.replace(tzinfo=UTC)
"""Stands for a time that is not known where such are sorted."""


@dataclass(frozen=True)
class Request:
    """Automatic seeding of one database as one host sees it; times are UTC.

    Parameters
    ----------
    remote_replica, local_replica
        Guids of the other end and of this one.
    states, looks
        States at the instants at which they began, and states that looks at the DMV met, which had
        begun at some time before.
    first, last
        First and last instant that anything tells of it.
    start, end
        Where its beginning and its end were seen.
    start_written, end_written
        Times of the DMV while their zone is not known.
    ended
        ``COMPLETED`` or ``FAILED``, as its last attempt ended; None while it goes on.
    performed
        Whether a copy was needed; None when nothing says so.
    is_failure_only
        Nothing but failures tells of it: when it ran between them is not known.
    """

    role: str
    host: str | None
    told_by: frozenset[str]
    operation_ids: frozenset[str] = frozenset()
    ag_id: str | None = None
    database_guid: str | None = None
    remote_replica: str | None = None
    local_replica: str | None = None
    database: str | None = None
    ag: str | None = None
    states: tuple[State, ...] = ()
    looks: tuple[State, ...] = ()
    first: datetime | None = None
    last: datetime | None = None
    start: datetime | None = None
    end: datetime | None = None
    start_written: datetime | None = None
    end_written: datetime | None = None
    ended: str | None = None
    performed: bool | None = None
    is_failure_only: bool = False
    attempts: int | None = None
    failures: tuple[Failure, ...] = ()
    time_basis: str = ""

    @cached_property
    def seeding(self) -> list[tuple[datetime, datetime | None]]:
        """Every time in the state SEEDING, one per attempt."""
        followers: list[datetime | None] = [state.time for state in self.states[1:]]
        return [
            (state.time, after)
            for state, after in zip(self.states, [*followers, None], strict=False)
            if state.name == SEEDING
        ]


@dataclass(frozen=True)
class Copy:
    """The copy as one host sees it; times are UTC.

    Parameters
    ----------
    local_guid, remote_guid
        Of physical seeding; the other end has them crossed.
    first, last
        First and last instant that anything tells of it.
    is_done
        True when it succeeded, False when it failed, None while nothing says so.
    backup_ids
        The backup or restore that it is in the ERRORLOG (operation_id of relation backups).
    logged_bytes, measured_bytes
        Pages of the backup or restore in the ERRORLOG times 8,192; integral of the counter.
    short_bytes
        What the last report lacked of a copy that is known to have completed.
    others_until
        How long the captures that tell of it go on with other events.
    """

    role: str
    host: str | None
    told_by: frozenset[str]
    local_guid: str | None = None
    remote_guid: str | None = None
    database: str | None = None
    remote: str | None = None
    phases: tuple[State, ...] = ()
    first: datetime | None = None
    last: datetime | None = None
    start: datetime | None = None
    end: datetime | None = None
    is_done: bool | None = None
    transferred_bytes: int | None = None
    database_bytes: int | None = None
    backup_ids: frozenset[int] = frozenset()
    logged_bytes: int | None = None
    measured_bytes: int | None = None
    short_bytes: int | None = None
    disk_wait_ms: int | None = None
    network_wait_ms: int | None = None
    is_compression_enabled: bool | None = None
    retries: int | None = None
    failures: tuple[Failure, ...] = ()
    progress: pa.Table = field(default_factory=PROGRESS.empty_table, repr=False, compare=False)
    others_until: datetime | None = None


Part = TypeVar("Part", Request, Copy)


@dataclass(frozen=True)
class Pair(Generic[Part]):
    """Both ends as far as they were captured; ``rivals`` counts what else could be the other end."""

    source: Part | None
    target: Part | None
    rivals: int = 0

    @property
    def ends(self) -> list[Part]:
        """The ends that were seen, the source first."""
        return [end for end in (self.source, self.target) if end is not None]


@dataclass(frozen=True)
class Joined:
    """A request with the copies made for it, or one of both alone.

    Parameters
    ----------
    copies
        In order of time: several where it was tried again.
    doubts
        What stayed ambiguous, in words.
    """

    request: Pair[Request] | None
    copies: tuple[Pair[Copy], ...] = ()
    doubts: tuple[str, ...] = ()


def earliest(*times: datetime | None) -> datetime | None:
    """Give the earliest of the times that are known."""
    return min((time for time in times if time is not None), default=None)


def latest(*times: datetime | None) -> datetime | None:
    """Give the latest of the times that are known."""
    return max((time for time in times if time is not None), default=None)


def in_order(states: Iterable[State]) -> tuple[State, ...]:
    """Sort states by time and keep the first of those that repeat each other."""
    kept: list[State] = []
    for state in sorted(states, key=lambda s: s.time):
        if not kept or kept[-1].name != state.name:
            kept.append(state)
    return tuple(kept)


def differ(a: str | None, b: str | None) -> bool:
    """Tell whether two values are known and differ."""
    return bool(a and b and a != b)


def same_text(a: str | None, b: str | None) -> bool:
    """Tell whether two names are known and equal, without regard to case."""
    return bool(a and b and a.lower() == b.lower())


def usual_interval(copy: Copy) -> timedelta | None:
    """Give the mean time between the reports of a copy; None with fewer than two."""
    reports = copy.progress
    if reports.num_rows < 2:
        return None
    first, last = reports["time"][0].as_py(), reports["time"][-1].as_py()
    return (last - first) / (reports.num_rows - 1)


def database_of(request: Pair[Request]) -> tuple[str | None, str | None]:
    """Give guid and name of the database that a request is for, as far as its ends tell."""
    guid = next((end.database_guid for end in request.ends if end.database_guid), None)
    return guid, next((end.database for end in request.ends if end.database), None)


def contains(request: Request, copy: Copy, skews: Skews) -> bool:
    """Tell whether the copy lies within the request, and within its seeding where that was seen."""
    begin = skews.onto(copy.start or copy.first, copy.host, request.host)
    end = skews.onto(copy.end or copy.last, copy.host, request.host)
    if begin is None or end is None or request.first is None or request.last is None:
        return False
    slack = skews.tolerance(request.host, copy.host)
    spans = request.seeding or [(request.first, None)]
    closed = request.end or (request.last if request.ended else None)
    return any(since - slack <= begin and (until or closed or end) + slack >= end for since, until in spans)
