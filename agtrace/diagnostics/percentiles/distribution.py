"""Choosing series and computing their quantiles in DuckDB."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from agtrace.diagnostics.base import View
from agtrace.errors import CaseError

PROBABILITIES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
CURVE = tuple(n / 100 for n in range(101))
EXACT_ROWS = 20_000_000
"""Exact quantiles keep all values in memory; above this they are approximated (t-digest)."""
GROUPS_SHOWN = 12
DEFAULTS = (
    "SQLServer:Databases\\Log Bytes Flushed/sec",
    "SQLServer:Database Replica\\Log Bytes Received/sec",
    "SQLServer:Database Replica\\Redone Bytes/sec",
    "SQLServer:Availability Replica\\Bytes Sent to Transport/sec",
    "SQLServer:Databases\\Backup/Restore Throughput/sec",
    "SQLServer:Backup Device\\Device Throughput Bytes/sec",
    "LogicalDisk\\Disk Read Bytes/sec",
    "LogicalDisk\\Disk Write Bytes/sec",
    "Network Interface\\Bytes Received/sec",
    "Network Interface\\Bytes Sent/sec",
)
FALLBACKS = (
    "PhysicalDisk\\Disk*Bytes/sec",
    "*Disk\\Disk Bytes/sec",
    "*\\*Bytes*/sec",
    "*\\*/sec",
    "*",
)
FALLBACK_COUNTERS = 6
DATABASES = "SQLServer:Databases"
SYSTEM_DATABASES = frozenset({"master", "model", "msdb", "mssqlsystemresource", "tempdb"})
"""Left out of sums: tempdb's log never leaves the host."""
GROUPS: dict[str, str] = {
    "host": "host",
    "instance": "instance",
    "hour": "strftime(time_local, '%H')",
    "weekday": "strftime(time_local, '%w %a')",
    "day": "strftime(time_local, '%Y-%m-%d')",
    "run": "label",
    "configuration": "factors",
}
_OF_RUNS = {"run", "configuration"}


@dataclass(frozen=True)
class Question:
    """What is asked; see `Percentiles`."""

    counter: str | None = None
    host: str | None = None
    instance: str | None = None
    by: tuple[str, ...] = ("host",)
    start: datetime | None = None
    end: datetime | None = None
    per: str | None = None
    total: bool = True
    change: bool = False
    scale: float = 1.0
    unit: str | None = None


@dataclass(frozen=True)
class Group:
    """One group: its counter and the values it is grouped by, n, mean, ends and quantiles."""

    name: str
    keys: tuple[str, ...]
    unit: str
    n: int
    mean: float
    low: float
    high: float
    quantiles: tuple[float, ...]
    curve: tuple[float, ...]

    def quantile(self, probability: float) -> float:
        """Give one of the `PROBABILITIES`."""
        return self.quantiles[PROBABILITIES.index(probability)]

    @property
    def shown(self) -> tuple[str, ...]:
        """The keys as people read them: factors of a configuration as name=value."""
        return tuple(_factors(key) for key in self.keys)

    @property
    def label(self) -> str:
        """Counter and keys in one line."""
        return ", ".join([self.name, *self.shown])


@dataclass(frozen=True)
class Cell:
    """One hour of one weekday (0 is Sunday), local time."""

    weekday: int
    hour: int
    n: int
    median: float


@dataclass(frozen=True)
class Distribution:
    """The answer."""

    asked: Question
    groups: list[Group]
    rows: int = 0
    approximate: bool = False
    heat_of: Group | None = None
    cells: list[Cell] = field(default_factory=list)
    series: int = 0
    local: bool = False


def _factors(key: str) -> str:
    try:
        factors = json.loads(key) if key.startswith("{") else None
    except ValueError:
        return key
    if not isinstance(factors, dict):
        return key
    return ", ".join(f"{name}={value}" for name, value in factors.items()) or "no factor"


def read(view: View, sql: Callable[[str], str], asked: Question) -> Distribution:
    """Choose the series and compute every group.

    Raises
    ------
    CaseError
        For a grouping that there is not, or a counter that was not captured.
    """
    unknown = [part for part in asked.by if part not in GROUPS]
    if unknown:
        raise CaseError(f"cannot group by {unknown[0]!r}", f"group by: {', '.join(GROUPS)}")
    series = view.table(sql("series.sql")).to_pylist()
    chosen = choose(series, asked)
    if not chosen:
        return Distribution(asked, [])
    _register(view, sql, asked, chosen)
    source = "percentile_observed"
    if _OF_RUNS & set(asked.by):
        source += ' o join runs r on o.time >= r.start and o.time < r."end"'
    rows, local = next(
        iter(
            view.table(
                f"select count(*) as n, bool_or(time is null) as local from {source}"
            ).to_pylist()
        )
    ).values()
    if not rows:
        return Distribution(asked, [], series=len(chosen))
    approximate = rows > EXACT_ROWS
    units = {row["name"]: row["unit"] or "" for row in chosen if row["role"] == 0}
    groups = _groups(view, asked, source, units, approximate=approximate)
    leading = max(groups, key=lambda group: (group.quantile(0.95), group.label))
    cells = _cells(view, asked, source, leading)
    return Distribution(asked, groups, rows, approximate, leading, cells, len(chosen), bool(local))


def choose(series: list[dict[str, Any]], asked: Question) -> list[dict[str, Any]]:
    """Give the series that a question is about, with their role; _Total only where nothing else is."""
    narrowed = [
        row
        for row in series
        if _glob(row["host"], asked.host) and _glob(row["instance"], asked.instance)
    ]
    if asked.counter:
        patterns = [part.strip() for part in asked.counter.split(";") if part.strip()]
        wanted = [row for row in narrowed if any(matches(row, p) for p in patterns)]
        if not wanted and series:
            names = sorted({row["counter"] for row in series})
            near = [n for n in names if patterns and patterns[0].strip("*").lower() in n.lower()]
            hint = f"such as {', '.join((near or names)[:5])}"
            raise CaseError(f"no counter {asked.counter!r} was captured", hint)
    else:
        wanted = _default(narrowed)
    found = [row | {"role": 0, "name": f"{row['object']}\\{row['counter']}"} for row in wanted]
    if asked.per:
        below = [row for row in narrowed if matches(row, asked.per)]
        if not below:
            raise CaseError(f"no counter {asked.per!r} to divide by was captured")
        found += [row | {"role": 1, "name": f"per {row['counter']}"} for row in below]
    if asked.total:
        found = [row for row in found if asked.instance or not _is_system_database(row)]
        parts = {(r["role"], r["host"], r["name"]) for r in found if r["instance"] != "_Total"}
        found = [
            r
            for r in found
            if r["instance"] != "_Total" or (r["role"], r["host"], r["name"]) not in parts
        ]
    return found


def _is_system_database(row: dict[str, Any]) -> bool:
    return row["object"] == DATABASES and row["instance"].lower() in SYSTEM_DATABASES


def _default(series: list[dict[str, Any]]) -> list[dict[str, Any]]:
    wanted = [row for row in series if any(matches(row, pattern) for pattern in DEFAULTS)]
    for pattern in FALLBACKS:
        if wanted:
            break
        matching = [row for row in series if matches(row, pattern)]
        names = sorted({(row["object"], row["counter"]) for row in matching})[:FALLBACK_COUNTERS]
        wanted = [row for row in matching if (row["object"], row["counter"]) in names]
    return wanted


def matches(row: dict[str, Any], pattern: str) -> bool:
    """Tell whether a series is meant by a glob of a counter, or of ``Object\\Counter``."""
    of_object, backslash, of_counter = pattern.rpartition("\\")
    if backslash and not _glob(row["object"], of_object):
        return False
    return _glob(row["counter"], of_counter)


def _glob(text: str, pattern: str | None) -> bool:
    return pattern is None or fnmatch.fnmatchcase(text.lower(), pattern.lower())


def _register(
    view: View, sql: Callable[[str], str], asked: Question, chosen: list[dict[str, Any]]
) -> None:
    columns = ("counter_id", "role", "host", "sql_instance", "name", "instance")
    view.run(sql("chosen.sql"), {name: [row[name] for row in chosen] for name in columns})
    moment = "coalesce(s.time, s.time_local at time zone 'UTC')"
    pieces = {
        "total": "true" if asked.total else "false",
        "per": "true" if asked.per else "false",
        "change": "true" if asked.change else "false",
        "scale": repr(float(asked.scale)),
        "start": f"{moment} >= {_literal(asked.start)}" if asked.start else "true",
        "end": f"{moment} < {_literal(asked.end)}" if asked.end else "true",
    }
    view.run(sql("observed.sql").format(**pieces))


def _literal(moment: datetime) -> str:
    return f"timestamptz '{moment.isoformat()}'"


def _groups(
    view: View, asked: Question, source: str, units: dict[str, str], *, approximate: bool
) -> list[Group]:
    columns = "".join(f", {GROUPS[part]} as key_{part}" for part in asked.by)
    quantile = "approx_quantile" if approximate else "quantile_cont"
    query = f"""
        select name{columns}, count(*) as n, avg(value) as mean, min(value) as low, max(value) as high,
               {quantile}(value, {list(PROBABILITIES + CURVE)}) as quantiles
        from {source}
        group by all
        order by all
    """
    found = []
    for row in view.table(query).to_pylist():
        keys = tuple(str(row[f"key_{part}"]) for part in asked.by)
        quantiles = tuple(row["quantiles"])
        unit = asked.unit or _unit(units.get(row["name"], ""), asked)
        found.append(
            Group(
                row["name"], keys, unit, row["n"], row["mean"], row["low"], row["high"],
                quantiles[: len(PROBABILITIES)], quantiles[len(PROBABILITIES) :],
            )
        )  # fmt: skip
    return found


def _unit(unit: str, asked: Question) -> str:
    """Give the unit of what is shown; a quotient's or a scaled value's own must be named."""
    if asked.per or asked.scale != 1.0:
        return ""
    return f"{unit}/s" if asked.change and unit else unit


def _cells(view: View, asked: Question, source: str, group: Group) -> list[Cell]:
    conditions = ["name = $name"] + [f"{GROUPS[part]} = $key_{part}" for part in asked.by]
    query = f"""
        select date_part('dow', time_local)::integer as weekday, date_part('hour', time_local)::integer as hour,
               count(*) as n, median(value) as median
        from {source}
        where {" and ".join(conditions)}
        group by all
        order by all
    """
    keys = {f"key_{part}": key for part, key in zip(asked.by, group.keys, strict=True)}
    return [Cell(**row) for row in view.table(query, {"name": group.name} | keys).to_pylist()]
