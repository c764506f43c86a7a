"""All results on the seedings of a case, computed once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from agtrace.diagnostics.base import View
from agtrace.diagnostics.seeding import contradictions, limits
from agtrace.diagnostics.seeding.contradictions import Contradiction
from agtrace.diagnostics.seeding.limits import Limiter, Rates, rates
from agtrace.diagnostics.seeding.rows import LoggedHost, RedoWorker, Report, Stall
from agtrace.history.seedings import SOURCE, TARGET, Compressed, Copying, Operation, judge_compression
from agtrace.history.timed import Timed
from agtrace.history.trace_flags import BACKUPS_NOT_LOGGED, trace_flag
from agtrace.measure import usage as resources
from agtrace.measure.usage import CoreLoads, Usage, Window
from agtrace.say import words
from agtrace.store.sql_files import beside
from agtrace.thresholds import Thresholds

_sql = beside(__file__)

SLOT, CATCHUP = "LIMIT_CONCURRENT_BACKUPS", "CATCHUP"
AFTER = timedelta(seconds=60)
"""Time after the end of seeding for which redo is still included."""
REDO = ("redo", "recovery_queue")
SUCCEEDED = ("completed", "already_present")
SHORTEST_S = 0.5
"""States shorter than this are not listed in a sentence."""
UNKNOWN = "a database of unknown name"
Measured = TypeVar("Measured", Usage, CoreLoads)
NAME = 60
"""Longest name in a finding's subject, in characters."""


@dataclass(frozen=True)
class Seeded:
    """One operation with its measurements.

    Parameters
    ----------
    usages
        Activity of the hosts during the copy.
    cores
        The load of each core of the hosts during the copy, where cores were sampled one by one.
    redo
        What the target did from the end of the copy to a minute after the end of seeding.
    catching_up
        Redo of the target from the end of the copy to the end of seeding.
    catchup_s
        Seconds in CATCHUP on the target, else on the source.
    slot, stall
        Its longest wait for a backup slot; its longest time without progress, where that is long.
    reports
        What each end reported of its copy, by role.
    parallel
        What the target's ERRORLOG says of parallel redo from the end of the copy on (message 49930).
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
    parallel: tuple[RedoWorker, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    slot: Stall | None = None
    stall: Stall | None = None
    reports: Mapping[str, Report] = field(default_factory=dict)

    def usage(self, role: str, resource: str) -> Usage | None:
        """Return the activity of an end during the copy."""
        side = self.operation.source if role == SOURCE else self.operation.target
        return None if side is None else resources.of(self.usages, self.operation.number, side.host, resource)

    @property
    def redone(self) -> list[Usage]:
        """Return redo and recovery queue of the target after the copy, if it had any."""
        host = self.operation.target.host if self.operation.target else ""
        return [each for each in self.redo if each.host == host and each.highest > 0]

    def work(self, role: str) -> float | None:
        """Return the core-seconds per GB of the database by an end's processors during the copy."""
        usage = self.usage(role, "cpu")
        return None if usage is None else usage.core_seconds_per_gb(self.operation.copied_bytes)

    def end(self, role: str) -> str:
        """Return the name of an end: its host, the name used by the other end, or its role."""
        own, other = self.operation.source, self.operation.target
        if role == TARGET:
            own, other = other, own
        return (own.host if own else None) or (other.remote if other else None) or f"the {role}"

    @property
    def database(self) -> str:
        """Return the name of the database, or its GUID if unknown."""
        operation = self.operation
        guid = operation.database_guid
        return operation.database or (f"database {guid}" if guid else UNKNOWN)

    @property
    def begun(self) -> datetime | None:
        """Return its start, as far as known."""
        return self.operation.start or self.operation.copy_start

    @property
    def seen(self) -> tuple[datetime | None, datetime | None]:
        """When it was requested, and its last state."""
        return self.operation.start, self.operation.end

    @property
    def copied(self) -> tuple[datetime | None, datetime | None]:
        """When the copy began and ended."""
        return self.operation.copy_start, self.operation.copy_end

    @property
    def written(self) -> tuple[datetime, datetime] | None:
        """Return start and completion as exported, if their zone is unknown and there is no other source."""
        if self.seen != (None, None):
            return None
        for side in self.operation.sides:
            if side.start_written and side.end_written and side.end_written >= side.start_written:
                return side.start_written, side.end_written
        return None

    @property
    def lasted(self) -> float | None:
        """Return the seconds from the first request to the last state, also for times of unknown zone."""
        first, last = self.written or self.seen
        return None if first is None or last is None else (last - first).total_seconds()

    @property
    def is_whole(self) -> bool:
        """Return whether more than the copy itself was captured: the request before it, or later states."""
        return bool(self.written) or self.seen != self.copied

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
        """Return its missing captures: kind, end and the end's role."""
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
        """Return the subject of a finding on it."""
        found = {"database": self.operation.database, "ag": self.operation.ag}
        ends = {role: words.plain(self.end(role), NAME) for role in (SOURCE, TARGET)}
        return {key: value for key, value in found.items() if value} | ends

    @property
    def facts(self) -> dict[str, Any]:
        """Return the values used in the texts on it."""
        ends = {"source": self.end(SOURCE), "target": self.end(TARGET)}
        own = {"of": self, "operation": self.operation, "database": self.database}
        return {**own, **ends, "begun": self.begun, "unseen": self.unseen}


@dataclass(frozen=True)
class Study:
    """The seedings of a case.

    Parameters
    ----------
    logged
        Hosts with a captured ERRORLOG: only there backups are visible.
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
        """Return the first later seeding of the same database and target that succeeded."""
        later = (other for other in self._good if other.number > operation.number)
        return next((other for other in later if _is_same_copy(operation, other)), None)

    def log_coverage(self, name: str, host: str | None) -> dict[str, Any]:
        """Return how well backups of an end would be visible; ``name`` is the name of the end."""
        return {"host_name": name, "is_logged": host in self.logged, "is_hushed": host in self.hushed}

    @cached_property
    def _good(self) -> list[Operation]:
        """Return the successful operations, ordered by number."""
        good = (each.operation for each in self.seeded if each.operation.outcome in SUCCEEDED)
        return sorted(good, key=attrgetter("number"))


def _is_same_copy(one: Operation, other: Operation) -> bool:
    """Return whether two seedings are of one database, by name or GUID, and to one host as far as known."""
    names = [(each.database or "").lower() for each in (one, other)]
    is_named, is_known = names[0] == names[1] != "", one.database_guid == other.database_guid is not None
    if not (is_named or (is_known and "" in names)):
        return False
    hosts = [each.host(TARGET) for each in (one, other)]
    return None in hosts or hosts[0] == hosts[1]


def study(
    view: View, operations: Sequence[Operation], wanted: Callable[[Operation], bool], limit: Thresholds
) -> Study:
    """Return the results for the wanted operations; the others count as running at the same time."""
    if not operations:
        return Study((), limit)
    judged = judge_compression(view, operations, limit)
    standing = view.records(Stall, _sql("stall.sql"))
    waited = {each.seeding_id: each for each in standing if each.is_wait}
    stood = _stalled(waited, standing, limit)
    reports: dict[int, dict[str, Report]] = defaultdict(dict)
    for report in view.records(Report, _sql("report.sql")):
        reports[report.seeding_id][report.role] = report
    windows = {o.number: w for o in operations if (w := _copy(o, reports[o.number])) is not None}
    redo_windows = [w for o in operations for w in (*after_copy(o), *_catching_up(o))]
    copies = list(windows.values())
    usages = _by_window(resources.usage(view, copies) if copies else [])
    cores = _by_window(resources.core_loads(view, copies) if copies else [])
    redone = _by_window(resources.usage(view, redo_windows, REDO) if redo_windows else [])
    parallel = Timed(view.records(RedoWorker, _sql("redo_worker.sql")), "host", "database")
    copying = Copying(operations)
    found = []
    for operation in filter(wanted, operations):
        number, window = operation.number, windows.get(operation.number)
        lasted = (window.end - window.start).total_seconds() if window else None
        own, compressed = usages[number], judged[number]
        is_alone = copying.is_alone(operation)
        reported = reports[number]
        against = contradictions.find(operation, own, compressed, limit, reported.values(), is_alone=is_alone)
        found.append(
            Seeded(
                operation=operation,
                rates=rates(operation, reported, own),
                limiter=limits.judge(operation, own, limit, lasted),
                compressed=compressed,
                usages=tuple(own),
                cores=tuple(cores[number]),
                redo=tuple(redone[number]),
                catching_up=_of_target(operation, redone[-number], limit),
                catchup_s=_catchup(operation),
                parallel=_around(parallel, operation),
                contradictions=tuple(against),
                slot=waited.get(number),
                stall=stood.get(number),
                reports=reported,
            )
        )
    names = {o.database.lower(): o.database for o in operations if o.database}
    hushed = frozenset(span.host for span in trace_flag(view, BACKUPS_NOT_LOGGED) if span.is_on)
    logged = frozenset(row.host_id for row in view.records(LoggedHost, _sql("logged_host.sql"))) - hushed
    return Study(tuple(found), limit, logged, tuple(names.values()), hushed)


def _stalled(waited: Mapping[int, Stall], standing: Iterable[Stall], limit: Thresholds) -> dict[int, Stall]:
    """Return stalls of at least `seeding_stalled_minutes`, at most one per seeding.

    A wait for a slot counts only if no running seeding can have held the slot.
    """
    least = limit.seeding_stalled_minutes * 60
    found = {each.seeding_id: each for each in standing if not each.is_wait}
    found |= {n: wait for n, wait in waited.items() if wait.seconds >= least and not wait.beside}
    return {number: stall for number, stall in found.items() if stall.seconds >= least}


def _by_window(measured: Iterable[Measured]) -> dict[int, list[Measured]]:
    found: dict[int, list[Measured]] = defaultdict(list)
    for each in measured:
        found[each.window].append(each)
    return found


def _copy(operation: Operation, reports: Mapping[str, Report]) -> Window | None:
    """Return the window of the copy, up to the last report if it has not ended."""
    begin, end = operation.copy_start, operation.copy_end
    if end is None:
        end = max((report.until for report in reports.values()), default=None)
    if begin is None or end is None or end <= begin:
        return None
    return Window(operation.number, begin, end, operation.database)


def after_copy(operation: Operation) -> list[Window]:
    """Return the window of redo after a copy, up to a minute after the end of seeding."""
    begin, end = operation.copy_end, operation.end or operation.copy_end
    if begin is None or end is None or operation.outcome != "completed":
        return []
    return [Window(operation.number, begin, max(begin, end) + AFTER, operation.database)]


def _catching_up(operation: Operation) -> list[Window]:
    """Return the part of that window (minus its number) in which the target catches up."""
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
    for side in reversed(operation.sides):
        lasted = [state.seconds for state in side.states if state.name.upper() == CATCHUP]
        if known := [seconds for seconds in lasted if seconds is not None]:
            return sum(known)
    return None


def _around(parallel: Timed[RedoWorker], operation: Operation) -> tuple[RedoWorker, ...]:
    """Return those of a seeding's target from the end of its copy to its own end, and so long beside."""
    begin, end, host = operation.copy_end or operation.start, operation.end, operation.host(TARGET)
    if host is None or begin is None or end is None:
        return ()
    return tuple(parallel.between(begin - AFTER, end + AFTER, host, (operation.database or "").lower()))
