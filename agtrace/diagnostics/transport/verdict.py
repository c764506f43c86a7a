"""Verdicts on a link: a row for each kind, with texts in said/, and the subject of each.

For a queue that is still filled: the rate that its path has to carry, and the time to drain it then.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from agtrace.diagnostics.transport.signs import LogWrite, Signs
from agtrace.history.streams import UNSCALED_WINDOW, Chain, Link, Part, Sending, Series, Stream
from agtrace.measure.grid import Values
from agtrace.measure.machines import Disk
from agtrace.say.finding import to_second, window_to_second


@dataclass(frozen=True)
class VerdictKind:
    """A kind of verdict.

    Parameters
    ----------
    id
        Id of its finding.
    said
        Name of its texts.
    slow
        The step of the chain that is slow; "" for none.
    is_stale
        Whether the send queue does not change, so that its value is old.
    """

    id: str
    said: str
    slow: str = ""
    is_stale: bool = False


HEALTHY = VerdictKind("transport.healthy", "healthy.usual")
HEALTHY_UNSCALED = VerdictKind("transport.healthy", "healthy.unscaled")
NOT_CAPTURED = VerdictKind("quality.not_captured", "not_captured.replica")
NETWORK_LIMITED = VerdictKind("transport.network_limited", "network_limited.path", slow="received")
FULL_CARD = VerdictKind("transport.network_limited", "network_limited.card", slow="received")
LOSSY_PATH = VerdictKind("transport.network_limited", "network_limited.loss", slow="received")
WINDOW_LIMITED = VerdictKind("transport.window_limited", "window_limited", slow="received")
SEND_LIMITED = VerdictKind("transport.send_limited", "send_limited", slow="sent")
FLOW_CONTROL = VerdictKind("transport.flow_control", "flow_control.gate", slow="sent")
GATE_ALONE = VerdictKind("transport.flow_control", "flow_control.alone", slow="sent")
"""The gate as seen on the primary alone."""
LOG_DISK_SLOW = VerdictKind("transport.harden_limited", "harden_limited.disk", slow="hardened")
PROCESSORS_BUSY = VerdictKind("transport.harden_limited", "harden_limited.processors", slow="hardened")
MOVEMENT_SUSPENDED = VerdictKind("transport.suspended", "suspended", slow="received", is_stale=True)
REDO_LIMITED = VerdictKind("transport.redo_limited", "redo_limited", slow="redone")
REDO_BLOCKED = VerdictKind("transport.redo_blocked", "redo_blocked", slow="redone")


@dataclass(eq=False)
class Verdict:
    """One statement about a link and some of its databases.

    Parameters
    ----------
    kind, confidence
        Set by the judge, which first needs the other verdicts.
    rows
        Rows of the link's window that the statement is about, on the secondary, or on the primary if only
        that was captured.
    primary_rows
        The rows of the primary at the same time, possibly empty; all of its window if a clock is unknown.
    on_its_way
        Share of the generated log that neither arrived nor waits in the queue, if it exceeds the uncertainty
        of the samples.
    """

    link: Link
    chain: Chain
    parts: list[Part]
    stream: Stream
    signs: Signs
    sending: Sending
    kind: VerdictKind = field(init=False)
    severity: str = "info"
    confidence: float = field(init=False)
    primary_write: LogWrite | None = None
    secondary_write: LogWrite | None = None
    message: dict[str, Any] | None = None
    disks: tuple[Disk, ...] = ()
    rows: slice = field(default_factory=lambda: slice(None))
    primary_rows: slice = field(default_factory=lambda: slice(None))
    on_its_way: float | None = None

    @property
    def databases(self) -> list[str]:
        return [part.database for part in self.parts]

    @property
    def times(self) -> Values:
        return self.chain.times[self.rows]

    @property
    def gate(self) -> float | None:
        """Milliseconds of each second in which the primary's gate was closed; None where not captured."""
        return mean(self.stream.flow_control_time, self.primary_rows)

    @property
    def queue_end(self) -> float | None:
        """Log that waits to be sent at the end, bytes; None where it was not captured."""
        queue = self.chain.send_queue
        known = queue.values[self.rows] if queue is not None else np.empty(0)
        known = known[~np.isnan(known)]
        return float(known[-1]) if len(known) else None

    @property
    def sent_per_log(self) -> float | None:
        """Bytes that the primary counted as sent, per byte of log received; None where unseen."""
        sent, received = self.stream.sent or self.stream.transport, self.chain.received
        if sent is None or received is None or len(self.parts) < len(self.link.group.databases):
            return None
        log = received.mean_of(self.rows)
        counted = sent.mean_of(self.primary_rows)
        return counted / log if log > 0 and counted > 0 else None


def mean(series: Series | None, rows: slice) -> float | None:
    """Return the mean of a series over some rows; None if all are unknown."""
    return series.mean_of(rows) if series is not None and series.known_in(rows) else None


def instant(seconds: float, *, is_local: bool) -> str:
    """Return a time as ISO 8601: in UTC, or in local time without zone."""
    return to_second(_moment(seconds, is_local=is_local))


def _moment(seconds: float, *, is_local: bool) -> datetime:
    return datetime.fromtimestamp(round(seconds, 3), tz=UTC).replace(tzinfo=None if is_local else UTC)


def window(times: np.ndarray, *, is_local: bool) -> dict[str, Any]:
    """Return the window of a finding."""
    if not len(times):
        return {}
    return window_to_second(*(_moment(float(at), is_local=is_local) for at in (times[0], times[-1])))


def subject(link: Link, databases: list[str]) -> dict[str, str]:
    """Return the subject of a finding on a link; databases only if it does not cover all."""
    named = {
        "ag": link.ag or None,
        "host": None if link.secondary is None else link.secondary.host_id,
        "primary": link.primary_name or None,
        "database": ", ".join(databases) or None if len(databases) < len(link.group.databases) else None,
    }
    return {"replica": link.replica} | {key: value for key, value in named.items() if value is not None}


@dataclass(frozen=True)
class Mended:
    """Estimate of draining a queue that is still filled at the end of its window.

    Parameters
    ----------
    generated
        Generated log, mean, bytes per second.
    per_log
        Bytes on the wire per byte of log that arrives; 1 if the wire was not measured.
    is_counted
        Whether the wire was measured.
    round_trip
        Seconds; None if not measured.
    queue
        Log waiting at the end, bytes.
    copy
        Rate of a bulk copy from the primary, bytes per second, if higher than the generated log. A slower
        copy is limited itself, as is one to this replica that is no faster than the stream. A stream to
        another replica is not evidence: it carries only what was generated.
    copied_to
        The other replica, if the copy was not to this one.
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
        """Return the wire traffic of the generated log, bytes per second."""
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
    """Return the effect of fixing a slow path on its queue; None if its rates do not show it.

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
