"""Everything computed about the seedings of a case, once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

from agtrace.diagnostics.base import View
from agtrace.diagnostics.seeding import contradictions, limits
from agtrace.diagnostics.seeding.contradictions import Contradiction
from agtrace.diagnostics.seeding.limits import Limiter
from agtrace.history.seedings import compression, slots
from agtrace.history.seedings.compression import Compressed
from agtrace.history.seedings.copying import Copying
from agtrace.history.seedings.operation import SOURCE, TARGET, Operation, Side
from agtrace.history.seedings.rates import Rates, rates
from agtrace.history.seedings.slots import Stall
from agtrace.measure import usage as resources
from agtrace.measure.usage import CoreLoads, Usage, Window
from agtrace.say import words
from agtrace.thresholds import Thresholds

CATCHUP = "CATCHUP"
AFTER = timedelta(seconds=60)
"""How long after the end of seeding redo is still looked at."""
REDO = ("redo", "recovery_queue")
SHORTEST_S = 0.5
"""States shorter than this are not listed in a sentence."""
UNKNOWN = "a database of unknown name"
Measured = TypeVar("Measured", Usage, CoreLoads)
NAME = 60
"""Characters of a name that a finding's subject bears."""


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
    parallel: tuple[dict[str, Any], ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    slot: Stall | None = None
    stall: Stall | None = None

    def usage(self, role: str, resource: str) -> Usage | None:
        """Give what an end did during the copy."""
        side = self.operation.source if role == SOURCE else self.operation.target
        return None if side is None else resources.of(self.usages, self.operation.number, side.host, resource)

    @property
    def redone(self) -> list[Usage]:
        """Redo and recovery queue of the target after the copy, where it had any."""
        host = self.operation.target.host if self.operation.target else ""
        return [each for each in self.redo if each.host == host and each.highest > 0]

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
    def seen(self) -> tuple[datetime | None, datetime | None]:
        """When it was requested, and its last state."""
        return self.operation.start, self.operation.end

    @property
    def copied(self) -> tuple[datetime | None, datetime | None]:
        """When the copy began and ended."""
        return self.operation.copy_start, self.operation.copy_end

    @property
    def written(self) -> tuple[datetime, datetime] | None:
        """Start and completion as exported, where their zone is not known and nothing else tells."""
        if self.seen != (None, None):
            return None
        for side in self.operation.sides:
            if side.start_written and side.end_written and side.end_written >= side.start_written:
                return side.start_written, side.end_written
        return None

    @property
    def lasted(self) -> float | None:
        """Seconds from the first request to the last state, of times whose zone is not known, too."""
        first, last = self.written or self.seen
        return None if first is None or last is None else (last - first).total_seconds()

    @property
    def is_whole(self) -> bool:
        """Whether more than the copy itself was seen: the request before it, what came after it."""
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
        ends = {"source": self.end(SOURCE), "target": self.end(TARGET)}
        own = {"of": self, "operation": self.operation, "database": self.database}
        return {**own, **ends, "begun": self.begun, "unseen": self.unseen}


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
        later: list[Operation] = []
        for name in _names(operation):
            good = self._good.get(name, [])
            rest = islice(good, bisect_right(good, operation.number, key=attrgetter("number")), None)
            first = next((other for other in rest if _same_copy(operation, other)), None)
            if first is not None:
                later.append(first)
        return min(later, key=attrgetter("number"), default=None)

    def told_of(self, name: str, side: Side) -> dict[str, Any]:
        """Give how well backups of an end would have been seen; ``name`` is what the end is called."""
        host = side.host
        return {"host_name": name, "is_logged": host in self.logged, "is_hushed": host in self.hushed}

    @cached_property
    def _good(self) -> dict[tuple[str, str], list[Operation]]:
        """What succeeded, by the names and guids of databases, in order of the numbers."""
        found: dict[tuple[str, str], list[Operation]] = defaultdict(list)
        for each in sorted((seeded.operation for seeded in self.seeded), key=attrgetter("number")):
            if each.outcome in ("completed", "already_present"):
                for name in _names(each):
                    found[name].append(each)
        return found


def _names(operation: Operation) -> list[tuple[str, str]]:
    known = {"name": (operation.database or "").lower() or None, "guid": operation.database_guid}
    return [(kind, name) for kind, name in known.items() if name is not None]


def _same_copy(one: Operation, other: Operation) -> bool:
    """Tell whether two seedings of one name or one guid are of one database, as far as both are named."""
    if one.database and other.database and one.database.lower() != other.database.lower():
        return False
    hosts = [o.target.host if o.target else None for o in (one, other)]
    return None in hosts or hosts[0] == hosts[1]


def study(
    view: View, operations: Sequence[Operation], wanted: Callable[[Operation], bool], limit: Thresholds
) -> Study:
    """Look at the wanted operations; the others count as what ran beside them."""
    if not operations:
        return Study((), limit)
    windows = {o.number: w for o in operations if (w := _copy(o)) is not None}
    redo_windows = [w for o in operations for w in (*after_copy(o), *_catching_up(o))]
    copies = list(windows.values())
    usages = _by_window(resources.usage(view, copies) if copies else [])
    cores = _by_window(resources.core_loads(view, copies) if copies else [])
    redone = _by_window(resources.usage(view, redo_windows, REDO) if redo_windows else [])
    judged = compression.judge_all(view, operations, limit)
    waited = slots.waits(view, operations)
    stood = slots.stalls(operations, waited, limit)
    parallel, copying = _parallel_redo(view), Copying(operations)
    found = []
    for operation in filter(wanted, operations):
        number, window = operation.number, windows.get(operation.number)
        lasted = (window.end - window.start).total_seconds() if window else None
        own, compressed = usages[number], judged[number]
        is_alone = copying.is_alone(operation)
        against = contradictions.find(operation, own, compressed, limit, is_alone=is_alone)
        found.append(
            Seeded(
                operation=operation,
                rates=rates(operation, own),
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
            )
        )
    names = {o.database.lower(): o.database for o in operations if o.database}
    return Study(tuple(found), limit, slots.logged(view), tuple(names.values()), slots.hushed(view))


def _by_window(measured: Iterable[Measured]) -> dict[int, list[Measured]]:
    found: dict[int, list[Measured]] = defaultdict(list)
    for each in measured:
        found[each.window].append(each)
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


def after_copy(operation: Operation) -> list[Window]:
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
    for side in reversed(operation.sides):
        lasted = [state.seconds for state in side.states if state.name.upper() == CATCHUP]
        if known := [seconds for seconds in lasted if seconds is not None]:
            return sum(known)
    return None


def _parallel_redo(view: View) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Give what parallel redo did by host and database, the latter in lower case."""
    rows = view.rows(
        "select host_id as host, lower(coalesce(fields['database'], '')) as database, time, "
        "coalesce(fields['event'], '') as event, coalesce(fields['pool_size'], '') as workers "
        "from log_messages where topic = 'parallel_redo' and host_id is not null and time is not null "
        "order by time"
    )
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        found[row["host"], row["database"]].append(row)
    return found


def _around(
    parallel: dict[tuple[str, str], list[dict[str, Any]]], operation: Operation
) -> tuple[dict[str, Any], ...]:
    """Give those of a seeding's target from the end of its copy to its own end, and so long beside."""
    begin, end = operation.copy_end or operation.start, operation.end
    if operation.target is None or operation.target.host is None or begin is None or end is None:
        return ()
    own = parallel.get((operation.target.host, (operation.database or "").lower()), [])
    first = bisect_left(own, begin - AFTER, key=itemgetter("time"))
    return tuple(own[first : bisect_right(own, end + AFTER, key=itemgetter("time"))])
