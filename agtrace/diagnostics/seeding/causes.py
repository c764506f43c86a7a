"""Where the time of a seeding went, whether its stream was compressed, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agtrace.diagnostics.seeding import verdict as rests
from agtrace.diagnostics.seeding.contradictions import TOO_LITTLE, TOO_MUCH
from agtrace.diagnostics.seeding.limits import CARD, DISK, NETWORK
from agtrace.diagnostics.seeding.slots import SLOT
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.diagnostics.seeding.verdict import (
    BYTES,
    BYTES_DECIDE,
    BYTES_OF_ONE_END,
    BYTES_OPEN,
    CONTRADICTION,
    DISK_DOUBTED,
    DISK_LIMITED,
    EXCESS,
    FLAG_AGREES,
    NETWORK_LIMITED,
    ONE_END,
    WAITED_FOR_SLOT,
    WAITED_UNEXPLAINED,
    WIRE_BYTES,
    ZONE_UNKNOWN,
    Kind,
    Verdict,
    told_by,
    verdict,
)
from agtrace.history.seedings.operation import SOURCE, TARGET
from agtrace.history.trace_flags import SEEDING_COMPRESSION
from agtrace.measure.usage import Usage
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import stream, words

LINKS = tuple(gigabits * 1e9 / 8 for gigabits in (0.1, 1, 2.5, 5, 10, 25, 40, 50, 100))
"""What links carry that are for sale, B/s."""
FILLED = 0.85
"""From this share of such a link on, and up to all of it, a rate looks like that of a full one."""
SAME = 1.05
"""Two runs are as fast, or cost as much, within this factor."""

WIRE_RATIO = Measure("wire_ratio", "bytes on the wire per byte of the database", "ratio")
IN_SLOT = Measure("in_slot", f"time in {SLOT}", "s")
MOVED = {SOURCE: ("disk_read", "network_sent"), TARGET: ("disk_written", "network_received")}
"""What the disks and the cards of an end move during a copy."""


def of_causes(found: Study) -> list[Verdict]:
    """Say what held seedings back and what it cost, one kind of verdict after the other."""
    return [made for tell in _TELLS for each in found.seeded for made in tell(each, found)]


def _limited(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Say what held a copy back, where the captures decide."""
    limiter, operation = of.limiter, of.operation
    if limiter.limit is None:
        return
    what, role = limiter.limit
    doubted = what == DISK and any(c.kind == TOO_LITTLE for c in of.contradictions)
    seen = _path(of, found) if what == NETWORK else {"moved": of.usage(role, MOVED[role][0]), "busy": of.usage(role, "disk_busy")}  # fmt: skip
    yield verdict(
        NETWORK_LIMITED if what == NETWORK else DISK_DOUBTED if doubted else DISK_LIMITED,
        of,
        f"limited.{what}",
        window=(operation.copy_start, operation.copy_end),
        evidence=(*rests.of_waits(of), *rests.of_copy(of), *rests.of_cards(of), *rests.of_disks(of)),
        at_most=limiter.confidence,
        host=of.end(role) if role else "",
        doubted=doubted,
        role=role,
        end=of.end(role) if role else "",
        **seen,
    )


def _path(of: Seeded, found: Study) -> dict[str, Any]:
    """Give how full the cards were, which link would carry that, and what the disks could do more."""
    card = next(
        ((role, usage) for role in (SOURCE, TARGET) if (usage := of.usage(role, MOVED[role][1]))), None
    )
    if card is None:
        return {"card": None, "idle": _idle_disks(of, found)}
    role, sent = card
    busy = of.usage(role, CARD[role])
    is_full = any(each.usage == busy for each in of.limiter.saturated)
    return {
        "card": sent, "card_end": of.end(role), "busy": busy, "is_full": is_full,
        "link": None if is_full and busy else _link(sent), "idle": _idle_disks(of, found),
    }  # fmt: skip


def _link(sent: Usage) -> dict[str, float] | None:
    """Give the link that such a rate would fill; None where it is that of no link, or the card's own."""
    for link in LINKS:
        is_less = sent.capacity is None or link < FILLED * sent.capacity
        if is_less and FILLED * link <= sent.p50 <= link:
            return {"gigabits": link * 8 / 1e9, "share": sent.p50 / link}
    return None


def _idle_disks(of: Seeded, found: Study) -> list[dict[str, Any]]:
    """Give the ends whose disks were not full, and what they were seen to do in other copies."""
    told = []
    for role in (SOURCE, TARGET):
        moved, busy = of.usage(role, MOVED[role][0]), of.usage(role, "disk_busy")
        if moved is None or busy is None or busy.p50 >= 100 * found.limits.seeding_disk_busy_share:
            continue
        others = [(other.highest, each.operation.number) for each in found.seeded if each is not of and (other := _same(each, moved))]  # fmt: skip
        most, number = max(others, key=lambda each: each[0], default=(0.0, None))
        told.append({
            "end": of.end(role), "verb": "read" if role == SOURCE else "wrote", "rate": moved.mean,
            "busy": busy.mean / 100, "most": most, "number": number if most > moved.highest else None,
        })  # fmt: skip
    return told


def _same(of: Seeded, moved: Usage) -> Usage | None:
    """Give what the same disks did in another copy."""
    return next((u for u in of.usages if (u.host, u.resource) == (moved.host, moved.resource)), None)


def _waited(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Say how long a seeding waited for a backup slot; stalled ones are told apart."""
    wait = of.slot
    if wait is None or wait.seconds < found.limits.seeding_slot_s:
        return
    if of.stall is not None and of.stall.slot is wait:
        return
    host = of.end(wait.side.role)
    yield verdict(
        WAITED_FOR_SLOT if wait.beside else WAITED_UNEXPLAINED,
        of,
        "waited",
        window=(wait.start, wait.end),
        evidence=(
            IN_SLOT(round(wait.seconds, 1), f"{told_by(of)}, {host}"),
            *(quoted("ran meanwhile", each.what, each.where) for each in wait.beside),
        ),
        wait=wait,
        host_name=host,
        share=wait.seconds / of.lasted if of.lasted else None,
        is_logged=wait.side.host in found.logged,
        is_hushed=wait.side.host in found.hushed,
    )


def _compression(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Say whether a copy was compressed, what that cost, or why it stays open."""
    operation, judged = of.operation, of.compressed
    if judged.wire_bytes is None or judged.ratio is None or operation.outcome != "completed":
        return
    base = _uncompressed(of, found) if judged.verdict else None
    beside = []
    if base is not None:
        when = words.moment(base.operation.copy_start)
        beside = [
            each.measure.called(f"{each.label} ({when}, uncompressed)")(each.value, each.source)
            for each in rests.of_processors(base)
        ]
    yield verdict(
        _sure(of),
        of,
        f"compression.{_COMPRESSED[judged.verdict]}",
        severity="info" if judged.verdict is False else "",
        window=(operation.copy_start, operation.copy_end),
        evidence=(*_bytes(of), *beside),
        judged=judged,
        why=stream.why(judged),
        flag=f"{SEEDING_COMPRESSION}",
        fewer=f"{1 / judged.ratio:.1f}" if judged.verdict else None,
        is_network=of.limiter.limit is not None and of.limiter.limit[0] == NETWORK,
        base=base,
        **_costs(of, base),
    )


_COMPRESSED = {True: "yes", False: "no", None: "open"}


def _costs(of: Seeded, base: Seeded | None) -> dict[str, Any]:
    """Give how much faster a copy was than the uncompressed one, and what processors worked for it."""
    if base is None:
        return {"pace": None, "times": "", "worked": [], "known": [], "more": []}
    now, then = of.operation.copy_seconds, base.operation.copy_seconds
    ratio = then / now if now and then else None
    pace = None
    if ratio is not None:
        pace = "faster" if ratio >= SAME else "slower" if ratio <= 1 / SAME else "same"
    worked, known, more = [], [], []
    for side in of.operation.sides:
        used, before = of.usage(side.role, "cpu"), base.usage(side.role, "cpu")
        spent, had = of.work(side.role), base.work(side.role)
        if used is None or before is None:
            continue
        end = of.end(side.role)
        each: dict[str, Any] = {"now": used, "then": before, "spent": None, "had": None}
        if spent is not None and had is not None:
            each |= {"spent": f"{spent:.1f}", "had": f"{had:.1f}"}
            known.append(end)
            more += [end] if spent > SAME * had else []
        worked.append({"end": end, **each})
    return {
        "pace": pace,
        "times": f"{ratio:.1f}" if ratio else "",
        "worked": worked,
        "known": known,
        "more": more,
    }


def _bytes(of: Seeded) -> Iterator[Measured]:
    judged, by = of.compressed, told_by(of)
    yield WIRE_BYTES(round(judged.wire_bytes or 0), f"perfmon, {judged.wire_source}, n = {judged.n}")
    yield BYTES(judged.database_bytes, of.operation.bytes_source or by)
    yield WIRE_RATIO(round(judged.ratio or 0, 3), "both")
    if judged.trace_flag is not None:
        state = "on" if judged.trace_flag else "off"
        yield quoted(f"trace flag {SEEDING_COMPRESSION}", state, judged.flag_source)
    if judged.flag_says is not None:
        yield quoted("is_compression_enabled", int(judged.flag_says), by)
    yield from rests.of_processors(of)


def _uncompressed(of: Seeded, found: Study) -> Seeded | None:
    """Give an uncompressed copy of the same database between the same hosts to compare with."""
    name = (of.operation.database or "").lower()
    ends = [side.host for side in of.operation.sides]
    for each in found.seeded:
        same = name and (each.operation.database or "").lower() == name
        same = same and [side.host for side in each.operation.sides] == ends
        if each is not of and same and each.compressed.verdict is False:
            return each
    return None


def _sure(of: Seeded) -> Kind:
    judged = of.compressed
    if judged.verdict is None:
        return BYTES_OPEN
    if judged.trace_flag is not None and judged.trace_flag == judged.verdict:
        return FLAG_AGREES
    return BYTES_DECIDE if judged.verdict or judged.ends > 1 else BYTES_OF_ONE_END


def _contradicted(of: Seeded, _found: Study) -> Iterator[Verdict]:
    """Say which figures of a copy cannot all be true."""
    period = (of.operation.copy_start, of.operation.copy_end)
    for each in of.contradictions:
        kind = EXCESS if each.kind == TOO_MUCH else CONTRADICTION
        said = f"contradiction.{each.kind}"
        yield verdict(kind, of, said, window=period, evidence=each.evidence, **each.figures)


def _not_settled(of: Seeded, _found: Study) -> Iterator[Verdict]:
    """Say that times are not settled."""
    operation = of.operation
    if operation.time_basis != "unknown":
        return
    written = dict.fromkeys((s.start_written, s.end_written) for s in operation.sides if s.start_written)
    told = [" to ".join(words.moment(time).removesuffix(" local time") for time in each) for each in written]
    yield verdict(
        ZONE_UNKNOWN,
        of,
        "zone_unknown",
        window=(operation.start, operation.end),
        evidence=(
            quoted(
                "times without an offset",
                words.listing(told) or "not settled",
                "sys.dm_hadr_automatic_seeding",
            ),
        ),
        written=told,
    )


def _one_end(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Say what the waits of one end leave open."""
    operation, limits = of.operation, found.limits
    if len(of.limiter.candidates) < 2:
        return
    other = TARGET if of.limiter.waits[0].role == SOURCE else SOURCE
    yield verdict(
        ONE_END,
        of,
        "one_end",
        window=(operation.copy_start, operation.copy_end),
        evidence=(*rests.of_waits(of), quoted(f"waits of the {other}", "not captured", of.end(other))),
        candidates=of.limiter.candidates,
        other=of.end(other),
        card_share=limits.seeding_card_share,
        disk_share=limits.seeding_disk_busy_share,
    )


_TELLS = (_limited, _waited, _compression, _contradicted, _not_settled, _one_end)
