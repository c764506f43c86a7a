"""Everything computed about the seedings of a case, once: the rate of each copy over time, and what ran beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

import numpy as np

from agtrace.diagnostics.base import View
from agtrace.diagnostics.seeding import contradictions, limits, slots
from agtrace.diagnostics.seeding.contradictions import Contradiction
from agtrace.diagnostics.seeding.limits import Limiter
from agtrace.diagnostics.seeding.slots import SlotWait, Stall
from agtrace.history.seedings import compression
from agtrace.history.seedings.compression import Compressed
from agtrace.history.seedings.operation import SOURCE, TARGET, Operation, Side
from agtrace.measure import usage as resources
from agtrace.measure.usage import CoreLoads, Usage, Window
from agtrace.say import words
from agtrace.thresholds import Thresholds

CATCHUP = "CATCHUP"
AFTER = timedelta(seconds=60)
"""How long after the end of seeding redo is still looked at."""
CLOSE = 0.5
"""Intervals between reports shorter than this share of the usual one are left out."""
SHORTEST_S = 0.5
"""States shorter than this are not listed in a sentence."""
UNKNOWN = "a database of unknown name"
NAME = 60
"""Characters of a name that a finding's subject bears."""


@dataclass(frozen=True)
class Rates:
    """How fast a copy was.

    Parameters
    ----------
    mean
        Bytes over the time of the copy.
    n
        Intervals or samples that the percentiles rest on; 0 where there are none.
    source
        What they come from.
    """

    mean: float | None
    p5: float | None = None
    p50: float | None = None
    p95: float | None = None
    n: int = 0
    source: str = ""


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

    @property
    def redone(self) -> list[Usage]:
        """Redo and recovery queue of the target after the copy, where it had any."""
        host = self.operation.target.host if self.operation.target else ""
        kinds = ("redo", "recovery_queue")
        return [
            each for each in self.redo if each.host == host and each.resource in kinds and each.highest > 0
        ]

    def work(self, role: str) -> float | None:
        """Give the core-seconds per GB of the database that an end's processors worked during the copy."""
        usage = self.usage(role, "cpu")
        return None if usage is None else usage.core_seconds_per_gb(self.operation.copied_bytes)

    def end(self, role: str) -> str:
        """Name an end: its host, what the other end calls it, or its role."""
        own, other = self.operation.source, self.operation.target
        if role == TARGET:
            own, other = other, own
        return (own.host if own else None) or (other.remote if other else None) or f"the {role}"

    @property
    def database(self) -> str:
        """Name of the database, or its guid where nothing else is known."""
        operation = self.operation
        guid = operation.database_guid
        return operation.database or (f"database {guid}" if guid else UNKNOWN)

    @property
    def begun(self) -> datetime | None:
        """When it began, as far as that is known."""
        return self.operation.start or self.operation.copy_start

    @property
    def written(self) -> tuple[datetime, datetime] | None:
        """Start and completion as exported, where their zone is not known and nothing else tells."""
        if self.operation.start is not None or self.operation.end is not None:
            return None
        for side in self.operation.sides:
            if side.start_written and side.end_written and side.end_written >= side.start_written:
                return side.start_written, side.end_written
        return None

    @property
    def lasted(self) -> float | None:
        """Seconds from the first request to the last state, of times whose zone is not known, too."""
        first, last = self.written or (self.operation.start, self.operation.end)
        return None if first is None or last is None else (last - first).total_seconds()

    @property
    def is_whole(self) -> bool:
        """Whether more than the copy itself was seen: the request before it, what came after it."""
        own = self.operation
        return bool(self.written) or (own.start, own.end) != (own.copy_start, own.copy_end)

    @property
    def states(self) -> list[tuple[str, dict[str, float]]]:
        """Seconds in each state, by end; without ends that captured none."""
        found = []
        for side in self.operation.sides:
            seconds: dict[str, float] = defaultdict(float)
            for each in side.states:
                if each.seconds is not None:
                    seconds[each.name] += each.seconds
            if listed := {name: lasted for name, lasted in seconds.items() if lasted >= SHORTEST_S}:
                found.append((self.end(side.role), listed))
        return found

    @cached_property
    def unseen(self) -> list[tuple[str, str, str]]:
        """What of it was not captured: kind, end and the end's role."""
        operation, lacking = self.operation, []
        for role, side in ((SOURCE, operation.source), (TARGET, operation.target)):
            kinds = []
            if side is None:
                kinds.append("itself")
            elif not side.states:
                kinds.append("states")
            if side is not None and not any(each.role == role for each in self.limiter.waits):
                kinds.append("waits")
            if side is not None and operation.copy_seconds and self.usage(role, "cpu") is None:
                is_seen = any(usage.host == side.host for usage in self.usages)
                kinds.append("processors" if is_seen else "perfmon")
            lacking += [(kind, self.end(role), role) for kind in kinds]
        return lacking

    @property
    def subject(self) -> dict[str, str]:
        """What a finding about it is about."""
        found = {"database": self.operation.database, "ag": self.operation.ag}
        ends = {role: words.plain(self.end(role), NAME) for role in (SOURCE, TARGET)}
        return {key: value for key, value in found.items() if value} | ends

    @property
    def facts(self) -> dict[str, Any]:
        """What the words about it name."""
        return {
            "of": self, "operation": self.operation, "database": self.database, "source": self.end(SOURCE),
            "target": self.end(TARGET), "begun": self.begun, "unseen": self.unseen,
        }  # fmt: skip


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


def between_reports(side: Side | None) -> tuple[np.ndarray, np.ndarray]:
    """Give (times, bytes per second) between successive reports of one end.

    What changed over time between two reports does not depend on what the reported rate averages.
    """
    empty = np.array([], dtype="datetime64[us]"), np.array([], dtype=np.float64)
    if side is None or len(side.progress) < 2:
        return empty
    times = side.progress["time"].to_numpy().astype("datetime64[us]")
    done = side.progress["transferred_bytes"].to_numpy(zero_copy_only=False).astype(np.float64)
    known = ~np.isnan(done) & ~np.isnat(times)
    times, done = times[known], done[known]
    if len(times) < 2:
        return empty
    seconds = np.diff(times).astype(np.float64) / 1e6
    moved = np.diff(done)
    # Reports at a change of state lie close together: what they are apart is no rate.
    good = (seconds >= CLOSE * np.median(seconds)) & (seconds > 0) & (moved >= 0)
    return times[1:][good], moved[good] / seconds[good]


def rates(operation: Operation, usages: Iterable[Usage]) -> Rates:
    """Give the rate's percentiles: from progress reports, else Backup/Restore Throughput/sec."""
    mean = operation.bytes_per_s
    best = max((side for side in operation.sides), key=lambda s: len(between_reports(s)[1]), default=None)
    values = between_reports(best)[1]
    if best is not None and len(values) >= 2:
        p5, p50, p95 = (float(p) for p in np.quantile(values, [0.05, 0.5, 0.95]))
        source = f"progress reports of {best.host or 'the ' + best.role}"
        return Rates(mean, p5, p50, p95, len(values), source)
    rows = list(usages)
    for role in (SOURCE, TARGET):
        side = operation.source if role == SOURCE else operation.target
        usage = resources.of(rows, operation.number, side.host if side else None, "backup_restore")
        if usage is not None and usage.highest > 0:
            source = f"Backup/Restore Throughput/sec of {usage.host}"
            return Rates(mean, usage.p5, usage.p50, usage.p95, usage.n, source)
    return Rates(mean)
