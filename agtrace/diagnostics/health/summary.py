"""The answer as text: the number of failovers, and a short story of each.

Texts are plain here; the caller escapes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.health import connections, servers
from agtrace.diagnostics.health.allowed import OWNER_NODES, SETTINGS, Cluster
from agtrace.diagnostics.health.chain import chain
from agtrace.diagnostics.health.failed_over import SURE
from agtrace.diagnostics.health.group_history import GroupHistory, kind_of
from agtrace.diagnostics.health.measures import WITHOUT_PRIMARY
from agtrace.diagnostics.health.readiness import Ready, facts_of
from agtrace.diagnostics.health.rows import Failovers
from agtrace.diagnostics.health.story import Moment, Story
from agtrace.measure.platforms import LINUX, likely
from agtrace.measures import Measure, frame
from agtrace.resolve.attribution import is_placeholder
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.say.incident import Incident, Incidents, Line, Link, Moved
from agtrace.say.said import Said, entries
from agtrace.say.words import count

if TYPE_CHECKING:
    import pandas as pd

MOST = 20
"""Failovers described one by one; the table has all."""
SOURCE = "timeline of the group"
LEASES = ("lease_lost", "lease_no_signal", "lease_not_valid")
SAME_LEASE = timedelta(minutes=2)
"""Lease entries of a host at most this far apart belong to one loss."""
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


def summary(history: GroupHistory, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the facts of summary.md and quiet.md: failovers by mode, other notable events."""
    modes = Counter(row.mode for row in history.failovers)
    return {
        "failovers": len(history.failovers),
        "groups": history.groups,
        "events": history.events,
        "seconds": _seconds(history),
        "modes": [(mode, modes[mode]) for mode in MODES if modes[mode]],
        "headlines": [each.title for each in findings if each.id in HEADLINES],
        "counted": [count(n, *COUNTED[each]) for each, n in _counts(history, findings).items() if n],
    }


def key_figures(history: GroupHistory, findings: Sequence[Finding]) -> list[Evidence]:
    """Return the number of events of each kind, as key figures."""
    away = [row.seconds_without_primary for row in history.failovers if row.seconds_without_primary]
    spans = (
        {"without a primary in all": round(sum(away), 3), "longest without a primary": round(max(away), 3)}
        if len(away) > 1
        else {}
    )
    counts = {COUNTED[each][1]: n for each, n in _counts(history, findings).items()}
    shown = {"failovers in all": len(history.failovers), **spans, **counts, "time seen": _seconds(history)}
    units = dict.fromkeys([*spans, "time seen"], "s")
    return entries(Measure(name, name, units.get(name, ""))(n, SOURCE) for name, n in shown.items())


def stories(history: GroupHistory, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the facts of failovers.md: each failover with its finding's texts, the latest if many."""
    shown = [each for each in findings if each.id == "health.failover"][-MOST:]
    return {"stories": shown, "failovers": len(history.failovers), "most": MOST}


def readiness(history: GroupHistory, found: Sequence[Ready], cluster: Cluster, said: Said) -> dict[str, Any]:
    """Return the facts of readiness.md: the state of each replica, and the captures still to make."""
    replicas = []
    for one in found:
        facts = facts_of(one)
        facts["reasons"] = [said.text(f"readiness.{kind}", facts) for kind in facts["kinds"]]
        replicas.append(facts)
    is_windows = any(likely(history.platforms, one.standing.host) != LINUX for one in found)
    groups = {one.standing.ag for one in found}
    asked = {"owners": ("resource", OWNER_NODES), "threshold": ("group", SETTINGS[0])}
    unseen = [
        name
        for name, (scope, setting) in asked.items()
        if any(cluster.setting(scope, ag, setting) is None for ag in groups)
    ]
    return {"replicas": replicas, "is_windows": is_windows, "unseen": unseen}


def missing(history: GroupHistory) -> dict[str, Any]:
    """Return the facts of missing.md: kinds of captures that would show more, by host."""
    hosts = {*history.hosts, *(history.captured or {})}
    return {"lacking": history.lacking(sorted(host for host in hosts if not is_placeholder(host)))}


def _counts(history: GroupHistory, findings: Sequence[Finding]) -> dict[str, int]:
    """Return the number of events of each kind, including parts of failovers, which have no own finding."""
    # Findings of hosts without an offset are not based on events of the timeline.
    found = Counter(each.id for each in findings if each.window.get("local") or each.id == "health.long_io")
    found["health.lease"] += _leases(history)
    found["health.restart"] += len(history.restarts) + len(servers.stops(history))
    found["health.disconnect"] += connections.lost_count(history)
    return {each: found[each] for each in COUNTED}


def _leases(history: GroupHistory) -> int:
    """Return how many leases were lost: entries of the cluster on one that expired count with it."""
    expired = history.of("lease_expired")
    lost = [(row.host_id, row.time) for row in expired]
    for row in sorted(history.of(*LEASES), key=lambda row: row.time):
        if not any(host == row.host_id and abs(row.time - at) <= SAME_LEASE for host, at in lost):
            lost.append((row.host_id, row.time))
    return len(lost)


def _seconds(history: GroupHistory) -> float:
    events = history.events
    return float((events[-1].time - events[0].time).total_seconds()) if events else 0.0


CAPTIONS = {"health.failover": "caption", "health.no_primary": "caption_lost"}
"""Field of said/story.toml that names an incident, by the id of its finding."""

STORY = (
    *(Measure("incident"), Measure("time", meaning="UTC, by the reference clock")),
    Measure("host_time", "host's time", meaning="as the clock of the host shows it, local"),
    *(Measure("host"), Measure("what"), Measure("where", meaning="file and line")),
)


def incidents(stories: Sequence[Story], opened: Story | None, said: Said) -> Incidents:
    """Return stories as texts, with the table of failovers if there are several."""
    moved = [_moved(each, each.failover, said) for each in stories if each.failover is not None]
    return Incidents(
        tuple(moved) if len(moved) > 1 else (),
        tuple(_incident(each, said) for each in stories),
        opened.key if opened else "",
    )


def table(stories: Sequence[Story], said: Said) -> pd.DataFrame:
    """Return the moments of all stories, one per row; times are UTC."""
    rows = [
        (_caption(each, said), one.time, one.local, one.host, _what(one, said), one.place)
        for each in stories
        for one in each.moments
    ]
    return frame(STORY, rows)


def _incident(story: Story, said: Said) -> Incident:
    impact, not_known, ask = (
        said.text(f"story.{each}", story.facts) for each in ("impact", "not_known", "ask")
    )
    return Incident(
        story.key,
        _caption(story, said),
        story.judged.severity,
        impact,
        not_known,
        ask,
        tuple(_line(one, said) for one in story.shown),
        tuple(_line(one, said) for one in story.folded),
        _chain(story, said),
    )


def _chain(story: Story, said: Said) -> tuple[Link, ...]:
    """Return the links of an incident as texts, each with the time since the previous one."""
    found, before = [], None
    for each in chain(story):
        moment = each.moment
        facts = dict(story.facts) | moment.facts | {"role": each.role}
        what = said.text(f"chain.{each.said}", facts) if each.said else _what(moment, said)
        after = words.span((moment.time - before).total_seconds()) if before else ""
        line = replace(_line(moment, said, what), time=_iso(moment.time, "microseconds"))
        found.append(Link(said.text("chain.role", facts), said.text("chain.number", facts), after, line))
        before = moment.time
    return tuple(found)


def _caption(story: Story, said: Said) -> str:
    return said.text(f"story.{CAPTIONS.get(story.judged.id, 'caption_doubled')}", story.facts)


def _line(one: Moment, said: Said, what: str = "") -> Line:
    local = f"{one.local:%H:%M:%S}.{one.local.microsecond // 100_000}" if one.local else ""
    host = words.plain(one.host, 60) if one.host else ""
    return Line(_iso(one.time), words.clock(one.time), local, host, what or _what(one, said), one.place)


def _what(one: Moment, said: Said) -> str:
    return said.text(f"story.{one.said}", one.facts)


def _moved(story: Story, row: Failovers, said: Said) -> Moved:
    facts = story.facts
    seconds = row.seconds_without_primary
    is_sure = (row.confidence or 0.0) >= SURE
    return Moved(
        story.key,
        _iso(story.start),
        words.moment(story.start).removesuffix(" UTC"),
        words.plain(row.ag, 60),
        words.plain(row.from_host, 60) if row.from_host else "not known",
        words.plain(row.to_host, 60) if row.to_host else "not known",
        kind_of(row.mode),
        said.text(f"causes.{facts['root']}", facts) if is_sure else "not shown",
        words.amount(seconds, WITHOUT_PRIMARY.unit) if seconds is not None else "",
    )


def _iso(time: datetime, timespec: str = "milliseconds") -> str:
    return time.astimezone(UTC).replace(tzinfo=None).isoformat(timespec=timespec) + "Z"
