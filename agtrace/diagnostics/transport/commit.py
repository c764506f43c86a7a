"""The cost of synchronous commit per transaction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.diagnostics.transport.signs import LogWrite, log_write
from agtrace.history.roles import Group
from agtrace.history.streams import ASYNCHRONOUS, Link, StreamFacts
from agtrace.measure import transport_counters as c
from agtrace.measure.gapped import Spread, spread
from agtrace.measure.grid import Node


@dataclass(frozen=True, eq=False)
class Hop:
    """The path to one replica: round trip (seconds) and its log writes."""

    replica: str
    round_trip: float | None
    write: LogWrite | None


@dataclass(frozen=True, eq=False)
class CommitDelay:
    """The commit wait of a group on its primary.

    Parameters
    ----------
    mean
        Milliseconds per transaction: all delay over all transactions, so weighted by load.
    each
        Spread of the samples' averages, ms per transaction.
    per_database
        The mean by database.
    transactions_per_s
        Transactions that waited.
    """

    group: Group
    primary: Node
    rows: slice
    mean: float
    each: Spread
    per_database: dict[str, float]
    transactions_per_s: float
    hops: list[Hop]
    own_write: LogWrite | None


def commit_delay(primary: Node, rows: slice, links: list[Link], known: StreamFacts) -> CommitDelay | None:
    """Measure the commit wait on a primary; None if not captured, or if commits wait for no replica.

    Parameters
    ----------
    rows
        Rows of the primary's grid.
    links
        The links that share it; a link whose replica was captured at another time adds no log writes.
    """
    group, limits, machines = links[0].group, known.limits, known.machines
    # The counters are per database: those of a distributed group contain the waits of its primary's group.
    if group.is_distributed:
        return None
    modes = {link.replica: known.modes.of(link, limits) for link in links}
    not_awaited = [m for m in modes.values() if m is not None and m.mode == ASYNCHRONOUS]
    if len(not_awaited) >= max(len(modes), len(group.peers(primary))):
        return None
    delays, transactions, per_database = [], [], {}
    for key, name in sorted(group.databases.items()):
        waited = primary.get(c.TRANSACTION_DELAY, key)
        counted = primary.get(c.MIRRORED_WRITES, key)
        if waited is None or counted is None:
            continue
        both = ~np.isnan(waited[rows]) & ~np.isnan(counted[rows])
        ms, n = np.where(both, waited[rows], 0.0), np.where(both, counted[rows], 0.0)
        delays.append(ms)
        transactions.append(n)
        if n.sum() > 0:
            per_database[name] = float(ms.sum() / n.sum())
    if not delays:
        return None
    ms, n = np.sum(delays, axis=0), np.sum(transactions, axis=0)
    busy = n > 0
    if int(busy.sum()) < limits.min_samples:
        return None
    each = spread(ms[busy] / n[busy])
    assert each is not None
    names = sorted(group.databases)
    around = float(primary.times[rows][0]), float(primary.times[rows][-1])
    hops = []
    for other in links:
        there = other.secondary
        host = there.host_id if there is not None else known.facts.names.host_id(other.replica)
        met = there if other.apart is None else None
        written = log_write(met, other.secondary_rows, names, machines)
        hops.append(Hop(other.replica, known.facts.round_trip(primary.host_id, host, *around), written))
    own, per_s = log_write(primary, rows, names, machines), float(n.mean())
    return CommitDelay(group, primary, rows, float(ms.sum() / n.sum()), each, per_database, per_s, hops, own)
