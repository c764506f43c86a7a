"""What a path has to carry for its queue to shrink, and when that queue is gone once it does."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agtrace.diagnostics.transport.verdict import Verdict, mean
from agtrace.history.streams.network_facts import UNSCALED_WINDOW


@dataclass(frozen=True)
class Mended:
    """What follows from the rates of a queue that is still filled at the end of its window.

    Parameters
    ----------
    generated
        Log that is generated, mean, bytes per second.
    per_log
        Bytes on the wire per byte of log that arrives; 1 where the wire was not counted.
    is_counted
        The wire was counted.
    round_trip
        Seconds; None where it was not measured.
    queue
        Log that waits at the end, bytes.
    copy
        What a bulk copy from the primary reached, bytes per second, where that is more than is generated: a
        slower one is held back itself, as is one to this replica that is no faster than the stream. A stream
        to another replica shows nothing: it carries no more than there is.
    copied_to
        The other replica, where the copy was not to this one.
    """

    generated: float
    per_log: float
    is_counted: bool
    round_trip: float | None
    queue: float
    copy: float | None = None
    copied_to: str = ""

    @property
    def on_wire(self) -> float:
        """What is generated takes on the wire, bytes per second."""
        return self.generated * self.per_log

    @property
    def window(self) -> float | None:
        """The receive window that what is generated needs, bytes: its rate x the round trip.

        None where the round trip was not measured, and where an unscaled window is enough.
        """
        if self.round_trip is None:
            return None
        needed = self.on_wire * self.round_trip
        return needed if needed > UNSCALED_WINDOW else None

    @property
    def carries(self) -> float | None:
        """Log that the path carries at the rate of the copy, bytes per second."""
        return self.copy / self.per_log if self.copy is not None else None

    @property
    def seconds(self) -> float | None:
        """How long the queue takes to be gone at the rate of the copy; None where none was as fast."""
        return None if self.carries is None else self.queue / (self.carries - self.generated)


def mended(verdict: Verdict) -> Mended | None:
    """Give what follows for a queue that a slow path keeps filled; None where its rates do not tell it.

    The stream carries the log of every database of the group: where the verdict is not of them all, what
    is generated and what is counted on the wire are not of the same.
    """
    read, signs, rows = verdict.chain, verdict.signs, verdict.rows
    lags = [part.send_lag for part in verdict.parts if part.send_lag is not None]
    queue, received = read.queue_end, mean(read.received, rows)
    whole = len(verdict.parts) == len(verdict.link.group.databases)
    if not (whole and queue and received and any(lag.open_end for lag in lags)):
        return None
    generated = mean(read.flushed, verdict.primary_rows)
    if generated is None:
        generated = received + max(sum(lag.slope.value for lag in lags), 0.0)
    wire = mean(verdict.stream.wire, rows)
    found = Mended(generated, wire / received if wire else 1.0, bool(wire), signs.round_trip, queue)
    own = {"": signs.copy} if signs.copy is not None and signs.copy_fast else {}
    for copied_to, copy in (own | signs.other_copies).items():
        if copy > found.on_wire:
            return replace(found, copy=copy, copied_to=copied_to)
    return found
