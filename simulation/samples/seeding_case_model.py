"""What happens in a seeding case: who does how much of what in each second, and when what begins.

Times are seconds since the case began, true time; a host's clock is applied only where a file is
written. Rates are kept second by second, so that every file is cooked from the same numbers.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import accumulate
from uuid import NAMESPACE_OID, UUID, uuid5

PAGE = 8192
STARTED_S = 0.35
"""The copy is asked for that long before its first byte moves."""


@dataclass(frozen=True)
class Product:
    """The banner's parts."""

    name: str
    version: str
    built: str
    system: str = "Windows Server 2012 R2 Standard 6.3 <X64> (Build 9600: ) (Hypervisor)"


@dataclass(frozen=True)
class Host:
    """One server.

    Parameters
    ----------
    clock_ms
        Its clock minus true time.
    disks
        What each disk delivers at most, B/s.
    """

    name: str
    clock_ms: int
    vcpus: int
    memory_mb: int
    disks: dict[str, float]
    cards: tuple[str, ...]
    first_ms: int
    """When its collector takes the first row."""
    session: int
    database_id: int


@dataclass(frozen=True)
class Copy:
    """The copy of one seeding.

    Parameters
    ----------
    waits_s
        Seconds waited over the whole copy: (end, what) to s; ends are source and target, what is
        disk and network.
    shape
        Relative rate of each second; all alike where empty.
    """

    start: float
    end: float
    bytes: int
    waits_s: dict[tuple[str, str], float]
    shape: Sequence[float] = ()

    @property
    def seconds(self) -> float:
        return self.end - self.start

    @property
    def asked(self) -> float:
        """When the copy was asked for."""
        return self.start - STARTED_S


@dataclass(frozen=True)
class Seeding:
    """One automatic seeding.

    Parameters
    ----------
    slot_s
        Seconds that it waited in LIMIT_CONCURRENT_BACKUPS; 0 for none.
    operation_ids
        What the source and the target call it.
    replica_ids
        Of the source and the target.
    """

    label: str
    start: float
    slot_s: float
    copy: Copy
    end: float
    operation_ids: tuple[UUID, UUID]
    replica_ids: tuple[UUID, UUID]

    @property
    def guids(self) -> tuple[UUID, UUID]:
        """Local seeding guid of the source and the target."""
        return guid(f"{self.label} source"), guid(f"{self.label} target")

    @property
    def device(self) -> UUID:
        """The virtual device that the backup went to."""
        return guid(f"{self.label} device")


@dataclass
class Model:
    """A case's time line.

    Parameters
    ----------
    signals
        (host, what) to the amount of each second.
    """

    name: str
    start: datetime
    seconds: int
    offset_minutes: int
    zone: str
    ag: str
    database: str
    bytes: int
    source: Host
    target: Host
    product: Product
    seedings: list[Seeding] = field(default_factory=list)
    signals: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    core_weights: dict[str, list[float]] = field(default_factory=dict)
    """Host to the share of each core in its work, relative to the others; absent: about the same."""
    alive: dict[tuple[str, str], list[tuple[float, float]]] = field(default_factory=dict)
    """(host, what) to the stretches in which an instance of a counter exists; absent: always."""
    _totals: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    @property
    def hosts(self) -> tuple[Host, Host]:
        return self.source, self.target

    @property
    def ag_id(self) -> UUID:
        return guid(f"{self.ag} group")

    @property
    def database_guid(self) -> UUID:
        return guid(f"{self.ag} {self.database}")

    def utc(self, t: float) -> datetime:
        """Return true time."""
        return self.start + timedelta(microseconds=round(t * 1e6))

    def clock(self, host: Host, t: float) -> datetime:
        """Return what a host takes for UTC."""
        return self.utc(t) + timedelta(milliseconds=host.clock_ms)

    def local(self, host: Host, t: float) -> datetime:
        """Return what a host's clock shows."""
        return self.clock(host, t) + timedelta(minutes=self.offset_minutes)

    def noise(self, what: str) -> random.Random:
        """Return a random source of its own."""
        return random.Random(f"{self.name} {what}")

    def add(
        self,
        host: Host,
        what: str,
        start: float,
        end: float,
        rate: float,
        wobble: float = 0.04,
        shape: Sequence[float] = (),
    ) -> None:
        """Add a rate between two times; however it wobbles, its mean is exact.

        Parameters
        ----------
        shape
            Relative rate of each second from ``start`` on.
        """
        values = self.signals.setdefault((host.name, what), [0.0] * self.seconds)
        self._totals.pop((host.name, what), None)
        chance = self.noise(f"{host.name} {what} {start} {rate}")
        parts: list[tuple[int, float]] = []
        for second in range(max(int(start), 0), min(int(end) + 1, self.seconds)):
            weight = min(end, second + 1.0) - max(start, float(second))
            place = min(second - int(start), len(shape) - 1)
            height = shape[place] if shape else 1.0
            parts.append((second, weight * height * (1 + wobble * (2 * chance.random() - 1))))
        if not parts:
            return
        whole = list(accumulate(part for _, part in parts))[-1]
        for second, part in parts:
            values[second] += part * rate * (end - start) / whole

    def total(self, host: Host, what: str, t: float) -> float:
        """Return the amount from the case's start to a time."""
        key = (host.name, what)
        if key not in self.signals:
            return 0.0
        if key not in self._totals:
            self._totals[key] = [0.0, *accumulate(self.signals[key])]
        totals = self._totals[key]
        at = min(max(t, 0.0), float(self.seconds))
        second = min(int(at), self.seconds - 1)
        return totals[second] + (at - second) * self.signals[key][second]

    def amount(self, host: Host, what: str, start: float, end: float) -> float:
        """Return the amount between two times."""
        return self.total(host, what, end) - self.total(host, what, start)

    def mean(self, host: Host, what: str, start: float, end: float) -> float:
        """Return the mean per second between two times."""
        return self.amount(host, what, start, end) / (end - start)

    def exists(self, host: Host, what: str, start: float, end: float) -> bool:
        """Return whether an instance of a counter exists over a whole window."""
        spans = self.alive.get((host.name, what))
        return spans is None or any(first <= start and end <= last for first, last in spans)

    def cpu(self, host: Host, start: float, end: float, percent: float, sql: float = 0.96) -> None:
        """Add processor time in percent of all processors; ``sql`` is SQL Server's share of it."""
        self.add(host, "cpu", start, end, percent * (1 - sql), 0.3)
        self.add(host, "cpu sql", start, end, percent * sql, 0.05)

    def cpu_mean(self, host: Host, start: float, end: float) -> float:
        """Return the mean of processor time in percent of all processors."""
        return self.mean(host, "cpu", start, end) + self.mean(host, "cpu sql", start, end)

    def wire(
        self, sender: Host, receiver: Host, start: float, end: float, rate: float, wobble: float = 0.04,
        shape: Sequence[float] = ()
    ) -> None:  # fmt: skip
        """Send bytes from one host to the other; acknowledgements go back."""
        self.add(sender, "sent", start, end, rate, wobble, shape)
        self.add(receiver, "received", start, end, rate, wobble, shape)
        self.add(receiver, "sent", start, end, rate * 0.011, wobble, shape)
        self.add(sender, "received", start, end, rate * 0.011, wobble, shape)

    def transferred(self, copy: Copy, t: float) -> float:
        """Return the share of a copy that is done."""
        if t <= copy.start:
            return 0.0
        if t >= copy.end:
            return 1.0
        what = f"copy {copy.start}"
        return self.amount(self.source, what, copy.start, t) / copy.bytes

    def background(self, host: Host, cpu: float, traffic: float) -> None:
        """Add what goes on besides: monitoring, a little traffic, the system disk."""
        end = float(self.seconds)
        self.cpu(host, 0, end, cpu, sql=0.4)
        self.add(host, "sent", 0, end, traffic, 0.5)
        self.add(host, "received", 0, end, traffic * 0.8, 0.5)
        self.add(host, "write C:", 0, end, 120_000, 0.9)
        self.add(host, "read C:", 0, end, 15_000, 0.95)


def guid(text: str) -> UUID:
    """Return a guid that follows from a text."""
    return uuid5(NAMESPACE_OID, f"seeding case: {text}")


def flow_copy(
    model: Model, copy: Copy, *, wire_bytes: float, read_bytes: float, written_bytes: float
) -> None:
    """Add what a copy moves: database bytes at both ends, bytes on the wire, reads and writes."""
    what = f"copy {copy.start}"
    model.add(model.source, what, copy.start, copy.end, copy.bytes / copy.seconds, 0.04, copy.shape)
    begin, end = int(copy.start), int(copy.end)
    shape = model.signals[model.source.name, what][begin:end]
    span = (copy.start, copy.end)
    for host in model.hosts:
        model.add(host, f"backup {model.database}", *span, copy.bytes / copy.seconds, 0.01, shape)
    model.wire(model.source, model.target, *span, wire_bytes / copy.seconds, 0.01, shape)
    model.add(model.source, "read D:", *span, read_bytes / copy.seconds, 0.05, shape)
    model.add(model.target, "write D:", *span, written_bytes / copy.seconds, 0.05, shape)


def flow_log(model: Model, rate: float, since: float, joined: float, caught_up: float, until: float) -> None:
    """Add the log that a secondary is behind by when it joins, and what flows from then on.

    Parameters
    ----------
    rate
        Log that the primary makes, B/s.
    since
        From when on the secondary lacks log: the begin of the backup.
    joined, caught_up, until
        When log begins to flow, when all of it is redone, when the database leaves the group.
    """
    arrives = 30e6
    sent = joined + rate * (joined - since) / (arrives - rate)
    behind = rate * (caught_up - since)
    target = model.target
    model.add(target, "log to send", since, until, rate)
    for what, turn, first in (
        ("log received", sent, rate * (sent - since) / (sent - joined)),
        ("redone", caught_up, behind / (caught_up - joined)),
    ):
        model.add(target, what, joined, turn, first)
        model.add(target, what, turn, until, rate)
    first = rate * (sent - since) / (sent - joined)
    for start, end, flows in ((joined, sent, first), (sent, until, rate)):
        model.add(target, f"log {model.database}", start, end, flows)
        model.add(target, "write D:", start, end, flows)
        # Log to an asynchronous replica is compressed.
        model.wire(model.source, target, start, end, flows / 3)
    model.add(target, "write D:", joined, caught_up, behind / (caught_up - joined) * 1.6, 0.3)
