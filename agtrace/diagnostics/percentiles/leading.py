"""Which groups come first, and the numbers of them to look at first."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.percentiles.distribution import Distribution, Group
from agtrace.measure.counters import AVAILABILITY_REPLICA
from agtrace.measures import Measure, Measured
from agtrace.say import words

SHOWN = 8
COUNTERS_FIRST = 2
"""Of so many counters two numbers stand first; of one alone four do."""

VALUES = Measure("values", "values counted")
SERIES = Measure("series", "series")
GROUPS = Measure("groups", "groups")
STILL = Measure("still", "groups in which nothing moved")
QUANTILE = Measure("quantile", "{group}, p{percent}")


def facts(found: Distribution) -> dict[str, Any]:
    """Give what the summary names: what was counted, and the leading groups."""
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
    """Give the groups, the highest p95 of each counter first, counters in their order."""
    order = {name: n for n, name in enumerate(dict.fromkeys(g.name for g in found.groups))}
    return sorted(found.groups, key=lambda group: (order[group.name], -group.quantile(0.95), group.keys))


def key_figures(found: Distribution) -> list[Measured]:
    """Give how much was counted, and percentiles of the leading group of each of the first counters."""
    if not found.groups:
        return []
    source = words.count(found.series, "series", "series")
    counted = VALUES(found.rows, source)
    moving = [group for group in leading(found) if not group.is_still]
    first = list({group.name: group for group in reversed(moving)}.values())[::-1]
    if not first:
        n = len(found.groups)
        return [counted, SERIES(found.series, source), GROUPS(n, source), STILL(n, source)]
    asked = (5, 50, 95, 99)[1:3] if len(first) > 1 else (5, 50, 95, 99)
    return [counted] + [
        QUANTILE.about(group=_short(group), percent=percent).of(group.unit)(
            group.quantile(percent / 100), f"n = {group.n:,}"
        )
        for group in first[:COUNTERS_FIRST]
        for percent in asked
    ]


def _short(group: Group) -> str:
    """Name a group without the object, where that is no more than the name of a kind."""
    kind, _, counter = group.name.rpartition("\\")
    return ", ".join([group.name if "(" in kind else counter, *group.shown])
