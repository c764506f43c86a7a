"""What the hosts' processors, disks and network cards did within windows of time.

Shared by everything that looks at a stretch of time on several hosts: a seeding operation, a run of
a comparison. Byte rates are B/s, percentages are 0 to 100, times are UTC.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from agtrace.diagnostics.base import View
from agtrace.tables import UTC_TIME
from agtrace.thresholds import Thresholds

TOTAL = "_Total"
CARRYING = 0.05
"""A card that moves less than this share of the busiest card's bytes carries nothing of note."""
TEAM = "multiplexor"
"""In the name of a team's own card; the cards of the team count the same bytes once more."""

SERIES = pa.schema(
    [
        ("window", pa.int64()), ("host", pa.string()), ("resource", pa.string()),
        ("time", UTC_TIME), ("value", pa.float64()),
    ]
)  # fmt: skip


@dataclass(frozen=True)
class Window:
    """A stretch of time to look at, UTC; of one database where counters are kept by database."""

    number: int
    start: datetime
    end: datetime
    database: str | None = None


@dataclass(frozen=True)
class Usage:
    """What a resource of a host did within a window.

    Parameters
    ----------
    instance
        Which card, disk or database; "2 cards" where several were summed.
    n
        Samples within the window.
    capacity
        What the resource offers at most, in the same unit; None where not known.
    covered
        Share of the window that the samples speak of: 0.5 where perfmon ran for half of it.
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


@dataclass(frozen=True)
class _Counter:
    """A counter that tells of a resource; the first of a resource that was captured counts."""

    resource: str
    object: str
    counter: str
    factor: float = 1.0
    added: float = 0.0
    is_gauge: bool = False


_BANDWIDTH = "bandwidth"
_DISKS = ("LogicalDisk", "PhysicalDisk")
_CARDS = ("Network Interface", "Network Adapter")
_DATABASE = ("SQLServer:Databases", "SQLServer:Database Replica")
_COUNTERS = (
    _Counter("cpu", "Processor", "% Processor Time"),
    _Counter("cpu", "Processor Information", "% Processor Time"),
    _Counter("sql_cpu", "Process", "% Processor Time"),
    *(_Counter("network_sent", card, "Bytes Sent/sec") for card in _CARDS),
    *(_Counter("network_received", card, "Bytes Received/sec") for card in _CARDS),
    *(_Counter(_BANDWIDTH, card, "Current Bandwidth", 1 / 8, is_gauge=True) for card in _CARDS),
    *(_Counter("disk_read", disk, "Disk Read Bytes/sec") for disk in _DISKS),
    *(_Counter("disk_written", disk, "Disk Write Bytes/sec") for disk in _DISKS),
    *(_Counter("disk_read_ms", disk, "Avg. Disk sec/Read", 1000) for disk in _DISKS),
    *(_Counter("disk_write_ms", disk, "Avg. Disk sec/Write", 1000) for disk in _DISKS),
    *(_Counter("disk_busy", disk, "% Idle Time", -1, 100) for disk in _DISKS),
    _Counter("backup_restore", _DATABASE[0], "Backup/Restore Throughput/sec"),
    _Counter("log_flushed", _DATABASE[0], "Log Bytes Flushed/sec"),
    _Counter("redo", _DATABASE[1], "Redone Bytes/sec"),
    # The counter is in KB (1,024 bytes), the rates beside it in bytes.
    _Counter("recovery_queue", _DATABASE[1], "Recovery Queue", 1024, is_gauge=True),
)
UNITS = {
    "cpu": "%", "sql_cpu": "% of one processor", "network_sent": "wire B/s",
    "network_received": "wire B/s", "card_sent_busy": "%", "card_received_busy": "%",
    "disk_read": "B/s", "disk_written": "B/s",
    "disk_read_ms": "ms", "disk_write_ms": "ms", "disk_busy": "%", "backup_restore": "B/s",
    "log_flushed": "log B/s", "redo": "log B/s", "recovery_queue": "log B",
}  # fmt: skip
"""Every resource with its unit. card_sent_busy and card_received_busy are the busiest card's share of
its bandwidth in one direction: cards send and receive at the same time."""

_SUMMED = ("disk_read", "disk_written", "sql_cpu")
_NETWORK = ("network_sent", "network_received")
_FULL_CARD = {"card_sent_busy": "network_sent", "card_received_busy": "network_received"}
_BY_DATABASE = ("backup_restore", "log_flushed", "redo", "recovery_queue")
_BESIDE = {
    "network_sent": (_BANDWIDTH,), "network_received": (_BANDWIDTH,),
    "card_sent_busy": ("network_sent", _BANDWIDTH),
    "card_received_busy": ("network_received", _BANDWIDTH),
    "disk_read_ms": ("disk_read",), "disk_write_ms": ("disk_written",),
    "disk_busy": ("disk_read", "disk_written"),
}  # fmt: skip
"""What else it takes to tell of a resource: which card or disk counts, and what it can do."""
_LATENCY_OF = {"disk_read_ms": "disk_read", "disk_write_ms": "disk_written"}

_Key = tuple[int, str, str]
_Means = dict[tuple[int, str], dict[str, float]]


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


def usage(
    view: View, windows: Sequence[Window], wanted: Collection[str] = tuple(UNITS)
) -> list[Usage]:
    """Give one row per window, host and wanted resource that was captured; see `UNITS`.

    Disks and cards are summed (``_Total`` only where nothing else is there); latency is that of the
    disk that moves most, busy time that of the busiest disk that moves anything, and counters by database are those of
    the window's database, else of the whole instance.
    """
    capacities = _prepare(view, windows, tuple(wanted))
    lengths: dict[int, int] = defaultdict(int)
    for one in windows:
        lengths[one.number] += max(1, _micros(one.end) - _micros(one.start))
    rows = view.table(_sql("used.sql")).to_pylist()
    found = []
    for row in rows:
        instance, capacity = capacities[row["window"], row["host"], row["resource"]]
        p5, p50, p95 = row.pop("p")
        covered = min(1.0, row.pop("covered_us") / lengths[row["window"]])
        unit = UNITS[row["resource"]]
        found.append(Usage(**row, p5=p5, p50=p50, p95=p95, instance=instance, unit=unit, capacity=capacity, covered=covered))  # fmt: skip
    return found


def series(view: View, windows: Sequence[Window], resources: Iterable[str]) -> pa.Table:
    """Give the values behind `usage` in order of time: `SERIES`."""
    _prepare(view, windows, tuple(resources))
    return view.table(
        'select "window", host, resource, time, value from seeding_series order by "window", host, resource, time'
    ).cast(SERIES)


def of(usages: Iterable[Usage], window: int, host: str | None, resource: str) -> Usage | None:
    """Pick one row; None where it was not captured."""
    wanted = (window, host, resource)
    return next((u for u in usages if (u.window, u.host, u.resource) == wanted), None)


def is_enough(usage: Usage, limits: Thresholds) -> bool:
    """Say whether the samples carry a verdict: enough of them, over enough of the window."""
    return usage.n >= limits.seeding_samples and usage.covered >= limits.seeding_covered_share


def _prepare(
    view: View, windows: Sequence[Window], resources: tuple[str, ...]
) -> dict[_Key, tuple[str, float | None]]:
    """Make the relation seeding_series; give the instance and the capacity of each resource."""
    view.run(_sql("sampled.sql"), _parameters(windows, resources))
    # By window and host: the counter of each resource that ranks first, with its instances.
    means: dict[tuple[int, str], dict[str, tuple[int, dict[str, float]]]] = defaultdict(dict)
    for row in view.table(
        "select number, host, resource, rank, instance, avg(value) as mean from seeding_samples group by all order by all"
    ).to_pylist():
        rank, values = means[row["number"], row["host"]].setdefault(
            row["resource"], (row["rank"], {})
        )
        if rank == row["rank"]:
            values[row["instance"]] = row["mean"]
    databases = {window.number: window.database for window in windows}
    chosen: list[_Chosen] = []
    about: dict[_Key, tuple[str, float | None]] = {}
    for (number, host), first in means.items():
        for resource in resources:
            picked, instance, capacity = _pick(resource, first, databases[number])
            for counted, each, scale in picked:
                chosen.append(_Chosen(number, host, counted, first[counted][0], each, resource, scale))  # fmt: skip
            if picked:
                about[number, host, resource] = (instance, capacity)
    _store(view, chosen)
    return about


_Picked = tuple[list[tuple[str, str, float]], str, float | None]


def _pick(
    resource: str, first: dict[str, tuple[int, dict[str, float]]], database: str | None
) -> _Picked:
    """Choose (counted resource, instance, scale), and give what to call them and their capacity."""
    if resource in _FULL_CARD:
        return _busiest_card(first, _FULL_CARD[resource])
    if resource not in first:
        return [], "", None
    values = first[resource][1]
    if resource in _NETWORK:
        return _cards(resource, values, first.get(_BANDWIDTH, (0, {}))[1])
    if resource == "sql_cpu":
        values = {name: v for name, v in values.items() if name.lower().startswith("sqlservr")}
    elif resource in _BY_DATABASE:
        values = _of_database(values, database)
    elif resource == "cpu":
        # The _Total instance is the mean of the processors already.
        whole = {n: v for n, v in values.items() if n == TOTAL or n.endswith("," + TOTAL)}
        each = whole or values
        one = dict(list(whole.items())[-1:]) or each
        scale = 1 / len(one)
        return [(resource, name, scale) for name in one], TOTAL, 100.0
    elif resource in _LATENCY_OF:
        moved = first.get(_LATENCY_OF[resource], (0, {}))[1]
        parts = _parts(values)
        busiest = max(parts, key=lambda name: (moved.get(name, 0.0), parts[name]))
        return [(resource, busiest, 1.0)], busiest, None
    elif resource == "disk_busy":
        parts = _working_disks(first, _parts(values))
        busiest = max(parts, key=lambda name: parts[name])
        return [(resource, busiest, 1.0)], busiest, 100.0
    parts = _parts(values)
    return [(resource, name, 1.0) for name in parts], _name(list(parts), "instance"), None


def _parts(values: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in values.items() if name != TOTAL} or values


def _working_disks(
    first: dict[str, tuple[int, dict[str, float]]], parts: dict[str, float]
) -> dict[str, float]:
    """Leave out the disks that are busy with next to no bytes: they hold no copy up."""
    moved: dict[str, float] = defaultdict(float)
    for resource in ("disk_read", "disk_written"):
        for name, value in first.get(resource, (0, {}))[1].items():
            moved[name] += value
    most = max((moved[name] for name in parts), default=0.0)
    working = {n: busy for n, busy in parts.items() if moved[n] >= CARRYING * most}
    return working or parts


def _of_database(values: dict[str, float], database: str | None) -> dict[str, float]:
    """Take the database's own series where it moves, else those of the whole instance."""
    own = {n: v for n, v in values.items() if database and n.lower() == database.lower()}
    if any(own.values()):
        return own
    whole = {name: value for name, value in values.items() if name == TOTAL}
    return whole if any(whole.values()) else own or whole or _parts(values)


def _carrying(values: dict[str, float]) -> list[str]:
    parts = _parts(values)
    teams = {n: v for n, v in parts.items() if TEAM in n.lower() and v > 0}
    parts = teams or parts
    most = max(parts.values())
    return [name for name, value in parts.items() if value >= CARRYING * most]


def _cards(resource: str, values: dict[str, float], bandwidth: dict[str, float]) -> _Picked:
    names = _carrying(values)
    known = [bandwidth.get(name) for name in names]
    capacity = sum(b for b in known if b) if all(known) else None
    return [(resource, name, 1.0) for name in names], _name(names, "card"), capacity


def _busiest_card(first: dict[str, tuple[int, dict[str, float]]], direction: str) -> _Picked:
    bandwidth = first.get(_BANDWIDTH, (0, {}))[1]
    moved = first.get(direction, (0, {}))[1]
    cards = _carrying(moved) if moved else []
    shares = [(moved[name] / bandwidth[name], name) for name in cards if bandwidth.get(name)]
    if not shares:
        return [], "", None
    _share, name = max(shares)
    return [(direction, name, 100 / bandwidth[name])], name, 100.0


def _name(instances: list[str], noun: str) -> str:
    return instances[0] if len(instances) == 1 else f"{len(instances)} {noun}s"


def _parameters(windows: Sequence[Window], resources: Iterable[str]) -> dict[str, Any]:
    needed = {each for resource in resources for each in (resource, *_BESIDE.get(resource, ()))}
    counters = [counter for counter in _COUNTERS if counter.resource in needed]
    ranks: dict[str, int] = defaultdict(int)
    rank = []
    for counter in counters:
        rank.append(ranks[counter.resource])
        ranks[counter.resource] += 1
    return {
        "number": [w.number for w in windows],
        "start_us": [_micros(w.start) for w in windows],
        "end_us": [_micros(w.end) for w in windows],
        "resource": [c.resource for c in counters],
        "object": [c.object for c in counters],
        "counter": [c.counter for c in counters],
        "factor": [float(c.factor) for c in counters],
        "added": [float(c.added) for c in counters],
        "is_gauge": [c.is_gauge for c in counters],
        "rank": rank,
    }


def _store(view: View, chosen: list[_Chosen]) -> None:
    names = ("number", "host", "counted", "rank", "instance", "resource", "scale")
    columns = {name: [getattr(row, name) for row in chosen] for name in names}
    view.run(
        "create or replace temp table seeding_chosen as select "
        "unnest($number::bigint[]) as number, unnest($host::varchar[]) as host, "
        "unnest($counted::varchar[]) as counted, unnest($rank::bigint[]) as rank, "
        "unnest($instance::varchar[]) as instance, unnest($resource::varchar[]) as resource, "
        "unnest($scale::double[]) as scale",
        columns,
    )
    view.run(_sql("chosen.sql"))


def _micros(time: datetime) -> int:
    return round(time.astimezone(UTC).timestamp() * 1e6)


def _sql(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
