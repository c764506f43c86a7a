"""Time spent waiting for a backup slot, what ran meanwhile, and progress that stopped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from agtrace.diagnostics.base import View
from agtrace.history.seedings.operation import Operation, Side, State
from agtrace.history.trace_flags import BACKUPS_NOT_LOGGED
from agtrace.history.trace_flags.span import trace_flag
from agtrace.thresholds import Thresholds

SLOT = "LIMIT_CONCURRENT_BACKUPS"
COPY = "the copy"
BEFORE_COPY = frozenset({"PENDING", "CHECK_IF_SEEDING_NEEDED", "SENDING_FILE_LIST", SLOT})
"""States that last moments; only the slot may take longer, and only while something holds it."""


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
    state
        The wait; to the last instant captured where it did not end.
    is_over
        False where it lasted to the end of what was captured.
    beside
        What ran meanwhile and can have held the slot.
    """

    operation: Operation
    side: Side
    state: State
    is_over: bool
    beside: tuple[Beside, ...]

    @property
    def start(self) -> datetime:
        """When it began."""
        return self.state.time

    @property
    def end(self) -> datetime:
        """Until when it was seen."""
        return self.state.seen_until or self.state.time

    @property
    def seconds(self) -> float:
        """How long it was seen to last."""
        return self.state.seen_seconds or 0.0


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


BACKUPS = """
    select host_id, database, media, coalesce(start, "end") as start, "end"
    from backups where operation = 'backup' and "end" is not null order by operation_id
"""


def waits(view: View, operations: Sequence[Operation]) -> list[SlotWait]:
    """Give every wait for a slot, the longer end of each operation."""
    rows = view.rows(BACKUPS)
    found = []
    for operation in operations:
        waited = [
            (side, state)
            for side in operation.sides
            for state in side.states
            if state.name.upper() == SLOT and state.seen_until is not None
        ]
        if not waited:
            continue
        side, longest = max(waited, key=lambda each: each[1].seen_seconds or 0.0)
        is_over = side.states[-1].name.upper() != SLOT or operation.outcome != "running"
        beside = _beside(operation, side, longest, operations, rows)
        found.append(SlotWait(operation, side, longest, is_over, beside))
    return found


def stalls(operations: Sequence[Operation], waited: Iterable[SlotWait], limits: Thresholds) -> list[Stall]:
    """Give what stood still for `seeding_stalled_minutes` or longer, one per operation at most."""
    least = limits.seeding_stalled_minutes * 60
    slots = {wait.operation.number: wait for wait in waited}
    found = []
    for operation in operations:
        slot = slots.get(operation.number)
        if slot is not None and slot.seconds >= least and not slot.beside:
            found.append(Stall(operation, slot.side, SLOT, slot.start, slot.end, slot.is_over, slot=slot))
            continue
        stood = [s for side in operation.sides for s in _stood(operation, side)]
        longest = max(stood, key=lambda s: s.seconds, default=None)
        if longest is not None and longest.seconds >= least:
            found.append(longest)
    return found


def _stood(operation: Operation, side: Side) -> list[Stall]:
    is_running = operation.outcome == "running"
    found = []
    for state in side.states:
        until = state.seen_until
        if state.name.upper() in BEFORE_COPY - {SLOT} and until is not None:
            is_over = not is_running or until != side.states[-1].seen_until
            found.append(Stall(operation, side, state.name, state.time, until, is_over))
    reports = side.progress.select(["time", "transferred_bytes"]).to_pylist()
    begun: datetime | None = None
    for before, after in pairwise(reports):
        copied = after["transferred_bytes"]
        if copied is None or copied != before["transferred_bytes"]:
            begun = None
            continue
        begun = begun or before["time"]
        if found and found[-1].state == COPY and found[-1].start == begun:
            found.pop()
        is_over = not is_running or after["time"] != reports[-1]["time"]
        found.append(Stall(operation, side, COPY, begun, after["time"], is_over, copied))
    return found


def _beside(
    operation: Operation,
    side: Side,
    wait: State,
    operations: Sequence[Operation],
    backups: list[dict[str, Any]],
) -> tuple[Beside, ...]:
    start, end = wait.time, wait.seen_until or wait.time
    found = []
    for other in operations:
        is_there = any(each.host and each.host == side.host for each in other.sides)
        begun, ended = other.copy_start, other.copy_end or other.end or end
        if other is operation or not is_there or begun is None:
            continue
        if begun < end and ended > start:
            name = other.database or "a database of unknown name"
            found.append(Beside(f"seeding of {name}", begun, other.copy_end, side.host or ""))
    for row in backups:
        first, last = row["start"], row["end"]
        if row["host_id"] != side.host:
            continue
        is_own = row["media"] == "VIRTUAL_DEVICE" and _same(row["database"], operation.database)
        if not is_own and first < end and last > start:
            where = f"ERRORLOG of {side.host}"
            found.append(Beside(f"backup of {row['database']}", first, last, where))
    return tuple(found)


def _same(one: object, other: str | None) -> bool:
    return other is not None and str(one).lower() == other.lower()


def hushed(view: View) -> frozenset[str]:
    """Give the hosts that kept backups out of their ERRORLOG at some time."""
    return frozenset(span.host for span in trace_flag(view, BACKUPS_NOT_LOGGED) if span.is_on)


def logged(view: View) -> frozenset[str]:
    """Give the hosts of which an ERRORLOG was captured that holds their backups."""
    rows = view.rows(
        "select host_id from errorlog where host_id is not null "
        "union select host_id from messages where host_id is not null"
    )
    return frozenset(row["host_id"] for row in rows) - hushed(view)
