"""Measurements of a machine and its path besides the stream: processors, disks, cards, lost segments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from weakref import ref

import numpy as np
import pyarrow as pa

from agtrace.measure import transport_counters as c
from agtrace.measure import usage as m
from agtrace.measure.base import View
from agtrace.measure.counters import Counter
from agtrace.measure.grid import Node, Values
from agtrace.measure.resources import BANDWIDTH, FULL_CARD, SOURCES
from agtrace.tables import kernels as pc
from agtrace.tables.rows import numbers

CPU, DISK = "cpu", "disk_write_ms"
READ, BUSY = "disk_read_ms", "disk_busy"
SENT, RECEIVED, MOVED = "network_sent", "network_received", "network_moved"
CARRIED = (SENT, RECEIVED, MOVED)
MEASURED = (CPU, DISK, *FULL_CARD)
EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True)
class Lost:
    """Segments that the sender had to send again.

    Parameters
    ----------
    share
        Of all segments that it sent.
    per_s
        Segments sent again each second, mean.
    """

    share: float
    per_s: float
    n: int
    source: str


def lost(node: Node | None, rows: slice) -> Lost | None:
    """Measure retransmissions of a host over some rows; None if not captured."""
    if node is None:
        return None
    again, sent = node.get(c.RETRANSMITTED, ""), node.get(c.SEGMENTS_SENT, "")
    if again is None or sent is None:
        return None
    both = ~np.isnan(again[rows]) & ~np.isnan(sent[rows])
    total = float(sent[rows][both].sum())
    if total <= 0:
        return None
    repeated = again[rows][both]
    source = f"{c.RETRANSMITTED[0]}\\{c.RETRANSMITTED[1]} / {c.SEGMENTS_SENT[1]} on {node.host_id}"
    return Lost(float(repeated.sum()) / total, float(repeated.mean()), int(both.sum()), source)


@dataclass(frozen=True)
class Processors:
    """How busy the processors of a host are: median of the samples, percent of all of them."""

    percent: float
    n: int
    source: str


@dataclass(frozen=True)
class Card:
    """The busiest network card of a host in its busier direction: mean bytes per second.

    ``bandwidth`` is in bytes per second, as what it carries.
    """

    host_id: str
    bytes_per_s: float
    bandwidth: float
    instance: str = ""
    fastest: float | None = None
    """Bandwidth of the host's fastest card, bytes per second, if it has several."""

    @property
    def share(self) -> float:
        """Return the utilisation: load divided by bandwidth."""
        return self.bytes_per_s / self.bandwidth


@dataclass(frozen=True)
class DiskWrite:
    """How long a write takes on the disk that writes most: median, milliseconds."""

    ms: float
    n: int
    source: str


@dataclass(frozen=True)
class Disk:
    """Activity of a disk: means of the samples; None if not captured.

    Parameters
    ----------
    read_ms, write_ms
        Milliseconds per read and per write.
    busy
        Percent of the time.
    """

    instance: str
    read_ms: float | None
    write_ms: float | None
    busy: float | None


@dataclass(frozen=True)
class Machine:
    """Activity of a host's machine in a span; None if not captured."""

    processors: Processors | None = None
    card: Card | None = None
    disk: DiskWrite | None = None


@dataclass(frozen=True)
class Traffic:
    """Traffic of a host's network cards over time: seconds since 1970, bytes per second."""

    times: Values
    values: Values
    counter: Counter
    instance: str

    def source(self, node: Node) -> str:
        """Return the source: counter, instance and host."""
        return f"{self.counter.object}({self.instance})\\{self.counter.name} on {node.name}"


_Stretch = tuple[float, float, bool]
"""First and last second since 1970, and whether they are the host's local time."""


class Machines:
    """Activity of the machines of a case over the rows of a node, from `agtrace.measure.usage`.

    Parameters
    ----------
    view
        The opened case.
    """

    def __init__(self, view: View) -> None:
        # A case shares its streams, which refer to this object, and is freed with them.
        self._of = ref(view)
        self._known: dict[_Stretch, dict[str, Machine]] = {}
        self._carried: dict[tuple[str, _Stretch], dict[str, Traffic]] = {}

    def _view(self) -> View:
        view = self._of()
        if view is None:
            raise ReferenceError("the case was given up")
        return view

    def prepare(self, wanted: Iterable[tuple[Node | None, slice]]) -> None:
        """Measure many spans at once: each query costs the same for one span or many."""
        stretches = {s for node, rows in wanted if (s := _stretch(node, rows)) is not None}
        new = sorted(stretches - self._known.keys())
        if not new:
            return
        windows = [_window(number, stretch) for number, stretch in enumerate(new)]
        used = m.usage(self._view(), windows, MEASURED)
        bandwidths = m.parts(self._view(), windows, (BANDWIDTH,))
        for number, stretch in enumerate(new):
            own = [u for u in used if u.window == number]
            links = {(p.host, p.instance): p.mean for p in bandwidths if p.window == number}
            hosts = dict.fromkeys(u.host for u in own)
            self._known[stretch] = {
                host: _machine(host, {u.resource: u for u in own if u.host == host}, links) for host in hosts
            }

    def of(self, node: Node | None, rows: slice) -> Machine:
        """Return the activity of a node's machine over some of its rows."""
        stretch = _stretch(node, rows)
        if stretch is None or node is None:
            return Machine()
        self.prepare([(node, rows)])
        return self._known[stretch].get(node.host_id, Machine())

    def disks(self, node: Node, rows: slice) -> tuple[Disk, ...]:
        """Return the activity of each disk of a node over some of its rows."""
        stretch = _stretch(node, rows)
        if stretch is None:
            return ()
        parts = m.parts(self._view(), [_window(0, stretch, node.host_id)], (READ, DISK, BUSY))
        means = {(part.instance, part.resource): part.mean for part in parts}
        names = dict.fromkeys(part.instance for part in parts)
        return tuple(Disk(name, *(means.get((name, what)) for what in (READ, DISK, BUSY))) for name in names)

    def prepare_traffic(self, wanted: Iterable[tuple[Node | None, slice]]) -> None:
        """Query the traffic of many cards over many spans at once."""
        asked = {(node.host_id, s) for node, rows in wanted if node and (s := _stretch(node, rows))}
        new = sorted(asked - self._carried.keys())
        if not new:
            return
        windows = [_window(n, stretch, host) for n, (host, stretch) in enumerate(new)]
        used = m.usage(self._view(), windows, CARRIED)
        series = m.series(self._view(), windows, CARRIED)
        for number, (host, stretch) in enumerate(new):
            own = series.filter(pc.field("window") == number)
            self._carried[host, stretch] = {
                u.resource: _traffic(u, own.filter(pc.field("resource") == u.resource))
                for u in used
                if u.window == number
            }

    def traffic(self, node: Node, rows: slice, resource: str) -> Traffic | None:
        """Return the traffic of a host's cards in one direction.

        Both directions together if only the sum was captured; None if not captured.
        """
        stretch = _stretch(node, rows)
        if stretch is None:
            return None
        self.prepare_traffic([(node, rows)])
        carried = self._carried[node.host_id, stretch]
        return carried.get(resource) or carried.get(MOVED)


def _stretch(node: Node | None, rows: slice) -> _Stretch | None:
    """Return the time that some rows cover: a rate covers the interval before its sample."""
    times = node.times[rows] if node is not None else np.empty(0)
    if node is None or not len(times):
        return None
    return float(times[0]) - node.step, float(times[-1]), node.is_local


def _window(number: int, stretch: _Stretch, host: str | None = None) -> m.Window:
    start, end, is_local = stretch
    # Half a millisecond of slack: grids are in whole sampling intervals.
    ends = [EPOCH + timedelta(seconds=at) for at in (start - 0.0005, end + 0.0005)]
    if not is_local:
        ends = [at.replace(tzinfo=UTC) for at in ends]
    return m.Window(number, ends[0], ends[1], host=host)


def _traffic(used: m.Usage, series: pa.Table) -> Traffic:
    return Traffic(
        numbers(series["time"].cast("int64")) / 1e6,
        numbers(series["value"]),
        next(source.counter for source in SOURCES if source.resource == used.resource),
        used.instance,
    )


def _machine(host: str, used: dict[str, m.Usage], bandwidths: dict[tuple[str, str], float]) -> Machine:
    cpu, disk = used.get(CPU), used.get(DISK)
    return Machine(
        None if cpu is None else Processors(cpu.p50, cpu.n, f"perfmon of {host}, {cpu.instance}"),
        _card(host, used, bandwidths),
        None if disk is None else DiskWrite(disk.p50, disk.n, f"{disk.instance} on {host}"),
    )


def _card(host: str, used: dict[str, m.Usage], bandwidths: dict[tuple[str, str], float]) -> Card | None:
    """Return the busier direction: cards send and receive at the same time."""
    known = [u for name, u in used.items() if name in FULL_CARD and name != "card_busy"]
    known = known or [u for name, u in used.items() if name == "card_busy"]
    if not known:
        return None
    busiest = max(known, key=lambda u: u.mean)
    bandwidth = bandwidths[host, busiest.instance]
    own = [link for (owner, _instance), link in bandwidths.items() if owner == host]
    fastest = max(own) if len(own) > 1 else None
    return Card(host, busiest.mean / 100 * bandwidth, bandwidth, busiest.instance, fastest)
