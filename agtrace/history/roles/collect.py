"""Roles as intervals per availability group and replica."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from agtrace.history.roles.groups import Group
from agtrace.history.roles.role import PRIMARY, RESOLVING, SECONDARY, UNKNOWN, Role
from agtrace.measure import transport_counters as c
from agtrace.measure.grid import Node, Values

LEFT_OUT = "ERRORLOG without its middle"
"""Evidence of a role that is unknown because a collector left out that part of the log."""

Gap = tuple[float, float]
"""A span on a node's axis missing from its log; infinite if unbounded."""


def role_of(state: str | None) -> str:
    """Return the role that a state of 19406 or a role of 1480 means.

    Only PRIMARY_NORMAL and SECONDARY_NORMAL serve their role; the states on the way there
    (RESOLVING_NORMAL, PRIMARY_PENDING, NOT_AVAILABLE, ...) carry no log.
    """
    text = (state or "").upper()
    if text in ("PRIMARY", "PRIMARY_NORMAL"):
        return PRIMARY
    if text in ("SECONDARY", "SECONDARY_NORMAL"):
        return SECONDARY
    return RESOLVING if text else UNKNOWN


def roles(
    group: Group, node: Node, events: list[dict[str, Any]], role_samples: int, gaps: Sequence[Gap] = ()
) -> list[Role]:
    """Return the roles of a node in a group, in time order.

    Evidence in order: message 19406 for the group, message 1480 for its databases, the event
    availability_replica_state_change of AlwaysOn_health, counters. If messages and events assign no sample a
    role that moves log, they are from another time or clock than the samples: counters then count. Messages
    on one side of a gap in the log hold on that side; within the gap, events and counters count, if captured.

    Parameters
    ----------
    events
        Messages and events of the node's server.
    role_samples
        Fewest samples of a role derived from counters.
    gaps
        Spans missing in the log, in chronological order.
    """
    states = [e for e in events if e["topic"] == "replica_state" and e["ag"] in group.ags]
    changes = [
        e for e in events if e["topic"] == "role_change" and (e["database"] or "").lower() in group.databases
    ]
    seen = [e for e in events if e["topic"] == "state_change" and e["ag"] in group.ags]
    for chosen, evidence, missing in (
        (states, "message 19406", gaps),
        (changes, "message 1480", gaps),
        (seen, "availability_replica_state_change", ()),
    ):
        placed = [e for e in chosen if moment(e, node) is not None]
        if placed:
            found = _from_events(placed, node, evidence, missing)
            if any(role.evidence == LEFT_OUT for role in found):
                found = _filled(found, roles(group, node, seen, role_samples), node)
            if _speak(found, node):
                return found
    return _from_counters(group, node, role_samples)


def _speak(found: list[Role], node: Node) -> bool:
    serving = [role for role in found if role.role in (PRIMARY, SECONDARY)]
    return not len(node.times) or any(
        ((node.times >= role.start) & (node.times < role.end)).any() for role in serving
    )


def moment(event: dict[str, Any], node: Node) -> float | None:
    """Return the time of an ERRORLOG message on a node's axis; None if it cannot be placed."""
    value = event["local_s"] if node.is_local else event["time_s"]
    return None if value is None else float(value)


def _from_events(events: list[dict[str, Any]], node: Node, evidence: str, gaps: Sequence[Gap]) -> list[Role]:
    at = sorted(((moment(e, node) or 0.0, e) for e in events), key=lambda pair: pair[0])
    found: list[Role] = []
    begin = -math.inf
    for gap_from, gap_to in (*gaps, (math.inf, math.inf)):
        own = [(start, event) for start, event in at if begin <= start <= gap_from]
        found += _between(own, begin, gap_from, evidence)
        found.append(Role(UNKNOWN, gap_from, gap_to, LEFT_OUT))
        begin = gap_to
    return _merged([role for role in found if role.end > role.start])


def _between(at: list[tuple[float, dict[str, Any]]], begin: float, end: float, evidence: str) -> list[Role]:
    """Return the roles of a period that a log covers fully: its first event shows the role before."""
    if not at:
        return [Role(UNKNOWN, begin, end, LEFT_OUT)]
    found = [Role(role_of(at[0][1]["before"]), begin, at[0][0], evidence)]
    for place, (start, event) in enumerate(at):
        following = at[place + 1][0] if place + 1 < len(at) else end
        found.append(Role(role_of(event["after"]), start, following, evidence))
    return found


def _filled(found: list[Role], others: list[Role], node: Node) -> list[Role]:
    """Fill gaps from other evidence; samples cover no period without any."""
    filled: list[Role] = []
    for role in found:
        within = [
            Role(other.role, max(other.start, role.start), min(other.end, role.end), other.evidence)
            for other in others
            if other.role != UNKNOWN and other.start < role.end and other.end > role.start
            if other.evidence != "counters" or _is_sampled(role, node)
        ]
        filled += within if role.evidence == LEFT_OUT and within else [role]
    return _merged(filled)


def _is_sampled(role: Role, node: Node) -> bool:
    return bool(((node.times >= role.start) & (node.times < role.end)).any())


def _from_counters(group: Group, node: Node, role_samples: int) -> list[Role]:
    if not len(node.times):
        return []
    arriving, flushing = np.zeros(len(node.times), bool), np.zeros(len(node.times), bool)
    # The databases of a forwarder receive log, in either of its two groups.
    by_bytes = not group.databases or group.is_distributed or node.name in group.relays
    for database in () if by_bytes else group.databases:
        for counter in (c.RECEIVED, c.SEND_QUEUE, c.RECOVERY_QUEUE):
            arriving |= _positive(node, counter, database)
        flushing |= _positive(node, c.FLUSHED, database)
    if by_bytes:
        for instances in group.peers(node).values():
            for instance in instances:
                sent, got = node.get(c.SENT, instance), node.get(c.WIRE_RECEIVED, instance)
                if sent is not None and got is not None:
                    flushing |= np.nan_to_num(sent) > np.nan_to_num(got)
                    arriving |= np.nan_to_num(got) > np.nan_to_num(sent)
    codes = np.where(arriving, 2, np.where(flushing, 1, 0))
    if not codes.any():
        return [Role(UNKNOWN, -math.inf, math.inf, "no log moved")]
    runs = _settled(codes, role_samples)
    found = []
    for place, (code, first) in enumerate(runs):
        start = -math.inf if place == 0 else float(node.times[first])
        end = math.inf if place + 1 == len(runs) else float(node.times[runs[place + 1][1]])
        found.append(Role(SECONDARY if code == 2 else PRIMARY, start, end, "counters"))
    return found


def _positive(node: Node, counter: c.Counter, instance: str) -> np.ndarray:
    values: Values | None = node.get(counter, instance)
    if values is None:
        return np.zeros(len(node.times), bool)
    return np.nan_to_num(values) > 0


def _settled(codes: np.ndarray, least: int) -> list[tuple[int, int]]:
    """Return runs (code, first row); silence continues a role, and too short a run is not one."""
    spoken = np.flatnonzero(codes)
    heard = codes[spoken]
    starts = np.flatnonzero(np.diff(heard, prepend=-1))
    lengths = np.diff(np.append(starts, len(heard)))
    runs: list[tuple[int, int]] = []
    for start, length in zip(starts, lengths, strict=True):
        code = int(heard[start])
        if length < least and len(starts) > 1:
            continue
        if not runs or runs[-1][0] != code:
            runs.append((code, int(spoken[start])))
    if not runs:  # no role lasts: take the most frequent one
        runs = [(int(np.bincount(heard).argmax()), int(spoken[0]))]
    return runs


def _merged(found: list[Role]) -> list[Role]:
    merged: list[Role] = []
    for role in found:
        if merged and merged[-1].role == role.role:
            merged[-1] = Role(role.role, merged[-1].start, role.end, role.evidence)
        else:
            merged.append(role)
    return merged
