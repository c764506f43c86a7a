"""One seeding operation, combined from all captures.

A seeding operation has two layers, and two hosts see each. *Automatic seeding* is the decision: a
request, a check, a slot, the copy, the catch-up; its events and its DMV carry guids and no name.
*Physical seeding* is the copy: a backup on the source streamed into a restore on the target; its
events and its DMV carry the database's name and other guids.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

SOURCE, TARGET = "source", "target"
XEL, DMV, ERRORLOG, PERFMON = "xel", "dmv", "errorlog", "perfmon"

FINAL = frozenset({"COMPLETED", "FAILED", "SUCCESS", "FAILURE"})
"""Final states, in capitals."""


class State(NamedTuple):
    """A state that an end was in, as the server names it; times are UTC.

    Parameters
    ----------
    time
        Start of the state.
    end
        End of the state; final ones end at once. None if not captured.
    seen_until
        ``end``; for the last state of an unfinished seeding, the last moment at which captures of its host
        would have shown another state.
    """

    time: datetime
    name: str
    end: datetime | None = None
    seen_until: datetime | None = None

    @property
    def seconds(self) -> float | None:
        """Return the duration; None if the end was not captured."""
        return None if self.end is None else (self.end - self.time).total_seconds()

    @property
    def seen_seconds(self) -> float | None:
        """Return the duration as far as observed."""
        return None if self.seen_until is None else (self.seen_until - self.time).total_seconds()


class Failure(NamedTuple):
    """Why an operation failed: a row of column ``failures`` of the relation `SEEDINGS`."""

    state: int | None
    text: str
    time: datetime | None
    where: str
    message_id: int | None = None


@dataclass(frozen=True)
class Side:
    """One host's view of an operation; times are UTC.

    The columns of its end in the relation `SEEDINGS`, and its rows of `SEEDING_STATES`.

    Parameters
    ----------
    role
        `SOURCE` or `TARGET`.
    told_by
        Kinds of captures that show it: `XEL`, `DMV`, `ERRORLOG`, `PERFMON`.
    states, phases
        States of automatic seeding (LIMIT_CONCURRENT_BACKUPS, ...) and of the copy itself
        (ReadingAndSendingData, ...) in chronological order, as written.
    start_written, end_written
        Set if their zone is unknown; ``start`` and ``end`` are then None.
    """

    role: str
    host: str | None
    told_by: frozenset[str] = frozenset()
    states: tuple[State, ...] = ()
    phases: tuple[State, ...] = ()
    start: datetime | None = None
    end: datetime | None = None
    copy_start: datetime | None = None
    copy_end: datetime | None = None
    transferred_bytes: int | None = None
    database_bytes: int | None = None
    disk_wait_ms: int | None = None
    network_wait_ms: int | None = None
    is_compression_enabled: bool | None = None
    remote: str | None = None
    start_written: datetime | None = None
    end_written: datetime | None = None


@dataclass(frozen=True)
class Operation:
    """One seeding of one database to one replica, a row of the relation `SEEDINGS`; times are UTC.

    Parameters
    ----------
    source, target
        The view of each end; None if no capture of that end shows it.
    end
        If cut off by a restart, the next start of the server; without a recorded end, the last report.
    copy_start, copy_end
        Of the state SEEDING, which is slightly longer, if only automatic seeding was captured.
    copied_bytes
        Reported as transferred, else pages of the backup times 8,192, else the integral of
        Backup/Restore Throughput/sec.
    """

    number: int
    database: str | None
    ag: str | None
    database_guid: str | None
    source: Side | None
    target: Side | None
    start: datetime | None
    end: datetime | None
    copy_start: datetime | None
    copy_end: datetime | None
    copied_bytes: int | None
    bytes_source: str
    database_bytes: int | None
    outcome: str
    failures: tuple[Failure, ...] = ()
    attempts: int | None = None
    backup_ids: tuple[int, ...] = ()
    told_by: frozenset[str] = frozenset()
    unjoined: str = ""
    time_basis: str = ""

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the captured ends, the source first."""
        return tuple(side for side in (self.source, self.target) if side is not None)

    def host(self, role: str) -> str | None:
        """Return the host of an end, None where it is unknown."""
        side = self.source if role == SOURCE else self.target
        return side.host if side is not None else None

    @property
    def copy_seconds(self) -> float | None:
        """Return the duration of the copy in seconds."""
        if self.copy_start is None or self.copy_end is None:
            return None
        return (self.copy_end - self.copy_start).total_seconds()

    @property
    def bytes_per_s(self) -> float | None:
        """Mean rate of the copy, bytes of the database per second."""
        seconds = self.copy_seconds
        return self.copied_bytes / seconds if self.copied_bytes and seconds else None
