"""Seeding by hop: the time of each hop alone for a database of some size, with and without compression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from agtrace.diagnostics.seeding.estimate import GIGA, MOST, SIZES_GB, TOLD_GB
from agtrace.diagnostics.seeding.limits import DISK, NETWORK
from agtrace.diagnostics.seeding.study import Seeded
from agtrace.history.seedings import SOURCE, TARGET
from agtrace.measures import Measure

READ, PACKED, WIRE, UNPACKED, WRITTEN = (
    "source disk",
    "source processors",
    "wire",
    "target processors",
    "target disk",
)
IT_TOOK, AT_MOST, AT_LEAST = "it took", "at most", "at least"
"""The hop limited the copy; it carried at least this much; the time was computed for a saturated hop."""

COMPRESSION = Measure("with_compression", "compression")
HOP = Measure("hop", "hop")
BASIS = Measure(
    "known_as", "known as", "", "it took: it held a copy back; at most: it carried that; at least: full"
)


@dataclass(frozen=True)
class Hop:
    """A hop of a copy; GB are 10^9 bytes of the database.

    Parameters
    ----------
    seconds
        Its time alone.
    basis
        `IT_TOOK`, `AT_MOST` or `AT_LEAST`.
    of
        The seeding that shows it.
    """

    name: str
    seconds: float
    basis: str
    of: Seeded


@dataclass(frozen=True)
class Way:
    """A path from one server to another, with or without compression.

    Parameters
    ----------
    copy
        The copy measured with this compression; None if only the other kind was measured.
    hops
        In the order of the data; hops without captures are missing.
    """

    source: str
    target: str
    database_gb: float
    is_compressed: bool
    copy: Seeded | None
    hops: tuple[Hop, ...]

    @property
    def bytes(self) -> float:
        return self.database_gb * GIGA

    @property
    def at_least(self) -> float | None:
        """Return the least time in seconds, by the slowest of its hops."""
        return max((hop.seconds for hop in self.hops if hop.basis != AT_MOST), default=None)

    @property
    def slowest(self) -> Hop | None:
        told = [hop for hop in self.hops if hop.basis != AT_MOST]
        return max(told, key=lambda hop: hop.seconds, default=None)


def ways(measured: Sequence[Seeded], database_gb: float | None, link: float | None) -> list[Way]:
    """Return the hops of each path of a completed copy, with and without compression.

    Parameters
    ----------
    measured
        Completed copies with a rate.
    link
        Gb/s of a link that is asked about.
    """
    pairs: dict[tuple[str, str], list[Seeded]] = {}
    for each in measured:
        pairs.setdefault((each.end(SOURCE), each.end(TARGET)), []).append(each)
    sizes = SIZES_GB if database_gb is None else (database_gb,)
    return [
        _way(ends, own, size, link, is_compressed=is_compressed)
        for ends, own in pairs.items()
        for is_compressed in (False, True)
        for size in sizes
    ]


def _way(
    ends: tuple[str, str], own: list[Seeded], size: float, link: float | None, *, is_compressed: bool
) -> Way:
    alike = [each for each in own if each.compressed.verdict is is_compressed]
    hops = [
        _disk(own, SOURCE, size),
        _processors(alike, SOURCE, size),
        _wire(own, alike, size, link, is_compressed=is_compressed),
        _processors(alike, TARGET, size),
        _disk(own, TARGET, size),
    ]
    return Way(
        *ends, size, is_compressed, alike[-1] if alike else None, tuple(h for h in hops if h is not None)
    )


def _disk(own: list[Seeded], role: str, size: float) -> Hop | None:
    """Return the hop of a disk: pages are read and written uncompressed in any case."""
    name, resource = (READ, "disk_read") if role == SOURCE else (WRITTEN, "disk_written")
    held = [each for each in own if each.limiter.limit == (DISK, role)]
    if held:
        most = max(held, key=_rate)
        return Hop(name, size * GIGA / _rate(most), IT_TOOK, most)
    seen = [each for each in own if each.usage(role, resource) is not None]
    if not seen:
        return None
    most = max(seen, key=_rate)
    return Hop(name, size * GIGA / _rate(most), AT_MOST, most)


def _processors(alike: list[Seeded], role: str, size: float) -> Hop | None:
    """Return the hop of an end's processors at full load: the same work for each GB."""
    name = PACKED if role == SOURCE else UNPACKED
    for each in reversed(alike):
        usage, work = each.usage(role, "cpu"), each.work(role)
        if usage is not None and usage.cores is not None and work is not None:
            return Hop(name, size * work / usage.cores.count, AT_LEAST, each)
    return None


def _wire(
    own: list[Seeded], alike: list[Seeded], size: float, link: float | None, *, is_compressed: bool
) -> Hop | None:
    ratios = [each.compressed.ratio for each in alike if each.compressed.ratio]
    if not ratios and is_compressed:
        return None
    ratio = ratios[-1] if ratios else 1.0
    held = [
        (_rate(each) * on_wire, each)
        for each in own
        if each.limiter.limit == (NETWORK, "") and (on_wire := each.compressed.ratio)
    ]
    if held and link is None:
        carried, most = max(held, key=itemgetter(0))
        basis = IT_TOOK if most.compressed.verdict is is_compressed else AT_LEAST
        return Hop(WIRE, size * GIGA * ratio / carried, basis, most)
    for each in reversed(own):
        card = each.usage(SOURCE, "network_sent")
        at_most = link * GIGA / 8 if link is not None else (card.capacity if card is not None else None)
        if at_most:
            return Hop(WIRE, size * GIGA * ratio / at_most, AT_LEAST, each)
    return None


def _rate(of: Seeded) -> float:
    assert of.rates.mean is not None
    return of.rates.mean


def facts_of(made: Sequence[Way], database_gb: float | None) -> dict[str, Any]:
    """Return the facts of the page: one of the usual sizes; the others are in the table."""
    size = TOLD_GB if database_gb is None else database_gb
    return {"ways": [each for each in made if each.database_gb == size], "most": MOST}
