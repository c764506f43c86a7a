"""Everything computed about the seedings of a case, once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from agtrace.diagnostics.base import View
from agtrace.diagnostics.seeding import contradictions, limits, slots
from agtrace.diagnostics.seeding.contradictions import Contradiction
from agtrace.diagnostics.seeding.limits import Limiter
from agtrace.diagnostics.seeding.rates import Rates, rates
from agtrace.diagnostics.seeding.slots import SlotWait, Stall
from agtrace.history.seedings import compression
from agtrace.history.seedings.compression import Compressed
from agtrace.history.seedings.operation import Operation
from agtrace.measure import usage as resources
from agtrace.measure.usage import CoreLoads, Usage, Window
from agtrace.thresholds import Thresholds

CATCHUP = "CATCHUP"
AFTER = timedelta(seconds=60)
"""How long after the end of seeding redo is still looked at."""


@dataclass(frozen=True)
class ParallelRedo:
    """Message 49930 of a host: parallel redo began or ended."""

    host: str
    database: str
    event: str
    time: datetime
    workers: str


@dataclass(frozen=True)
class Seeded:
    """One operation with everything that is known beside it.

    Parameters
    ----------
    usages
        What the hosts did during the copy.
    cores
        The load of each core of the hosts during the copy, where cores were sampled one by one.
    redo
        What the target did from the end of the copy to a minute after the end of seeding.
    catching_up
        Redo of the target from the end of the copy to the end of seeding.
    catchup_s
        Seconds in CATCHUP on the target, else on the source.
    """

    operation: Operation
    rates: Rates
    limiter: Limiter
    compressed: Compressed
    usages: tuple[Usage, ...] = ()
    cores: tuple[CoreLoads, ...] = ()
    redo: tuple[Usage, ...] = ()
    catching_up: Usage | None = None
    catchup_s: float | None = None
    parallel: tuple[ParallelRedo, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    slot: SlotWait | None = None
    stall: Stall | None = None

    def usage(self, role: str, resource: str) -> Usage | None:
        """Give what an end did during the copy."""
        side = next((s for s in self.operation.sides if s.role == role), None)
        if side is None:
            return None
        return resources.of(self.usages, self.operation.number, side.host, resource)


@dataclass(frozen=True)
class Study:
    """The seedings of a case.

    Parameters
    ----------
    logged
        Hosts of which an ERRORLOG was captured: only there a backup can have been seen.
    hushed
        Hosts that keep backups out of it (trace flag 3226).
    databases
        Names of the databases whose seedings were captured, those not asked for included.
    """

    seeded: tuple[Seeded, ...]
    limits: Thresholds
    logged: frozenset[str] = frozenset()
    databases: tuple[str, ...] = ()
    hushed: frozenset[str] = frozenset()

    def mended(self, operation: Operation) -> Operation | None:
        """Give the later seeding of the same database and target that succeeded."""
        for other in (s.operation for s in self.seeded):
            good = other.outcome in ("completed", "already_present")
            if good and other.number > operation.number and _same_copy(operation, other):
                return other
        return None


def _same_copy(one: Operation, other: Operation) -> bool:
    if one.database and other.database:
        same = one.database.lower() == other.database.lower()
    else:
        same = one.database_guid is not None and one.database_guid == other.database_guid
    hosts = [o.target.host if o.target else None for o in (one, other)]
    return same and (None in hosts or hosts[0] == hosts[1])


def study(
    view: View, operations: Sequence[Operation], wanted: Callable[[Operation], bool], limit: Thresholds
) -> Study:
    """Look at the wanted operations; the others count as what ran beside them."""
    if not operations:
        return Study((), limit)
    windows = {o.number: w for o in operations if (w := _copy(o)) is not None}
    redo_windows = [w for o in operations for w in (*redo(o), *_catching_up(o))]
    usages = _by_window(resources.usage(view, [*windows.values()]) if windows else [])
    cores = resources.core_loads(view, [*windows.values()]) if windows else []
    redone = _by_window(
        resources.usage(view, redo_windows, ("redo", "recovery_queue")) if redo_windows else []
    )
    judged = compression.judge_all(view, operations, limit)
    waited = slots.waits(view, operations)
    stood = {stall.operation.number: stall for stall in slots.stalls(operations, waited, limit)}
    slot = {wait.operation.number: wait for wait in waited}
    parallel = _parallel(view)
    found = []
    for operation in filter(wanted, operations):
        number, window = operation.number, windows.get(operation.number)
        lasted = (window.end - window.start).total_seconds() if window else None
        own, compressed = usages[number], judged[number]
        is_alone = not compression.overlapping(operation, operations)
        against: list[Contradiction] = []
        if operation.outcome == "completed":
            against = contradictions.find(operation, own, compressed, limit, is_alone=is_alone)
        found.append(
            Seeded(
                operation=operation,
                rates=rates(operation, own),
                limiter=limits.judge(operation, own, limit, lasted),
                compressed=compressed,
                usages=tuple(own),
                cores=tuple(each for each in cores if each.window == number),
                redo=tuple(redone[number]),
                catching_up=_of_target(operation, redone[-number], limit),
                catchup_s=_catchup(operation),
                parallel=tuple(p for p in parallel if _of_redo(p, operation)),
                contradictions=tuple(against),
                slot=slot.get(number),
                stall=stood.get(number),
            )
        )
    names = {o.database.lower(): o.database for o in operations if o.database}
    return Study(tuple(found), limit, slots.logged(view), tuple(names.values()), slots.hushed(view))


def _by_window(usages: Iterable[Usage]) -> dict[int, list[Usage]]:
    found: dict[int, list[Usage]] = defaultdict(list)
    for usage in usages:
        found[usage.window].append(usage)
    return found


def _copy(operation: Operation) -> Window | None:
    """Give the window of the copy, to the last report where it has not ended."""
    begin, end = operation.copy_start, operation.copy_end
    if end is None:
        reports = [t for s in operation.sides for t in s.progress["time"].to_pylist() if t]
        end = max(reports, default=None)
    if begin is None or end is None or end <= begin:
        return None
    return Window(operation.number, begin, end, operation.database)


def redo(operation: Operation) -> list[Window]:
    """Give the window in which a copy is followed by redo, to a minute after the end of seeding."""
    begin, end = operation.copy_end, operation.end or operation.copy_end
    if begin is None or end is None or operation.outcome != "completed":
        return []
    return [Window(operation.number, begin, max(begin, end) + AFTER, operation.database)]


def _catching_up(operation: Operation) -> list[Window]:
    """Give the part of that window (minus its number) in which the target catches up."""
    begin, end = operation.copy_end, operation.end
    if begin is None or end is None or end <= begin or operation.outcome != "completed":
        return []
    return [Window(-operation.number, begin, end, operation.database)]


def _of_target(operation: Operation, usages: Iterable[Usage], limit: Thresholds) -> Usage | None:
    host = operation.target.host if operation.target else None
    found = resources.of(usages, -operation.number, host, "redo")
    is_told = found is not None and found.highest > 0 and resources.is_enough(found, limit)
    return found if is_told else None


def _catchup(operation: Operation) -> float | None:
    for side in (operation.target, operation.source):
        if side is None:
            continue
        lasted = [
            state.seconds
            for state in side.states
            if state.name.upper() == CATCHUP and state.seconds is not None
        ]
        if lasted:
            return sum(lasted)
    return None


def _parallel(view: View) -> list[ParallelRedo]:
    rows = view.rows(
        "select host_id, time, fields['database'] as database, fields['event'] as event, "
        "fields['pool_size'] as workers from messages "
        "where topic = 'parallel_redo' and host_id is not null and time is not null order by time"
    )
    return [
        ParallelRedo(r["host_id"], r["database"] or "", r["event"] or "", r["time"], r["workers"] or "")
        for r in rows
    ]  # fmt: skip


def _of_redo(redo: ParallelRedo, operation: Operation) -> bool:
    if operation.target is None or redo.host != operation.target.host:
        return False
    if (operation.database or "").lower() != redo.database.lower():
        return False
    begin, end = operation.copy_end or operation.start, operation.end
    return begin is not None and end is not None and begin - AFTER <= redo.time <= end + AFTER
