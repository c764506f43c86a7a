"""Whether replicas reach each other's endpoints, and clients the listener and the readable secondaries."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from agtrace import thresholds
from agtrace.diagnostics.access import (
    endpoints,
    figures,
    handshakes,
    listener,
    names,
    routing,
    tables,
    targets,
)
from agtrace.diagnostics.access.checks import CHECKS
from agtrace.diagnostics.access.measures import MEASURES
from agtrace.diagnostics.access.needs import NEEDS
from agtrace.diagnostics.access.pairs import Attempt, KnownConnections, attempts
from agtrace.diagnostics.access.rows import (
    Attempts,
    Away,
    Connections,
    GroupsOfHosts,
    Halted,
    ListenerEntries,
    Listeners,
    Members,
    NameSettings,
    Online,
    OwnEndpoints,
    Partners,
    Refused,
    Resolving,
    Resources,
    Routes,
)
from agtrace.diagnostics.base import Analysis
from agtrace.history.coverage import coverage
from agtrace.measure.platforms import platforms
from agtrace.measures import Measure
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.say.finding import Finding
from agtrace.say.said import Judged, Said
from agtrace.tables.records import R

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

SAID = Said(__package__ or "")
MOST = 50_000
"""Most distinct entries that are read, the most frequent first: a log of an attack can contain millions."""


class Access(Analysis):
    """Endpoints between replicas, listeners, and read-only routing."""

    name: ClassVar[str] = "access"
    title: ClassVar[str] = "Endpoints and clients"
    question: ClassVar[str] = (
        "Do the replicas reach each other's endpoints, and clients the listener and the readable secondaries?"
    )
    order: ClassVar[int] = 65
    needs = NEEDS
    checks = CHECKS
    measures: ClassVar[tuple[Measure, ...]] = MEASURES

    def _entries(self, kind: type[R], **given: Any) -> list[R]:
        """Return the rows of a query of entries."""
        return self.ask(kind, {**given, "most": MOST})

    def _refused(self, kind: type[R], numbers: list[int], **given: Any) -> list[R]:
        """Return the rows of a query of messages that every language has by their number."""
        if self._numbers.isdisjoint(numbers):
            return []
        return self._entries(kind, numbers=numbers, **given)

    @cached_property
    def _numbers(self) -> frozenset[int]:
        """Return the numbers of all messages in logs and sessions."""
        errors = self.view.table("select distinct error from log_entries where error is not null")
        return frozenset(errors.column("error").to_pylist())

    @cached_property
    def known(self) -> KnownConnections:
        """Return what the captures show of servers and their connections."""
        captures = "select content_id, min(path) as path from captures group by content_id"
        return KnownConnections(
            self.ask(Partners),
            self.ask(Connections),
            self.ask(Away),
            self.ask(OwnEndpoints),
            frozenset(self.groups_of),
            {row["content_id"]: row["path"] for row in self.view.rows(captures)},
            coverage(self.view),
            HostNames(self.view.rows(HOSTS)),
            platforms(self.view),
        )

    @cached_property
    def groups(self) -> list[GroupsOfHosts]:
        """Which groups each host has a replica of."""
        return self.ask(GroupsOfHosts)

    @cached_property
    def groups_of(self) -> dict[str, list[str]]:
        """Groups of each host."""
        found: dict[str, list[str]] = defaultdict(list)
        for row in self.groups:
            found[row.host_id].append(row.ag)
        return dict(found)

    @cached_property
    def tried(self) -> list[Attempt]:
        """Return the log entries about endpoints, in chronological order."""
        return attempts(self._entries(Attempts, numbers=list(handshakes.OF_ENDPOINTS)), self.known)

    @cached_property
    def troubles(self) -> list[endpoints.Trouble]:
        """Return the endpoint problems, by pair of hosts."""
        return endpoints.troubles(self.tried, self.known, thresholds.of(self.view))

    @cached_property
    def looks(self) -> list[Listeners]:
        """How snapshots showed each address of each listener."""
        return self.ask(Listeners)

    @cached_property
    def routes(self) -> list[Routes]:
        """Where each replica sends read-only connections."""
        return self.ask(Routes)

    def findings(self) -> list[Finding]:
        """Return the access.* findings: endpoints, then listeners, then routing."""
        return list(self._findings)

    @cached_property
    def _findings(self) -> list[Finding]:
        return SAID.findings(self._judged())

    def _judged(self) -> list[Judged]:
        entries = self._entries(
            ListenerEntries, numbers=list(names.REASON_OF_MESSAGE), events=list(names.REASON_OF_EVENT)
        )
        refused = self._refused(Refused, list(routing.NUMBERS))
        resolving = self._refused(Resolving, [routing.NO_ROLE], apart_s=routing.APART_S)
        return [
            *endpoints.judged(self.troubles, self.known),
            *listener.listeners(
                entries, self.looks, self.groups, self.ask(Online), self.known, self.ask(Resources)
            ),
            *listener.clients(self.looks, self.ask(NameSettings), self.known),
            *routing.refused(refused, self.routes, self.view.has_rows("routing"), self.groups_of, self.known),
            *routing.resolving(resolving, self.groups_of, self.known, thresholds.of(self.view)),
            *routing.lists(self.routes, self.ask(Members), self.known),
            *targets.halted(self.routes, self.ask(Halted) if self.routes else (), self.known),
            *targets.of_endpoints(self.routes, self.known),
        ]

    def fig_attempts(self) -> Figure:
        """Draw how often each pair failed, over time."""
        return figures.attempts(self.troubles, "Attempts that failed, by pair and kind")

    def missing(self) -> list[str]:
        """Return the missing input if no connection, listener, route or refusal was captured."""
        is_told = self.known.partners or self.tried or self.looks or self.routes or self.findings()
        return [] if is_told else [need.plea for need in self.needs if need.lacking]

    def tbl_connections(self) -> pd.DataFrame:
        """Return the last sign of each connection between replicas; times are UTC."""
        return tables.connections(self.known)

    def tbl_endpoints(self) -> pd.DataFrame:
        """Return the pairs in which one cannot reach the other's endpoint; times are UTC."""
        return tables.troubles(self.troubles, self.known)

    def tbl_listeners(self) -> pd.DataFrame:
        """Return the addresses of each listener in its last snapshot."""
        return tables.listeners(self.looks)

    def tbl_routes(self) -> pd.DataFrame:
        """Return the read-only routes."""
        return tables.routes(self.routes)

    def say_verdict(self) -> str:
        """State in one sentence that nothing was found, if there was input; Markdown."""
        return "" if self.findings() else SAID.page("summary", self._summary())

    def say_summary(self) -> str:
        """Describe how many pairs and listeners are affected, in Markdown."""
        return SAID.page("summary", self._summary())

    def _summary(self) -> dict[str, Any]:
        found = self.findings()
        return {
            "endpoints": [one for one in found if one.id == "access.endpoint"],
            "listeners": [one for one in found if one.id == "access.listener"],
            "routing": [one for one in found if one.id == "access.routing"],
            "looked": bool(self.looks),
            "routes": len(self.routes),
        }
