"""Sent against received: the counts of each hop of a link, their kind of bytes, and the comparison.

Figure, table and texts use these numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from agtrace.diagnostics.transport.balance import Balance, Queue, balance
from agtrace.diagnostics.transport.study import LinkStudy
from agtrace.history.streams import (
    LOG,
    UNKNOWN,
    WIRE,
    Chain,
    Counted,
    Link,
    Sending,
    Series,
    StreamFacts,
    read_chain,
    read_stream,
)
from agtrace.measure import machines
from agtrace.measure import transport_counters as c
from agtrace.measure.covered import Covered, Shared, blocks, covered, shared, union_seconds
from agtrace.measure.gapped import Spread, spread
from agtrace.measure.grid import Node, Values
from agtrace.thresholds import Thresholds

PRIMARY, REPLICA = "primary", "replica"

FLUSHED, SENT, TRANSPORT = "log flushed", "sent to the replica", "sent to the transport"
WIRE_RECEIVED, RECEIVED = "received from the primary", "log received"
HARDENED, REDONE = "log hardened", "log redone"
CARD_SENT, CARD_RECEIVED = "sent by the card", "received by the card"
RESENT = "messages resent"

ALL = "all B/s"
"""Everything on a network card, including other traffic and headers."""


@dataclass(frozen=True, eq=False)
class Hop:
    """One hop of a link, measured by one counter.

    Parameters
    ----------
    unit
        Kind of bytes: `LOG`, `WIRE`, `UNKNOWN` (log or wire) or `ALL` (network card); ``1/s`` for messages.
    source
        Object, instance, counter and host; "" if missing.
    counter
        The counter alone, or how the hop is derived if no counter measures it.
    rate
        The rate over the captured time; None if not captured.
    missing
        Why it is missing; "" if it is not.
    """

    name: str
    side: str
    host: str
    unit: str
    source: str = ""
    counter: str = ""
    rate: Covered | None = None
    spread: Spread | None = None
    missing: str = ""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two hops that count in one unit, over the time in which both have samples.

    Parameters
    ----------
    base, other
        The earlier and the later hop.
    share
        How much of the time between the first and the last sample of either both have samples.
    """

    base: Hop
    other: Hop
    shared: Shared
    share: float

    @property
    def ratio(self) -> float | None:
        """Return the later hop's count per byte of the earlier one."""
        return self.shared.ratio


@dataclass(eq=False)
class SentReceived:
    """The hops of a link in order, and their comparison.

    Parameters
    ----------
    link
        Who sent to whom, and when.
    hops
        Every hop by its name, also those that were not captured.
    sending
        How the primary counts what it sends, and what decides that.
    limits
        The thresholds of the case.
    queues
        The queue before a hop, by the name of the hop: times and bytes, as the replica wrote them.
    """

    link: Link
    hops: dict[str, Hop]
    sending: Sending
    limits: Thresholds
    queues: dict[str, Queue] = field(default_factory=dict)

    def known(self, *names: str) -> Hop | None:
        """Return the first captured hop of some."""
        return next((h for name in names if (h := self.hops[name]).rate is not None), None)

    @property
    def sent(self) -> Hop | None:
        """Return the hop that left the primary: handed to the transport, else to the replica's queue."""
        return self.known(TRANSPORT, SENT)

    @property
    def received(self) -> Hop | None:
        """Return the received hop in the unit of `sent`."""
        sent = self.sent
        if sent is None or sent.unit == UNKNOWN:
            return None
        return self.known(WIRE_RECEIVED if sent.unit == WIRE else RECEIVED)

    def is_local(self, side: str) -> bool:
        """Return whether a side's times are the local time of its host."""
        node = self.link.primary if side == PRIMARY else self.link.secondary
        return node is not None and node.is_local

    def span_of(self, side: str) -> float:
        """Return the seconds from the first to the last sample, of both sides if clocks are known."""
        return union_seconds(self._rates(side))

    def _rates(self, side: str) -> list[Covered]:
        """Return the rates of a side, or of both if clocks are known."""
        own = (hop for hop in self.hops.values() if self.link.aligned or hop.side == side)
        return [hop.rate for hop in own if hop.rate is not None]

    @cached_property
    def edges(self) -> Values:
        """Return the edges of the blocks for ratios over time."""
        side = REPLICA if self.link.secondary is not None else PRIMARY
        rates = self._rates(side)
        if not rates:
            return np.empty(0)
        steps = [n.step for n in (self.link.primary, self.link.secondary) if n is not None]
        ends = min(r.starts[0] for r in rates), max(r.ends[-1] for r in rates)
        return blocks(float(ends[0]), float(ends[1]), max(steps))

    @cached_property
    def comparison(self) -> Comparison | None:
        """Return bytes received against bytes sent, in one unit; None with a reason in `why_not`."""
        return None if self.why_not else self._compare(self.sent, self.received)

    @cached_property
    def arrived(self) -> Comparison | None:
        """Log received against log flushed."""
        if self._apart:
            return None
        return self._compare(self.known(FLUSHED), self.known(RECEIVED))

    @cached_property
    def queue_growth(self) -> float | None:
        """Bytes by which the send queue grew while every hop has samples; None where sides do not compare."""
        if self.arrived_ratio is None:
            return None
        growths = (self.balance.passed[name].growth for name in (*self._senders, RECEIVED))
        return next((growth for growth in growths if growth is not None), None)

    @property
    def _senders(self) -> list[str]:
        return [self.sent.name if self.sent is not None else SENT]

    @cached_property
    def balance(self) -> Balance:
        """The hops of the log in order, over the time in which all that compare have samples."""
        names = [FLUSHED, *self._senders, RECEIVED, HARDENED, REDONE]
        missing = {name: why for name in names if (why := self._why_alone(self.hops[name]))}
        rates = {name: rate for name in names if name not in missing and (rate := self.hops[name].rate)}
        log = {name: rate for name, rate in rates.items() if self.hops[name].unit == LOG}
        queues = dict(self.queues)
        sent = [name for name in self._senders if name in log]
        if sent and RECEIVED in queues:
            queues[sent[0]] = queues.pop(RECEIVED)
        beside = {name: rate for name, rate in rates.items() if name not in log}
        steps = [node.step for node in (self.link.primary, self.link.secondary) if node is not None]
        return balance(log, beside, queues, missing, max(steps, default=0.0), self.limits.unaccounted_share)

    def _why_alone(self, hop: Hop) -> str:
        """Return why a hop cannot be compared with another; "" if it can."""
        if hop.rate is None:
            return hop.missing
        is_own = hop.side == (REPLICA if self.link.secondary is not None else PRIMARY)
        if is_own:
            return ""
        return self._apart if self.link.aligned else "the clock of one of the hosts is not known"

    @property
    def arrived_ratio(self) -> float | None:
        """Return the share of the flushed log that arrived; None if unknown."""
        flushed, received = (self.balance.passed[name].total for name in (FLUSHED, RECEIVED))
        return received / flushed if flushed and received is not None else None

    @cached_property
    def sent_per_log(self) -> Comparison | None:
        """Return log received against the primary's sent bytes, in any unit."""
        if self._apart:
            return None
        return self._compare(self.known(SENT, TRANSPORT), self.known(RECEIVED))

    @cached_property
    def compression(self) -> Comparison | None:
        """Log received per byte received on the wire: both counted by the replica."""
        return self._compare(self.known(WIRE_RECEIVED), self.known(RECEIVED))

    @cached_property
    def why_not(self) -> str:
        """Explain why bytes sent and received do not compare; "" if they do. Plain text."""
        link, sent = self.link, self.sent
        if link.secondary is None:
            return f"{link.replica} was not captured"
        if link.primary is None:
            return f"{link.primary_name or 'the primary'} was not captured"
        if sent is None:
            return f"{self.hops[TRANSPORT].missing}, nor bytes sent to the replica"
        if sent.unit == UNKNOWN:
            return self.sending.counted.why
        if self.received is None:
            return self.hops[WIRE_RECEIVED if sent.unit == WIRE else RECEIVED].missing
        if not link.aligned:
            return "the clock of one of the hosts is not known"
        found = self._compare(sent, self.received)
        if found is None:
            return "there is no time in which both sides have samples"
        return self._apart

    @cached_property
    def _apart(self) -> str:
        """Explain that the sides cover different times: sent bytes did not arrive just then."""
        sent, received = self.sent, self.received
        found = self._compare(sent, received)
        if found is None:
            return ""
        ratios = found.shared.ratios(self.edges)
        known = ratios[ratios > 0]
        # A steady ratio that is not 1 is another matter: then the unit is in doubt, not the time.
        if len(known) < 5 or np.median(np.abs(known / np.median(known) - 1)) < self.limits.apart_share:
            return ""
        return (
            "what was sent and what was received do not move together, as they must in one unit: "
            "the hosts' clocks may be apart"
        )

    def compare(self, base: str, other: str) -> Comparison | None:
        """Compare two hops by name; None unless both were captured, in one unit, at one time."""
        if self._apart and self.hops[base].side != self.hops[other].side:
            return None
        one, two = self.known(base), self.known(other)
        return self._compare(one, two) if one and two and one.unit == two.unit else None

    def _compare(self, base: Hop | None, other: Hop | None) -> Comparison | None:
        if base is None or other is None:
            return None
        assert base.rate is not None
        assert other.rate is not None
        if base.side != other.side and not self.link.aligned:
            return None
        both = shared(base.rate, other.rate, self.edges)
        if both is None:
            return None
        span = union_seconds([base.rate, other.rate])
        return Comparison(base, other, both, min(both.seconds / span, 1.0))


def sent_received(known: StreamFacts, links: Iterable[LinkStudy]) -> list[SentReceived]:
    """Return the hops of each link side by side.

    Parameters
    ----------
    known
        What is known of the case beside its streams.
    links
        The links to look at.
    """
    links, found = list(links), []
    known.machines.prepare_traffic(end for studied in links for end in studied.link.ends)
    for studied in links:
        link, sending = studied.link, known.sending(studied.link)
        read = read_chain(link, [part.database for part in studied.parts])
        hops = {hop.name: hop for hop in _hops(link, read, sending.counted, known)}
        waits = {RECEIVED: read.send_queue, REDONE: read.recovery_queue}
        queues = {name: (read.times, each.values) for name, each in waits.items() if each is not None}
        found.append(SentReceived(link, hops, sending, known.limits, queues))
    return found


def _hops(link: Link, read: Chain, counted: Counted, known: StreamFacts) -> list[Hop]:
    reader, together, sent = _Reader(link, known), read_stream(link, counted), counted.unit
    return [
        reader.hop(FLUSHED, PRIMARY, LOG, read.flushed, c.FLUSHED),
        reader.hop(SENT, PRIMARY, sent, together.sent, c.SENT),
        reader.hop(TRANSPORT, PRIMARY, sent, together.transport, c.TRANSPORT),
        reader.hop(WIRE_RECEIVED, REPLICA, WIRE, together.wire, c.WIRE_RECEIVED),
        reader.hop(RECEIVED, REPLICA, LOG, read.received, c.RECEIVED),
        reader.hardened(read),
        reader.hop(REDONE, REPLICA, LOG, read.redone, c.REDONE),
        reader.cards(CARD_SENT, PRIMARY, machines.SENT),
        reader.cards(CARD_RECEIVED, REPLICA, machines.RECEIVED),
        reader.hop(RESENT, PRIMARY, "1/s", together.resent, c.RESENT),
    ]


class _Reader:
    """Reads hops on the two sides of a link, on the replica's clock if both are known."""

    def __init__(self, link: Link, known: StreamFacts) -> None:
        self.link = link
        self.known = known

    def _of(self, side: str) -> tuple[Node | None, slice, str]:
        link = self.link
        if side == PRIMARY:
            return link.primary, link.primary_rows, link.primary_name or "the primary"
        return link.secondary, link.secondary_rows, link.replica

    def hop(self, name: str, side: str, unit: str, series: Series | None, counter: c.Counter) -> Hop:
        """Return a hop from a series that was read within the window of the link."""
        node, rows, host = self._of(side)
        missing = f"{counter[0]}\\{counter[1]} was not captured on {host}"
        if node is None:
            missing = f"{host} was not captured"
        if node is None or series is None:
            return Hop(name, side, host, unit, missing=missing)
        found = self._rated(name, side, node.times[rows], series, counter[1])
        return found or Hop(name, side, host, unit, missing=missing)

    def _rated(self, name: str, side: str, times: Values, series: Series, counter: str) -> Hop | None:
        """Return the hop of a series; None if all of its values are blank."""
        node, _, host = self._of(side)
        assert node is not None
        rate = covered(times, series.values, node.step, self.known.limits.gap_steps)
        if rate is None:
            return None
        if side == PRIMARY and self.link.aligned and self.link.left:
            rate = rate.moved(-self.link.left)
        return Hop(name, side, host, series.unit, series.source, counter, rate, spread(series.values))

    def hardened(self, read: Chain) -> Hop:
        """Return log hardened: as counted, else as log redone plus the growth of the recovery queue."""
        if read.hardened is not None or read.redone is None or read.recovery_queue is None:
            return self.hop(HARDENED, REPLICA, LOG, read.hardened, c.FLUSHED)
        passed = np.diff(read.times, prepend=np.nan)
        grown = np.diff(read.recovery_queue.values, prepend=np.nan) / passed
        how = f"{c.REDONE[1]} + growth of {c.RECOVERY_QUEUE[1]}"
        derived = Series(read.redone.values + grown, LOG, f"{how} on {self.link.replica}")
        return replace(self.hop(HARDENED, REPLICA, LOG, derived, c.FLUSHED), counter=how)

    def cards(self, name: str, side: str, resource: str) -> Hop:
        """Return the traffic of a side's network cards, including all traffic of the host."""
        node, rows, host = self._of(side)
        found = self.known.machines.traffic(node, rows, resource) if node is not None else None
        if node is None or found is None:
            missing = f"what its cards carry was not captured on {host}"
            if node is None:
                missing = f"{host} was not captured"
            return Hop(name, side, host, ALL, missing=missing)
        carried = Series(found.values, ALL, found.source(node))
        hop = self._rated(name, side, found.times, carried, found.counter.name)
        assert hop is not None
        return hop
