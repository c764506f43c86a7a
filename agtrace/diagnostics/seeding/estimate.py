"""How long seeding takes for a database of another size, or over another link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.limits import NETWORK
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.history.seedings.operation import SOURCE
from agtrace.say import words

GIGA = 1e9
SIZES_GB = (100.0, 1000.0, 5000.0)
"""Sizes shown where none is asked for."""


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
        What it takes for granted.
    """

    database_gb: float
    seconds: float
    fastest: float | None
    slowest: float | None
    bytes_per_s: float
    basis: Seeded | None
    link_gbit_per_s: float | None
    assumed: tuple[str, ...]


def over_link(database_gb: float, link_gbit_per_s: float, ratio: float = 1.0) -> float:
    """Give the seconds that a full link takes for a database.

    5 TB over 1 Gb/s take 11.1 h (documentation "Use automatic seeding", performance).

    Parameters
    ----------
    ratio
        Bytes on the wire per byte of the database.
    """
    return database_gb * GIGA * ratio / (link_gbit_per_s * GIGA / 8)


def estimates(found: Study, database_gb: float | None, link_gbit_per_s: float | None) -> list[Estimate]:
    """Estimate from every completed copy, for the size asked for or some usual ones.

    Without a measured copy the link alone is left, where it is given.
    """
    sizes: Sequence[float] = SIZES_GB if database_gb is None else (database_gb,)
    measured = [s for s in found.seeded if _is_measured(s, found)]
    made = [_from(each, size, link_gbit_per_s) for each in measured for size in sizes]
    if not measured and link_gbit_per_s is not None:
        assumed = ("the link is full for the whole time", "the stream is not compressed", "disks and processors keep up")  # fmt: skip
        made = [
            Estimate(size, over_link(size, link_gbit_per_s), None, None, link_gbit_per_s * GIGA / 8, None, link_gbit_per_s, assumed)
            for size in sizes
        ]  # fmt: skip
    return made


def _is_measured(of: Seeded, found: Study) -> bool:
    """Say whether a copy tells of a rate: one of moments measures its fixed costs."""
    lasted = of.operation.copy_seconds or 0.0
    is_long = lasted >= found.limits.backup_min_s
    return of.operation.outcome == "completed" and is_long and bool(of.rates.mean)


def _from(of: Seeded, size: float, link: float | None) -> Estimate:
    limit, judged = of.limiter.limit, of.compressed
    mean = of.rates.mean or 0.0
    assumed = ["the database compresses and fills its pages as this one does"]
    scale, ceiling, most = 1.0, None, None
    if link is not None:
        # Of an undecided stream the bytes on the wire are another's, too, or not all of them.
        ratio = judged.ratio if judged.verdict is not None and judged.ratio else None
        ceiling = link * GIGA / 8 / (ratio or 1.0)
        if ratio is None:
            was = "not captured" if judged.ratio is None else "not measured well enough"
            assumed.append(f"one byte on the wire per byte of the database: the wire was {was}")
        else:
            assumed.append(f"{words.number(ratio)} bytes on the wire per byte of the database, as measured")
    if limit is not None and limit[0] == NETWORK:
        if ceiling is None:
            assumed.append("the network stays the limit, at the same speed")
        else:
            scale, most, ceiling = ceiling / mean, ceiling, None
            disk = of.usage(SOURCE, "disk_read")
            seen = ""
            if disk is not None and scale * mean > disk.highest:
                seen = f" (those of {say.end(of.operation, SOURCE)} were seen to read {words.rate(disk.highest)} at most)"
            assumed.append(
                "at best: the network stays the limit, the stream fills the link, processors and disks keep up"
                + seen
            )
    elif ceiling is not None and ceiling < mean:
        assumed.append("at best: that link is slower than the copy was, and the stream fills it")
    elif limit is not None:
        assumed.append(f"{say.limit(limit, of.operation)} stays the limit, whatever the link")
    else:
        assumed.append(
            "the same rate, for nothing is shown to limit it"
            if link is None
            else "nothing is shown to limit it, so a faster link gains nothing here"
        )
    assumed.append("no wait for a slot, and no catch-up")

    def seconds(rate: float | None) -> float | None:
        if not rate:
            return None
        bounds = [rate * scale, *(each for each in (ceiling, most) if each is not None)]
        return size * GIGA / min(bounds)

    rate = mean * scale if ceiling is None else min(mean * scale, ceiling)
    return Estimate(
        size, size * GIGA / rate, seconds(of.rates.p95), seconds(of.rates.p5), rate, of, link, tuple(assumed)
    )  # fmt: skip


def say_estimate(made: Sequence[Estimate], database_gb: float | None) -> str:
    """Give the estimates in Markdown, the first sentence with the answer."""
    if not made:
        return "No copy that completed (and took longer than a moment) was captured, so nothing is measured to estimate from. Give `link_gbit_per_s` for what a full link takes."
    told = []
    for each in made:
        if database_gb is None and each.database_gb != 1000.0:
            continue
        told.append(_told(each))
    hint = (
        "\n\nSet `database_gb` and `link_gbit_per_s` for another database or another link."
        if database_gb is None
        else ""
    )
    return say.bullets(told) + hint


def _told(of: Estimate) -> str:
    size = words.size(of.database_gb * GIGA)
    link = f" over {words.number(of.link_gbit_per_s)} Gb/s" if of.link_gbit_per_s else ""
    text = f"**{size}{link}: {words.span(of.seconds)}**"
    if of.fastest is not None and of.slowest is not None and of.fastest != of.slowest:
        low, high = sorted((of.fastest, of.slowest))
        text += f" ({words.span(low)} to {words.span(high)} at the 95th and 5th percentile of the rate)"
    if of.basis is None:
        text += f", by arithmetic alone at {words.rate(of.bytes_per_s)}"
    else:
        operation = of.basis.operation
        text += f", at {words.rate(of.bytes_per_s)}, from the seeding of {words.md(say.seeding(operation))}"
    return f"{text}. Assumed: {words.md('; '.join(of.assumed), 600)}."
