"""Time spent waiting for a backup slot, what ran meanwhile, and progress that stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from agtrace.history.base import View
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
class Stall:
    """A time without progress on one end: a wait for a slot, or a state or a copy that stood still.

    Parameters
    ----------
    state
        In which state; "the copy" where bytes stood still.
    end
        The last instant captured where it did not end.
    is_over
        False where it lasted to the end of what was captured.
    copied
        Bytes transferred by then, None where not known.
    beside
        Of a wait for a slot: what ran meanwhile and can have held it.
    """

    operation: Operation
    side: Side
    state: str
    start: datetime
    end: datetime
    is_over: bool
    copied: int | None = None
    beside: tuple[Beside, ...] = ()

    @property
    def seconds(self) -> float:
        """How long it stood still."""
        return (self.end - self.start).total_seconds()


BACKUPS = """
    select host_id, database, media, coalesce(start, "end") as start, "end"
    from backups where operation = 'backup' and "end" is not null order by operation_id
"""


def waits(view: View, operations: Sequence[Operation]) -> dict[int, Stall]:
    """Give the wait for a slot of each operation that had any, of the end where it took longer."""
    rows = view.rows(BACKUPS)
    found = {}
    for operation in operations:
        waited = []
        for side in operation.sides:
            is_over = operation.outcome != "running" or not _is_slot(side.states[-1:])
            for state in side.states:
                if _is_slot((state,)) and state.seen_until is not None:
                    waited.append(Stall(operation, side, SLOT, state.time, state.seen_until, is_over))
        if waited:
            longest = max(waited, key=lambda wait: wait.seconds)
            found[operation.number] = replace(longest, beside=_beside(longest, operations, rows))
    return found


def _is_slot(states: Sequence[State]) -> bool:
    return any(state.name.upper() == SLOT for state in states)


def stalls(
    operations: Sequence[Operation], slots: Mapping[int, Stall], limits: Thresholds
) -> dict[int, Stall]:
    """Give what stood still for `seeding_stalled_minutes` or longer, one per operation at most."""
    least = limits.seeding_stalled_minutes * 60
    found = {}
    for operation in operations:
        slot = slots.get(operation.number)
        stood = [stall for side in operation.sides for stall in _stood(operation, side)]
        longest = max(stood, key=lambda stall: stall.seconds, default=None)
        if slot is not None and slot.seconds >= least and not slot.beside:
            longest = slot
        if longest is not None and longest.seconds >= least:
            found[operation.number] = longest
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
    wait: Stall, operations: Sequence[Operation], backups: list[dict[str, Any]]
) -> tuple[Beside, ...]:
    found, host = [], wait.side.host
    for other in operations:
        begun, ended = other.copy_start, other.copy_end or other.end or wait.end
        is_there = any(each.host and each.host == host for each in other.sides)
        if other is not wait.operation and is_there and begun and begun < wait.end and ended > wait.start:
            name = other.database or "a database of unknown name"
            found.append(Beside(f"seeding of {name}", begun, other.copy_end, host or ""))
    name = (wait.operation.database or "").lower()
    for row in backups:
        is_own = row["media"] == "VIRTUAL_DEVICE" and name and str(row["database"]).lower() == name
        if row["host_id"] == host and not is_own and row["start"] < wait.end and row["end"] > wait.start:
            what = f"backup of {row['database']}"
            found.append(Beside(what, row["start"], row["end"], f"ERRORLOG of {host}"))
    return tuple(found)


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
