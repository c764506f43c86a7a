"""Links: sender and receiver of log, in a window."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from agtrace.history.roles.groups import Group
from agtrace.history.roles.role import PRIMARY, SECONDARY, Role
from agtrace.history.streams.meeting import Apart, apart
from agtrace.history.streams.network_facts import Facts
from agtrace.measure import transport_counters as c
from agtrace.measure.grid import Node, Values
from agtrace.resolve.replicas import HostNames
from agtrace.thresholds import Thresholds


@dataclass(eq=False)
class Link:
    """The log stream from a primary to one replica, within one role window.

    Parameters
    ----------
    primary, secondary
        The captured nodes; None where a side was not captured.
    primary_name, replica
        The replicas' names; ``primary_name`` is "" where nothing names it.
    primary_rows, secondary_rows
        Rows of each node's grid within the window.
    aligned
        False when a clock is unknown: the two sides' windows are each on their own clock and only
        aggregates compare.
    to_replica
        Availability Replica instances of the primary that name the replica.
    from_primary
        Availability Replica instances of the replica that name the primary.
    skew
        Seconds that the primary's clock is ahead of the replica's; None where unknown.
    left
        Seconds of it that remain in the times, which are by the reference clock.
    apart
        Why a primary that was captured is not among what this link is judged by; None where it is, or
        was not captured.
    """

    group: Group
    primary: Node | None
    primary_name: str
    primary_rows: slice
    secondary: Node | None
    replica: str
    secondary_rows: slice
    aligned: bool
    to_replica: list[str] = field(default_factory=list)
    from_primary: list[str] = field(default_factory=list)
    skew: float | None = None
    left: float = 0.0
    apart: Apart | None = None

    @property
    def ag(self) -> str:
        return self.group.name

    @property
    def times(self) -> Values:
        """Times of the side that carries the queue, or of the primary without it."""
        if self.secondary is not None:
            return self.secondary.times[self.secondary_rows]
        return self.primary.times[self.primary_rows] if self.primary is not None else np.empty(0)

    @property
    def is_local(self) -> bool:
        """The window is in the local time of the side that `times` is of."""
        side = self.secondary or self.primary
        return side is not None and side.is_local

    @property
    def ends(self) -> tuple[tuple[Node | None, slice], tuple[Node | None, slice]]:
        """The primary and the replica, each with its rows."""
        return (self.primary, self.primary_rows), (self.secondary, self.secondary_rows)

    def of_primary(self, rows: slice) -> slice:
        """Return rows of the window as rows of the primary's whole grid."""
        return _of_grid(self.primary_rows, rows)

    def of_secondary(self, rows: slice) -> slice:
        """Return rows of the window as rows of the secondary's whole grid."""
        return _of_grid(self.secondary_rows, rows)

    def on_primary(self, counter: c.Counter, instance: str) -> Values | None:
        """Return a primary's series within the window."""
        return _within(self.primary, counter, instance, self.primary_rows)

    def on_secondary(self, counter: c.Counter, instance: str) -> Values | None:
        """Return a secondary's series within the window."""
        return _within(self.secondary, counter, instance, self.secondary_rows)


def _of_grid(window: slice, rows: slice) -> slice:
    first, last, _ = rows.indices(window.stop - window.start)
    return slice(window.start + first, window.start + last)


def _within(node: Node | None, counter: c.Counter, instance: str, rows: slice) -> Values | None:
    values = node.get(counter, instance) if node is not None else None
    return None if values is None or np.isnan(values[rows]).all() else values[rows]


def links(group: Group, roles: dict[str, list[Role]], facts: Facts, limits: Thresholds) -> list[Link]:
    """Return the links of a group, windows cut at every change of a role and at long gaps.

    Parameters
    ----------
    group
        The availability group.
    roles
        The roles of its nodes by node name.
    facts
        The names of the case's hosts, and what is known of their clocks.
    limits
        A window with fewer than ``min_samples`` on both sides is left out: it is the change itself.
    """
    names = facts.names
    if any(node.is_local for node in group.nodes):
        return _unaligned(group, roles, names, limits)
    gaps = _gaps(np.sort(np.concatenate([node.times for node in group.nodes])), limits)
    changes = {r.start for rs in roles.values() for r in rs}
    cuts = sorted(changes | set(gaps) | {-math.inf, math.inf})
    spans: list[tuple[float, float, tuple[Any, ...]]] = []
    for start, end in pairwise(cuts):
        cast = tuple((node.name, _role_at(roles[node.name], start)) for node in group.nodes)
        if not any(_count(node, start, end) >= limits.min_samples for node in group.nodes):
            continue
        # The same roles after a short interruption continue; after a gap in the captures they do not.
        if spans and spans[-1][2] == cast and start not in gaps:
            spans[-1] = (spans[-1][0], end, cast)
        else:
            spans.append((start, end, cast))
    found = []
    for start, end, cast in spans:
        part = dict(cast)
        primaries = [n for n in group.nodes if part[n.name] == PRIMARY]
        if len(primaries) > 1:  # two primaries at once: the captures contradict each other
            continue
        secondaries = [n for n in group.nodes if part[n.name] == SECONDARY]
        windows = {node.name: (start, end) for node in group.nodes}
        if primaries and not _count(primaries[0], start, end):
            # Captured at another time: here it has the name that the replica uses for it.
            primaries = []
        found += _of_window(group, primaries, secondaries, windows, names, aligned=True)
    found = [link for link in found if len(link.times)]
    for link in found:
        _part(link, roles, facts, limits)
    return found


def _part(link: Link, roles: dict[str, list[Role]], facts: Facts, limits: Thresholds) -> None:
    """Reduce a link to its secondary if the primary was captured at another time, or its clock is off."""
    if link.secondary is None:
        return
    primary, rows = link.primary, link.primary_rows
    if primary is None:
        known = _elsewhere(link, roles, facts.names, limits)
        if len(known) != 1:
            return
        primary, rows = known[0]
    databases = list(link.group.databases)
    pairs = facts.pairs(primary.host_id, link.secondary.host_id)
    link.apart = apart(primary, rows, link.secondary, link.secondary_rows, databases, limits, pairs)
    if link.apart is not None:
        link.primary, link.primary_rows, link.to_replica = None, slice(0, 0), []
        link.primary_name = link.primary_name or primary.name


def _elsewhere(
    link: Link, roles: dict[str, list[Role]], names: HostNames, limits: Thresholds
) -> list[tuple[Node, slice]]:
    """Return the possible primaries of a link that were captured at another time."""
    wanted = names.replica(link.primary_name) if link.primary_name else None
    found = []
    for node in link.group.nodes:
        rows = _longest(node, roles[node.name], limits)
        is_named = wanted is None or names.replica(node.name) == wanted
        if node is not link.secondary and is_named and rows is not None:
            found.append((node, rows))
    return found


def _longest(node: Node, roles: list[Role], limits: Thresholds) -> slice | None:
    """Return a node's longest period as primary; None if no period supports a verdict."""
    stretches = [node.rows(role.start, role.end) for role in roles if role.role == PRIMARY]
    longest = max(stretches, key=lambda rows: rows.stop - rows.start, default=slice(0, 0))
    return longest if longest.stop - longest.start >= limits.min_samples else None


def _gaps(times: Values, limits: Thresholds) -> list[float]:
    """Return the middle of each gap between samples that is long enough to end a window."""
    wide = np.flatnonzero(np.diff(times) > limits.gap_minutes * 60)
    return [float(times[i] + times[i + 1]) / 2 for i in wide]


def _unaligned(
    group: Group, roles: dict[str, list[Role]], names: HostNames, limits: Thresholds
) -> list[Link]:
    """Return links for nodes whose clocks cannot be compared: each side's longest period in its role."""
    windows: dict[str, tuple[float, float]] = {}
    longest: dict[str, list[tuple[int, Node]]] = {PRIMARY: [], SECONDARY: []}
    for node in group.nodes:
        gaps = _gaps(node.times, limits)
        stretches = [
            (rows, r.role, start, end)
            for r in roles[node.name]
            if r.role in longest
            for start, end in pairwise([r.start, *(gap for gap in gaps if r.start < gap < r.end), r.end])
            if (rows := _count(node, start, end))
        ]
        if stretches:
            rows, role, start, end = max(stretches)
            windows[node.name] = (start, end)
            longest[role].append((rows, node))
    primaries = [n for _, n in sorted(longest[PRIMARY], key=lambda pair: -pair[0])[:1]]
    secondaries = [n for _, n in longest[SECONDARY]]
    together: list[Node] = []
    apart: list[Node] = []
    for node in secondaries:
        both = bool(primaries) and _may_meet(primaries[0], node, windows)
        (together if both else apart).append(node)
    found = _of_window(group, primaries, together, windows, names, aligned=False)
    found += _of_window(group, [], apart, windows, names, aligned=False)
    return [link for link in found if len(link.times)]


def _may_meet(one: Node, other: Node, windows: dict[str, tuple[float, float]]) -> bool:
    """Return whether two windows can overlap in some pair of time zones.

    Averages of different days cannot be compared. Zones range from UTC-12 to UTC+14.
    """
    reach = 3600 * (26 if one.is_local and other.is_local else 14)
    (a, b), (c, d) = (
        (times[0], times[-1])
        for node in (one, other)
        for times in [node.times[node.rows(*windows[node.name])]]
    )
    return bool(a - reach <= d and c - reach <= b)


def _of_window(
    group: Group,
    primaries: list[Node],
    secondaries: list[Node],
    windows: dict[str, tuple[float, float]],
    names: HostNames,
    *,
    aligned: bool,
) -> list[Link]:
    primary = primaries[0] if primaries else None
    primary_rows = primary.rows(*windows[primary.name]) if primary else slice(0, 0)
    to_replicas: dict[str, list[str]] = {}
    if primary is not None:
        for written, instances in group.peers(primary).items():
            to_replicas.setdefault(names.replica(written), []).extend(instances)
    found = []
    for node in secondaries:
        sender, heard = _sender(group, node, node.rows(*windows[node.name]), names)
        name = primary.name if primary else sender
        sent, got = to_replicas.pop(names.replica(node.name), []), heard.get(names.replica(name), [])
        if group.is_distributed:
            # Each side names the group of the other, and there is but one.
            sent = [instance for named in to_replicas.values() for instance in named]
            got = [instance for named in heard.values() for instance in named]
            to_replicas.clear()
        found.append(
            Link(
                group, primary, name, primary_rows,
                node, node.name, node.rows(*windows[node.name]), aligned, sent, got,
            )
        )  # fmt: skip
    captured = {names.replica(node.name) for node in group.nodes}
    if primary is not None:
        for replica, instances in sorted(to_replicas.items()):
            if replica not in captured:
                found.append(
                    Link(
                        group, primary, primary.name, primary_rows,
                        None, replica, slice(0, 0), aligned, instances,
                    )
                )  # fmt: skip
    return found


def _sender(group: Group, node: Node, rows: slice, names: HostNames) -> tuple[str, dict[str, list[str]]]:
    """Name the replica that sends most to a node, and give its instances by replica."""
    heard: dict[str, list[str]] = {}
    amount: dict[str, float] = {}
    for written, instances in group.peers(node).items():
        name = names.replica(written)
        heard.setdefault(name, []).extend(instances)
        for instance in instances:
            values = _within(node, c.WIRE_RECEIVED, instance, rows)
            amount[name] = amount.get(name, 0.0) + (0.0 if values is None else float(np.nansum(values)))
    best = max(amount, key=lambda name: amount[name]) if amount else ""
    if len(amount) > 1 and amount[best] == 0:
        best = ""
    return best, heard


def _role_at(roles: list[Role], start: float) -> str:
    return next((r.role for r in roles if r.start <= start < r.end), "UNKNOWN")


def _count(node: Node, start: float, end: float) -> int:
    rows = node.rows(start, end)
    return rows.stop - rows.start
