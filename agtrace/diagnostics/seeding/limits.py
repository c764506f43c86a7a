"""What held a copy back: the network, a disk of one end, or nothing that was captured.

The waits of both ends decide together: the source waits for its disk or to send, the target waits
to receive or for its disk. An end alone leaves two candidates, because it waits for the network
just the same when the other end's disk is slow. Saturated resources (a card, a disk) corroborate,
decide between candidates, or contradict; on a contradiction nothing is said to be the limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agtrace.history.seedings.operation import SOURCE, TARGET, Operation, Side
from agtrace.measure.usage import Usage, is_enough, of
from agtrace.say import words
from agtrace.thresholds import Thresholds

NETWORK, DISK = "network", "disk"
MIXED, SMALL = "mixed", "small"
WAITS_AND_RESOURCE, WAITS, ONE_END_AND_RESOURCE, RESOURCE = 0.95, 0.8, 0.65, 0.6
"""How sure a limit is, by what shows it: waits of both ends or of one, a resource that is full."""

CARD = {SOURCE: "card_sent_busy", TARGET: "card_received_busy"}
"""Which direction of its cards a copy uses on each end."""

Limit = tuple[str, str]
"""What limits, and where: (NETWORK, "") or (DISK, SOURCE) or (DISK, TARGET)."""


@dataclass(frozen=True)
class Waits:
    """What one end waited for during the copy.

    Parameters
    ----------
    share
        Disk waits over disk and network waits.
    of_copy
        Both waits over the time of the copy.
    dominant
        DISK, NETWORK, MIXED, or SMALL where both together say nothing.
    """

    role: str
    host: str | None
    disk_ms: int
    network_ms: int
    share: float
    of_copy: float
    dominant: str


@dataclass(frozen=True)
class Saturated:
    """A resource that was full while the copy ran."""

    limit: Limit
    usage: Usage


@dataclass(frozen=True)
class Limiter:
    """What held a copy back.

    Parameters
    ----------
    limit
        None where nothing is said to be the limit.
    why
        The reasoning, in words.
    candidates
        What one end alone leaves open, in words; empty where it is decided or nothing is seen.
    busy_cpu
        Processors that were near their limit; they have no waits here.
    """

    limit: Limit | None
    confidence: float
    why: str
    waits: tuple[Waits, ...] = ()
    saturated: tuple[Saturated, ...] = ()
    candidates: tuple[str, ...] = ()
    busy_cpu: tuple[Usage, ...] = ()


def waits_of(side: Side | None, seconds: float | None, limits: Thresholds) -> Waits | None:
    """Split the waits of one end; None where they were not captured."""
    if side is None or side.disk_wait_ms is None or side.network_wait_ms is None:
        return None
    own = (
        (side.copy_end - side.copy_start).total_seconds()
        if side.copy_start is not None and side.copy_end is not None
        else None
    )
    total, lasted = side.disk_wait_ms + side.network_wait_ms, own or seconds
    if not lasted:
        return None
    share = side.disk_wait_ms / total if total else 0.0
    of_copy = total / 1000 / lasted
    if of_copy < limits.seeding_wait_share:
        dominant = SMALL
    elif share >= limits.seeding_wait_dominance:
        dominant = DISK
    elif 1 - share >= limits.seeding_wait_dominance:
        dominant = NETWORK
    else:
        dominant = MIXED
    return Waits(side.role, side.host, side.disk_wait_ms, side.network_wait_ms, share, of_copy, dominant)  # fmt: skip


def judge(
    operation: Operation, usages: Iterable[Usage], limits: Thresholds, seconds: float | None = None
) -> Limiter:
    """Say what held the copy of an operation back.

    Parameters
    ----------
    usages
        What the hosts did during the copy, in windows numbered like the operation.
    seconds
        Time of a copy that has not ended, where it is known.
    """
    rows = list(usages)
    lasted = operation.copy_seconds or seconds
    waits = tuple(
        w
        for w in (waits_of(side, lasted, limits) for side in (operation.source, operation.target))
        if w is not None
    )
    full = saturated(operation, rows, limits)
    cpu = tuple(
        found
        for side in operation.sides
        if (found := of(rows, operation.number, side.host, "cpu"))
        and is_enough(found, limits)
        and found.p50 >= limits.seeding_processors_percent
    )
    if lasted is not None and lasted < limits.backup_min_s:
        why = f"a copy of {words.span(lasted)} measures its fixed costs, not what holds it back"
        return Limiter(None, 0.0, why, waits)
    limit, confidence, why, candidates = _decide(waits, full)
    by_role = {w.role: w.dominant for w in waits}
    starved = by_role == {SOURCE: SMALL, TARGET: NETWORK}
    if limit is None and starved and any(u.host == waits[0].host for u in cpu):
        why += "; the processors of the source are near their limit, which fits that"
    return Limiter(limit, confidence, why, waits, full, candidates, cpu)


def saturated(operation: Operation, usages: list[Usage], limits: Thresholds) -> tuple[Saturated, ...]:
    """Give the cards and disks of both ends that were full for half of the copy or more."""
    found = []
    for side in operation.sides:
        for resource, share, limit in (
            (CARD[side.role], limits.seeding_card_share, (NETWORK, "")),
            ("disk_busy", limits.seeding_disk_busy_share, (DISK, side.role)),
        ):
            usage = of(usages, operation.number, side.host, resource)
            if usage is not None and is_enough(usage, limits) and usage.p50 >= 100 * share:
                found.append(Saturated(limit, usage))
    return tuple(found)


_BOTH: dict[tuple[str, str], Limit] = {
    (NETWORK, DISK): (DISK, TARGET),
    (DISK, NETWORK): (DISK, SOURCE),
    (NETWORK, NETWORK): (NETWORK, ""),
}
"""Dominant wait of (source, target) to what it means; no other pair of them fits one limit."""

_ONE: dict[tuple[str, str], tuple[Limit, ...]] = {
    (SOURCE, NETWORK): ((NETWORK, ""), (DISK, TARGET)),
    (TARGET, NETWORK): ((NETWORK, ""), (DISK, SOURCE)),
    (SOURCE, DISK): ((DISK, SOURCE),),
    (TARGET, DISK): ((DISK, TARGET),),
}
"""What the dominant wait of one end leaves open; a disk's own waits lack confirmation alone."""

_Decision = tuple[Limit | None, float, str, tuple[str, ...]]


def named(limit: Limit) -> str:
    """Word a limit."""
    return "the network" if limit[0] == NETWORK else f"the disk of the {limit[1]}"


def _decide(waits: tuple[Waits, ...], full: tuple[Saturated, ...]) -> _Decision:
    by_role = {w.role: w.dominant for w in waits}
    shown = {each.limit for each in full}
    if len(shown) > 1:
        told = words.listing([named(each) for each in sorted(shown)])
        return (None, 0.0, f"{told} were full at the same time, so none of them is the limit alone", ())
    only = next(iter(shown), None)
    if len(by_role) == 2:
        return _from_both(by_role[SOURCE], by_role[TARGET], only)
    for role, dominant in by_role.items():
        if (role, dominant) in _ONE:
            return _from_one(role, dominant, only)
    if only is not None:
        lacking = "its waits were not captured" if not by_role else "waits alone do not tell"
        return only, RESOURCE, f"{_full(only)}; {lacking}", ()
    if not by_role:
        return None, 0.0, "waits were captured on neither end, and no captured resource is full", ()
    return None, 0.0, f"{_waited(by_role)}, and no captured resource is full", ()


def _from_both(source: str, target: str, only: Limit | None) -> _Decision:
    told = _waited({SOURCE: source, TARGET: target})
    limit = _BOTH.get((source, target))
    if limit is not None:
        if only is None:
            return limit, WAITS, told, ()
        if only == limit:
            return limit, WAITS_AND_RESOURCE, f"{told}, and {_full(only)}", ()
        return None, 0.0, f"{told}, which points to {named(limit)}, but {_full(only)}", ()
    if only is not None and DISK not in (source, target):
        return only, RESOURCE, f"{told}, but {_full(only)}", ()
    if only is not None:
        return None, 0.0, f"{told}, and {_full(only)}: these do not fit one limit", ()
    return None, 0.0, f"{told}, and no captured resource is full", ()


def _from_one(role: str, dominant: str, only: Limit | None) -> _Decision:
    told, open_ = _waited({role: dominant}), _ONE[role, dominant]
    if only in open_:
        return only, ONE_END_AND_RESOURCE, f"{told}, and {_full(only)}", ()
    if only is not None:
        return None, 0.0, f"{told}, but {_full(only)}: these do not fit one limit", ()
    names = tuple(named(limit) for limit in open_)
    other = TARGET if role == SOURCE else SOURCE
    lacking = f"the waits of the {other} were not captured"
    if len(names) == 1:
        return (None, 0.0, f"{told}; {lacking}, which would confirm that {names[0]} is the limit", names)
    return None, 0.0, f"{told}; {lacking}, so {names[0]} and {names[1]} are both possible", names


def _full(limit: Limit) -> str:
    return "a network card is full" if limit[0] == NETWORK else f"a disk of the {limit[1]} is full"


_WAITED = {
    (SOURCE, NETWORK): "the source mostly waits to send",
    (SOURCE, DISK): "the source mostly waits for its disk",
    (SOURCE, MIXED): "the source waits for its disk and to send",
    (SOURCE, SMALL): "the source hardly waits",
    (TARGET, NETWORK): "the target mostly waits to receive",
    (TARGET, DISK): "the target mostly waits for its disk",
    (TARGET, MIXED): "the target waits for its disk and to receive",
    (TARGET, SMALL): "the target hardly waits",
}


def _waited(by_role: dict[str, str]) -> str:
    if by_role == {SOURCE: SMALL, TARGET: SMALL}:
        return "both ends hardly wait"
    return words.listing([_WAITED[role, dominant] for role, dominant in by_role.items()])
