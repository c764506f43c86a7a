"""The answer in words: how often the group failed over, and each time as a short story."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from agtrace.diagnostics.health.allowed import OWNER_NODES, SETTINGS, Cluster
from agtrace.diagnostics.health.readiness import Ready, facts_of
from agtrace.diagnostics.health.told import Told
from agtrace.measure.platforms import LINUX, likely
from agtrace.measures import Measure
from agtrace.resolve.attribution import is_placeholder
from agtrace.say.finding import Evidence, Finding
from agtrace.say.said import Said, entries
from agtrace.say.words import count

MOST = 20
"""Failovers that are told one by one; the table has all."""
SOURCE = "timeline of the group"
MODES = ("automatic", "planned", "forced", "open")
HEADLINES = tuple(
    f"health.{n}" for n in ("no_primary", "two_primaries", "standstill", "flapping", "settings", "readiness")
)
COUNTED = {
    "health.lease": ("expired lease", "expired leases"),
    "health.restart": ("restart", "restarts"),
    "health.disconnect": ("lost connection", "lost connections"),
    "health.long_io": ("host with slow input and output", "hosts with slow input and output"),
}


def summary(told: Told, findings: Sequence[Finding]) -> dict[str, Any]:
    """Give what summary.md and quiet.md say: failovers by mode, what else stands out."""
    modes = Counter(row["mode"] for row in told.failovers)
    return {
        "failovers": len(told.failovers),
        "groups": told.groups,
        "events": told.events,
        "seconds": _seconds(told),
        "modes": [(mode, modes[mode]) for mode in MODES if modes[mode]],
        "headlines": [each.title for each in findings if each.id in HEADLINES],
        "counted": [count(n, *COUNTED[each]) for each, n in _counts(findings).items() if n],
    }


def key_figures(told: Told, findings: Sequence[Finding]) -> list[Evidence]:
    """Give how often what happened, as numbers to show first."""
    away = [row["seconds_without_primary"] for row in told.failovers if row["seconds_without_primary"]]
    spans = (
        {"without a primary in all": round(sum(away), 3), "longest without a primary": round(max(away), 3)}
        if len(away) > 1
        else {}
    )
    counts = {COUNTED[each][1]: n for each, n in _counts(findings).items()}
    shown = {"failovers in all": len(told.failovers), **spans, **counts, "time seen": _seconds(told)}
    units = dict.fromkeys([*spans, "time seen"], "s")
    return entries(Measure(name, name, units.get(name, ""))(n, SOURCE) for name, n in shown.items())


def stories(told: Told, findings: Sequence[Finding]) -> dict[str, Any]:
    """Give what failovers.md says: each failover as its finding has it, the latest of many."""
    shown = [each for each in findings if each.id == "health.failover"][-MOST:]
    return {"stories": shown, "failovers": len(told.failovers), "most": MOST}


def readiness(told: Told, found: Sequence[Ready], cluster: Cluster, said: Said) -> dict[str, Any]:
    """Give what readiness.md says: how each replica stood, in words, and what to capture yet."""
    replicas = []
    for one in found:
        facts = facts_of(one)
        facts["reasons"] = [said.text(f"readiness.{kind}", facts) for kind in facts["kinds"]]
        replicas.append(facts)
    is_windows = any(likely(told.platforms, one.standing.host) != LINUX for one in found)
    groups = {one.standing.ag for one in found}
    asked = {"owners": ("resource", OWNER_NODES), "threshold": ("group", SETTINGS[0])}
    unseen = [
        name
        for name, (scope, setting) in asked.items()
        if any(cluster.setting(scope, ag, setting) is None for ag in groups)
    ]
    return {"replicas": replicas, "is_windows": is_windows, "unseen": unseen}


def missing(told: Told) -> dict[str, Any]:
    """Give what missing.md says: which kinds of captures would tell more, and of which hosts."""
    hosts = {*told.hosts, *(told.captured or {})}
    return {"lacking": told.lacking(sorted(host for host in hosts if not is_placeholder(host)))}


def _counts(findings: Sequence[Finding]) -> dict[str, int]:
    found = Counter(each.id for each in findings)
    return {each: found[each] for each in COUNTED}


def _seconds(told: Told) -> float:
    events = told.events
    return float((events[-1]["time"] - events[0]["time"]).total_seconds()) if events else 0.0
