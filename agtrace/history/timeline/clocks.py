"""One clock for all hosts: what the pairs of hosts say of each other, joined."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Any

SEVERAL = 3
"""So many pairs of moments tell how far two clocks are apart; two do where they agree, one may be anything.
"""
AGREE_MS = 1000.0


def skews(pairs: Iterable[dict[str, Any]]) -> dict[str, float]:
    """Tell how far the clock of each host is ahead of the common one.

    The common clock of hosts that are known to each other is that of the one with most pairs.

    Parameters
    ----------
    pairs
        Rows of ``skew``: the clock of ``host_id`` is ``ms`` ahead of that of ``other_host_id``.

    Returns
    -------
    dict of str to float
        Milliseconds, by host; a host without pairs has none.
    """
    known: dict[str, dict[str, tuple[float, float]]] = defaultdict(dict)
    weight: dict[str, int] = defaultdict(int)
    for pair in pairs:
        here, there, ms, n = pair["host_id"], pair["other_host_id"], pair["ms"], pair["n"]
        if ms is None or not _is_told(n, pair.get("spread_ms")):
            continue
        known[here][there] = (float(ms), float(n or 0))
        known[there][here] = (-float(ms), float(n or 0))
        weight[here] += int(n or 0)
        weight[there] += int(n or 0)
    found: dict[str, float] = {}
    for first in sorted(known, key=lambda host: (-weight[host], host)):
        if first in found:
            continue
        found[first] = 0.0
        waiting = deque([first])
        while waiting:
            here = waiting.popleft()
            for there, (ms, _n) in sorted(known[here].items(), key=lambda item: -item[1][1]):
                if there not in found:
                    found[there] = found[here] - ms
                    waiting.append(there)
    return found


def _is_told(n: int | None, spread_ms: float | None) -> bool:
    """Tell whether there are enough pairs of moments for a skew."""
    if n is None or n >= SEVERAL:
        return True
    return n == SEVERAL - 1 and spread_ms is not None and spread_ms <= AGREE_MS
