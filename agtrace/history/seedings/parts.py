"""Requests and copies of seedings, as single hosts show them, while they are put together.

Nothing here is changed: a step that adds to a part makes a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from agtrace.history.base import View
from agtrace.history.reference_clock import ReferenceClock
from agtrace.history.seedings.clocks import tolerance
from agtrace.history.seedings.operation import Failure, State

AUTOMATIC, PHYSICAL = "automatic", "physical"
COMPLETED, FAILED = "COMPLETED", "FAILED"
SEEDING, PENDING = "SEEDING", "PENDING"

NO_TIME = datetime.min.replace(tzinfo=UTC)
"""Sorts unknown times first."""


class Part(NamedTuple):
    """A request (`AUTOMATIC`) or a copy (`PHYSICAL`) as one host shows it; times are UTC.

    Parameters
    ----------
    told_by
        Which kinds of capture show it.
    local_id, remote_id
        Guids of this end and of the other one: replicas of a request, ids of a copy.
    remote
        The other machine, as this end of a copy writes it.
    states, looks
        States of the request or of the copy when they began; those that snapshots of the DMV show,
        which began at some earlier time.
    first, last
        First and last instant that anything shows of it.
    start, end
        Where its start and its end were seen.
    start_written, end_written
        Times of the DMV while their zone is unknown.
    ended
        ``COMPLETED`` or ``FAILED``, as its last attempt ended; None while it goes on.
    performed
        Whether a copy was needed; None when nothing says so.
    is_failure_only
        Only failures show it: when it ran between them is unknown.
    number
        Of its reports in ``scratch.seeding_copy_progress``; ``reports`` counts them.
    logged_bytes, measured_bytes
        Pages of the backup or restore in the ERRORLOG times 8,192; integral of the counter.
    short_bytes
        What the last report lacked of a copy that completed.
    others_until
        How long the captures that show it go on with other events.
    step_s
        Sample interval of the counter that shows it.
    """

    layer: str
    role: str
    host: str | None
    told_by: frozenset[str]
    operation_ids: frozenset[str] = frozenset()
    ag_id: str | None = None
    database_guid: str | None = None
    local_id: str | None = None
    remote_id: str | None = None
    database: str | None = None
    ag: str | None = None
    remote: str | None = None
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
    number: int | None = None
    reports: int = 0
    first_report: datetime | None = None
    last_report: datetime | None = None
    last_rate: float | None = None
    transferred_bytes: int | None = None
    database_bytes: int | None = None
    backup_ids: frozenset[int] = frozenset()
    logged_bytes: int | None = None
    measured_bytes: int | None = None
    short_bytes: int | None = None
    disk_wait_ms: int | None = None
    network_wait_ms: int | None = None
    is_compression_enabled: bool | None = None
    others_until: datetime | None = None
    step_s: float = 0.0

    @property
    def seeding(self) -> list[tuple[datetime, datetime | None]]:
        """Every time in the state SEEDING, one per attempt."""
        ends: list[datetime | None] = [state.time for state in self.states[1:]]
        spans = zip(self.states, [*ends, None], strict=False)
        return [(state.time, end) for state, end in spans if state.name == SEEDING]

    @property
    def usual_interval(self) -> timedelta | None:
        """Mean time between the reports of a copy; None with fewer than two."""
        if self.first_report is None or self.last_report is None or self.reports < 2:
            return None
        return (self.last_report - self.first_report) / (self.reports - 1)


class Pair(NamedTuple):
    """Both ends as far as captured; ``rivals`` counts other candidates for the missing end."""

    source: Part | None
    target: Part | None
    rivals: int = 0

    @property
    def ends(self) -> list[Part]:
        """Return the captured ends, the source first."""
        return [end for end in (self.source, self.target) if end is not None]

    @property
    def database(self) -> str | None:
        """Name of the database, of the first end that shows it."""
        return next((end.database for end in self.ends if end.database), None)

    @property
    def database_guid(self) -> str | None:
        """Guid of the database, of the first end that shows it."""
        return next((end.database_guid for end in self.ends if end.database_guid), None)

    @property
    def span(self) -> tuple[datetime | None, datetime | None]:
        """First and last instant that either end shows."""
        return earliest(*(end.first for end in self.ends)), latest(*(end.last for end in self.ends))


class Joined(NamedTuple):
    """A request with its copies in chronological order, or only one of both.

    ``doubts`` lists ambiguities.
    """

    request: Pair | None
    copies: tuple[Pair, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def requests(self) -> list[Part]:
        """The ends of the request."""
        return self.request.ends if self.request else []

    @property
    def last_copies(self) -> list[Part]:
        """The ends of the last copy."""
        return self.copies[-1].ends if self.copies else []


_READ: dict[str, Any] = {
    **dict.fromkeys(("told_by", "operation_ids", "backup_ids"), frozenset),
    **dict.fromkeys(("states", "looks"), lambda rows: tuple(State(**row) for row in rows or ())),
    "failures": lambda rows: tuple(Failure(**row) for row in rows or ()),
}


def part_of(row: Mapping[str, Any]) -> Part:
    """Return a row of a query whose columns are fields of `Part`."""
    return Part(**{name: _READ[name](value) if name in _READ else value for name, value in row.items()})


def read_parts(view: View, query: str) -> list[Part]:
    """Return the rows of a query whose columns are fields of `Part`."""
    return [part_of(row) for row in view.rows(query)]


def earliest(*times: datetime | None) -> datetime | None:
    """Return the earliest known time."""
    return min((time for time in times if time is not None), default=None)


def latest(*times: datetime | None) -> datetime | None:
    """Return the latest known time."""
    return max((time for time in times if time is not None), default=None)


def in_order(states: Iterable[State]) -> tuple[State, ...]:
    """Return states by time, the first of those that repeat each other."""
    kept: list[State] = []
    for state in sorted(states, key=lambda s: s.time):
        if not kept or kept[-1].name != state.name:
            kept.append(state)
    return tuple(kept)


def differ(a: str | None, b: str | None) -> bool:
    """Return whether two values are known and differ."""
    return bool(a and b and a != b)


def same_text(a: str | None, b: str | None) -> bool:
    """Return whether two names are known and equal, case-insensitive."""
    return bool(a and b and a.lower() == b.lower())


def contains(request: Part, copy: Part, clock: ReferenceClock) -> bool:
    """Return whether the copy is within the request, and within its seeding if that was captured."""
    begin, end = copy.start or copy.first, copy.end or copy.last
    if begin is None or end is None or request.first is None or request.last is None:
        return False
    slack = tolerance(clock, request.host, copy.host)
    spans = request.seeding or [(request.first, None)]
    closed = request.end or (request.last if request.ended else None)
    return any(since - slack <= begin and (until or closed or end) + slack >= end for since, until in spans)
