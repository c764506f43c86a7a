"""The path to each replica beside that to the others: bulk copy, round trip, cards, stream, TCP settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from agtrace.history.base import View
from agtrace.history.streams.chain import read_stream
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.links import Link
from agtrace.history.streams.network_facts import UNSCALED_WINDOW, Handshake
from agtrace.measure.gapped import Spread
from agtrace.measure.machines import Card
from agtrace.resolve.replicas import HostNames
from agtrace.store.sql_files import beside

_sql = beside(__file__)

USUAL = {"autotuning_level": "normal", "rss_state": "enabled"}
"""Windows defaults of the settings that limit transport if changed."""


@dataclass(frozen=True, eq=False)
class Path:
    """The way from a primary to one replica in a window.

    Parameters
    ----------
    copy
        Bulk copy to the replica, bytes per second.
    round_trip
        Seconds.
    stream
        What the group's stream carries: bytes on the wire where captured, else as counted.
    cards
        The busiest card of each side, by host.
    """

    link: Link
    copy: float | None
    round_trip: float | None
    stream: Spread | None
    unit: str
    cards: dict[str, Card]
    handshake: Handshake | None

    @property
    def carries(self) -> float | None:
        """Return the rate of one unscaled window per round trip, bytes per second."""
        return UNSCALED_WINDOW / self.round_trip if self.round_trip else None


def read_paths(links: Iterable[Link], known: StreamFacts) -> list[Path]:
    """Read the path of each link."""
    return [_path(link, known) for link in links if len(link.times)]


def _path(link: Link, known: StreamFacts) -> Path:
    facts, times = known.facts, (float(link.times[0]), float(link.times[-1]))
    host, source = (
        node.host_id if node is not None else facts.names.host_id(name)
        for node, name in ((link.secondary, link.replica), (link.primary, link.primary_name))
    )
    read = read_stream(link, known.sending(link).counted)
    seen = read.wire or read.transport or read.sent
    cards = [known.machines.of(node, rows).card for node, rows in link.ends]
    return Path(
        link,
        facts.copy(source, host, *times),
        facts.round_trip(source, host, *times),
        None if seen is None else seen.spread,
        "" if seen is None else seen.unit,
        {card.host_id: card for card in cards if card is not None},
        facts.handshake(source, host, *times),
    )


@dataclass
class Settings:
    """TCP settings of a host in one snapshot.

    Parameters
    ----------
    odd
        Settings that differ from the Windows defaults or from most other hosts.
    """

    host: str
    path: str
    values: dict[str, str] = field(default_factory=dict)
    odd: list[str] = field(default_factory=list)


def network_settings(view: View, names: HostNames) -> list[Settings]:
    """Read the TCP settings of every host, and mark what is odd."""
    found: dict[tuple[str, int], Settings] = {}
    for row in view.rows(_sql("settings.sql")):
        host = names.host_id(row["spoken_of"]) if row["spoken_of"] else row["host_id"] or ""
        one = found.setdefault((row["capture_id"], row["item"]), Settings(host, row["path"]))
        one.values.setdefault(row["setting"], row["value"] or "")
    looks = sorted(found.values(), key=lambda one: (one.path.rpartition("/")[0], one.host))
    for name in dict.fromkeys(name for one in looks for name in one.values):
        usual = USUAL.get(name) or _of_most([one.values.get(name) for one in looks])
        for one in looks:
            if usual is not None and one.values.get(name, usual) != usual:
                one.odd.append(name)
    return looks


def _of_most(values: list[str | None]) -> str | None:
    """Return the value in more than half of the snapshots, or None."""
    ((most, n),) = Counter(values).most_common(1)
    return most if 2 * n > len(values) else None
