"""The changes that a page estimates by default: the remedy for the limiting hop, and some others."""

from __future__ import annotations

import math

from agtrace.replay import limits as hops
from agtrace.replay.change import ASYNCHRONOUS, SCALED, Change
from agtrace.replay.load import Load

SPARE = 1.25
"""A remedy that is estimated carries a quarter more than is generated: less never catches up in good time."""
MORE_LOAD = 1.5


def needed(load: Load | str) -> float:
    """Return the factor by which a stream must grow, at least two, in halves."""
    if isinstance(load, str) or load.received_rate <= 0:
        return 2.0
    return max(2.0, math.ceil(2 * SPARE * load.rate / load.received_rate) / 2)


def remedy(limit: str, times: float) -> Change | None:
    """Return the change that removes a limit; None if no change of the chain does."""
    return {
        hops.WINDOW: Change(window=SCALED),
        hops.NETWORK: Change(capacity=times),
        hops.LOSS: Change(loss=0.0),
        hops.DISK: Change(disk=times),
        hops.REDO: Change(redo=times),
    }.get(limit)


def of_stream(limit: str, times: float) -> list[Change]:
    """Return the remedy, then other possible upgrades, then more load."""
    first = remedy(limit, times)
    others = [Change(capacity=times), Change(disk=times), Change(redo=times)]
    asked = [first, *others] if first is not None else others
    return list(dict.fromkeys([*asked, Change(load=MORE_LOAD)]))


def of_commits(dominant: str | None) -> list[Change]:
    """Return the changes that shorten commits, that of the dominant hop first."""
    disk, way = Change(disk=2.0), Change(commit=ASYNCHRONOUS)
    by_hop = {"remote harden": [disk, way], "local harden": [way, disk]}
    return [*by_hop.get(dominant or "", [way, disk]), Change(load=MORE_LOAD), Change(replicas=2)]
