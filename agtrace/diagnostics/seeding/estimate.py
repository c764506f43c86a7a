"""How long seeding takes for a database of another size, or over another link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agtrace.diagnostics.seeding.limits import NETWORK
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.history.seedings import SOURCE

GIGA = 1e9
TOLD_GB = 1000.0
MOST = 30
"""Estimates described in the text."""
SIZES_GB = (100.0, TOLD_GB, 5000.0)
"""Sizes shown by default."""


@dataclass(frozen=True)
class Estimate:
    """Time of a copy; GB are 10^9 bytes of the database.

    Parameters
    ----------
    seconds
        At the mean rate.
    fastest, slowest
        At the 95th and the 5th percentile of the rate; None where no percentiles were captured.
    bytes_per_s
        Bytes of the database per second that ``seconds`` rests on.
    basis
        The measured operation; None for arithmetic from the link alone.
    assumed
        What it takes for granted: fields of said/assumed.toml, with what they name.
    """

    database_gb: float
    seconds: float
    fastest: float | None
    slowest: float | None
    bytes_per_s: float
    basis: Seeded | None
    link_gbit_per_s: float | None
    assumed: tuple[tuple[str, dict[str, Any]], ...]

    @property
    def bytes(self) -> float:
        """Size of the database."""
        return self.database_gb * GIGA

    @property
    def is_ranged(self) -> bool:
        """Whether the rate varied."""
        return None not in (self.fastest, self.slowest) and self.fastest != self.slowest


def over_link(database_gb: float, link_gbit_per_s: float, ratio: float = 1.0) -> float:
    """Return the seconds that a full link takes for a database.

    5 TB over 1 Gb/s take 11.1 h (documentation "Use automatic seeding", performance).

    Parameters
    ----------
    ratio
        Bytes on the wire per byte of the database.
    """
    return database_gb * GIGA * ratio / (link_gbit_per_s * GIGA / 8)


_OF_A_FULL_LINK = tuple(
    (name, dict[str, Any]()) for name in ("link_is_full", "not_compressed", "all_keep_up")
)


def estimates(found: Study, database_gb: float | None, link_gbit_per_s: float | None) -> list[Estimate]:
    """Return estimates from every completed copy, for the requested size or some usual ones.

    Without a measured copy, only the link is used, if given.
    """
    sizes: Sequence[float] = SIZES_GB if database_gb is None else (database_gb,)
    measured = measured_of(found)
    made = [_from(each, size, link_gbit_per_s) for each in measured for size in sizes]
    if not measured and link_gbit_per_s is not None:
        link, rate = link_gbit_per_s, link_gbit_per_s * GIGA / 8
        of_link = (rate, None, link, _OF_A_FULL_LINK)
        made = [Estimate(gb, over_link(gb, link), None, None, *of_link) for gb in sizes]
    return made


def measured_of(found: Study) -> list[Seeded]:
    """Return the completed copies that show a rate."""
    return [each for each in found.seeded if _is_measured(each, found)]


def _is_measured(of: Seeded, found: Study) -> bool:
    """Return whether a copy shows a rate; a very short one measures its fixed costs."""
    lasted = of.operation.copy_seconds
    is_long = lasted is not None and lasted >= found.limits.backup_min_s
    return of.operation.outcome == "completed" and is_long and bool(of.rates.mean)


def _from(of: Seeded, size: float, link: float | None) -> Estimate:
    limit, judged = of.limiter.limit, of.compressed
    mean = of.rates.mean
    assert mean is not None
    assumed: list[tuple[str, dict[str, Any]]] = [("same_pages", {})]
    scale, ceiling, most = 1.0, None, None
    if link is not None:
        # Of an undecided stream the bytes on the wire are another's, too, or not all of them.
        ratio = judged.ratio if judged.verdict is not None and judged.ratio else None
        ceiling = link * GIGA / 8 / (ratio or 1.0)
        if ratio is None:
            assumed.append(("wire_not_captured" if judged.ratio is None else "wire_not_decided", {}))
        else:
            assumed.append(("wire_measured", {"ratio": ratio}))
    if limit is not None and limit[0] == NETWORK:
        if ceiling is None:
            assumed.append(("network_same", {}))
        else:
            scale, most, ceiling = ceiling / mean, ceiling, None
            disk = of.usage(SOURCE, "disk_read")
            seen = disk.highest if disk is not None and scale * mean > disk.highest else None
            assumed.append(("network_best", {"end": of.end(SOURCE), "most": seen}))
    elif ceiling is not None and ceiling < mean:
        assumed.append(("slower_link", {}))
    elif limit is not None:
        assumed.append(("limit_stays", {**of.facts, "limit": limit}))
    else:
        assumed.append(("same_rate" if link is None else "no_gain", {}))
    assumed.append(("no_wait", {}))

    def seconds(rate: float | None) -> float | None:
        if not rate:
            return None
        bounds = [rate * scale, *(each for each in (ceiling, most) if each is not None)]
        return size * GIGA / min(bounds)

    rate = mean * scale if ceiling is None else min(mean * scale, ceiling)
    ends = (seconds(of.rates.p95), seconds(of.rates.p5))
    return Estimate(size, size * GIGA / rate, *ends, rate, of, link, tuple(assumed))


def page(made: Sequence[Estimate], database_gb: float | None) -> dict[str, Any]:
    """Return the facts of the page: one of the usual sizes; the others are in the table."""
    told = [each for each in made if database_gb is not None or each.database_gb == TOLD_GB]
    return {"estimates": told, "is_hinted": database_gb is None, "most": MOST}
