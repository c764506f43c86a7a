"""The percentiles in words."""

from __future__ import annotations

from agtrace.diagnostics.percentiles.distribution import Distribution, Group
from agtrace.measure.counters import AVAILABILITY_REPLICA
from agtrace.say import words
from agtrace.say.finding import Evidence
from agtrace.say.words import md

SHOWN = 8
COUNTERS_FIRST = 2
"""Of so many counters two numbers stand first; of one alone four do."""


def value(number: float, unit: str) -> str:
    """Word a value with its unit; bytes in decimal multiples."""
    if unit == "B/s":
        return words.rate(number)
    return words.size(number) if unit == "B" else words.number(number, unit)


def say(found: Distribution) -> str:
    """Say what was counted, and the middle and the ends of the leading groups."""
    if not found.groups:
        return "No sample of such a counter lies in the window."
    how = " (approximated: there are very many)" if found.approximate else ""
    text = (
        f"{words.count(found.rows, 'value')} of {words.count(found.series, 'series', 'series')} in "
        f"{words.count(len(found.groups), 'group')}; every sample counts once, whatever its interval{how}."
    )
    if found.asked.total:
        apart = found.asked.peers_apart and any(f"{AVAILABILITY_REPLICA}(" in g.name for g in found.groups)
        kept = ", but not those of replicas" if apart else ""
        text += f" Instances of a host are added up, without system databases{kept}."
    if any(group.idle for group in found.groups):
        text += " Where a rate is often idle, its idle samples are set apart."
    if {"run", "configuration"} & set(found.asked.by):
        text += " Only samples within labelled windows count."
    told = [f"- {_told(group)}" for group in leading(found)[:SHOWN]]
    if len(found.groups) > SHOWN:
        told.append(f"- and {len(found.groups) - SHOWN:,} more")
    return text + "\n\n" + "\n".join(told)


def leading(found: Distribution) -> list[Group]:
    """Give the groups, the highest p95 of each counter first, counters in their order."""
    order = {name: n for n, name in enumerate(dict.fromkeys(g.name for g in found.groups))}
    return sorted(found.groups, key=lambda group: (order[group.name], -group.quantile(0.95), group.keys))


def key_figures(found: Distribution) -> list[Evidence]:
    """Give how much was counted, and percentiles of the leading group of each of the first counters."""
    if not found.groups:
        return []
    source = words.count(found.series, "series", "series")
    counted = Evidence("values counted", found.rows, "", source)
    moving = [group for group in leading(found) if not group.is_still]
    first = list({group.name: group for group in reversed(moving)}.values())[::-1]
    if not first:
        counts = {"series": found.series, "groups": len(found.groups)}
        counts["groups in which nothing moved"] = len(found.groups)
        return [counted, *(Evidence(name, n, "", source) for name, n in counts.items())]
    asked = (0.5, 0.95) if len(first) > 1 else (0.05, 0.5, 0.95, 0.99)
    return [counted] + [
        Evidence(f"{_short(group)}, p{share:.0%}".rstrip("%"), group.quantile(share), group.unit, f"n = {group.n:,}")
        for group in first[:COUNTERS_FIRST]
        for share in asked
    ]  # fmt: skip


def _short(group: Group) -> str:
    """Name a group without the object, where that is no more than the name of a kind."""
    kind, _, counter = group.name.rpartition("\\")
    return ", ".join([group.name if "(" in kind else counter, *group.shown])


def _told(group: Group) -> str:
    if group.is_still:
        return f"{md(group.label)}: nothing moved in {words.count(group.n, 'sample')}"
    p5, p50, p95 = (value(group.quantile(p), group.unit) for p in (0.05, 0.5, 0.95))
    idle = f"; idle in {group.idle:,} more" if group.idle else ""
    return (
        f"{md(group.label)}: **{p50}** in the middle (p50), {p5} to {p95} (p5 to p95), n = {group.n:,}{idle}"
    )
