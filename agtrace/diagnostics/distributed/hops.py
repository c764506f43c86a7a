"""The hops of distributed groups, from perfmon and snapshots of the senders, and their measures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agtrace.diagnostics.distributed.rows import Looks, Streams
from agtrace.measures import Measure
from agtrace.resolve.replicas import same_replica

Row = Streams | Looks


@dataclass
class Hop:
    """One hop: from the global primary to the forwarder, or from the forwarder to a replica of its group.

    Parameters
    ----------
    dag, ag
        The distributed group, and the group within which log moves on this hop; equal between the groups.
    seen, looked
        Its databases in perfmon, and in the last snapshot of the sender.
    """

    dag: str
    ag: str
    is_between: bool
    sender: str
    receiver: str
    seen: list[Streams] = field(default_factory=list)
    looked: list[Looks] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return the hop's name in a chain."""
        return f"{self.sender or 'the primary'} \N{RIGHTWARDS ARROW} {self.receiver}"

    @property
    def rows(self) -> Sequence[Row]:
        """Return the rows it is judged by: perfmon covers a span, a snapshot only a moment."""
        return self.seen or self.looked

    @property
    def worst(self) -> Row:
        """The database that is furthest behind: one without movement, else the longest lag or queue."""
        return max(
            self.rows, key=lambda row: (is_still(row), known(lag_of(row)), known(row.queue), row.database)
        )

    @property
    def lag(self) -> float | None:
        """Return the lag of its worst database, s; None if unknown."""
        return None if is_still(self.worst) else lag_of(self.worst)


def known(value: float | None) -> float:
    """Return a number for comparison; unknown values come lowest."""
    return 0.0 if value is None else value


def is_still(row: Row) -> bool:
    """Return whether log waits and none moves."""
    return row.is_still if isinstance(row, Streams) else row.is_suspended


def lag_of(row: Row) -> float | None:
    """Return how far a database is behind, s.

    In a snapshot: by the last commits of both ends, else as SQL Server shows it, else the time to send the
    queue.
    """
    if isinstance(row, Streams):
        return row.lag_s
    if row.commit_lag_s is not None:
        return max(row.commit_lag_s, 0.0)
    if row.secondary_lag_s is not None:
        return float(row.secondary_lag_s)
    return drained(row)


def drained(row: Looks) -> float | None:
    """Return the time in which a snapshot's queue is sent, s; None if its rate does not suffice."""
    if not row.queue:
        return None if row.queue is None else 0.0
    return row.queue / row.rate if row.rate else None


def hops(streams: Iterable[Streams], looks: Iterable[Looks]) -> list[Hop]:
    """Return the rows of streams.sql and looks.sql by hop: those between the groups first."""
    found: list[Hop] = []
    for row in streams:
        _hop(found, row).seen.append(row)
    for look in looks:
        _hop(found, look).looked.append(look)
    return sorted(found, key=lambda hop: (hop.dag, not hop.is_between, hop.sender, hop.receiver))


def _hop(found: list[Hop], row: Row) -> Hop:
    one = Hop(row.dag, row.ag, row.is_between, row.sender, row.receiver)
    for hop in found:
        if (hop.dag, hop.is_between) == (one.dag, one.is_between) and _is_same(hop, one):
            return hop
    found.append(one)
    return one


def _is_same(one: Hop, other: Hop) -> bool:
    """Return whether two hops are one: an end may have its group's name if its server is unknown."""
    senders = bool(one.sender) and same_replica(one.sender, other.sender)
    if same_replica(one.receiver, other.receiver):
        return senders or one.is_between or not (one.sender and other.sender)
    return one.is_between and senders


LAG = Measure("lag_s", "behind by", "s", "log that waits, by the rate at which log is generated")
LAG_MOST = Measure("lag_max_s", "behind by, at most", "s", "the largest queue, by the same rate")
QUEUE = Measure("send_queue_bytes", "log that waits to be sent", "B", "Log Send Queue, the last value")
RATE = Measure("received_bytes_per_s", "log that arrives", "B/s", "mean")
REDO = Measure("recovery_queue_bytes", "log that waits to be redone", "B", "the last value")
COMMIT_LAG = Measure(
    "commit_lag_s", "last commit behind by", "s", "last_commit_time of the two, at one look at the sender"
)
SECONDARY_LAG = Measure("secondary_lag_s", "secondary_lag_seconds", "s", "as SQL Server shows it")
QUEUE_SEEN = Measure("log_send_queue_size", "log_send_queue_size", "B", "at the look")
RATE_SEEN = Measure("log_send_rate", "log_send_rate", "B/s", "the server's own average")
DRAINED = Measure("drained_s", "sent in", "s", "log_send_queue_size / log_send_rate")
HOP = Measure("hop", "hop")
DATABASE = Measure("database", "database")
HOPS = (HOP, DATABASE, LAG, LAG_MOST, QUEUE, RATE, REDO)
