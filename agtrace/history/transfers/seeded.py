"""Runs of automatic seeding: one for each operation that completed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from agtrace.history.seedings import Compressed, Operation
from agtrace.history.transfers import run as r
from agtrace.history.transfers.run import Run, Step

COMPRESSION = "compression"
"""The factor: the setting of trace flag 9567 if known, else the stream itself."""
FLAG_ON, FLAG_OFF = "trace flag 9567 on", "trace flag 9567 off"
COMPRESSED, UNCOMPRESSED = "compressed", "not compressed"

_SLOT, _COPYING, _CATCHING_UP = "LIMIT_CONCURRENT_BACKUPS", "SEEDING", "CATCHUP"
LEAST_S = 0.5
"""A shorter span is not a step."""


def find_seeded(operations: Iterable[Operation], judged: dict[int, Compressed]) -> tuple[list[Run], int]:
    """Return a run for each completed operation, and how many did not complete."""
    found = []
    others = 0
    for operation in operations:
        if operation.outcome not in ("completed", "already_present"):
            others += 1
        run = _run(operation, judged.get(operation.number))
        if operation.outcome == "completed" and run is not None:
            found.append(run)
    return found, others


def _run(operation: Operation, compressed: Compressed | None) -> Run | None:
    steps = _steps(operation)
    if not steps:
        return None
    unseen = []
    if {step.name for step in steps} == {r.COPY}:
        unseen.append("its states were not captured: its duration is that of the copy alone.")
    if operation.unjoined:
        unseen.append(operation.unjoined)
    if operation.time_basis == "unknown":
        unseen.append("its times are local ones whose zone is not known.")
    return Run(
        number=0,
        method=r.SEEDING,
        database=operation.database or operation.database_guid,
        source=operation.source.host if operation.source else None,
        target=operation.target.host if operation.target else None,
        steps=steps,
        database_bytes=operation.copied_bytes or operation.database_bytes,
        factors=_factor(compressed),
        told_by=", ".join(sorted(operation.told_by)),
        unseen=tuple(unseen),
        compressed=compressed,
    )


def _factor(compressed: Compressed | None) -> tuple[tuple[str, str], ...]:
    if compressed is None:
        return ()
    if compressed.trace_flag is not None:
        return ((COMPRESSION, FLAG_ON if compressed.trace_flag else FLAG_OFF),)
    if compressed.verdict is not None:
        return ((COMPRESSION, COMPRESSED if compressed.verdict else UNCOMPRESSED),)
    return ()


def _steps(operation: Operation) -> tuple[Step, ...]:
    """Cut an operation into request, wait for a slot, copy and catch-up, as far as they were seen."""
    source = operation.source.host if operation.source else None
    target = operation.target.host if operation.target else None
    copy = operation.copy_start or _first(operation, _COPYING)
    copied = operation.copy_end or _first(operation, _CATCHING_UP) or operation.end
    if copy is None or copied is None or copied <= copy:
        return ()
    start = min(operation.start or copy, copy)
    end = max(operation.end or copied, copied)
    slot = _first(operation, _SLOT)
    if slot is not None and not start <= slot < copy:
        slot = None
    steps = [
        Step(r.REQUEST, start, slot or copy),
        *([Step(r.SLOT, slot, copy, source)] if slot else []),
        Step(r.COPY, copy, copied, None, operation.copied_bytes),
        Step(r.CATCH_UP, copied, end, target),
    ]
    return r.ordered([s for s in steps if s.name == r.COPY or s.seconds >= LEAST_S])


def _first(operation: Operation, name: str) -> datetime | None:
    times = [s.time for side in operation.sides for s in side.states if s.name.upper() == name]
    return min(times, default=None)
