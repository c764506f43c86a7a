"""Time spent waiting for a backup slot, what ran meanwhile, and progress that stopped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa

from agtrace.diagnostics.base import View
from agtrace.diagnostics.seeding.operation import Operation, Side, State
from agtrace.thresholds import Thresholds

SLOT = "LIMIT_CONCURRENT_BACKUPS"
FINAL = frozenset({"COMPLETED", "FAILED", "SUCCESS", "FAILURE"})
BEFORE_COPY = frozenset({"PENDING", "CHECK_IF_SEEDING_NEEDED", "SENDING_FILE_LIST", SLOT})
"""States that last moments; only the slot may take longer, and only while something holds it."""


@dataclass(frozen=True)
class Stretch:
    """A state for as long as it lasted; ``end`` is None where nothing that follows was captured."""

    name: str
    start: datetime
    end: datetime | None

    @property
    def seconds(self) -> float | None:
        """Length."""
        return None if self.end is None else (self.end - self.start).total_seconds()


@dataclass(frozen=True)
class Beside:
    """A backup or another seeding that ran on the same host meanwhile."""

    what: str
    start: datetime | None
    end: datetime | None
    where: str


@dataclass(frozen=True)
class SlotWait:
    """A wait for a slot on one end.

    Parameters
    ----------
    seconds
        How long; to the last instant captured where it did not end.
    is_over
        False where it lasted to the end of what was captured.
    beside
        What ran meanwhile and can have held the slot.
    """

    operation: Operation
    side: Side
    start: datetime
    end: datetime | None
    seconds: float
    is_over: bool
    beside: tuple[Beside, ...]


@dataclass(frozen=True)
class Stall:
    """No progress for long.

    Parameters
    ----------
    state
        In which state; "the copy" where bytes stood still.
    copied
        Bytes transferred by then, None where not known.
    """

    operation: Operation
    side: Side
    state: str
    start: datetime
    end: datetime
    is_over: bool
    copied: int | None = None
    slot: SlotWait | None = None

    @property
    def seconds(self) -> float:
        """How long it stood still."""
        return (self.end - self.start).total_seconds()


def stretches(states: Sequence[State], end: datetime | None) -> list[Stretch]:
    """Give each state with its end: the next state's start, ``end`` for the last; final ones have none."""
    found = []
    for place, state in enumerate(states):
        following = states[place + 1].time if place + 1 < len(states) else end
        if state.name.upper() in FINAL:
            following = state.time
        found.append(Stretch(state.name, state.time, following))
    return found


def last_of(operation: Operation, side: Side, captured: dict[str, datetime]) -> datetime | None:
    """Give the last instant at which an operation's state is known on a host."""
    if operation.outcome != "running":
        return side.end or operation.end
    known = [side.end, captured.get(side.host or ""), *(s.time for s in side.states)]
    return max((time for time in known if time is not None), default=None)


def waits(
    operations: Sequence[Operation],
    backups: pa.Table,
    captured: dict[str, datetime],
) -> list[SlotWait]:
    """Give every wait for a slot, the longer end of each operation.

    Parameters
    ----------
    backups
        Rows of the relation ``backups``.
    captured
        Host to the last instant of any of its captures.
    """
    rows = backups.to_pylist()
    found = []
    for operation in operations:
        longest: SlotWait | None = None
        for side in operation.sides:
            last = last_of(operation, side, captured)
            for stretch in stretches(side.states, last):
                if stretch.name.upper() != SLOT or stretch.end is None:
                    continue
                seconds = (stretch.end - stretch.start).total_seconds()
                if longest is not None and seconds <= longest.seconds:
                    continue
                is_over = side.states[-1].name.upper() != SLOT or operation.outcome != "running"
                beside = _beside(operation, side, stretch, operations, rows)
                longest = SlotWait(operation, side, stretch.start, stretch.end, seconds, is_over, beside)  # fmt: skip
        if longest is not None:
            found.append(longest)
    return found


def stalls(
    operations: Sequence[Operation],
    waited: Iterable[SlotWait],
    captured: dict[str, datetime],
    limits: Thresholds,
) -> list[Stall]:
    """Give what stood still for `seeding_stalled_minutes` or longer, one per operation at most."""
    least = limits.seeding_stalled_minutes * 60
    slots = {wait.operation.number: wait for wait in waited}
    found = []
    for operation in operations:
        slot = slots.get(operation.number)
        if slot is not None and slot.seconds >= least and not slot.beside and slot.end is not None:
            found.append(
                Stall(operation, slot.side, SLOT, slot.start, slot.end, slot.is_over, slot=slot)
            )
            continue
        stood = [s for side in operation.sides for s in _stood(operation, side, captured)]
        longest = max(stood, key=lambda s: s.seconds, default=None)
        if longest is not None and longest.seconds >= least:
            found.append(longest)
    return found


def _stood(operation: Operation, side: Side, captured: dict[str, datetime]) -> list[Stall]:
    last = last_of(operation, side, captured)
    found = []
    for stretch in stretches(side.states, last):
        name = stretch.name.upper()
        if name in BEFORE_COPY - {SLOT} and stretch.end is not None:
            is_over = stretch.end != last or operation.outcome != "running"
            found.append(Stall(operation, side, stretch.name, stretch.start, stretch.end, is_over))
    times = side.progress["time"].to_pylist()
    done = side.progress["transferred_bytes"].to_pylist()
    begun: datetime | None = None
    for (before, was), (after, now) in zip(zip(times, done, strict=True), [*zip(times, done, strict=True)][1:], strict=False):  # fmt: skip
        if was is None or now is None or now != was:
            begun = None
            continue
        begun = begun or before
        if found and found[-1].state == "the copy" and found[-1].start == begun:
            found.pop()
        is_over = after != times[-1] or operation.outcome != "running"
        found.append(Stall(operation, side, "the copy", begun, after, is_over, copied=now))
    return found


def _beside(
    operation: Operation,
    side: Side,
    stretch: Stretch,
    operations: Sequence[Operation],
    backups: list[dict[str, object]],
) -> tuple[Beside, ...]:
    end = stretch.end or stretch.start
    found = []
    for other in operations:
        of_host = next((s for s in other.sides if s.host and s.host == side.host), None)
        begun, ended = other.copy_start, other.copy_end or other.end or end
        if other is operation or of_host is None or begun is None:
            continue
        if begun < end and ended > stretch.start:
            name = other.database or "a database of unknown name"
            found.append(Beside(f"seeding of {name}", begun, other.copy_end, side.host or ""))
    for row in backups:
        first, last = row["start"], row["end"]
        if row["operation"] != "backup" or row["host_id"] != side.host:
            continue
        if not isinstance(last, datetime):
            continue
        first = first if isinstance(first, datetime) else last
        is_own = "virtual" in str(row["media"]).lower() and _same(row["database"], operation.database)  # fmt: skip
        if not is_own and first < end and last > stretch.start:
            where = f"ERRORLOG of {side.host}"
            found.append(Beside(f"backup of {row['database']}", first, last, where))
    return tuple(found)


def _same(one: object, other: str | None) -> bool:
    return other is not None and str(one).lower() == other.lower()


def captured_until(view: View) -> dict[str, datetime]:
    """Give the last instant of each host's captures that can tell of a seeding's end, UTC.

    Counters go on however a seeding ended.
    """
    rows = view.table(
        "select host_id, max(last_time) as last from captures "
        "where host_id is not null and last_time is not null "
        "and content_id not in (select content_id from counters) group by host_id"
    ).to_pylist()
    return {row["host_id"]: row["last"] for row in rows}


def logged(view: View) -> frozenset[str]:
    """Give the hosts of which an ERRORLOG was captured."""
    rows = view.table(
        "select host_id from errorlog where host_id is not null "
        "union select host_id from messages where host_id is not null"
    ).to_pylist()
    return frozenset(row["host_id"] for row in rows)
