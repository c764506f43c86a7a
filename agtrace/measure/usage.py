"""Activity of the hosts' processors, disks and network cards within windows of time.

Shared by all analyses of a span on several hosts: a seeding operation, a run of a comparison. Byte rates are
B/s, percentages are 0 to 100, times are UTC.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import pyarrow as pa

from agtrace import thresholds
from agtrace.measure import processors
from agtrace.measure.base import View, once_per_case
from agtrace.measure.choice import Means, pick
from agtrace.measure.counters import TOTAL
from agtrace.measure.processors import Cores
from agtrace.measure.resources import BESIDE, CPU, OF_COPY, SOURCES, UNITS
from agtrace.measure.sampler import with_log_steps
from agtrace.moments import microseconds
from agtrace.store.sql_files import beside
from agtrace.tables import UTC_TIME
from agtrace.tables.rows import no_rows

_sql = beside(__file__)

SERIES = pa.schema(
    [
        ("window", pa.int64()),
        ("host", pa.string()),
        ("resource", pa.string()),
        ("time", UTC_TIME),
        ("value", pa.float64()),
    ]
)


@dataclass(frozen=True)
class Window:
    """A span to measure.

    Parameters
    ----------
    number
        Identifies its rows; several spans with one number are one window.
    start, end
        UTC; without a zone, the host's local time if its offset from UTC is unknown.
    database
        Database for counters that exist per database; without it, those of the instance.
    host
        Only this host; without it, all hosts.
    """

    number: int
    start: datetime
    end: datetime
    database: str | None = None
    host: str | None = None


@dataclass(frozen=True)
class Usage:
    """Use of a resource of a host within a window.

    Parameters
    ----------
    instance
        Name of the card, disk or database; "2 cards" if several were summed.
    n
        Samples within the window.
    capacity
        Capacity of the resource, in the same unit; None if unknown.
    covered
        Share of the window covered by samples: 0.5 if perfmon ran for half of it.
    seconds
        Length of the window.
    cores
        Number of processors of the host, if known and if this is their utilisation.
    """

    window: int
    host: str
    resource: str
    instance: str
    unit: str
    n: int
    mean: float
    p5: float
    p50: float
    p95: float
    highest: float
    capacity: float | None
    covered: float = 1.0
    seconds: float = 0.0
    cores: Cores | None = None

    @property
    def core_seconds(self) -> float | None:
        """Return the working time of processors within the window, summed over all of them, in core seconds.

        Utilisation alone is not comparable: 70 % of 2 cores is less work than 50 % of 4, and the same
        utilisation is less work over a shorter time. None if this is not the utilisation of all
        processors, or their number is unknown.
        """
        if self.cores is None or self.resource != CPU:
            return None
        return self.mean / 100 * self.cores.count * self.seconds

    def core_seconds_per_gb(self, size: float | None) -> float | None:
        """Return the core-seconds per GB (10^9 bytes) of data processed in the window."""
        spent = self.core_seconds
        return None if spent is None or not size else spent / (size / GB)


@dataclass(frozen=True)
class Part:
    """Activity of one disk, card or other instance of a host within a window: mean of n samples."""

    window: int
    host: str
    resource: str
    instance: str
    n: int
    mean: float


@dataclass(frozen=True)
class CoreLoads:
    """Utilisation of each processor of a host within a window.

    Parameters
    ----------
    means
        % Processor Time by processor, in order of their numbers; at least two.
    n
        Samples of each within the window.
    """

    window: int
    host: str
    means: dict[str, float]
    n: int

    @property
    def busiest(self) -> str:
        """Name of the busiest one."""
        return max(self.means, key=lambda name: self.means[name])

    @property
    def evenness(self) -> float:
        """Return the mean of all divided by the busiest: 1 if equally busy, 1 / cores if only one is busy."""
        most = self.means[self.busiest]
        return sum(self.means.values()) / len(self.means) / most if most else 1.0


GB = 1e9
_Key = tuple[int, str, str]


@dataclass(frozen=True)
class _Chosen:
    """A series that counts for a resource; several with one resource are summed."""

    number: int
    host: str
    counted: str
    rank: int
    instance: str
    resource: str
    scale: float = 1.0


def usage(view: View, windows: Sequence[Window], wanted: Collection[str] = OF_COPY) -> list[Usage]:
    """Return one row per window, host and captured resource of those wanted; see `UNITS`.

    Disks and cards are summed (``_Total`` only where nothing else is there); latency is that of the
    disk that moves most, busy time that of the busiest disk that moves anything, and counters by database are
    those of the window's database, else of the whole instance.
    """
    capacities = _prepare(view, windows, tuple(wanted))
    if not capacities:
        return []
    cores = _cores(view, windows) if CPU in wanted else {}
    lengths: dict[int, int] = defaultdict(int)
    for one in windows:
        lengths[one.number] += max(1, microseconds(one.end) - microseconds(one.start))
    rows = view.rows(_sql("used.sql"))
    found = []
    for row in rows:
        instance, capacity = capacities[row["window"], row["host"], row["resource"]]
        p5, p50, p95 = row.pop("p")
        length = lengths[row["window"]]
        covered = min(1.0, row.pop("covered_us") / length)
        found.append(
            Usage(
                **row,
                p5=p5,
                p50=p50,
                p95=p95,
                instance=instance,
                unit=UNITS[row["resource"]],
                capacity=capacity,
                covered=covered,
                seconds=length / 1e6,
                cores=cores.get((row["window"], row["host"])) if row["resource"] == CPU else None,
            )
        )
    return found


def _cores(view: View, windows: Sequence[Window]) -> dict[tuple[int, str], Cores]:
    """Return the hosts' number of processors in each window, from the last samples."""
    begins: dict[int, datetime] = {}
    for one in windows:
        begins[one.number] = min(begins.get(one.number, one.start), one.start)
    starts, found = processors.starts(view), {}
    for (number, host), by_rank in _processors(view).items():
        counts = [n for means, _n in by_rank.values() if (n := processors.counted(means))]
        log = processors.logged(starts.get(host, ()), begins[number])
        if known := processors.known(log, max(counts, default=None)):
            found[number, host] = known
    return found


def core_loads(view: View, windows: Sequence[Window]) -> list[CoreLoads]:
    """Return the load of each processor, per window and host with samples per processor."""
    if not _sample(view, windows, (CPU,)):
        return []
    found = []
    for (number, host), by_rank in _processors(view).items():
        told = [(processors.of_cores(means), n) for means, n in by_rank.values()]
        own, n = max(told, key=lambda each: len(each[0]))
        if len(own) > 1:
            names = sorted(own, key=processors.core_order)
            found.append(CoreLoads(number, host, {name: own[name] for name in names}, n))
    return found


def _processors(view: View) -> dict[tuple[int, str], dict[int, tuple[dict[str, float], int]]]:
    """Return mean by instance, and samples, of each counter of processors by window and host."""
    found: dict[tuple[int, str], dict[int, tuple[dict[str, float], int]]] = defaultdict(dict)
    for row in view.rows(_sql("cores.sql"), {"cpu": CPU}):
        means = dict(zip(row["instances"], row["means"], strict=True))
        found[row["number"], row["host"]][row["rank"]] = (means, row["n"])
    return found


def parts(view: View, windows: Sequence[Window], wanted: Collection[str]) -> list[Part]:
    """Return one row per window, host, wanted resource and captured instance, without totals."""
    if not _sample(view, windows, wanted):
        return []
    rows = view.rows(_sql("parts.sql"), {"total": TOTAL})
    return [Part(**row) for row in rows if row["resource"] in wanted]


def series(view: View, windows: Sequence[Window], resources: Iterable[str]) -> pa.Table:
    """Return the values behind `usage` in time order: `SERIES`."""
    if not _prepare(view, windows, tuple(resources)):
        return no_rows(SERIES)
    return view.table(
        'select "window", host, resource, time, value from scratch.usage_series order by "window", host, '
        "resource, time"
    ).cast(SERIES)


def minutes(view: View, windows: Sequence[Window], resources: Iterable[str]) -> list[dict[str, Any]]:
    """Return the mean of each resource per minute: samples within a minute are not independent.

    Returns
    -------
    list of dict
        number (of the window), host, resource, value; in chronological order.
    """
    return view.rows(_sql("minutes.sql")) if _prepare(view, windows, tuple(resources)) else []


def of(usages: Iterable[Usage], window: int, host: str | None, resource: str) -> Usage | None:
    """Return one row; None if not captured."""
    wanted = (window, host, resource)
    return next((u for u in usages if (u.window, u.host, u.resource) == wanted), None)


class Limits(Protocol):
    """The fewest samples for a verdict."""

    @property
    def usage_samples(self) -> float:
        """The fewest samples."""

    @property
    def usage_covered_share(self) -> float:
        """The least share of the window covered."""


def is_enough(usage: Usage, limits: Limits) -> bool:
    """Return whether samples support a verdict: enough of them, over enough of the window."""
    return usage.n >= limits.usage_samples and usage.covered >= limits.usage_covered_share


def _prepare(
    view: View, windows: Sequence[Window], resources: tuple[str, ...]
) -> dict[_Key, tuple[str, float | None]]:
    """Create scratch.usage_series; return the instance and capacity of each resource, if captured."""
    if not _sample(view, windows, resources):
        return {}
    # By window and host: the counter of each resource that ranks first, with its instances.
    means: dict[tuple[int, str], Means] = defaultdict(dict)
    for row in view.rows(
        "select number, host, resource, rank, instance, avg(value) as mean from scratch.usage_samples "
        "group by all order by all"
    ):
        rank, values = means[row["number"], row["host"]].setdefault(row["resource"], (row["rank"], {}))
        if rank == row["rank"]:
            values[row["instance"]] = row["mean"]
    databases = {window.number: window.database for window in windows}
    chosen: list[_Chosen] = []
    about: dict[_Key, tuple[str, float | None]] = {}
    carrying = thresholds.of(view).carrying_share
    for (number, host), first in means.items():
        for resource in resources:
            picked, instance, capacity = pick(resource, first, databases[number], carrying)
            for counted, each, scale in picked:
                chosen.append(_Chosen(number, host, counted, first[counted][0], each, resource, scale))
            if picked:
                about[number, host, resource] = (instance, capacity)
    _store(view, chosen)
    return about


_sampled: WeakKeyDictionary[View, tuple[tuple[Window, ...], set[str], bool]] = WeakKeyDictionary()
"""Content of scratch.usage_samples of an opened case: the windows, the resources, and whether any series
measures them."""


def _sample(view: View, windows: Sequence[Window], resources: Iterable[str]) -> bool:
    """Create scratch.usage_samples, the samples within each window; return whether there are series."""
    needed = {each for resource in resources for each in (resource, *BESIDE.get(resource, ()))}
    before = _sampled.pop(view, None)
    if before is None or before[0] != tuple(windows) or not needed <= before[1]:
        before = (tuple(windows), needed, _sample_anew(view, windows, needed))
    _sampled[view] = before
    return before[2]


def _sample_anew(view: View, windows: Sequence[Window], needed: set[str]) -> bool:
    sources = [source for source in SOURCES if source.resource in needed]
    ranks: dict[str, int] = defaultdict(int)
    rank = []
    for source in sources:
        rank.append(ranks[source.resource])
        ranks[source.resource] += 1
    view.run(
        _sql("wanted.sql"),
        {
            "resource": [s.resource for s in sources],
            "object": [s.counter.object for s in sources],
            "counter": [s.counter.name for s in sources],
            "factor": [float(s.factor) for s in sources],
            "added": [float(s.added) for s in sources],
            "is_gauge": [s.is_gauge for s in sources],
            "rank": rank,
        },
    )
    if not view.rows("select 1 from scratch.usage_wanted limit 1"):
        return False
    _with_ticks(view)
    view.run(
        _sql("windows.sql"),
        {
            "number": [w.number for w in windows],
            "host": [w.host for w in windows],
            "start_us": [microseconds(w.start) for w in windows],
            "end_us": [microseconds(w.end) for w in windows],
            "is_local": [w.start.tzinfo is None for w in windows],
        },
    )
    view.run(_sql("within.sql"))
    return True


@once_per_case
def _with_ticks(view: View) -> None:
    """Create scratch.usage_ticks."""
    with_log_steps(view)
    view.run(_sql("ticks.sql"))


def _store(view: View, chosen: list[_Chosen]) -> None:
    names = ("number", "host", "counted", "rank", "instance", "resource", "scale")
    columns = {name: [getattr(row, name) for row in chosen] for name in names}
    view.run(
        "create or replace table scratch.usage_chosen as select "
        "unnest($number::bigint[]) as number, unnest($host::varchar[]) as host, "
        "unnest($counted::varchar[]) as counted, unnest($rank::bigint[]) as rank, "
        "unnest($instance::varchar[]) as instance, unnest($resource::varchar[]) as resource, "
        "unnest($scale::double[]) as scale",
        columns,
    )
    view.run(_sql("chosen.sql"))


def moment(micros: int) -> datetime:
    """Return the time that many microseconds after the start of 1970, UTC."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
