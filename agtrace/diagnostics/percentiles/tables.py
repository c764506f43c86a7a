"""The percentiles as frames, and the order of groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import TYPE_CHECKING

from agtrace.diagnostics.base import View
from agtrace.errors import CaseError
from agtrace.history.distributions import PROBABILITIES, Distribution, Group, read_series
from agtrace.measures import Measure, frame
from agtrace.moments import LOCAL, Window

if TYPE_CHECKING:
    import pandas as pd


from typing import Any

from agtrace.measure.counters import AVAILABILITY_REPLICA
from agtrace.measures import Measured
from agtrace.say import words

SUNDAY = date(2023, 1, 1)


def percentiles(found: Distribution) -> pd.DataFrame:
    """Return one row per group, in the unit named beside it."""
    rows = [
        (g.name, *_shown(g, found.asked.by), g.unit, g.n, g.idle, g.mean, g.low, *g.quantiles, g.high)
        for g in leading(found)
    ]
    quantiles = [f"p{round(100 * probability)}" for probability in PROBABILITIES]
    names = ["counter", *found.asked.by, "unit", "n", "idle", "mean", "lowest", *quantiles, "highest"]
    return frame(map(Measure, names), rows)


def _shown(group: Group, by: Iterable[str]) -> Iterator[str | int]:
    """Yield the grouping values of a group; hours as numbers."""
    for part, key in zip(by, group.shown, strict=True):
        yield int(key) if part == "hour" else key


def quantiles(asked: float | Iterable[float]) -> tuple[float, ...]:
    """Return the quantiles requested, one or several.

    Raises
    ------
    CaseError
        One is not a share from 0 to 1.
    """
    several = list(asked) if isinstance(asked, Iterable) and not isinstance(asked, str) else [asked]
    for each in several:
        if isinstance(each, bool) or not isinstance(each, int | float) or not 0 <= each <= 1:
            raise CaseError(f"q={each!r} is no quantile", "write a share, such as q=0.95 or q=[0.5, 0.99]")
    return tuple(float(each) for each in several)


def asked(found: Distribution, window: Window) -> pd.DataFrame:
    """Return one row per group, with the requested quantiles, ordered by name and time."""
    by, spans = found.asked.by, [group.span for group in found.groups if group.span]
    is_of_days = bool(spans) and max(s[1] for s in spans) - min(s[0] for s in spans) >= timedelta(days=1)
    order = {name: n for n, name in enumerate(dict.fromkeys(g.name for g in leading(found)))}

    def place(group: Group) -> tuple[object, ...]:
        keys = zip(by, group.keys, strict=True)
        # Hours of one night follow each other over midnight.
        first = group.span[0].isoformat() if group.span and not is_of_days else ""
        return order[group.name], *((first, key) if part == "hour" else ("", key) for part, key in keys)

    rows = [
        (g.name, *_shown(g, found.asked.by), g.unit, g.n, g.idle, g.mean, g.low, *g.asked, g.high)
        for g in sorted(found.groups, key=place)
    ]
    names = ["host_id" if part == "host" else part for part in by]
    percents = [f"p{100 * each:.10g}" for each in found.asked.q]
    columns = ["counter", *names, "unit", "n", "idle", "mean", "lowest", *percents, "highest"]
    shown = frame(map(Measure, columns), rows)
    shown.attrs["tz"] = Window(tz=LOCAL).called if found.local or window.is_local else window.tz
    return shown


def heat(found: Distribution) -> pd.DataFrame:
    """Return one row per weekday and hour."""
    rows = ((weekday(cell["weekday"]), cell["hour"], cell["n"], cell["median"]) for cell in found.cells)
    return frame(map(Measure, ("weekday", "hour", "n", "median")), rows)


def counters(view: View) -> pd.DataFrame:
    """Return one row per counter of the case."""
    series = frame(map(Measure, ("object", "counter", "host", "counter_id", "unit")), read_series(view))
    grouped = series.groupby(["object", "counter"], sort=True)
    return grouped.agg(
        hosts=("host", "nunique"),
        series=("counter_id", "size"),
        unit=("unit", lambda units: next((u for u in units if u), "")),
    ).reset_index()


def weekday(number: int) -> str:
    """Name a weekday; 0 is Sunday."""
    return f"{SUNDAY + timedelta(days=number):%A}"


SHOWN = 8
COUNTERS_FIRST = 2
"""Counters with two key figures each; a single counter has four."""

VALUES = Measure("values", "values counted")
SERIES = Measure("series", "series")
GROUPS = Measure("groups", "groups")
STILL = Measure("still", "groups in which nothing moved")
QUANTILE = Measure("quantile", "{group}, p{percent}")


def facts(found: Distribution) -> dict[str, Any]:
    """Return the facts of the summary: the counters, and the leading groups."""
    asked = found.asked
    is_apart = any(f"{AVAILABILITY_REPLICA}(" in group.name for group in found.groups)
    return vars(found) | {
        "groups": leading(found),
        "most": SHOWN,
        "total": asked.total,
        "apart": asked.peers_apart and is_apart,
        "idle": any(group.idle for group in found.groups),
        "labelled": bool({"run", "configuration"} & set(asked.by)),
    }


def leading(found: Distribution) -> list[Group]:
    """Return the groups, the highest p95 of each counter first, counters in their order."""
    order = {name: n for n, name in enumerate(dict.fromkeys(g.name for g in found.groups))}
    return sorted(found.groups, key=lambda group: (order[group.name], -group.quantile(0.95), group.keys))


def key_figures(found: Distribution) -> list[Measured]:
    """Return how much was counted, and the leading group's percentiles for each of the first counters."""
    if not found.groups:
        return []
    source = words.count(found.series, "series", "series")
    counted = VALUES(found.rows, source)
    moving = [group for group in leading(found) if not group.is_still]
    first = list({group.name: group for group in reversed(moving)}.values())[::-1]
    if not first:
        n = len(found.groups)
        return [counted, SERIES(found.series, source), GROUPS(n, source), STILL(n, source)]
    asked = (50, 95) if len(first) > 1 else (5, 50, 95, 99)
    return [counted] + [
        QUANTILE.about(group=_short(group), percent=percent).of(group.unit)(
            group.quantile(percent / 100), f"n = {group.n:,}"
        )
        for group in first[:COUNTERS_FIRST]
        for percent in asked
    ]


def _short(group: Group) -> str:
    """Return the name of a group, without the object if that only names a kind."""
    kind, _, counter = group.name.rpartition("\\")
    return ", ".join([group.name if "(" in kind else counter, *group.shown])
