"""The percentiles in words."""

from __future__ import annotations

from agtrace.diagnostics import words
from agtrace.diagnostics.percentiles.distribution import Distribution, Group
from agtrace.diagnostics.words import md
from agtrace.measure.counters import AVAILABILITY_REPLICA

SHOWN = 8


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
        apart = found.asked.peers_apart and any(
            f"{AVAILABILITY_REPLICA}(" in g.name for g in found.groups
        )
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
    return sorted(
        found.groups, key=lambda group: (order[group.name], -group.quantile(0.95), group.keys)
    )


def _told(group: Group) -> str:
    if group.is_still:
        return f"{md(group.label)}: nothing moved in {words.count(group.n, 'sample')}"
    p5, p50, p95 = (value(group.quantile(p), group.unit) for p in (0.05, 0.5, 0.95))
    idle = f"; idle in {group.idle:,} more" if group.idle else ""
    return f"{md(group.label)}: **{p50}** in the middle (p50), {p5} to {p95} (p5 to p95), n = {group.n:,}{idle}"
