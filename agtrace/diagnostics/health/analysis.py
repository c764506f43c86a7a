"""Health of the group: its failovers and their causes, and anything else that weakens it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from agtrace import thresholds
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.health import (
    allowed,
    alone,
    connections,
    figures,
    frozen,
    group_card,
    groups,
    logins,
    near,
    noted,
    outages,
    readiness,
    resources,
    role,
    servers,
    settings,
    spanned,
    story,
    summary,
    suspended,
    tables,
    unhealthy,
    unrecognised,
    untimed,
    versions,
    workers,
)
from agtrace.diagnostics.health.checks import CHECKS
from agtrace.diagnostics.health.group_history import GroupHistory, kinds_captured
from agtrace.diagnostics.health.needs import NEEDS
from agtrace.diagnostics.health.rows import (
    Azure,
    Captures,
    ClusterLogs,
    Connected,
    Failovers,
    Frozen,
    Grouped,
    Groups,
    Incidents,
    Inner,
    Kinds,
    Logins,
    Members,
    MembersDown,
    Nodes,
    Noted,
    Offsets,
    ReadinessDatabases,
    ReadinessMembers,
    ReadinessOptions,
    ReadinessReplicas,
    Recovered,
    Replicas,
    Resources,
    Restarts,
    Seeded,
    Settings,
    Spanned,
    Standstills,
    Timeline,
    Unhealthy,
    Unrecognised,
    UntimedLogs,
    Versions,
    Waits,
    WorkersConfigured,
    WorkersMost,
)
from agtrace.diagnostics.health.standing import Standing, standings
from agtrace.history.coverage import coverage
from agtrace.history.failovers import in_local_time
from agtrace.history.hardened import hardened
from agtrace.history.log_gaps import log_gaps
from agtrace.history.reference_clock import reference_clock
from agtrace.history.unrelated import group_sets
from agtrace.measure import usage
from agtrace.measure.platforms import platforms
from agtrace.measure.starts import starts
from agtrace.measure.usage import Window
from agtrace.measures import Measure
from agtrace.say import incident
from agtrace.say.finding import Evidence, Finding
from agtrace.say.group_card import GroupCard
from agtrace.say.headline import headline
from agtrace.say.said import Judged, Said
from agtrace.tables.records import record_of, records_of
from agtrace.thresholds import Thresholds

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

SAID = Said(__package__ or "")

AROUND = timedelta(minutes=10)
"""Time before and after an event for which counters are drawn."""


class Health(Analysis):
    """The timeline of a group, each failover with its cause."""

    name: ClassVar[str] = "health"
    title: ClassVar[str] = "Health"
    question: ClassVar[str] = "When did the group fail over, and why?"
    order: ClassVar[int] = 10
    needs = NEEDS
    checks = CHECKS
    measures: ClassVar[tuple[Measure, ...]] = tables.MEASURES

    @cached_property
    def history(self) -> GroupHistory:
        """Return the history of the groups of the case."""
        captures = self.ask(Captures)
        paths = {row.content_id: row.path for row in captures}
        return GroupHistory(
            self.ask(Failovers),
            records_of(Timeline, self.view.table(self.sql("timeline.sql"))),
            paths,
            left_out=tuple(log_gaps(self.view)),
            hardened=hardened(self.view),
            coverage=coverage(self.view),
            platforms=platforms(self.view),
            captured=kinds_captured(self.ask(Kinds)),
            grouped=frozenset(row.host_id for row in self.ask(Grouped)),
            instances={row.content_id: row.sql_instance for row in captures if row.sql_instance},
            clock=reference_clock(self.view),
            connected=tuple(self.ask(Connected)),
            restarts=tuple(self.ask(Restarts)),
            members=tuple(self.ask(Members)),
            standstills=tuple(self.ask(Standstills)),
            incidents=tuple(self.ask(Incidents)),
            seeded=tuple(self.ask(Seeded)),
            nodes=tuple(self.ask(Nodes)),
            offsets=tuple(self.ask(Offsets)),
            inner=tuple(self.ask(Inner)),
            recovered=tuple(self.ask(Recovered)),
        )

    def missing(self) -> list[str]:
        """Return the missing captures; empty if servers logged warnings, even without captured events."""
        lacking = super().missing()
        return [] if lacking and self._judged else lacking

    def findings(self) -> list[Finding]:
        """Return the health.* findings, failovers first, each kind in chronological order."""
        return list(self._findings)

    @cached_property
    def _findings(self) -> list[Finding]:
        return SAID.findings(self._judged)

    @cached_property
    def _judged(self) -> list[Judged]:
        history, limits = self.history, thresholds.of(self.view)
        looks = self.ask(Groups), self.ask(Replicas)
        suspended_machines = self.ask(Spanned)
        not_copied = logins.not_copied(history, self.ask(Logins))
        noticed = noted.noted(
            history, self.ask(Noted, noted.parameters(history)), self._waits(limits), limits
        )
        noticed = logins.without_rare(noticed, not_copied)
        return [
            *(one for each in self._outages for one in each.failovers),
            *(one for each in self._outages for one in each.lost),
            *(one for each in self._outages for one in each.stayed),
            *(one for each in self._outages for one in each.doubled),
            *(one for each in self._outages for one in each.flapping),
            *groups.left(history, self.ask(ClusterLogs), limits),
            *servers.standstills(history, limits),
            *servers.leases(history),
            *servers.restarts(history),
            *servers.stops(history),
            *servers.long_io(history, suspended_machines),
            *spanned.spanned(history, suspended_machines),
            *connections.lost_connections(history, limits, near.looker(self.view, history), looks[1]),
            *noticed,
            *alone.alone(history),
            *self._untimed(history, limits),
            *suspended.suspended(history),
            *role.roles(history),
            *versions.versions(history, self.ask(Versions)),
            *not_copied,
            *unhealthy.unhealthy(history, self.ask(Unhealthy)),
            *frozen.frozen(history, self.ask(Frozen), self._settings, limits),
            *unrecognised.unrecognised(history, self.ask(Unrecognised, unrecognised.parameters())),
            *self._workers(limits, noticed),
            *readiness.readiness(history, self._ready),
            *settings.settings(history, self._settings, *looks, limits, self._azure()),
            *resources.resources(history, self.ask(Resources)),
            *resources.members(history, self.ask(MembersDown)),
        ]

    @cached_property
    def _outages(self) -> list[outages.Outages]:
        sets = group_sets(self.view)
        return outages.outages(self.history, sets, self.ask(Replicas), thresholds.of(self.view))

    def _untimed(self, history: GroupHistory, limits: Thresholds) -> list[Judged]:
        rows = self.view.records(Timeline, self.sql("untimed.sql"))
        if not rows:
            return []
        return untimed.untimed(rows, self.ask(UntimedLogs), history, limits, self._in_local_time)

    def _in_local_time(self, host: str) -> list[Failovers]:
        found = in_local_time(self.view, host)
        return [record_of(Failovers, row | {"is_distributed": False}) for row in found]

    @cached_property
    def _ready(self) -> list[readiness.Ready]:
        """Return whether each replica would take over, as of its last snapshot."""
        if not self._standings:
            return []
        limits = thresholds.of(self.view)
        return readiness.ready(self.history, self._standings, self._cluster, limits)

    @cached_property
    def _cluster(self) -> allowed.Cluster:
        return allowed.Cluster(self.ask(ReadinessMembers), self._settings)

    @cached_property
    def _settings(self) -> list[Settings]:
        return self.ask(Settings)

    @cached_property
    def _standings(self) -> list[Standing]:
        """Return the state of each replica in its last snapshot."""
        rows = self.ask(ReadinessReplicas)
        if not rows:
            return []
        options = self.ask(ReadinessOptions)
        return standings(rows, self.ask(ReadinessDatabases), options)

    def _workers(self, limits: Thresholds, found: Iterable[Judged]) -> list[Judged]:
        if not self._standings:
            return []
        ran_out = {
            one.subject["host"] for one in found if one.id == "health.workers" and one.subject.get("host")
        }
        rows = self.ask(WorkersMost), self.ask(WorkersConfigured)
        most = workers.most_of(*rows, starts(self.view), self.history)
        return workers.workers(self.history, self._standings, most, ran_out, limits)

    def _azure(self) -> str | None:
        """Return whether the hosts run on Azure: shown, likely, no, or None if unknown."""
        if not any(row.setting == "ProbePort" for row in self._settings):
            return "no"
        (row,) = self.ask(Azure)
        return row.azure

    def _waits(self, limits: Thresholds) -> list[Waits]:
        return self.ask(Waits, {"least_ms": 1000.0 * limits.long_wait_s})

    def fig_timeline(self) -> Figure:
        """Draw the swim lanes: roles, events and counters over one time axis."""
        title = "What happened to the group, by node"
        return figures.lanes(self.history, self._samples(), title, self.host_colours)

    def _samples(self) -> list[dict[str, Any]]:
        if not self.history.events:
            return []
        first = self.history.events[0].time
        last = self.history.events[-1].time
        window = Window(1, first - AROUND, last + AROUND)
        return usage.series(self.view, [window], tuple(figures.RESOURCES)).to_pylist()

    def tbl_failovers(self) -> pd.DataFrame:
        """Return the failovers, one per row; times are UTC."""
        return tables.failovers(self.history)

    @cached_property
    def _stories(self) -> list[story.Story]:
        found = [each.stories() for each in self._outages]
        return [
            replace(one, key=f"{one.key}-{place}") if place > 1 else one
            for place, own in enumerate(found, 1)
            for one in own
        ]

    def incidents(self) -> incident.Incidents:
        """Return the story of each failover and outage as text, with the one to read first."""
        first = story.opened(self._stories, headline(self.findings()))
        return summary.incidents(self._stories, first, SAID)

    def group_cards(self) -> list[GroupCard]:
        """Return a card of each group with its last known state; without groups, cards of the hosts."""
        history = self.history
        seen = group_card.seen_by(self.ask, self._settings, self._standings, history.replicas, history.place)
        return group_card.cards(seen, SAID)

    def tbl_story(self) -> pd.DataFrame:
        """Return the moments of each failover and outage: time, place, event, and the log line."""
        return summary.table(self._stories, SAID)

    def say_story(self) -> str:
        """Return the incident to read first, in Markdown: its moments, its cost, the unknowns."""
        first = self.incidents().first
        return SAID.page("story", {"incident": first}) if first else ""

    def tbl_events(self) -> pd.DataFrame:
        """Return all events in chronological order (UTC), with their sources."""
        return tables.events(self.history)

    def tbl_roles(self) -> pd.DataFrame:
        """Return the roles of replicas with their durations; times are UTC."""
        return tables.roles(self.history)

    def tbl_disconnects(self) -> pd.DataFrame:
        """Return the times without a connection, as each end wrote them (UTC)."""
        return tables.disconnects(self.history)

    def tbl_readiness(self) -> pd.DataFrame:
        """Return how each replica could take over, as of its last snapshot, and the obstacles."""
        return tables.readiness(self._ready, SAID)

    def say_readiness(self) -> str:
        """Return whether each replica would take over, as of its last snapshot; Markdown."""
        return SAID.page("readiness", summary.readiness(self.history, self._ready, self._cluster, SAID))

    def say_verdict(self) -> str:
        """Return one sentence on the events, if there is no warning or critical finding; Markdown."""
        found = self.findings()
        if not self.history.events or any(f.severity in ("warning", "critical") for f in found):
            return ""
        return SAID.page("quiet", summary.summary(self.history, found))

    def key_figures(self) -> list[Evidence]:
        """Return the number of events of each kind."""
        return summary.key_figures(self.history, self.findings()) if self.history.events else []

    def say_summary(self) -> str:
        """Return the number of failovers and notable events, in Markdown."""
        return SAID.page("summary", summary.summary(self.history, self.findings()))

    def say_failovers(self) -> str:
        """Return each failover as a short story, in Markdown."""
        return SAID.page("failovers", summary.stories(self.history, self.findings()))

    def say_missing(self) -> str:
        """Return the missing captures that would show more, by host, in Markdown."""
        return SAID.page("missing", summary.missing(self.history))
