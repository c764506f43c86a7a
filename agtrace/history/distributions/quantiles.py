"""The quantiles of the chosen series, computed in DuckDB."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from agtrace import thresholds
from agtrace.errors import CaseError
from agtrace.history.base import View
from agtrace.history.distributions.choice import BACKUPS, Question, choose, keeps_apart
from agtrace.history.runs import read_factors
from agtrace.measure.sampler import with_sampled
from agtrace.moments import LOCAL, Window
from agtrace.store.part import Part
from agtrace.store.sql_files import beside

_sql = beside(__file__)

PROBABILITIES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
CURVE = tuple(n / 100 for n in range(101))
EXACT_ROWS = 20_000_000
"""Exact quantiles keep all values in memory; above this they are approximated (t-digest)."""
GROUPS_SHOWN = 12
IDLE = 0.05
"""Share of idle values of a rate from which on they are separated."""
GROUPS: dict[str, str] = {
    "host": "",
    "instance": "",
    "hour": "strftime(time_local, '%H')",
    "weekday": "strftime(time_local, '%w %a')",
    "day": "strftime(time_local, '%Y-%m-%d')",
    "run": "label",
    "configuration": "factors",
}
_FIXED = {"host", "instance"}
_OF_RUNS = {"run", "configuration"}


@dataclass(frozen=True)
class Group:
    """One group: its counter and the values it is grouped by, n, mean, ends and quantiles.

    Parameters
    ----------
    idle
        Number of values left out as idle.
    level
        Highest idle value; None if none were left out.
    asked
        The quantiles that were asked for beside them.
    span
        First and last moment, by the clocks that hours are counted by.
    """

    name: str
    keys: tuple[str, ...]
    unit: str
    n: int
    mean: float
    low: float
    high: float
    quantiles: tuple[float, ...]
    curve: tuple[float, ...]
    number: int
    idle: int = 0
    level: float | None = None
    asked: tuple[float, ...] = ()
    span: tuple[datetime, datetime] | None = None

    def quantile(self, probability: float) -> float:
        """Return one of the `PROBABILITIES`."""
        return self.quantiles[PROBABILITIES.index(probability)]

    @property
    def shown(self) -> tuple[str, ...]:
        """The keys as people read them: factors of a configuration as name=value."""
        return tuple(_factors(key) for key in self.keys)

    @property
    def is_still(self) -> bool:
        """Return whether all values are zero."""
        return self.low == self.high == 0

    @property
    def label(self) -> str:
        """Counter and keys in one line."""
        return ", ".join([self.name, *self.shown])


@dataclass(frozen=True)
class Distribution:
    """The answer.

    Parameters
    ----------
    cells
        n and median by weekday (0 is Sunday) and hour, local time, of the group with the highest p95.
    """

    asked: Question
    groups: list[Group]
    rows: int = 0
    approximate: bool = False
    heat_of: Group | None = None
    cells: list[dict[str, Any]] = field(default_factory=list)
    series: int = 0
    local: bool = False

    @property
    def is_of_days(self) -> bool:
        """The group with the highest p95 was captured for more than a day, so that hours and days compare."""
        if not self.cells:
            return False
        whole = max(cell["last"] for cell in self.cells) - min(cell["first"] for cell in self.cells)
        return bool(whole > timedelta(days=1))


def _factors(key: str) -> str:
    if not key.startswith("{"):
        return key
    factors = ", ".join(f"{name}={value}" for name, value in read_factors(key).items())
    return factors or ("no factor" if key == "{}" else key)


def usual_grouping(view: View) -> str:
    """Return the default grouping: labelled windows, by their factors, else hosts."""
    runs = view.rows("select label, factors from runs")
    if not runs:
        return "host"
    configurations = {row["factors"] for row in runs}
    return "host,configuration" if 1 < len(configurations) < len(runs) else "host,run"


def read_quantiles(view: View, asked: Question) -> Distribution:
    """Choose the series and compute every group.

    Raises
    ------
    CaseError
        For a grouping that there is not, or a counter that was not captured.
    """
    chosen = check_question(view, asked)
    if not chosen:
        return Distribution(asked, [])
    named = _register(view, asked, chosen)
    source = "scratch.percentile_observed"
    if _OF_RUNS & set(asked.by):
        source += (
            ' o join (select run_id, label, factors, start, "end" from runs) r'
            ' on o.time >= r.start and o.time < r."end"'
        )
    (counted,) = view.rows(f"select count(*) as n, bool_or(time is null) as local from {source}")
    rows, local = counted["n"], counted["local"]
    if not rows:
        return Distribution(asked, [], series=len(chosen))
    approximate = rows > EXACT_ROWS
    units = {row["name"]: row["unit"] or "" for row in chosen if row["role"] == 0}
    groups = _groups(view, asked, source, named, units, approximate=approximate)
    leading = max(groups, key=lambda group: (group.quantile(0.95), group.label))
    cells = _cells(view, asked, source, leading)
    return Distribution(asked, groups, rows, approximate, leading, cells, len(chosen), bool(local))


def check_question(view: View, asked: Question) -> list[dict[str, Any]]:
    """Return the series that a question is about.

    Raises
    ------
    CaseError
        For a grouping that there is not, or a counter that was not captured.
    """
    unknown = [part for part in asked.by if part not in GROUPS]
    if unknown:
        raise CaseError(f"cannot group by {unknown[0]!r}", f"group by: {', '.join(GROUPS)}")
    return choose(read_series(view), asked)


def read_series(view: View) -> list[dict[str, Any]]:
    """Return the available series: those of perfmon, and the throughput of backups."""
    return view.rows(_sql("series.sql"), {"least_s": thresholds.of(view).backup_min_s})


def _register(view: View, asked: Question, chosen: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Create the table of observations, and return the meaning of each group number."""
    groups = _Numbers()
    members, pairs, contents = _Numbers(), _Numbers(), _Numbers()
    fixed = [part for part in asked.by if part in _FIXED]
    columns: dict[str, list[int]] = {
        name: [] for name in ("counter_id", "role", "member", "pair", "grp", "content_no")
    }
    logged: dict[str, list[Any]] = {name: [] for name in ("host", "instance", "counter", "grp")}
    for row in chosen:
        if row["object"] == BACKUPS:
            if row["role"] == 0 and not asked.per and not asked.change:
                for name in ("host", "instance", "counter"):
                    logged[name].append(row[name])
                logged["grp"].append(groups.of((row["name"], *(row[part] for part in fixed))))
            continue
        instance = row["instance"] if keeps_apart(row, asked) else ""
        place = (row["host"], row["sql_instance"], instance)
        columns["counter_id"].append(row["counter_id"])
        columns["role"].append(row["role"])
        columns["member"].append(members.of((str(row["role"]), row["name"], *place)))
        columns["pair"].append(pairs.of(place))
        columns["grp"].append(groups.of((row["name"], *(row[part] for part in fixed))))
        columns["content_no"].append(contents.of((row["content_id"],)))
    with_sampled(view)
    view.run(_sql("chosen.sql"), columns)
    pieces = {
        "read": _SUMS if asked.total else "select * from chosen",
        "divided": _QUOTIENTS if asked.per else "select * from read",
        "changed": _CHANGES if asked.change else "select * from divided",
        "scale": repr(float(asked.scale)),
        "window": _within(asked.start, asked.end),
    }
    view.run(_sql("observed.sql").format(**pieces))
    if logged["grp"]:
        least = thresholds.of(view).backup_min_s
        parameters = logged | {"least_s": least, "scale": float(asked.scale)}
        view.run(_sql("backups.sql").format(**pieces), parameters)
    return groups.keys


class _Numbers:
    """Assigns numbers to keys in the order of appearance."""

    def __init__(self) -> None:
        self.keys: list[tuple[str, ...]] = []
        self._numbers: dict[tuple[str, ...], int] = {}

    def of(self, key: tuple[str, ...]) -> int:
        """Return the number of a key, a new one if it is new."""
        if key not in self._numbers:
            self._numbers[key] = len(self.keys)
            self.keys.append(key)
        return self._numbers[key]


_SUMS = """
    select role, member, pair, grp, content_no, tick, any_value(time) as time,
           any_value(time_local) as time_local, sum(value) as value
    from chosen
    group by role, member, pair, grp, content_no, tick"""
_QUOTIENTS = """
    select r.* exclude (value), r.value / nullif(d.value, 0) as value
    from read r
    join read d using (pair, content_no, tick)
    where r.role = 0 and d.role = 1"""
_CHANGES = """
    select * exclude (value),
           (value - lag(value) over series)
           / nullif(epoch(time_local - lag(time_local) over series), 0) as value
    from divided
    window series as (partition by member, content_no order by tick)"""


def _within(start: datetime | None, end: datetime | None) -> str:
    """Return the condition for samples of a window: by UTC if known, or by local time."""
    bound = start or end
    is_utc = bound is not None and bound.tzinfo
    placed = "coalesce(s.time, s.time_local at time zone 'UTC')" if is_utc else "s.time_local"
    return Part(Window(start, end)).within(placed) or "true"


def _clock(asked: Question) -> str:
    """Return the time by the clocks that define hours and days."""
    return "time_local" if asked.tz == LOCAL else f"coalesce(timezone('{asked.tz}', time), time_local)"


def _key(part: str, asked: Question) -> str:
    return GROUPS[part].replace("time_local", _clock(asked))


def _groups(
    view: View,
    asked: Question,
    source: str,
    named: list[tuple[str, ...]],
    units: dict[str, str],
    *,
    approximate: bool,
) -> list[Group]:
    moving = [part for part in asked.by if part not in _FIXED]
    query = _sql("groups.sql").format(
        clock=_clock(asked),
        columns="".join(f", {_key(part, asked)} as key_{part}" for part in moving),
        names="".join(f", key_{part}" for part in moving),
        own="".join(f", k.key_{part}" for part in moving),
        same="".join(f" and k.key_{part} is not distinct from l.key_{part}" for part in moving),
        quantile="approx_quantile" if approximate else "quantile_cont",
        probabilities=list(PROBABILITIES + CURVE + asked.q),
        source=source,
    )
    found = []
    for row in view.rows(query):
        name, *fixed = named[row["grp"]]
        rest = iter(fixed)
        keys = tuple(next(rest) if part in _FIXED else str(row[f"key_{part}"]) for part in asked.by)
        of_counter = units.get(name, "")
        found.append(_group(row, name, keys, asked.unit or _unit(of_counter, asked), asked, of_counter))
    return sorted(found, key=lambda group: (group.name, group.keys))


def _group(
    row: dict[str, Any], name: str, keys: tuple[str, ...], unit: str, asked: Question, of_counter: str
) -> Group:
    """Return a group, over its active values if it is often idle."""
    is_rate = (of_counter.endswith("/s") or name.endswith("/sec")) and not asked.change
    idle = row["n"] - row["busy_n"]
    often = is_rate and asked.busy is None and idle > IDLE * row["n"]
    part, left = "", 0
    if row["busy_n"] and idle and (often or asked.busy):
        part, left = "busy_", idle
    quantiles = tuple(row[f"{part}quantiles"])
    ends = (row[f"{part}mean"], row[f"{part}low"], row["high"])
    few, rest = quantiles[: len(PROBABILITIES)], quantiles[len(PROBABILITIES) :]
    curve, further = rest[: len(CURVE)], rest[len(CURVE) :]
    span = row["first"], row["last"]
    level = row["idle"] if left else None
    return Group(name, keys, unit, row["n"] - left, *ends, few, curve, row["grp"], left, level, further, span)


def _unit(unit: str, asked: Question) -> str:
    """Return the unit of the result; a quotient's or a scaled value's own must be named."""
    if asked.per or asked.scale != 1.0:
        return ""
    return f"{unit}/s" if asked.change and unit else unit


def _cells(view: View, asked: Question, source: str, group: Group) -> list[dict[str, Any]]:
    moving = {part: key for part, key in zip(asked.by, group.keys, strict=True) if part not in _FIXED}
    conditions = "".join(f" and {_key(part, asked)} = $key_{part}" for part in moving)
    conditions += "" if group.level is None else f" and value > {group.level!r}"
    query = f"""
        select date_part('dow', time_local)::integer as weekday,
               date_part('hour', time_local)::integer as hour, count(*) as n, median(value) as median,
               min(time_local) as first, max(time_local) as last
        from {source}
        where grp = $grp{conditions}
        group by all
        order by all
    """
    parameters = {"grp": group.number} | {f"key_{part}": key for part, key in moving.items()}
    return view.rows(query, parameters)
