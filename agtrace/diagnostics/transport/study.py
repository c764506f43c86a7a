"""Everything that the transport question computes about a case, once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agtrace import thresholds
from agtrace.diagnostics.base import View
from agtrace.diagnostics.transport.commit import CommitDelay, commit_delay
from agtrace.diagnostics.transport.judge import judge, stretches
from agtrace.diagnostics.transport.loss import Loss, RedoTime, loss, redo_time
from agtrace.diagnostics.transport.verdict import Verdict
from agtrace.history.roles.cast import read_cast
from agtrace.history.roles.groups import Group, groups
from agtrace.history.roles.role import Role
from agtrace.history.streams.known import Known, known
from agtrace.history.streams.links import Link, links
from agtrace.history.streams.network_facts import Facts, read_facts
from agtrace.history.streams.parts import Part, parts_of
from agtrace.measure.grid import Node, load, load_all
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.thresholds import Thresholds


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
        """Give the databases whose recovery queue was captured but carries no redo time."""
        known = {item.database for item in self.redo_times}
        return [
            part.database
            for part in self.parts
            if part.chain.recovery_queue is not None and part.database not in known
        ]


@dataclass(eq=False)
class Study:
    """The groups of a case, who had which role when, and what each link did."""

    nodes: list[Node]
    groups: list[Group]
    roles: dict[tuple[str, ...], dict[str, list[Role]]]
    links: list[LinkStudy]
    delays: list[CommitDelay]
    known: Known

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
    limits = thresholds.of(view)
    names = HostNames(view.rows(HOSTS))
    facts = read_facts(view, names)
    beside = known(view, facts, limits)
    whole = load_all(view)
    nodes = whole if start is None and end is None else load(view, start, end)
    # Who is in which group does not depend on the part that is looked at.
    present = [group.on(nodes) for group in groups(whole, names)]
    told = read_cast(view)
    cast = {group.ags: {n.name: told.of(group, n) for n in group.nodes} for group in present}
    streams = {group.ags: links(group, cast[group.ags], facts, limits) for group in present}
    read = [(link, parts_of(link, limits)) for own in streams.values() for link in own]
    beside.machines.prepare([each for link, parts in read for each in stretches(link, parts)])
    studied = []
    for link, parts in read:
        if link.primary is not None and link.secondary is not None:
            pairs = facts.pairs(link.primary.host_id, link.secondary.host_id)
            link.skew = pairs.seconds if pairs else None
        judged = judge(link, parts, beside)
        losses = [found for part in parts if (found := loss(link, part, limits))]
        redo = [time for part in parts if (time := redo_time(part, limits))]
        studied.append(LinkStudy(link, parts, judged, losses, redo))
    delays = [delay for own in streams.values() for delay in _delays(own, beside)]
    return Study(nodes, present, cast, studied, delays, beside)


def _delays(streams: list[Link], beside: Known) -> list[CommitDelay]:
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
