"""What is known of one seeding operation, whichever captures told it.

A seeding operation has two layers, and two hosts see each. *Automatic seeding* is the decision: a
request, a check, a slot, the copy, the catch-up; its events and its DMV carry guids and no name.
*Physical seeding* is the copy: a backup on the source streamed into a restore on the target; its
events and its DMV carry the database's name and other guids.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import pyarrow as pa

from agtrace.tables import UTC_TIME

SOURCE, TARGET = "source", "target"
XEL, DMV, ERRORLOG, PERFMON = "xel", "dmv", "errorlog", "perfmon"

FINAL = frozenset({"COMPLETED", "FAILED", "SUCCESS", "FAILURE"})
"""States, in capitals, that nothing follows."""

PROGRESS = pa.schema(
    [
        ("time", UTC_TIME),
        ("transferred_bytes", pa.int64()),
        ("database_bytes", pa.int64()),
        ("bytes_per_s", pa.float64()),
        ("disk_wait_ms", pa.int64()),
        ("network_wait_ms", pa.int64()),
    ]
)
"""Columns of `Side.progress`: what the copy reported as it went, waits summed since its start."""


@dataclass(frozen=True)
class State:
    """A state that an end was in, as the server names it; times are UTC.

    Parameters
    ----------
    time
        When it began.
    end
        When it ended: final ones at once. None where that was not captured.
    seen_until
        ``end``; of the last state of a seeding that goes on the last instant at which captures of
        its host would have told of another one.
    """

    time: datetime
    name: str
    end: datetime | None = None
    seen_until: datetime | None = None

    @property
    def seconds(self) -> float | None:
        """How long it lasted, None where its end was not captured."""
        return None if self.end is None else (self.end - self.time).total_seconds()

    @property
    def seen_seconds(self) -> float | None:
        """How long it was seen to last."""
        return None if self.seen_until is None else (self.seen_until - self.time).total_seconds()


@dataclass(frozen=True)
class Failure:
    """Why an operation failed.

    Parameters
    ----------
    state
        failure_state as a number, the hundreds digit (1 source, 2 target) included; None when only
        a text is known.
    text
        The server's own description or message.
    time
        When (UTC), None when not known.
    where
        What says so, for the evidence: event, DMV column or ERRORLOG line, and the host.
    message_id
        Number of the ERRORLOG's message, whose text may be in any language.
    """

    state: int | None
    text: str
    time: datetime | None
    where: str
    message_id: int | None = None


@dataclass(frozen=True)
class Side:
    """One host's view of an operation; times are UTC.

    Parameters
    ----------
    role
        `SOURCE` or `TARGET`.
    host
        host_id, None when the capture's host is not known.
    told_by
        Which kinds of capture tell of it: `XEL`, `DMV`, `ERRORLOG`, `PERFMON`.
    states
        States of automatic seeding in order of time, as written (LIMIT_CONCURRENT_BACKUPS, ...).
    phases
        States of the copy itself in order of time, as written (ReadingAndSendingData, ...).
    start, end
        First and last instant of automatic seeding; None where it was not seen.
    copy_start, copy_end
        First and last instant of the copy; None where it was not seen, or has not ended.
    transferred_bytes, database_bytes
        Last figures reported.
    disk_wait_ms, network_wait_ms
        Waits summed over the copy, at its last report; None where none was captured.
    is_compression_enabled
        The flag as reported. It is known to stay false while the stream is compressed.
    progress
        Reports of the copy, `PROGRESS`, in order of time.
    remote
        Name of the other machine as this side writes it.
    start_written, end_written
        start_time and completion_time of sys.dm_hadr_automatic_seeding as exported, without zone,
        where no capture tells which zone they are in; ``start`` and ``end`` are then None.
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
    progress: pa.Table = field(default_factory=PROGRESS.empty_table, repr=False, compare=False)
    remote: str | None = None
    start_written: datetime | None = None
    end_written: datetime | None = None


@dataclass(frozen=True)
class Operation:
    """One seeding of one database to one replica; times are UTC.

    Parameters
    ----------
    number
        Position in order of time, from 1.
    database, ag
        Names; None where only guids are known.
    database_guid
        ag_db_id, lower case; None where not known.
    source, target
        What each end shows; None where no capture of that end tells of it.
    start, end
        First request to last state of automatic seeding; the copy's where only that was seen.
        ``end`` is None while it runs, or where its end was not captured. What a restart cut off
        ends when the server started again, what fell silent at its last report.
    copy_start, copy_end
        First to last instant of the copy; of the state SEEDING, which is a moment longer, where
        only automatic seeding was captured. With several attempts: of the last one.
    copied_bytes
        Bytes of the database that were copied: reported as transferred, else pages of the backup
        times 8,192, else the integral of Backup/Restore Throughput/sec. Never bytes on the wire.
    bytes_source
        Which of these, for the evidence.
    database_bytes
        Size of the database as reported; None where not.
    outcome
        "completed", "failed", "cut_off" (a restart or the end of a side's events ends it),
        "already_present" (no copy was needed), "running" (the capture ends before it does).
    failures
        Reasons, in order of time.
    attempts
        Number of attempts, where reported.
    backup_ids
        The backups and restores that its ends were (operation_id of relation backups).
    told_by
        Union over both sides.
    unjoined
        What stayed ambiguous, in words; "" when nothing did.
    time_basis
        "" when times are UTC by themselves; else how local times were settled ("DMV times are UTC:
        within 2 s of XEL"), or "unknown" when they could not be.
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
        """The ends that were seen, the source first."""
        return tuple(side for side in (self.source, self.target) if side is not None)

    @property
    def copy_seconds(self) -> float | None:
        """Seconds that the copy took."""
        if self.copy_start is None or self.copy_end is None:
            return None
        return (self.copy_end - self.copy_start).total_seconds()

    @property
    def bytes_per_s(self) -> float | None:
        """Mean rate of the copy, bytes of the database per second."""
        seconds = self.copy_seconds
        return self.copied_bytes / seconds if self.copied_bytes and seconds else None
