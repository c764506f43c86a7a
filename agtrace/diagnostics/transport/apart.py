"""Findings about two sides that were captured and not judged together. Plain text."""

from __future__ import annotations

from agtrace.diagnostics.transport.narrative import window
from agtrace.history.streams.links import Link
from agtrace.history.streams.meeting import LEAST_CELLS, Apart, Shift
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

QUARTER = 900
ZONES = 14 * 3600


def of_apart(links: list[Link]) -> list[Finding]:
    """Name each pair of hosts whose perfmon does not meet, or meets with a clock that is off.

    A pair that was judged together in another window was captured together; that it was not in this
    one is no finding.
    """
    together = {_pair(link) for link in links if link.primary is not None and link.secondary}
    found: dict[tuple[str, str], Finding] = {}
    for link in links:
        if link.apart is None or link.secondary is None:
            continue
        pair, shift = _pair(link), link.apart.shift
        if shift is not None:
            found[pair] = _shifted(link, link.apart, shift)
        elif pair not in together:
            found.setdefault(pair, _missed(link, link.apart))
    return list(found.values())


def _pair(link: Link) -> tuple[str, str]:
    primary = link.primary or (link.apart.primary if link.apart is not None else None)
    return (primary.host_id if primary else "", link.secondary.host_id if link.secondary else "")


def _shifted(link: Link, found: Apart, shift: Shift) -> Finding:
    assert link.secondary is not None
    ahead, behind = found.primary.host_id, link.secondary.host_id
    if shift.seconds < 0:
        ahead, behind = behind, ahead
    by = words.span(abs(shift.seconds))
    told = (
        f"What {words.plain(found.primary.name)} flushed fits what {words.plain(link.replica)} received and had "
        f"in its send queue {by} apart (correlation {shift.fit:.2f}, n = {shift.n}), and not as the clocks have "
        "it. The two are not compared; the verdict on the replica rests on its own counters."
    )
    if _is_zone(shift):
        told += " A whole number of quarter hours: an offset from UTC that is wrong is likelier than a clock."
    is_apart = found.overlap < LEAST_CELLS
    if is_apart:
        told += " Unless the same load ran twice, and each host was captured during another run of it."
    advice = (
        f"Check the clock of both hosts (w32tm /query /status), and the offset from UTC that their logs "
        f"state; then capture both at the same time. Compare the two here with {by} between them."
    )
    source = f"perfmon of {found.primary.name} and {link.replica}"
    return Finding(
        "quality.clock_skew",
        "warning",
        f"The perfmon of {words.plain(ahead)} is {by} ahead of that of {words.plain(behind)}",
        told,
        {"host": ahead, "other_host": behind} | _whose(link),
        window(link.times, is_local=link.is_local),
        (
            Evidence("clock skew (by counters)", round(abs(shift.seconds) * 1000), "ms", source),
            Evidence("resolution", round(shift.resolution * 1000), "ms", source),
            Evidence("correlation after the shift", round(shift.fit, 2), "", f"{source}, n = {shift.n}"),
            Evidence("samples at the same time, as written", found.overlap, "", source),
        ),
        advice,
        0.85 if shift.fit >= 0.9 and not is_apart else 0.7,
    )  # fmt: skip


def _whose(link: Link) -> dict[str, str]:
    return {"replica": link.replica} | ({"ag": link.ag} if link.ag else {})


def _is_zone(shift: Shift) -> bool:
    rest = abs(shift.seconds) % QUARTER
    near = min(rest, QUARTER - rest) <= max(2 * shift.resolution, 20.0)
    return near and QUARTER / 2 < abs(shift.seconds) <= ZONES


def _missed(link: Link, found: Apart) -> Finding:
    assert link.secondary is not None
    primary, replica = words.plain(found.primary.name), words.plain(link.replica)
    here = window(found.primary.times[found.primary_rows], is_local=found.primary.is_local)
    there = window(link.times, is_local=link.is_local)
    few = (
        f"{words.count(found.overlap, 'sample')} of them at the same time"
        if found.overlap
        else "never at the same time"
    )
    told = (
        f"{primary} was captured from {here['start']} to {here['end']} and {replica} from {there['start']} to "
        f"{there['end']}, by the clocks of their logs: {few}. {replica} is judged by its own counters; what "
        "the primary generated and sent meanwhile stays open. If both were logged together, a clock or an "
        "offset from UTC is wrong."
    )
    return Finding(
        "quality.not_captured",
        "notice",
        f"{primary} and {replica} were not captured at the same time",
        told,
        {"host": found.primary.host_id, "other_host": link.secondary.host_id} | _whose(link),
        there,
        (
            Evidence("samples at the same time", found.overlap, "", f"perfmon of {primary} and {replica}"),
            Evidence("captured from", here["start"], "", f"perfmon of {primary}"),
            Evidence("captured to", here["end"], "", f"perfmon of {primary}"),
        ),
        f"Capture perfmon on {primary} and {replica} at the same time; check the clocks of both.",
    )  # fmt: skip
