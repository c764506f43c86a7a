"""Whether replicas reach each other's endpoints, and clients the listener and the readable secondaries."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
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
from agtrace.diagnostics.access.measures import MEASURES
from agtrace.diagnostics.access.needs import NEEDS
from agtrace.diagnostics.access.pairs import Attempt, KnownConnections, attempts
from agtrace.diagnostics.base import Analysis
from agtrace.history.coverage import coverage
from agtrace.history.timeline import skews
from agtrace.measure.platforms import platforms
from agtrace.measures import Measure
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.say.finding import Finding
from agtrace.say.said import Judged, Said

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

SAID = Said(__package__ or "")
MOST = 50_000
"""Different entries that are looked at, those written most: a log of an attack may hold millions."""


class Access(Analysis):
    """Endpoints between replicas, listeners, and read-only routing."""

    name: ClassVar[str] = "access"
    title: ClassVar[str] = "Endpoints and clients"
    question: ClassVar[str] = (
        "Do the replicas reach each other's endpoints, and clients the listener and the readable secondaries?"
    )
    order: ClassVar[int] = 65
    needs = NEEDS
    measures: ClassVar[tuple[Measure, ...]] = MEASURES

    def _rows(self, name: str) -> list[dict[str, Any]]:
        return self.view.rows(self.sql(name))

    def _written(self, name: str, **given: Any) -> list[dict[str, Any]]:
        """Return the rows of a query of entries."""
        return self.view.rows(self.sql(name), {**given, "most": MOST})

    def _refused(self, name: str, numbers: list[int], **given: Any) -> list[dict[str, Any]]:
        """Give rows of a query of messages that every language has by their number."""
        if self._numbers.isdisjoint(numbers):
            return []
        return self._written(name, numbers=numbers, **given)

    @cached_property
    def _numbers(self) -> frozenset[int]:
        """Numbers of messages that logs and sessions hold."""
        rows = self.view.rows("select distinct error from log_entries where error is not null")
        return frozenset(row["error"] for row in rows)

    @cached_property
    def known(self) -> KnownConnections:
        """What is known of servers and of their connections."""
        captures = "select content_id, min(path) as path from captures group by content_id"
        return KnownConnections(
            self._rows("links.sql"),
            self._common(self._rows("looks.sql"), "time"),
            self._common(self._rows("away.sql"), "gone", "ready"),
            self._common(self._rows("own_endpoints.sql"), "time"),
            frozenset(self.groups_of),
            {row["content_id"]: row["path"] for row in self.view.rows(captures)},
            coverage(self.view),
            HostNames(self.view.rows(HOSTS)),
            platforms(self.view),
            self._skews,
        )

    @cached_property
    def _skews(self) -> dict[str, float]:
        return skews(self.view.rows("select * from skew"))

    def _common(self, rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
        """Give rows with times by the common clock, which the timeline has, in place of their host's own."""
        return [
            row
            | {
                name: row[name] - timedelta(milliseconds=self._skews.get(row["host_id"], 0.0))
                for name in names
                if row[name] is not None
            }
            for row in rows
        ]

    @cached_property
    def groups(self) -> list[dict[str, Any]]:
        """Which groups each host has a replica of."""
        return self._rows("groups_of_hosts.sql")

    @cached_property
    def groups_of(self) -> dict[str, list[str]]:
        """Groups of each host."""
        found: dict[str, list[str]] = defaultdict(list)
        for row in self.groups:
            found[row["host_id"]].append(row["ag"])
        return dict(found)

    @cached_property
    def tried(self) -> list[Attempt]:
        """What was written about endpoints, in order of time."""
        numbers = list(handshakes.OF_ENDPOINTS)
        rows = self._written("attempts.sql", numbers=numbers)
        # Where its zone is not known a host's local time is shown, which is its own.
        timed = [row if row["is_local"] else self._common([row], "first", "last")[0] for row in rows]
        return attempts(timed, self.known)

    @cached_property
    def troubles(self) -> list[endpoints.Trouble]:
        """What is wrong between which two."""
        return endpoints.troubles(self.tried, self.known, thresholds.of(self.view))

    @cached_property
    def looks(self) -> list[dict[str, Any]]:
        """How looks showed each address of each listener."""
        return self._rows("listeners.sql")

    @cached_property
    def routes(self) -> list[dict[str, Any]]:
        """Where each replica sends read-only connections."""
        return self._rows("routes.sql")

    def findings(self) -> list[Finding]:
        """Give the access.* findings: endpoints, then listeners, then routing."""
        return list(self._findings)

    @cached_property
    def _findings(self) -> list[Finding]:
        return SAID.findings(self._judged())

    def _judged(self) -> list[Judged]:
        entries = self._written(
            "listener_entries.sql", numbers=list(names.REASON_OF_MESSAGE), events=list(names.REASON_OF_EVENT)
        )
        refused = self._refused("refused.sql", list(routing.NUMBERS))
        resolving = self._refused("resolving.sql", [routing.NO_ROLE], apart_s=routing.APART_S)
        return [
            *endpoints.judged(self.troubles, self.known),
            *listener.listeners(
                entries,
                self.looks,
                self.groups,
                self._rows("online.sql"),
                self.known,
                self._rows("resources.sql"),
            ),
            *listener.clients(self.looks, self._rows("name_settings.sql"), self.known),
            *routing.refused(refused, self.routes, self.view.has_rows("routing"), self.groups_of, self.known),
            *routing.resolving(resolving, self.groups_of, self.known, thresholds.of(self.view)),
            *routing.lists(self.routes, self._rows("members.sql"), self.known),
            *targets.halted(self.routes, self._rows("halted.sql") if self.routes else (), self.known),
            *targets.of_endpoints(self.routes, self.known),
        ]

    def fig_attempts(self) -> Figure:
        """Draw how often each pair failed, over time."""
        return figures.attempts(self.troubles, "Attempts that failed, by pair and kind")

    def missing(self) -> list[str]:
        """Say what it lacks where nothing tells of a connection, a listener, a route or a refusal."""
        is_told = self.known.partners or self.tried or self.looks or self.routes or self.findings()
        return [] if is_told else [need.plea for need in self.needs if need.lacking]

    def tbl_connections(self) -> pd.DataFrame:
        """Give the last sign of each connection between replicas; times are UTC."""
        return tables.connections(self.known)

    def tbl_endpoints(self) -> pd.DataFrame:
        """Give the pairs of which one does not reach the endpoint of the other; times are UTC."""
        return tables.troubles(self.troubles, self.known)

    def tbl_listeners(self) -> pd.DataFrame:
        """Give the addresses of each listener as it was looked at last."""
        return tables.listeners(self.looks)

    def tbl_routes(self) -> pd.DataFrame:
        """Give the read-only routes."""
        return tables.routes(self.routes)

    def say_verdict(self) -> str:
        """Say in one sentence that nothing was found, where something was looked at; Markdown."""
        return "" if self.findings() else SAID.page("summary", self._summary())

    def say_summary(self) -> str:
        """Say how many pairs and listeners are concerned, in Markdown."""
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
