"""Two sides that were captured and not judged together: clocks, or the time of the captures, differ."""

from __future__ import annotations

from agtrace.diagnostics.transport.confidence import Ground
from agtrace.diagnostics.transport.verdict import window
from agtrace.history.streams import LEAST_CELLS, Apart, Link, Shift
from agtrace.measures import Measure, quoted
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

QUARTER = 900
ZONES = 14 * 3600

SKEW = Measure("skew_ms", "clock skew (by counters)", "ms")
RESOLUTION = Measure("resolution_ms", "resolution", "ms")
CORRELATION = Measure("correlation", "correlation after the shift")
AS_WRITTEN = Measure("overlap", "samples at the same time, as written")
OVERLAP = Measure("overlap", "samples at the same time")


def of_apart(links: list[Link], limits: Thresholds) -> list[Judged]:
    """Judge each pair of hosts whose perfmon does not overlap, or only with a shifted clock.

    A pair judged together in another window was captured together; a missing overlap in this one is not a
    finding.
    """
    together = {_pair(link) for link in links if link.primary is not None and link.secondary}
    found: dict[tuple[str, str], Judged] = {}
    for link in links:
        if link.apart is None or link.secondary is None:
            continue
        pair, shift = _pair(link), link.apart.shift
        if shift is not None:
            found[pair] = _shifted(link, link.apart, shift, limits)
        elif pair not in together:
            found.setdefault(pair, _missed(link, link.apart))
    return list(found.values())


def _pair(link: Link) -> tuple[str, str]:
    primary = link.primary or (link.apart.primary if link.apart is not None else None)
    return (primary.host_id if primary else "", link.secondary.host_id if link.secondary else "")


def _shifted(link: Link, found: Apart, shift: Shift, limits: Thresholds) -> Judged:
    assert link.secondary is not None
    ahead, behind = found.primary.host_id, link.secondary.host_id
    if shift.seconds < 0:
        ahead, behind = behind, ahead
    by, is_apart = abs(shift.seconds), found.overlap < LEAST_CELLS
    source = f"perfmon of {found.primary.name} and {link.replica}"
    ground = Ground.SKEW_SHOWN if shift.fit >= limits.skew_sure_fit and not is_apart else Ground.SKEW_LIKELY
    return Judged(
        said="clock_skew",
        id="quality.clock_skew",
        severity="warning",
        subject={"host": ahead, "other_host": behind} | _whose(link),
        window=window(link.times, is_local=link.is_local),
        evidence=(
            SKEW(round(by * 1000), source),
            RESOLUTION(round(shift.resolution * 1000), source),
            CORRELATION(round(shift.fit, 2), f"{source}, n = {shift.n}"),
            AS_WRITTEN(found.overlap, source),
        ),
        confidence=ground.confidence,
        facts={
            "ahead": ahead, "behind": behind, "by": by, "primary": found.primary.name, "n": shift.n,
            "replica": link.replica, "fit": round(shift.fit, 2), "is_zone": _is_zone(shift),
            "is_apart": is_apart,
        },
    )  # fmt: skip


def _whose(link: Link) -> dict[str, str]:
    return {"replica": link.replica} | ({"ag": link.ag} if link.ag else {})


def _is_zone(shift: Shift) -> bool:
    rest = abs(shift.seconds) % QUARTER
    near = min(rest, QUARTER - rest) <= max(2 * shift.resolution, 20.0)
    return near and QUARTER / 2 < abs(shift.seconds) <= ZONES


def _missed(link: Link, found: Apart) -> Judged:
    assert link.secondary is not None
    here = window(found.primary.times[found.primary_rows], is_local=found.primary.is_local)
    there = window(link.times, is_local=link.is_local)
    source = f"perfmon of {found.primary.name}"
    return Judged(
        said="not_captured.apart",
        id="quality.not_captured",
        severity="notice",
        subject={"host": found.primary.host_id, "other_host": link.secondary.host_id} | _whose(link),
        window=there,
        evidence=(
            OVERLAP(found.overlap, f"{source} and {link.replica}"),
            quoted("captured from", here["start"], source),
            quoted("captured to", here["end"], source),
        ),
        facts={"primary": found.primary.name, "replica": link.replica, "overlap": found.overlap}
        | {"here": here, "there": there},
    )
