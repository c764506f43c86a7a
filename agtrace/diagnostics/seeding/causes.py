"""Causes of a seeding's duration, the compression of its stream, and contradictions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from agtrace.diagnostics.seeding import verdict as vd
from agtrace.diagnostics.seeding.contradictions import TOO_LITTLE, TOO_MUCH
from agtrace.diagnostics.seeding.limits import CARD, NETWORK
from agtrace.diagnostics.seeding.study import SLOT, Seeded, Study
from agtrace.diagnostics.seeding.verdict import MOVED, Verdict, verdict
from agtrace.history.seedings import SOURCE, TARGET
from agtrace.history.trace_flags import SEEDING_COMPRESSION
from agtrace.measure.usage import Usage
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import stream, words

LINKS = (0.1, 1, 2.5, 5, 10, 25, 40, 50, 100)
"""Bandwidths of common network links, Gb/s."""

WIRE_RATIO = Measure("wire_ratio", "bytes on the wire per byte of the database", "ratio")
IN_SLOT = Measure("in_slot", f"time in {SLOT}", "s")


def of_causes(found: Study) -> list[Verdict]:
    """Return the limits of seedings and their cost, by kind of verdict."""
    return [made for tell in _TELLS for each in found.seeded for made in tell(each, found)]


def _limited(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Yield the limit of a copy, if the captures show it."""
    if of.limiter.limit is None:
        return
    what, role = of.limiter.limit
    if what == NETWORK:
        kind, host, seen = vd.NETWORK_LIMITED, "", _path(of, found)
    else:
        doubted, host = any(c.kind == TOO_LITTLE for c in of.contradictions), of.end(role)
        kind = vd.DISK_DOUBTED if doubted else vd.DISK_LIMITED
        seen = {"role": role, "end": host, "doubted": doubted}
        seen |= {"moved": of.usage(role, MOVED[role][0]), "busy": of.usage(role, "disk_busy")}
    # The wait that decides comes first.
    waits = sorted(vd.of_waits(of), key=lambda each: not each.measure.name.startswith(what))
    yield verdict(
        kind,
        of,
        f"limited.{what}",
        window=of.copied,
        evidence=(*waits, *vd.of_copy(of), *vd.of_cards(of), *vd.of_disks(of)),
        at_most=of.limiter.confidence,
        host=host,
        **seen,
    )


def _path(of: Seeded, found: Study) -> dict[str, Any]:
    """Return the cards' utilisation, a link that would carry that, and the disks' spare capacity."""
    seen: dict[str, Any] = {"card": None, "idle": _idle_disks(of, found)}
    for role in (SOURCE, TARGET):
        sent, busy = of.usage(role, MOVED[role][1]), of.usage(role, CARD[role])
        if sent is not None:
            is_full = any(usage == busy for _, usage in of.limiter.saturated)
            link = None if is_full and busy else _link(sent, found.limits.seeding_link_share)
            return seen | {
                "card": sent,
                "card_end": of.end(role),
                "busy": busy,
                "is_full": is_full,
                "link": link,
            }
    return seen


def _link(sent: Usage, filled: float) -> dict[str, float] | None:
    """Return the link that such a rate would fill; None if no link or the card's own has it."""
    for gigabits in LINKS:
        link = gigabits * 1e9 / 8
        is_less = sent.capacity is None or link < filled * sent.capacity
        if is_less and filled * link <= sent.p50 <= link:
            return {"gigabits": gigabits, "share": sent.p50 / link}
    return None


def _idle_disks(of: Seeded, found: Study) -> list[dict[str, Any]]:
    """Return the ends whose disks were not full, with their rates in other copies."""
    told = []
    for role in (SOURCE, TARGET):
        moved, busy = of.usage(role, MOVED[role][0]), of.usage(role, "disk_busy")
        if moved is None or busy is None or busy.p50 >= 100 * found.limits.seeding_disk_busy_share:
            continue
        same = (u for s in found.seeded if s is not of for u in s.usages if _is_same(u, moved))
        most = max(same, key=lambda usage: usage.highest, default=moved)
        verb = "read" if role == SOURCE else "wrote"
        each = {"end": of.end(role), "verb": verb, "rate": moved.mean, "busy": busy.mean / 100}
        told.append(
            each | {"most": most.highest, "number": most.window if most.highest > moved.highest else None}
        )
    return told


def _is_same(usage: Usage, moved: Usage) -> bool:
    return (usage.host, usage.resource) == (moved.host, moved.resource)


def _waited(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Yield how long a seeding waited for a backup slot; stalled ones are separate."""
    wait = of.slot
    if wait is None or wait is of.stall or wait.seconds < found.limits.seeding_slot_s:
        return
    host = of.end(wait.role)
    yield verdict(
        vd.WAITED_FOR_SLOT if wait.beside else vd.WAITED_UNEXPLAINED,
        of,
        "waited",
        window=(wait.start, wait.end),
        evidence=(
            IN_SLOT(round(wait.seconds, 1), f"{vd.told_by(of)}, {host}"),
            *(quoted("ran meanwhile", each.what, each.where or "") for each in wait.beside),
        ),
        wait=wait,
        share=wait.seconds / of.lasted if of.lasted else None,
        **found.log_coverage(host, wait.host),
    )


def _compression(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Yield whether a copy was compressed, its cost, or why it is unknown."""
    operation, judged = of.operation, of.compressed
    wire, ratio = judged.wire_bytes, judged.ratio
    if wire is None or ratio is None or operation.outcome != "completed":
        return
    base = _uncompressed(of, found) if judged.verdict else None
    when = words.moment(base.operation.copy_start) if base else ""
    beside = (
        each.measure.called(f"{each.label} ({when}, uncompressed)")(each.value, each.source)
        for each in (vd.of_processors(base) if base else ())
    )
    yield verdict(
        _sure(of),
        of,
        f"compression.{_COMPRESSED[judged.verdict]}",
        severity="info" if judged.verdict is False else "",
        window=of.copied,
        evidence=(*_bytes(of, wire, ratio), *beside),
        judged=judged,
        why=stream.why(judged),
        flag=f"{SEEDING_COMPRESSION}",
        fewer=f"{1 / ratio:.1f}" if judged.verdict else None,
        is_network=of.limiter.limit is not None and of.limiter.limit[0] == NETWORK,
        base=base,
        **(
            _costs(of, base, found.limits.seeding_same_ratio)
            if base
            else {"pace": None, "worked": [], "known": [], "more": []}
        ),
    )


_COMPRESSED = {True: "yes", False: "no", None: "open"}


class Worked(NamedTuple):
    """Processors of one end during a copy and during the uncompressed one.

    Parameters
    ----------
    now, then
        Their use in both.
    spent, had
        Their work in both, in core-seconds per GB; None where the number of cores is not known.
    is_more
        Whether the work is more by a share that counts.
    """

    end: str
    now: Usage
    then: Usage
    spent: str | None = None
    had: str | None = None
    is_more: bool = False


def _costs(of: Seeded, base: Seeded, same: float) -> dict[str, Any]:
    """Return how much faster a copy was than the uncompressed one, and its processor work."""
    now, then = of.operation.copy_seconds, base.operation.copy_seconds
    ratio = then / now if now and then else None
    pace = None
    if ratio is not None:
        pace = "faster" if ratio >= same else "slower" if ratio <= 1 / same else "same"
    worked: list[Worked] = []
    for role in (side.role for side in of.operation.sides):
        used, before = of.usage(role, "cpu"), base.usage(role, "cpu")
        if used is None or before is None:
            continue
        each, spent, had = Worked(of.end(role), used, before), of.work(role), base.work(role)
        if spent is not None and had is not None:
            each = each._replace(spent=f"{spent:.1f}", had=f"{had:.1f}", is_more=spent > same * had)
        worked.append(each)
    known = [each for each in worked if each.spent]
    ends = {"known": [each.end for each in known], "more": [each.end for each in known if each.is_more]}
    return {"pace": pace, "times": f"{ratio:.1f}" if ratio else "", "worked": worked, **ends}


def _bytes(of: Seeded, wire: float, ratio: float) -> Iterator[Measured]:
    judged, by = of.compressed, vd.told_by(of)
    yield vd.WIRE_BYTES(round(wire), f"perfmon, {judged.wire_source}, n = {judged.n}")
    yield vd.BYTES(judged.database_bytes, of.operation.bytes_source or by)
    yield WIRE_RATIO(round(ratio, 3), "both")
    if judged.trace_flag is not None:
        state = "on" if judged.trace_flag else "off"
        yield quoted(f"trace flag {SEEDING_COMPRESSION}", state, judged.flag_source)
    if judged.flag_says is not None:
        yield quoted("is_compression_enabled", int(judged.flag_says), by)
    yield from vd.of_processors(of)


def _uncompressed(of: Seeded, found: Study) -> Seeded | None:
    """Return an uncompressed copy of the same database between the same hosts for comparison."""
    own = _between(of)
    same = (s for s in found.seeded if s is not of and s.compressed.verdict is False and _between(s) == own)
    return next(same, None) if of.operation.database else None


def _between(of: Seeded) -> tuple[str, list[str | None]]:
    return (of.operation.database or "").lower(), [side.host for side in of.operation.sides]


def _sure(of: Seeded) -> vd.FindingRule:
    judged = of.compressed
    if judged.verdict is None:
        return vd.BYTES_OPEN
    if judged.trace_flag is not None and judged.trace_flag == judged.verdict:
        return vd.FLAG_AGREES
    return vd.BYTES_DECIDE if judged.verdict or judged.ends > 1 else vd.BYTES_OF_ONE_END


def _contradicted(of: Seeded, _found: Study) -> Iterator[Verdict]:
    """Yield the figures of a copy that cannot all be true."""
    for each in of.contradictions:
        kind, said = vd.EXCESS if each.kind == TOO_MUCH else vd.CONTRADICTION, f"contradiction.{each.kind}"
        yield verdict(kind, of, said, window=of.copied, evidence=each.evidence, **each.figures)


def _not_settled(of: Seeded, _found: Study) -> Iterator[Verdict]:
    """Yield that times are uncertain."""
    operation = of.operation
    if operation.time_basis != "unknown":
        return
    written = dict.fromkeys((s.start_written, s.end_written) for s in operation.sides if s.start_written)
    told = [" to ".join(words.moment(time).removesuffix(" local time") for time in each) for each in written]
    text = words.listing(told) or "not settled"
    evidence = [quoted("times without an offset", text, "sys.dm_hadr_automatic_seeding")]
    yield verdict(vd.ZONE_UNKNOWN, of, "zone_unknown", window=of.seen, evidence=evidence, written=told)


def _one_end(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Yield the unknowns left by the waits of one end."""
    if len(of.limiter.candidates) < 2:
        return
    other = TARGET if of.limiter.waits[0].role == SOURCE else SOURCE
    yield verdict(
        vd.ONE_END,
        of,
        "one_end",
        window=of.copied,
        evidence=(*vd.of_waits(of), quoted(f"waits of the {other}", "not captured", of.end(other))),
        candidates=of.limiter.candidates,
        other=of.end(other),
        card_share=found.limits.seeding_card_share,
        disk_share=found.limits.seeding_disk_busy_share,
    )


_TELLS = (_limited, _waited, _compression, _contradicted, _not_settled, _one_end)
