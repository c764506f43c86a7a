"""Everything that the transport question computes about a case, once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from agtrace.diagnostics.base import View
from agtrace.diagnostics.transport.commit import CommitDelay, commit_delay
from agtrace.diagnostics.transport.judge import judge, stretches
from agtrace.diagnostics.transport.rows import BlockedRedo, Halted, Recoveries
from agtrace.diagnostics.transport.verdict import Verdict
from agtrace.history.roles import Group, Role
from agtrace.history.streams import (
    Facts,
    Link,
    Loss,
    Part,
    RedoTime,
    StreamFacts,
    estimate_loss,
    read_streams,
    redo_time,
)
from agtrace.measure.grid import Node
from agtrace.store.sql_files import beside as queries
from agtrace.thresholds import Thresholds

_sql = queries(__file__)


@dataclass(eq=False)
class LinkStudy:
    """A link with what was found out about it."""

    link: Link
    parts: list[Part]
    verdicts: list[Verdict]
    losses: list[Loss]
    redo_times: list[RedoTime]

    @property
    def without_redo_time(self) -> list[str]:
        """Return the databases whose recovery queue was captured but has no redo time."""
        known = {item.database for item in self.redo_times}
        return [
            part.database
            for part in self.parts
            if part.chain.recovery_queue is not None and part.database not in known
        ]


@dataclass(eq=False)
class Study:
    """The groups of a case, who had which role when, and what each link did."""

    groups: list[Group]
    roles: dict[tuple[str, ...], dict[str, list[Role]]]
    links: list[LinkStudy]
    delays: list[CommitDelay]
    known: StreamFacts
    blocked_redo: list[BlockedRedo]
    halted: list[Halted] = field(default_factory=list)
    """Rows of halted.sql."""
    recoveries: list[Recoveries] = field(default_factory=list)
    """Rows of recoveries.sql."""

    @property
    def facts(self) -> Facts:
        return self.known.facts

    @property
    def limits(self) -> Thresholds:
        return self.known.limits


def study(view: View, start: datetime | None = None, end: datetime | None = None) -> Study:
    """Study the transport of every availability group of a case.

    Parameters
    ----------
    view
        The opened case.
    start, end
        Only samples from ``start`` (included) to ``end`` (left out).
    """
    found = read_streams(view, start, end)
    beside, limits = found.known, found.known.limits
    beside.machines.prepare([each for link, parts in found.links for each in stretches(link, parts)])
    blocked = view.records(BlockedRedo, _sql("blocked_redo.sql"))
    halted = view.records(Halted, _sql("halted.sql")) if view.has_rows("database_states") else []
    recovered = view.records(Recoveries, _sql("recoveries.sql")) if view.has_rows("recoveries") else []
    studied = []
    for link, parts in found.links:
        judged = judge(link, parts, beside, blocked)
        losses = [lost for part in parts if (lost := estimate_loss(link, part, limits))]
        redo = [time for part in parts if (time := redo_time(part, limits))]
        studied.append(LinkStudy(link, parts, judged, losses, redo))
    delays = [
        delay
        for group in found.groups
        for delay in _delays([link for link, _parts in found.links if link.group is group], beside)
    ]
    return Study(found.groups, found.roles, studied, delays, beside, blocked, halted, recovered)


def _delays(streams: list[Link], beside: StreamFacts) -> list[CommitDelay]:
    """Measure the commit wait once per primary and window."""
    shared: dict[tuple[str, int, int], tuple[Node, slice, list[Link]]] = {}
    for link in streams:
        primary, rows = link.primary, link.primary_rows
        if link.apart is not None:
            primary, rows = link.apart.primary, link.apart.primary_rows
        if primary is not None:
            key = (primary.name, rows.start, rows.stop)
            shared.setdefault(key, (primary, rows, []))[2].append(link)
    found = (commit_delay(primary, rows, together, beside) for primary, rows, together in shared.values())
    return [delay for delay in found if delay is not None]
