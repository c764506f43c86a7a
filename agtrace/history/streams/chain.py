"""The chain of a link: log flushed, sent, received, hardened, redone, and the queues between."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agtrace.history.streams.byte_units import LOG as LOG
from agtrace.history.streams.byte_units import WIRE, Counted
from agtrace.history.streams.links import Link
from agtrace.measure import transport_counters as c
from agtrace.measure.gapped import Spread, last, spread, together
from agtrace.measure.grid import Values, mean

KB = 1024


@dataclass(frozen=True, eq=False)
class Series:
    """A series of the chain with its source.

    Parameters
    ----------
    values
        One per row of the side that it was read on, NaN where blank.
    unit
        Whose bytes: ``log B/s``, ``wire B/s``, or ``B/s`` where the SQL Server version that
        decides it is unknown.
    source
        Counter and host.
    """

    values: Values
    unit: str
    source: str

    @property
    def spread(self) -> Spread | None:
        return spread(self.values)

    @property
    def mean(self) -> float:
        return self.mean_of(slice(None))

    def known_in(self, rows: slice) -> bool:
        """Return whether any of these rows has a value."""
        return not bool(np.isnan(self.values[rows]).all())

    def mean_of(self, rows: slice) -> float:
        """Return the mean over some rows, 0 if all of them are blank."""
        return mean(self.values[rows])


@dataclass(eq=False)
class Chain:
    """The captured series of one database (or of the sum of several) on a link."""

    databases: list[str]
    times: Values
    flushed: Series | None = None
    received: Series | None = None
    hardened: Series | None = None
    redone: Series | None = None
    send_queue: Series | None = None
    recovery_queue: Series | None = None
    redo_blocked: Series | None = None

    @property
    def queue_end(self) -> float | None:
        """Log send queue at the end of the window, bytes."""
        return None if self.send_queue is None else last(self.send_queue.values)

    @property
    def recovery_end(self) -> float | None:
        """Recovery queue at the end of the window, bytes."""
        return None if self.recovery_queue is None else last(self.recovery_queue.values)


def read_chain(link: Link, databases: list[str]) -> Chain:
    """Read the chain of some databases, added up, on a link. Queues are in bytes."""

    def on(side: str, counter: c.Counter, unit: str, factor: float = 1.0) -> Series | None:
        read = link.on_primary if side == "primary" else link.on_secondary
        found = [values for db in databases if (values := read(counter, db)) is not None]
        total = together(found)
        if total is None:
            return None
        node = link.primary if side == "primary" else link.secondary
        where = databases[0] if len(databases) == 1 else f"{len(found)} databases"
        assert node is not None
        source = f"{counter[0]}({where})\\{counter[1]} on {node.name}"
        return Series(total * factor, unit, source)

    return Chain(
        databases,
        link.times,
        flushed=on("primary", c.FLUSHED, LOG),
        received=on("secondary", c.RECEIVED, LOG),
        hardened=on("secondary", c.FLUSHED, LOG),
        redone=on("secondary", c.REDONE, LOG),
        send_queue=on("secondary", c.SEND_QUEUE, "B", KB),
        recovery_queue=on("secondary", c.RECOVERY_QUEUE, "B", KB),
        redo_blocked=on("secondary", c.REDO_BLOCKED, "1/s"),
    )


@dataclass(eq=False)
class Stream:
    """The captured series of a link as a whole: per replica, not per database."""

    sent: Series | None
    transport: Series | None
    wire: Series | None
    flow_control_time: Series | None
    flow_controls: Series | None
    resent: Series | None


def read_stream(link: Link, counted: Counted) -> Stream:
    """Read the per-replica counters of a link.

    Parameters
    ----------
    counted
        Kind of bytes that the primary counts as sent (`agtrace.history.streams.byte_units`).
    """

    def on(side: str, counter: c.Counter, unit: str) -> Series | None:
        sending = side == "primary"
        read = link.on_primary if sending else link.on_secondary
        instances = link.to_replica if sending else link.from_primary
        node = link.primary if sending else link.secondary
        found = [values for name in instances if (values := read(counter, name)) is not None]
        total = together(found)
        if total is None or node is None:
            return None
        return Series(total, unit, f"{counter[0]}({instances[0]})\\{counter[1]} on {node.name}")

    return Stream(
        sent=on("primary", c.SENT, counted.unit),
        transport=on("primary", c.TRANSPORT, counted.unit),
        wire=on("secondary", c.WIRE_RECEIVED, WIRE),
        flow_control_time=on("primary", c.FLOW_CONTROL_TIME, "ms/s"),
        flow_controls=on("primary", c.FLOW_CONTROLS, "1/s"),
        resent=on("primary", c.RESENT, "1/s"),
    )


def databases_of(link: Link) -> list[str]:
    """Return the databases of a link that its secondary has, else those of its group."""
    names = sorted(link.group.databases.values(), key=str.lower)
    if link.secondary is None:
        return names
    return [
        name
        for name in names
        if link.on_secondary(c.SEND_QUEUE, name) is not None
        or link.on_secondary(c.RECEIVED, name) is not None
    ]
