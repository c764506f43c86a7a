"""A run: a span with steps in which data was brought to a secondary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agtrace.history.seedings import Compressed

MANUAL, SEEDING, GIVEN = "backup, restore and join", "automatic seeding", "labelled window"
TWO_STEPS = "backup and restore"
"""Method name of a manual run whose join was not captured."""

BACKUP, RESTORE, JOIN, COPY, WAIT = "backup", "restore", "join", "copy", "wait"
LOG_BACKUP, LOG_RESTORE, UNSEEN_RESTORE = "log backup", "log restore", "wait and restore"
REQUEST, SLOT, CATCH_UP, WINDOW = "request", "wait for a slot", "catch-up", "window"
MOVING = (BACKUP, RESTORE, LOG_BACKUP, LOG_RESTORE, UNSEEN_RESTORE, COPY, WINDOW)
"""Steps in which data moves; the resources of a run are measured over them."""

GAP = timedelta(seconds=1)
"""A shorter pause between two steps is not a step."""
LONG = timedelta(minutes=1)
"""From this length on, times of a manual run are rounded to whole seconds."""


@dataclass(frozen=True)
class Step:
    """A part of a run; times are UTC.

    Parameters
    ----------
    host
        Where it ran; None where two hosts share it or none is known.
    bytes
        Bytes of the database that it moved, where known.
    """

    name: str
    start: datetime
    end: datetime
    host: str | None = None
    bytes: int | None = None

    @property
    def seconds(self) -> float:
        """How long it took."""
        return (self.end - self.start).total_seconds()


@dataclass(frozen=True)
class Run:
    """One run; times are UTC.

    Parameters
    ----------
    number
        Chronological position, from 1.
    method
        `MANUAL`, `TWO_STEPS`, `SEEDING` or `GIVEN`.
    database
        Name (or GUID if the name is unknown); None for a labelled window.
    source, target
        Hosts; None if unknown.
    steps
        In chronological order, including waits between them.
    database_bytes
        Bytes of the database that were transferred; never bytes on the wire.
    factors
        Further differences between runs: the trace flag, the factors of labelled windows.
    label, run_id
        From the labelled window of the run; "" without one.
    told_by
        The captures that show it.
    unseen
        Missing information, as texts that follow "Run 2: ".
    compressed
        Whether its stream was compressed; None if it is not a seeding.
    is_elsewhere
        Whether the database never joined after its restore: a copy for other purposes.
    """

    number: int
    method: str
    database: str | None
    source: str | None
    target: str | None
    steps: tuple[Step, ...]
    database_bytes: int | None = None
    factors: tuple[tuple[str, str], ...] = ()
    label: str = ""
    run_id: str = ""
    told_by: str = ""
    unseen: tuple[str, ...] = ()
    compressed: Compressed | None = None
    is_elsewhere: bool = False

    @property
    def start(self) -> datetime:
        """Return the start of the first step."""
        return self.steps[0].start

    @property
    def end(self) -> datetime:
        """End of its last step."""
        return max(step.end for step in self.steps)

    @property
    def seconds(self) -> float:
        """From its first step's begin to its last step's end, waits included."""
        return (self.end - self.start).total_seconds()

    @property
    def moving(self) -> tuple[Step, ...]:
        """The steps in which data moves."""
        return tuple(step for step in self.steps if step.name in MOVING)

    @property
    def moving_seconds(self) -> float:
        """How long data moved."""
        return sum(step.seconds for step in self.moving)

    @property
    def bytes_per_s(self) -> float | None:
        """Bytes of the database per second of the whole run."""
        known = self.database_bytes and self.seconds
        return self.database_bytes / self.seconds if self.database_bytes and known else None

    def shares(self, start: datetime, end: datetime) -> float:
        """Return the seconds that the run shares with a time span."""
        return max((min(self.end, end) - max(self.start, start)).total_seconds(), 0.0)


def in_whole_seconds(steps: Sequence[Step]) -> list[Step]:
    """Return steps with times in whole seconds if they take a minute or more in total.

    The logs of two hosts are not more precise, and the displayed durations then add up to their total.
    """
    if max(s.end for s in steps) - min(s.start for s in steps) < LONG:
        return list(steps)
    return [replace(s, start=_whole(s.start), end=_whole(s.end)) for s in steps]


def ordered(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Put steps in order of time, and every pause between them in as a step of its own."""
    found: list[Step] = []
    for step in sorted(steps, key=lambda s: (s.start, s.end)):
        if found:
            reached = max(s.end for s in found)
            if step.start - reached >= GAP:
                found.append(Step(WAIT, reached, step.start))
        found.append(step)
    return tuple(found)


def _whole(time: datetime) -> datetime:
    return time.replace(microsecond=0)
