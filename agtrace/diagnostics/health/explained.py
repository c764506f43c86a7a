"""What explains a lost connection: a failover, a restart, quorum, the node or a standstill of either end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.stretches import Stretch
from agtrace.diagnostics.health.told import Row, Told
from agtrace.say import words

NEAR = timedelta(seconds=60)
"""So near a loss the node, the quorum and the roles of either end change because of the same thing."""

CLUSTER = {
    "quorum_lost": "{} lost quorum then",
    "node_offline": "the cluster's node {} was no longer online then",
    "node_removed": "the cluster removed node {} from its membership then",
    "node_left": "the cluster removed node {} from its membership then",
    "node_quarantined": "the cluster quarantined node {} then",
    "cluster_stopped": "the cluster service of {} was stopped then",
    "stop_requested": "SQL Server on {} was asked to stop then",
    "system_shutdown": "the system of {} was shut down then",
    "ready": "SQL Server on {} started then",
}
ROLES = ("replica_state",)
STRAINS = ("processors_busy", "long_io", "memory_paged_out", "memory_low", "non_yielding", "dump")
STRAIN = timedelta(seconds=120)
MOST_STRAINED = 4


@dataclass(frozen=True)
class Explained:
    """Why two replicas lost each other, as far as the captures tell.

    Parameters
    ----------
    text
        The explanation; empty where none was found.
    unknown
        What is said where none was found: of whom it could not be told.
    by_failover
        Whether it is a part of a failover, which a finding of its own tells.
    shown
        What shows it.
    strained
        What either end was short of before it, where nothing else explains it.
    """

    text: str = ""
    unknown: str = ""
    by_failover: bool = False
    shown: tuple[Row, ...] = ()
    strained: tuple[Row, ...] = ()

    @property
    def strain(self) -> str:
        """A sentence about what was short."""
        said = dict.fromkeys(
            f"{words.plain(one['host_id'], 60)}: {words.plain(one['text'], 100)}" for one in self.strained
        )
        return f" Before it: {'; '.join(said)}." if said else ""


def explained(one: Stretch, told: Told) -> Explained:
    """Say what explains a lost connection, or of whom nothing was captured that could."""
    hosts = (one.host, say.host_of(one.replica))
    for row in told.failovers_near(one.ag, one.start - NEAR, one.start + NEAR):
        start, end = told.span(row)
        if abs(one.start - start) <= NEAR or start <= one.start <= end:
            text = f"The group failed over {say.route(row['from_host'], row['to_host'])} then."
            return Explained(text, by_failover=True)
    for incident in told.incidents:
        if (
            incident["failovers"]
            and incident["start"] <= one.start <= incident["end"] + NEAR
            and set(hosts) <= set(incident["hosts"] or ())
        ):
            return Explained("It belongs to the failover then.", by_failover=True)
    for event in told.restarts_near(one.start, one.start + NEAR, *hosts):
        return Explained(f"{words.plain(event['host_id'], 60)} restarted then.")
    for host in hosts:
        if told.still(host, one.start - NEAR, one.start + NEAR):
            return Explained(f"{words.plain(host, 60)} stood still then.")
    shown = list(_of_ends(told, hosts, one.start))
    if shown:
        said = dict.fromkeys(CLUSTER[row["kind"]].format(words.plain(row["host_id"], 60)) for row in shown)
        return Explained(f"{say.sentence('; '.join(said))}", shown=tuple(shown[:4]))
    roles = [
        row for row in told.within(one.start - NEAR, one.start + NEAR, *ROLES) if row["host_id"] in hosts
    ]
    if roles:
        return Explained(
            f"{words.plain(roles[0]['host_id'], 60)} changed its role then.", shown=tuple(roles[:2])
        )
    strained = _strained(told, hosts, one.start)
    unseen = [host for host in hosts if not _is_watched(told, host, one.start)]
    if unseen:
        names = words.listing([words.plain(host, 60) for host in unseen])
        return Explained(
            unknown=f"What could explain it was not captured of {names} for that time.", strained=strained
        )
    return Explained(unknown="Neither a failover, a restart, a change of role nor the node or quorum of either explains it.", strained=strained)  # fmt: skip


def _strained(told: Told, hosts: tuple[str, ...], moment: datetime) -> tuple[Row, ...]:
    """Give the last shortage of each kind of either end shortly before a loss."""
    last = {
        (row["kind"], row["host_id"]): row
        for row in told.within(moment - STRAIN, moment, *STRAINS)
        if row["host_id"] in hosts
    }
    return tuple(last.values())[:MOST_STRAINED]


def _of_ends(told: Told, hosts: tuple[str, ...], moment: datetime) -> Iterator[Row]:
    """Give the first event of each kind of either end that tells of its node, its quorum or its service."""
    for kind in CLUSTER:
        for host in hosts:
            near = told.kinds_of_host.between(moment - NEAR, moment + NEAR, kind, host)
            first = next(iter(near), None)
            if first is not None:
                yield first


def _is_watched(told: Told, host: str, moment: datetime) -> bool:
    if not told.coverage.hosts:
        return True
    return bool(told.coverage.of(host)) and any(
        one.first <= moment <= one.last
        for one in told.coverage.of(host, None, ("ERRORLOG", "AlwaysOn_health"))
    )
