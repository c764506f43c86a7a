"""Where the time of a seeding went, whether its stream was compressed, and what does not fit."""

from __future__ import annotations

from agtrace.diagnostics import words
from agtrace.diagnostics.finding import Evidence, Finding
from agtrace.diagnostics.seeding import evidence as rests
from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.contradictions import TOO_LITTLE, TOO_MUCH
from agtrace.diagnostics.seeding.findings import unseen
from agtrace.diagnostics.seeding.limits import CARD, NETWORK
from agtrace.diagnostics.seeding.operation import SOURCE, TARGET, Operation
from agtrace.diagnostics.seeding.slots import SLOT
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.history.trace_flags import SEEDING_COMPRESSION
from agtrace.thresholds import Thresholds

DOUBTED = 0.75
"""Confidence at most of a disk as the limit where the disk's own bytes do not fit the copy's."""


def of_limits(found: Study) -> list[Finding]:
    """Say what held copies back, where the captures decide."""
    return [_limited(each) for each in found.seeded if each.limiter.limit is not None]


def _limited(of: Seeded) -> Finding:
    operation, limiter = of.operation, of.limiter
    assert limiter.limit is not None
    kind, role = limiter.limit
    is_network = kind == NETWORK
    text = [f"{limiter.why[0].upper()}{limiter.why[1:]}."]
    text += [f"{'; '.join(say.waits(each, operation) for each in limiter.waits)}."] if limiter.waits else []  # fmt: skip
    if of.rates.mean is not None:
        text.append(f"The copy ran at {words.rate(of.rates.mean)} on average, {say.between(operation.copy_start, operation.copy_end)}.")  # fmt: skip
    text.append(_card(of) if is_network else _disk(of, role))
    doubted = not is_network and any(c.kind == TOO_LITTLE for c in of.contradictions)
    if doubted:
        text.append(
            "That is less than the operation reports to have copied: see the contradiction of these figures."
        )
    text.append(unseen(of))
    if is_network:
        advice = (
            "Measure the path between the replicas by itself (iperf or ntttcp with one stream, ping for its round trip). "
            f"Compression (trace flag {SEEDING_COMPRESSION} on the source) sends fewer bytes for more CPU. See the page Transport for the receive window."
        )
        if of.compressed.verdict:
            advice = advice.split(" Compression (")[0] + " The stream is compressed already."
    elif role == SOURCE:
        advice = "Reads of the source's data files set the pace: seed from faster storage or while less is read. A faster network gains nothing."  # fmt: skip
    else:
        advice = "Writes of the target's data files set the pace: use faster storage there, and see that nothing else writes meanwhile. A faster network gains nothing."  # fmt: skip
    return Finding(
        id="seeding.network_limited" if is_network else "seeding.disk_limited",
        severity="notice",
        title=f"{say.seeding(operation)}: limited by {say.limit(limiter.limit, operation)}",
        narrative=" ".join(filter(None, text)),
        subject=say.subject(operation) | ({} if is_network else {"host": say.end(operation, role)}),
        window=say.window(operation.copy_start, operation.copy_end),
        evidence=(
            *rests.of_waits(of), *rests.of_copy(of), *rests.of_cards(of), *rests.of_disks(of),
        ),
        recommendation=advice,
        confidence=min(limiter.confidence, DOUBTED) if doubted else limiter.confidence,
    )  # fmt: skip


def _card(of: Seeded) -> str:
    for role in (SOURCE, TARGET):
        busy = of.usage(role, CARD[role])
        sent = of.usage(role, "network_sent" if role == SOURCE else "network_received")
        if sent is None:
            continue
        name = say.end(of.operation, role)
        if busy is None:
            return f"The card of {name} moved {words.rate(sent.mean)} ({words.number(sent.mean * 8 / 1e9)} Gb/s, n = {sent.n}); its bandwidth was not captured."  # fmt: skip
        text = f"The card of {name} moved {words.rate(sent.mean)} ({words.number(sent.mean * 8 / 1e9)} Gb/s, n = {sent.n}), {say.percent(busy.mean / 100)} of its bandwidth"  # fmt: skip
        if any(each.usage == busy for each in of.limiter.saturated):
            return f"{text}: it was full."
        return f"{text}: the card was not full, so the path between them (or a single stream over it) is slower than the cards say."
    return "The network cards were not captured."


def _disk(of: Seeded, role: str) -> str:
    moved = of.usage(role, "disk_read" if role == SOURCE else "disk_written")
    busy = of.usage(role, "disk_busy")
    if moved is None:
        return f"The disks of {say.end(of.operation, role)} were not captured."
    verb = "delivered" if role == SOURCE else "took"
    text = f"The disks of {say.end(of.operation, role)} {verb} {words.rate(moved.mean)} on average, at most {words.rate(moved.highest)} (n = {moved.n})"  # fmt: skip
    if busy is not None:
        text += f"; the busiest one was busy for {say.percent(busy.mean / 100)} of the time"
    return text + "."


def of_slots(found: Study) -> list[Finding]:
    """Say which seedings waited for a backup slot; stalled ones are told apart."""
    made = []
    for each in found.seeded:
        wait = each.slot
        if wait is None or wait.seconds < found.limits.seeding_slot_s:
            continue
        if each.stall is not None and each.stall.slot is wait:
            continue
        operation, whole = each.operation, say.lasted(each.operation)
        beside = [f"{words.plain(b.what)} ({say.between(b.start, b.end)})" for b in wait.beside]
        share = f", {say.percent(wait.seconds / whole)} of the whole" if whole else ""
        host = say.end(operation, wait.side.role)
        text = (
            f"Before the copy it stood in {SLOT} on {host} for {words.span(wait.seconds)}{share}, "
            f"{say.between(wait.start, wait.end)}. "
        )
        text += (
            f"Meanwhile ran on {host}: {words.listing(beside)}."
            if beside
            else f"What held the slot was not captured: no other backup or seeding of {host} is in the captures"
            + (
                "."
                if wait.side.host in found.logged
                else f", of which no ERRORLOG of {host} is one."
            )
        )
        made.append(
            Finding(
                id="seeding.waiting_for_slot",
                severity="notice" if beside else "info",
                title=f"{say.seeding(operation)}: waited {words.span(wait.seconds)} for a backup slot",
                narrative=" ".join(filter(None, (text, unseen(each)))),
                subject=say.subject(operation),
                window=say.window(wait.start, wait.end),
                evidence=(
                    Evidence(f"time in {SLOT}", round(wait.seconds, 1), "s", f"{rests.told_by(each)}, {host}"),
                    *(Evidence("ran meanwhile", words.plain(b.what), "", b.where) for b in wait.beside),
                ),
                recommendation="Seed while no backup runs on the source, or move the backup." if beside else "",
                confidence=0.9 if beside else 0.6,
            )
        )  # fmt: skip
    return made


def of_compression(found: Study) -> list[Finding]:
    """Say whether each copy was compressed, what that cost, or why it stays open."""
    made = []
    for each in found.seeded:
        judged = each.compressed
        if (
            judged.wire_bytes is None
            or judged.ratio is None
            or each.operation.outcome != "completed"
        ):
            continue
        base = _uncompressed(each, found)
        made.append(_compression(each, base))
    return made


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


def _compression(of: Seeded, base: Seeded | None) -> Finding:
    operation, judged = of.operation, of.compressed
    said = {True: "compressed", False: "not compressed", None: "not known whether it was compressed"}[judged.verdict]  # fmt: skip
    wire = f"{words.size(judged.wire_bytes)} on the wire for {words.size(judged.database_bytes)} of the database"
    title = f"{say.seeding(operation)}: the stream was {said}" if judged.verdict is not None else f"{say.seeding(operation)}: it is {said}"  # fmt: skip
    beside = (
        "the traffic beside the copy taken off"
        if judged.is_net
        else "what else the cards carried was not captured"
    )
    text = [f"{wire} ({judged.wire_source}, {beside}, n = {judged.n}): {judged.why}."]
    if judged.verdict and judged.ratio:
        title += f", {1 / judged.ratio:.1f} times fewer bytes on the wire"
    if judged.trace_flag is not None and judged.flag_source:
        state = "on" if judged.trace_flag else "off"
        text.append(
            f"Trace flag {SEEDING_COMPRESSION} was {state} at the source ({words.plain(judged.flag_source)})."
        )
    elif judged.flag_source:
        text.append(
            f"Trace flag {SEEDING_COMPRESSION} was set otherwise at the source while the copy ran "
            f"({words.plain(judged.flag_source)}), so it tells nothing here."
        )
    else:
        text.append(
            f"The state of trace flag {SEEDING_COMPRESSION} at the source was not captured."
        )
    if judged.flag_says is not None:
        text.append(_column(judged.flag_says, judged.verdict))
    evidence = [
        Evidence("wire bytes of the copy", round(judged.wire_bytes or 0), "wire B", f"perfmon, {judged.wire_source}, n = {judged.n}"),
        Evidence("bytes of the database copied", judged.database_bytes, "B", operation.bytes_source or rests.told_by(of)),
        Evidence("bytes on the wire per byte of the database", round(judged.ratio or 0, 3), "ratio", "both"),
    ]  # fmt: skip
    if judged.trace_flag is not None:
        evidence.append(Evidence(f"trace flag {SEEDING_COMPRESSION}", "on" if judged.trace_flag else "off", "", words.plain(judged.flag_source)))  # fmt: skip
    if judged.flag_says is not None:
        evidence.append(Evidence("is_compression_enabled", int(judged.flag_says), "", rests.told_by(of)))  # fmt: skip
    evidence += rests.of_processors(of)
    if judged.verdict and base is not None:
        text.append(_cost(of, base))
        evidence += [
            Evidence(f"{e.label} ({words.moment(base.operation.copy_start)}, uncompressed)", e.value, e.unit, e.source)
            for e in rests.of_processors(base)
        ]  # fmt: skip
    elif judged.verdict:
        text.append(
            "No uncompressed seeding of this database was captured to set its cost against."
        )
    if judged.verdict is None:
        text.append(unseen(of))
    return Finding(
        id="seeding.compression",
        severity="notice" if judged.verdict is not False else "info",
        title=title,
        narrative=" ".join(filter(None, text)),
        subject=say.subject(operation),
        window=say.window(operation.copy_start, operation.copy_end),
        evidence=tuple(evidence),
        recommendation=_advice(of, base),
        confidence=_sure(of),
    )


def _sure(of: Seeded) -> float:
    judged = of.compressed
    if judged.verdict is None:
        return 0.4
    agrees = judged.trace_flag is not None and judged.trace_flag == judged.verdict
    if agrees:
        return 0.95
    # Uncompressed by one end alone: any other traffic of its cards would look the same.
    return 0.75 if judged.verdict or judged.ends > 1 else 0.6


def _column(flag_says: bool, verdict: bool | None) -> str:
    text = f"The column is_compression_enabled says {int(flag_says)}"
    if verdict is None:
        return (
            f"{text}, which decides nothing: it is known to stay 0 while the stream is compressed."
        )
    if flag_says == verdict:
        return f"{text}, too."
    return f"{text}, which is wrong here: that column is known not to tell."


def _cost(of: Seeded, base: Seeded) -> str:
    told = []
    for side in of.operation.sides:
        now, then = of.usage(side.role, "cpu"), base.usage(side.role, "cpu")
        if now is not None and then is not None:
            told.append(f"processors of {say.end(of.operation, side.role)} {now.mean:.0f} % instead of {then.mean:.0f} %")  # fmt: skip
    faster = ""
    if of.operation.copy_seconds and base.operation.copy_seconds:
        ratio = base.operation.copy_seconds / of.operation.copy_seconds
        one, other = words.span(of.operation.copy_seconds), words.span(base.operation.copy_seconds)
        gain = f"{ratio:.1f} times faster" if ratio >= 1.05 else "slower" if ratio <= 0.95 else "no faster"  # fmt: skip
        faster = f"the copy was {gain} ({one} instead of {other})"
    parts = list(filter(None, (faster, *told)))
    when = words.moment(base.operation.copy_start)
    if not parts:
        return f"Beside the uncompressed copy of {when}, nothing that compares was captured."
    return f"Beside the uncompressed copy of {when}, one run each: {words.listing(parts)}."


def _advice(of: Seeded, base: Seeded | None) -> str:
    judged = of.compressed
    if judged.verdict is None:
        return f"Capture perfmon (Network Interface) on both replicas, and run DBCC TRACESTATUS ({SEEDING_COMPRESSION}) on the source."
    if judged.verdict is False:
        limited = of.limiter.limit is not None and of.limiter.limit[0] == NETWORK
        return f"The network is the limit: test trace flag {SEEDING_COMPRESSION} on the source, and watch its CPU." if limited else ""  # fmt: skip
    seconds, then = of.operation.copy_seconds, base.operation.copy_seconds if base else None
    if seconds and then and then / seconds < 1.05:
        return "Here compression saves the network and no time: leave it off unless others need the network."
    return (
        "Compression costs CPU on both replicas: see that they have it to spare when others work."
    )


def of_contradictions(found: Study) -> list[Finding]:
    """Say which figures of one copy cannot all be true."""
    return [
        Finding(
            id="seeding.contradiction",
            severity="notice" if against.kind == TOO_MUCH else "warning",
            title=f"{say.seeding(each.operation)}: {against.short}",
            narrative=" ".join(filter(None, (against.text, unseen(each)))),
            subject=say.subject(each.operation),
            window=say.window(each.operation.copy_start, each.operation.copy_end),
            evidence=against.evidence,
            recommendation="Quote neither figure alone. Capture LogicalDisk of every volume and every network card on both replicas the next time.",
            confidence=0.8,
        )
        for each in found.seeded
        for against in each.contradictions
    ]


def of_quality(found: Study) -> list[Finding]:
    """Say what weakens the answers: times that are not settled, an end that was not captured."""
    made = [_not_settled(s.operation) for s in found.seeded if s.operation.time_basis == "unknown"]
    made += [_one_end(s, found.limits) for s in found.seeded if len(s.limiter.candidates) > 1]
    return made


def _not_settled(operation: Operation) -> Finding:
    written = [(s.start_written, s.end_written) for s in operation.sides if s.start_written]
    told = [
        f"{words.moment(begun).removesuffix(' local time')} to {words.moment(ended).removesuffix(' local time')}"
        for begun, ended in dict.fromkeys(written)
    ]
    as_written = f" As written: {words.listing(told)}." if told else ""
    return Finding(
        id="quality.time_zone_unknown",
        severity="warning",
        title=f"{say.seeding(operation)}: the time zone of its start and end is not known",
        narrative=(
            "start_time and completion_time of sys.dm_hadr_automatic_seeding carry no offset, and nothing else in the case "
            f"(Extended Events, ERRORLOG, perfmon) saw this seeding within 60 s.{as_written}"
        ),
        subject=say.subject(operation),
        window=say.window(operation.start, operation.end),
        evidence=(
            Evidence("times without an offset", words.listing(told) or "not settled", "", "sys.dm_hadr_automatic_seeding"),
        ),
        recommendation="Add the ERRORLOGs or perfmon of both replicas for that time.",
        confidence=0.9,
    )  # fmt: skip


def _one_end(of: Seeded, limits: Thresholds) -> Finding:
    operation, waits = of.operation, of.limiter.waits[0]
    other = "target" if waits.role == SOURCE else "source"
    return Finding(
        id="quality.not_captured",
        severity="info",
        title=f"{say.seeding(operation)}: what limits it stays open between {words.listing(list(of.limiter.candidates))}",
        narrative=(
            f"{of.limiter.why[0].upper()}{of.limiter.why[1:]}. {say.waits(waits, operation)}. An end waits for the network "
            "just the same when the disk of the other one is slow; no captured card or disk is full "
            f"(from {say.percent(limits.seeding_card_share)} and {say.percent(limits.seeding_disk_busy_share)} on)."
        ),
        subject=say.subject(operation),
        window=say.window(operation.copy_start, operation.copy_end),
        evidence=(*rests.of_waits(of), Evidence(f"waits of the {other}", "not captured", "", say.end(operation, other))),
        recommendation=f"Capture hadr_physical_seeding_progress, or poll sys.dm_hadr_physical_seeding_stats, on {say.end(operation, other)} too.",
        confidence=0.9,
    )  # fmt: skip
