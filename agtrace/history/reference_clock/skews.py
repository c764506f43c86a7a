"""Clock differences between hosts, from the joined pairs."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Any

SEVERAL = 3
"""This many pairs of moments determine a clock difference; two are enough if they agree, one is not."""
AGREE_MS = 1000.0


def skews(pairs: Iterable[dict[str, Any]]) -> dict[str, tuple[str, float]]:
    """Return how far the clock of each compared host is ahead of that of another.

    The other host is the same for all hosts that pairs connect: the one with the most pairs.

    Parameters
    ----------
    pairs
        Rows of ``skew``: the clock of ``host_id`` is ``ms`` ahead of that of ``other_host_id``.

    Returns
    -------
    dict of str to tuple
        The other host and milliseconds, by host, those with the most pairs first.
    """
    known: dict[str, dict[str, tuple[float, float]]] = defaultdict(dict)
    weight: dict[str, int] = defaultdict(int)
    for pair in pairs:
        here, there, ms, n = pair["host_id"], pair["other_host_id"], pair["ms"], pair["n"]
        if ms is None or not _are_enough(n, pair.get("spread_ms")):
            continue
        known[here][there] = (float(ms), float(n or 0))
        known[there][here] = (-float(ms), float(n or 0))
        weight[here] += int(n or 0)
        weight[there] += int(n or 0)
    found: dict[str, tuple[str, float]] = {}
    for first in sorted(known, key=lambda host: (-weight[host], host)):
        if first in found:
            continue
        found[first] = first, 0.0
        waiting = deque([first])
        while waiting:
            here = waiting.popleft()
            for there, (ms, _n) in sorted(known[here].items(), key=lambda item: (-item[1][1], item[0])):
                if there not in found:
                    found[there] = first, found[here][1] - ms
                    waiting.append(there)
    return found


def _are_enough(n: int | None, spread_ms: float | None) -> bool:
    """Return whether there are enough pairs of moments for a skew."""
    if n is None or n >= SEVERAL:
        return True
    return n == SEVERAL - 1 and spread_ms is not None and spread_ms <= AGREE_MS
