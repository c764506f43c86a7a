"""Gaps that collectors left in the logs of hosts, where they hide which replica was primary."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf, nextafter

from agtrace.history.failovers.event import SECONDARY, STATE, Events
from agtrace.history.timed import Instants, Stretches


class LeftOut:
    """Gaps of logs, looked up by their ends.

    Parameters
    ----------
    gaps
        Gaps in the logs of each host: start and end on the common clock.
    """

    def __init__(self, gaps: Mapping[str, Sequence[tuple[float, float]]]) -> None:
        self._by_end = {
            host: Instants((end, (place, begin, end)) for place, (begin, end) in enumerate(own))
            for host, own in gaps.items()
        }
        self._stretches = {
            host: Stretches((begin, end, (begin, end)) for begin, end in own) for host, own in gaps.items()
        }

    def unseen_end(
        self, primary: str, since: float, looked: float, until: float, states: Events, hosts: Collection[str]
    ) -> float | None:
        """Return the end of the gap in a primary's log since it became it; None if others cover it.

        Parameters
        ----------
        looked
            Until when the same was asked of this primary before, and answered None.
        states
            Changes of the states of the group's replicas.
        hosts
            Hosts of these replicas.
        """
        ended = self._by_end[primary].between(looked, until) if primary in self._by_end else []
        hidden = (
            (place, end)
            for place, begin, end in ended
            if begin >= since and not self._is_seen_through(primary, begin, end, states, hosts)
        )
        return min(hidden, default=(0, None))[1]

    def _is_seen_through(
        self, primary: str, begin: float, end: float, states: Events, hosts: Collection[str]
    ) -> bool:
        """Return whether a secondary with a complete log keeps the same primary all the while."""
        for host in hosts:
            last = states.last(STATE, -inf, begin, host=host)
            if host == primary or last is None or last.after != SECONDARY:
                continue
            later = states.first(STATE, nextafter(begin, inf), nextafter(end, -inf), host=host)
            if later is None and not self._leaves_out(host, begin, end):
                return True
        return False

    def _leaves_out(self, host: str, begin: float, end: float) -> bool:
        own = self._stretches.get(host)
        return own is not None and any(a < end and b > begin for a, b in own.touching(begin, end))
