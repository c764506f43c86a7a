"""Where the time of a seeding went, whether its stream was compressed, and what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agtrace.diagnostics.seeding import capacity, costs
from agtrace.diagnostics.seeding import evidence as rests
from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.contradictions import TOO_LITTLE, TOO_MUCH
from agtrace.diagnostics.seeding.limits import DISK, NETWORK, Limit
from agtrace.diagnostics.seeding.outcomes import unseen
from agtrace.diagnostics.seeding.slots import SLOT
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.diagnostics.seeding.verdict import (
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
    ZONE_UNKNOWN,
    Kind,
    Verdict,
    verdict,
)
from agtrace.history.seedings.operation import SOURCE, TARGET
from agtrace.history.trace_flags import SEEDING_COMPRESSION
from agtrace.say import stream, words
from agtrace.say.finding import Evidence


def of_causes(found: Study) -> list[Verdict]:
    """Say what held seedings back and what it cost, one kind of verdict after the other."""
    return [made for tell in _TELLS for each in found.seeded for made in tell(each, found)]


def _limited(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Say what held a copy back, where the captures decide."""
    operation, limiter, rate = of.operation, of.limiter, of.rates.mean
    if limiter.limit is None:
        return
    role, limit = limiter.limit[1], _LIMITS[limiter.limit]
    doubted = limit.kind is DISK_LIMITED and any(c.kind == TOO_LITTLE for c in of.contradictions)
    ran = say.between(operation.copy_start, operation.copy_end)
    yield verdict(
        DISK_DOUBTED if doubted else limit.kind,
        operation,
        f"limited by {say.limit(limiter.limit, operation)}",
        [
            say.sentence(limiter.why),
            f"{'; '.join(say.waits(each, operation) for each in limiter.waits)}." if limiter.waits else "",
            f"The copy ran at {words.rate(rate)} on average, {ran}." if rate is not None else "",
            limit.seen(of, role, found),
            "That is less than the operation reports to have copied: see the contradiction of these figures." if doubted else "",
            unseen(of),
        ],
        window=(operation.copy_start, operation.copy_end),
        evidence=(*rests.of_waits(of), *rests.of_copy(of), *rests.of_cards(of), *rests.of_disks(of)),
        advice=limit.when_compressed if of.compressed.verdict else limit.advice,
        at_most=limiter.confidence,
        host=say.end(operation, role) if role else "",
    )  # fmt: skip


@dataclass(frozen=True)
class _Limit:
    """What is said of a limit; ``seen`` tells what was captured of the resource."""

    kind: Kind
    seen: Callable[[Seeded, str, Study], str]
    advice: str
    when_compressed: str


_PATH = "Measure the path between the replicas by itself (iperf or ntttcp with one stream, ping for its round trip)."
_COMPRESS = f" Compression (trace flag {SEEDING_COMPRESSION} on the source) sends fewer bytes; measure what it costs or saves in processor work. See the page Transport for the receive window."
_READS = "Reads of the source's data files set the pace: seed from faster storage or while less is read. A faster network gains nothing."
_WRITES = "Writes of the target's data files set the pace: use faster storage there, and see that nothing else writes meanwhile. A faster network gains nothing."
_LIMITS: dict[Limit, _Limit] = {
    (NETWORK, ""): _Limit(
        NETWORK_LIMITED, capacity.of_path, _PATH + _COMPRESS, _PATH + " The stream is compressed already."
    ),
    (DISK, SOURCE): _Limit(DISK_LIMITED, capacity.of_disk, _READS, _READS),
    (DISK, TARGET): _Limit(DISK_LIMITED, capacity.of_disk, _WRITES, _WRITES),
}


def _waited(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Say how long a seeding waited for a backup slot; stalled ones are told apart."""
    operation, wait = of.operation, of.slot
    if wait is None or wait.seconds < found.limits.seeding_slot_s:
        return
    if of.stall is not None and of.stall.slot is wait:
        return
    host, whole = say.end(operation, wait.side.role), say.lasted(operation)
    share = f", {say.percent(wait.seconds / whole)} of the whole" if whole else ""
    beside = [f"{words.plain(b.what)} ({say.between(b.start, b.end)})" for b in wait.beside]
    is_logged = wait.side.host in found.logged
    unknown = "" if is_logged else f", of which no ERRORLOG of {host} is one"
    if wait.side.host in found.hushed:
        unknown = f", and trace flag 3226 keeps backups that succeed out of the ERRORLOG of {host}"
    yield verdict(
        WAITED_FOR_SLOT if beside else WAITED_UNEXPLAINED,
        operation,
        f"waited {words.span(wait.seconds)} for a backup slot",
        [
            f"Before the copy it stood in {SLOT} on {host} for {words.span(wait.seconds)}{share}, "
            f"{say.between(wait.start, wait.end)}.",
            f"Meanwhile ran on {host}: {words.listing(beside)}."
            if beside
            else f"What held the slot was not captured: no other backup or seeding of {host} is in the captures{unknown}.",
            unseen(of),
        ],
        window=(wait.start, wait.end),
        evidence=(
            Evidence(f"time in {SLOT}", round(wait.seconds, 1), "s", f"{rests.told_by(of)}, {host}"),
            *(Evidence("ran meanwhile", words.plain(b.what), "", b.where) for b in wait.beside),
        ),
        advice="Seed while no backup runs on the source, or move the backup." if beside else "",
    )  # fmt: skip


def _compression(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Say whether a copy was compressed, what that cost, or why it stays open."""
    operation, judged = of.operation, of.compressed
    if judged.wire_bytes is None or judged.ratio is None or operation.outcome != "completed":
        return
    base = _uncompressed(of, found)
    beside = (
        "the traffic beside the copy taken off"
        if judged.is_net
        else "what else the cards carried was not captured"
    )
    wire = (
        f"{words.size(judged.wire_bytes)} on the wire for {words.size(judged.database_bytes)} of the database"
    )
    short, cost, rests_on = _SAID[judged.verdict], "", list(_bytes(of))
    if judged.verdict:
        short += f", {1 / judged.ratio:.1f} times fewer bytes on the wire"
        cost = "No uncompressed seeding of this database was captured to set its cost against."
    if judged.verdict and base is not None:
        cost = costs.told(of, base)
        when = words.moment(base.operation.copy_start)
        rests_on += [
            Evidence(f"{e.label} ({when}, uncompressed)", e.value, e.unit, e.source)
            for e in rests.of_processors(base)
        ]
    yield verdict(
        _sure(of),
        operation,
        short,
        [
            f"{wire} ({judged.wire_source}, {beside}, n = {judged.n}): {stream.why(judged)}.",
            _flag(of),
            _column(judged.flag_says, judged.verdict),
            cost,
            unseen(of) if judged.verdict is None else "",
        ],
        severity="info" if judged.verdict is False else "",
        window=(operation.copy_start, operation.copy_end),
        evidence=rests_on,
        advice=costs.advice(of, base),
    )


_SAID = {
    True: "the stream was compressed",
    False: "the stream was not compressed",
    None: "it is not known whether it was compressed",
}


def _flag(of: Seeded) -> str:
    judged, where = of.compressed, words.plain(of.compressed.flag_source)
    if not where:
        return f"The state of trace flag {SEEDING_COMPRESSION} at the source was not captured."
    if judged.trace_flag is None:
        return f"Trace flag {SEEDING_COMPRESSION} was set otherwise at the source while the copy ran ({where}), so it tells nothing here."  # fmt: skip
    return f"Trace flag {SEEDING_COMPRESSION} was {_on(judged.trace_flag)} at the source ({where})."


def _on(flag: bool) -> str:
    return "on" if flag else "off"


def _bytes(of: Seeded) -> Iterator[Evidence]:
    judged, by = of.compressed, rests.told_by(of)
    wire = f"perfmon, {judged.wire_source}, n = {judged.n}"
    yield Evidence("wire bytes of the copy", round(judged.wire_bytes or 0), "wire B", wire)
    yield Evidence("bytes of the database copied", judged.database_bytes, "B", of.operation.bytes_source or by)  # fmt: skip
    yield Evidence("bytes on the wire per byte of the database", round(judged.ratio or 0, 3), "ratio", "both")  # fmt: skip
    if judged.trace_flag is not None:
        yield Evidence(f"trace flag {SEEDING_COMPRESSION}", _on(judged.trace_flag), "", words.plain(judged.flag_source))  # fmt: skip
    if judged.flag_says is not None:
        yield Evidence("is_compression_enabled", int(judged.flag_says), "", by)
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


def _column(flag_says: bool | None, verdict: bool | None) -> str:
    if flag_says is None:
        return ""
    text = f"The column is_compression_enabled says {int(flag_says)}"
    if verdict is None:
        return f"{text}, which decides nothing: it is known to stay 0 while the stream is compressed."
    if flag_says == verdict:
        return f"{text}, too."
    return f"{text}, which is wrong here: that column is known not to tell."


def _contradicted(of: Seeded, _found: Study) -> Iterator[Verdict]:
    """Say which figures of a copy cannot all be true."""
    operation = of.operation
    for against in of.contradictions:
        yield verdict(
            EXCESS if against.kind == TOO_MUCH else CONTRADICTION,
            operation,
            against.short,
            [against.text, unseen(of)],
            window=(operation.copy_start, operation.copy_end),
            evidence=against.evidence,
            advice="Quote neither figure alone. Capture LogicalDisk of every volume and every network card on both replicas the next time.",
        )


def _not_settled(of: Seeded, _found: Study) -> Iterator[Verdict]:
    """Say that times are not settled."""
    operation = of.operation
    if operation.time_basis != "unknown":
        return
    written = [(s.start_written, s.end_written) for s in operation.sides if s.start_written]
    told = words.listing([
        f"{words.moment(begun).removesuffix(' local time')} to {words.moment(ended).removesuffix(' local time')}"
        for begun, ended in dict.fromkeys(written)
    ])  # fmt: skip
    yield verdict(
        ZONE_UNKNOWN,
        operation,
        "the time zone of its start and end is not known",
        [
            "start_time and completion_time of sys.dm_hadr_automatic_seeding carry no offset, and nothing else in the case "
            "(Extended Events, ERRORLOG, perfmon) saw this seeding within 60 s.",
            f"As written: {told}." if told else "",
        ],
        window=(operation.start, operation.end),
        evidence=(
            Evidence("times without an offset", told or "not settled", "", "sys.dm_hadr_automatic_seeding"),
        ),
        advice="Add the ERRORLOGs or perfmon of both replicas for that time.",
    )  # fmt: skip


def _one_end(of: Seeded, found: Study) -> Iterator[Verdict]:
    """Say what the waits of one end leave open."""
    operation, limits = of.operation, found.limits
    if len(of.limiter.candidates) < 2:
        return
    waits = of.limiter.waits[0]
    other = TARGET if waits.role == SOURCE else SOURCE
    host = say.end(operation, other)
    yield verdict(
        ONE_END,
        operation,
        f"what limits it stays open between {words.listing(list(of.limiter.candidates))}",
        [
            say.sentence(of.limiter.why),
            f"{say.waits(waits, operation)}.",
            "An end waits for the network just the same when the disk of the other one is slow; no captured card or disk is full "
            f"(from {say.percent(limits.seeding_card_share)} and {say.percent(limits.seeding_disk_busy_share)} on).",
        ],
        window=(operation.copy_start, operation.copy_end),
        evidence=(*rests.of_waits(of), Evidence(f"waits of the {other}", "not captured", "", host)),
        advice=f"Capture hadr_physical_seeding_progress, or poll sys.dm_hadr_physical_seeding_stats, on {host} too.",
    )


_TELLS = (_limited, _waited, _compression, _contradicted, _not_settled, _one_end)
