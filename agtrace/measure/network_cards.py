"""Network cards of a host and their bandwidth, over all of its captures.

Their traffic within a window is measured by `agtrace.measure.usage`, with the same rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from agtrace.measure import counters as c
from agtrace.measure.base import View, once_per_case
from agtrace.measure.choice import TEAM, working_teams
from agtrace.measure.sampler import with_sampled
from agtrace.store.sql_files import beside

_sql = beside(__file__)

_MOVED = (c.SENT, c.RECEIVED, c.SENT_AND_RECEIVED)


@dataclass(frozen=True)
class Card:
    """A network card, or a team of cards that appears as one.

    Parameters
    ----------
    bandwidth
        B/s, highest sample; None if not captured.
    moved
        B/s, mean of the busier direction; None if not captured.
    path
        A capture that contains it.
    """

    name: str
    bandwidth: float | None
    moved: float | None
    path: str


@dataclass(frozen=True)
class Cards:
    """The cards of a host.

    Parameters
    ----------
    teams
        Teams' own cards, of teams with traffic.
    others
        Every other card, including those of the teams, and teams without traffic.
    """

    teams: tuple[Card, ...]
    others: tuple[Card, ...]

    @property
    def counted(self) -> tuple[Card, ...]:
        """Return the cards that together are the host's network, without double counting.

        These are the teams, or the other cards if the bandwidth of teams is unknown.
        """
        is_known = any(card.bandwidth is not None for card in self.teams)
        return self.teams if is_known else self.others


@once_per_case
def by_host(view: View) -> Mapping[str, Cards]:
    """Return the network cards of every host."""
    told: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    paths: dict[tuple[str, str], str] = {}
    wanted = {
        "objects": list(c.CARDS),
        "counters": [c.BANDWIDTH, *_MOVED],
        "bandwidth": c.BANDWIDTH,
        "total": c.TOTAL,
        "team": TEAM,
    }
    with_sampled(view)
    for row in view.rows(_sql("network_cards.sql"), wanted):
        host, card, path = row["host"], row["card"], row["path"] or ""
        told[host][card][row["counter"]] = row["value"]
        paths[host, card] = min(path, paths.get((host, card), path))
    return {
        host: _cards([_card(name, of_card, paths[host, name]) for name, of_card in cards.items()])
        for host, cards in told.items()
    }


def is_any_teamed(view: View) -> bool:
    """Return whether a team of cards is named, without reading its samples."""
    named = "select 1 from counters where contains(lower(instance), $team) limit 1"
    return bool(view.rows(named, {"team": TEAM}))


def _card(name: str, told: Mapping[str, float], path: str) -> Card:
    bandwidth = told[c.BANDWIDTH] / 8 if c.BANDWIDTH in told else None
    moved = max((told[counter] for counter in _MOVED if counter in told), default=None)
    return Card(name, bandwidth, moved, path)


def _cards(cards: list[Card]) -> Cards:
    teams = working_teams({card.name: card.moved for card in cards})
    return Cards(
        tuple(card for card in cards if card.name in teams),
        tuple(card for card in cards if card.name not in teams),
    )
