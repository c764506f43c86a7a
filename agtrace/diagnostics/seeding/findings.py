"""What became of each seeding: completed, failed, stalled, or without an end."""

from __future__ import annotations

from dataclasses import replace

from agtrace.diagnostics import words
from agtrace.diagnostics.finding import Evidence, Finding
from agtrace.diagnostics.seeding import evidence as rests
from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.failures import Decoded, decode_all
from agtrace.diagnostics.seeding.repeated import Series, alike
from agtrace.diagnostics.seeding.slots import SLOT, Stall
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.history.seedings.operation import SOURCE, TARGET, XEL, Operation

AGAIN = "Start it again: ALTER AVAILABILITY GROUP ... MODIFY REPLICA ON ... WITH (SEEDING_MODE = AUTOMATIC)."


def of_outcomes(found: Study) -> list[Finding]:
    """Give one finding per operation for what became of it."""
    made = []
    series = {each.operation.number: group for group in alike(found) for each in group}
    for each in found.seeded:
        outcome = each.operation.outcome
        group = series.get(each.operation.number)
        if outcome == "already_present":
            made.append(_already_present(each))
        elif outcome == "completed":
            made.append(_completed(each))
        elif group is not None:
            made += [_failed_often(group, found)] if each is group[-1] else []
        elif outcome in ("failed", "cut_off"):
            made.append(_failed(each, found))
        if each.stall is not None:
            made.append(_stalled(each, each.stall, found))
        elif outcome == "running":
            made.append(_without_end(each))
    return made


def unseen(of: Seeded) -> str:
    """Say what of an operation was not captured; "" where nothing is lacking."""
    operation, lacking = of.operation, []
    for role in (SOURCE, TARGET):
        side = operation.source if role == SOURCE else operation.target
        name = say.end(operation, role)
        if side is None:
            lacking.append(f"{say.named_end(operation, role)} itself")
            continue
        if not side.states:
            lacking.append(f"states on {name}")
        if not any(w.role == role for w in of.limiter.waits):
            lacking.append(f"waits of {name}")
        if of.usage(role, "cpu") is None and operation.copy_seconds:
            is_seen = any(usage.host == side.host for usage in of.usages)
            lacking.append(f"{'processors' if is_seen else 'perfmon'} of {name}")
    return f"Not seen: {words.listing(lacking, 8)}." if lacking else ""


def _completed(of: Seeded) -> Finding:
    operation, rate = of.operation, of.rates
    whole = say.lasted(operation)
    size = words.size(operation.copied_bytes) if operation.copied_bytes is not None else ""
    is_whole = say.is_whole(operation)
    title = f"{say.seeding(operation)}: {'seeded' if is_whole else 'copied'}"
    if size:
        title += f" {size}"
    if whole is not None:
        title += f" in {words.span(whole)}"
    text = [
        f"{say.database(operation)} was seeded from {say.end(operation, SOURCE)} to "
        f"{say.end(operation, TARGET)}, {say.between(operation.start, operation.end)}."
    ]
    if not is_whole:
        text.append("Only the copy was seen, neither the request before nor the catch-up after it.")
    if operation.copy_seconds and operation.copied_bytes:
        text.append(
            f"The copy itself: {size} in {words.span(operation.copy_seconds)}, {words.rate(rate.mean)} on average"
            + (
                f" (p5 {words.rate(rate.p5)}, p50 {words.rate(rate.p50)}, p95 {words.rate(rate.p95)}, n = {rate.n})."
                if rate.n
                else "."
            )
        )
    states = say.phases(operation)
    if states:
        text.append(f"States: {states}.")
    text += [
        _wire(of),
        _waited(of),
        _processors(of),
        _redo(of),
        _tried(of),
        _unjoined(operation),
        _basis(operation),
        unseen(of),
    ]
    return Finding(
        id="seeding.completed",
        severity="info",
        title=title,
        narrative=" ".join(filter(None, text)),
        subject=say.subject(operation),
        window=say.window(operation.start, operation.end),
        evidence=(
            *_duration(of, whole), *rests.of_copy(of), *rests.of_waits(of), *rests.of_processors(of),
            *rests.of_disks(of), *rests.of_cards(of), *rests.of_redo(of),
        ),
        confidence=0.95 if XEL in operation.told_by else 0.85,
    )  # fmt: skip


def _basis(operation: Operation) -> str:
    known = operation.time_basis and operation.time_basis != "unknown"
    return f"{words.plain(operation.time_basis).rstrip('.')}." if known else ""


def _unjoined(operation: Operation) -> str:
    text = words.plain(operation.unjoined, 400) if operation.unjoined else ""
    return f"{text[0].upper()}{text[1:].rstrip('.')}." if text else ""


def _duration(of: Seeded, seconds: float | None) -> list[Evidence]:
    if seconds is None:
        return [Evidence("outcome", of.operation.outcome.replace("_", " "), "", rests.told_by(of))]
    label = "time from request to end" if say.is_whole(of.operation) else "time of what was seen"
    return [Evidence(label, round(seconds, 1), "s", rests.told_by(of))]


def _waited(of: Seeded) -> str:
    told = [say.waits(each, of.operation) for each in of.limiter.waits]
    if not told:
        return ""
    why = of.limiter.why
    return f"Waits: {'; '.join(told)}: {why}."


def _wire(of: Seeded) -> str:
    """Say plateau and mean apart: a rate read off a graph is the plateau."""
    whole, wire = say.lasted(of.operation), of.compressed.wire_bytes
    sent = of.usage(SOURCE, "network_sent") or of.usage(TARGET, "network_received")
    if sent is None or wire is None or not whole or not say.is_whole(of.operation):
        return ""
    verb = "sent" if sent.resource == "network_sent" else "received"
    return (
        f"The network: {words.plain(sent.host)} {verb} {words.number(sent.p50 * 8 / 1e9)} Gb/s in the middle of the copy "
        f"(p50, n = {sent.n}), which is {words.number(wire * 8 / 1e9 / whole)} Gb/s over the whole seeding."
    )


def _processors(of: Seeded) -> str:
    told = [
        f"{say.end(of.operation, side.role)} {usage.mean:.0f} % (p95 {usage.p95:.0f} %, n = {usage.n})"
        for side in of.operation.sides
        if (usage := of.usage(side.role, "cpu")) is not None
    ]
    if not told:
        return ""
    text = f"Processors during the copy: {words.listing(told)}."
    busy = [words.plain(usage.host) for usage in of.limiter.busy_cpu]
    if busy:
        text += f" Those of {words.listing(busy)} were near their limit, which no wait of seeding shows."
    return text


def _redo(of: Seeded) -> str:
    told = []
    if of.catchup_s is not None and of.catchup_s >= say.SHORTEST_S:
        told.append(f"{words.span(of.catchup_s)} in CATCHUP")
    target = of.operation.target
    for usage in of.redo:
        if target is None or usage.host != target.host or usage.highest <= 0:
            continue
        if usage.resource == "redo":
            told.append(f"redo of up to {words.rate(usage.highest)} (n = {usage.n})")
        elif usage.resource == "recovery_queue":
            told.append(f"a recovery queue of up to {words.size(usage.highest)}")
    if of.parallel:
        workers = words.plain(of.parallel[0].workers, 10)
        noun = "worker" if workers == "1" else "workers"
        told.append(f"parallel redo with {workers} {noun} (message 49930)")
    return f"After the copy: {words.listing(told)}." if told else ""


def _tried(of: Seeded) -> str:
    operation = of.operation
    text = ""
    if operation.attempts is not None and operation.attempts > 1:
        text = f"It took {operation.attempts} attempts."
    told = [each.told for each in decode_all(operation.failures)]
    return f"{text} Reported on the way: {words.listing(told)}.".strip() if told else text


def _already_present(of: Seeded) -> Finding:
    operation, seconds = of.operation, say.lasted(of.operation)
    took = f" ({words.span(seconds)})" if seconds is not None else ""
    return Finding(
        id="seeding.completed",
        severity="info",
        title=f"{say.seeding(operation)}: already present, nothing was copied{took}",
        narrative=" ".join(
            filter(
                None,
                (
                    f"{say.end(operation, TARGET)} had {say.database(operation)} already, so seeding only checked it and caught up, "
                    f"{say.between(operation.start, operation.end)}. This says nothing about the speed of seeding.",
                    f"States: {phases}." if (phases := say.phases(operation)) else "",
                    _unjoined(operation),
                ),
            )
        ),
        subject=say.subject(operation),
        window=say.window(operation.start, operation.end),
        evidence=tuple(_duration(of, seconds)),
        confidence=0.9,
    )


def _failed_often(group: Series, found: Study) -> Finding:
    """Tell failures of one kind by their last one."""
    first, last = group[0].operation, group[-1].operation
    one = _failed(group[-1], found)
    times = words.count(len(group), "time")
    began, ended = first.start or first.copy_start, last.end or last.start or last.copy_start
    return replace(
        one,
        title=one.title.replace(say.seeding(last), say.pair(last), 1).replace(
            ": seeding failed", f": seeding failed {times}", 1
        ).replace(": seeding was cut off", f": seeding was cut off {times}", 1),
        narrative=(
            f"It happened {times}, each for the same reason, {say.between(began, ended)}. The last one: {one.narrative}"
        ),
        window=say.window(began, ended),
        evidence=(
            Evidence("failed in this way", len(group), "n", rests.told_by(group[-1])),
            Evidence("the first of them", words.moment(began), "", rests.told_by(group[0])),
            *one.evidence,
        ),
    )  # fmt: skip


def _failed(of: Seeded, found: Study) -> Finding:
    operation = of.operation
    reasons = decode_all(operation.failures)
    mended = found.mended(operation)
    cut = operation.outcome == "cut_off"
    happened = "was cut off" if cut else "failed"
    title = f"{say.seeding(operation)}: seeding {happened}"
    if reasons:
        title += f" ({words.plain(reasons[0].told, 120)})"
    text = [f"Seeding {say.between(operation.start, operation.end)} {happened}."]
    if cut and not reasons:
        text.append("Its events stop on one side: a restart or a lost connection ends them so.")
    text += [_reason(each) for each in reasons]
    if operation.copied_bytes is not None:
        of_all = f" of {words.size(operation.database_bytes)}" if operation.database_bytes else ""
        text.append(f"By then {words.size(operation.copied_bytes)}{of_all} had been copied.")
    if operation.attempts is not None and operation.attempts > 1:
        text.append(f"{operation.attempts} attempts were made.")
    states = say.phases(operation)
    text += [f"States: {states}." if states else "", _unjoined(operation)]
    if mended is not None:
        text.append(f"A later seeding succeeded, {say.between(mended.start, mended.end)}.")
    else:
        text.append("No later seeding of it that succeeded was captured.")
    text.append(unseen(of))
    advice = list(dict.fromkeys(each.advice for each in reasons)) or [_cut_advice(operation)]
    return Finding(
        id="seeding.failed",
        severity="critical" if mended is None else "warning",
        title=title,
        narrative=" ".join(filter(None, text)),
        subject=say.subject(operation),
        window=say.window(operation.start, operation.end),
        evidence=(*_reasons(of, reasons), *rests.of_copy(of)),
        recommendation=" ".join(advice) if mended is None else f"It is mended. {' '.join(advice)}",
        confidence=0.9 if reasons or not cut else 0.7,
    )


def _reason(of: Decoded) -> str:
    when = f" at {words.moment(of.failure.time)}" if of.failure.time is not None else ""
    return f"Reason{when}: {of.told} ({words.plain(of.failure.where)})."


def _reasons(of: Seeded, reasons: list[Decoded]) -> list[Evidence]:
    found = []
    for each in reasons:
        value: str | int = each.failure.state if each.failure.state is not None else words.plain(each.failure.text)  # fmt: skip
        found.append(Evidence(f"reason: {each.name or 'as reported'}", value, "", words.plain(each.failure.where)))  # fmt: skip
    return found or [Evidence("outcome", of.operation.outcome.replace("_", " "), "", rests.told_by(of))]  # fmt: skip


def _cut_advice(operation: Operation) -> str:
    return (
        f"Look at the ERRORLOGs of {say.end(operation, SOURCE)} and {say.end(operation, TARGET)} for a restart, a change "
        f"of role or a lost connection at that time. {AGAIN}"
    )


def _stalled(of: Seeded, stall: Stall, found: Study) -> Finding:
    operation = of.operation
    where = "the copy" if stall.state == "the copy" else words.plain(stall.state, 40)
    at_least = "" if stall.is_over else "at least "
    text = [
        f"On {say.end(operation, stall.side.role)} it made no progress in {where} for {at_least}{words.span(stall.seconds)}, "
        f"{say.between(stall.start, stall.end)}."
    ]
    if stall.copied is not None:
        text.append(f"{words.size(stall.copied)} had been transferred by then.")
    if stall.slot is not None:
        text.append(
            f"{SLOT} waits for a backup slot, yet no other backup and no other seeding was captured on "
            f"{say.end(operation, stall.side.role)} meanwhile. A defect that left seeding in this state without any other "
            "backup was mended in later cumulative updates of SQL Server."
        )
        text.append(
            "Backups that trace flag 3226 keeps out of the ERRORLOG would not have been seen."
            if stall.side.host in found.logged
            else f"No ERRORLOG of {say.end(operation, stall.side.role)} was captured, so a backup there would not have been seen."
        )
    text.append("It lasted to the end of what was captured." if not stall.is_over else "It ended.")
    text.append(unseen(of))
    mended = found.mended(operation)
    over = stall.is_over or mended is not None
    advice = (
        "Install the newest cumulative update on both replicas; until then look for a backup that holds the slot "
        "(sys.dm_exec_requests: BACKUP, VDI_CLIENT_WORKER), and remove and add the database again if there is none."
        if stall.slot is not None
        else "Look at sys.dm_hadr_physical_seeding_stats and sys.dm_exec_requests (VDI_CLIENT_WORKER, wait types) on both "
        "replicas, and at both ERRORLOGs for connection errors at that time."
    )
    return Finding(
        id="seeding.stalled",
        severity="warning" if over else "critical",
        title=f"{say.seeding(operation)}: no progress in {where} for {at_least}{words.span(stall.seconds)}",
        narrative=" ".join(filter(None, text)),
        subject=say.subject(operation),
        window=say.window(stall.start, stall.end),
        evidence=(
            Evidence(f"time in {where} without progress", round(stall.seconds, 1), "s", f"{rests.told_by(of)}, {say.end(operation, stall.side.role)}"),
            *([Evidence("other backups or seedings captured meanwhile", 0, "n", "captures of the case")] if stall.slot else []),
        ),
        recommendation=advice,
        confidence=_sure(stall, found),
    )  # fmt: skip


def _sure(stall: Stall, found: Study) -> float:
    """Nothing beside a slot says little where no backup could have been seen."""
    if stall.slot is None:
        return 0.8
    return 0.7 if stall.side.host in found.logged else 0.5


def _without_end(of: Seeded) -> Finding:
    operation = of.operation
    begun = operation.start or operation.copy_start
    text = [f"It began {words.moment(begun)}."] if begun else ["Its beginning was not captured."]
    sides = [s for s in operation.sides if s.states]
    if sides:
        last = max((s.states[-1] for s in sides), key=lambda state: state.time)
        text.append(
            f"Its last state is {words.plain(last.name, 40)}, at {words.moment(last.time)}."
        )
    if operation.copied_bytes is not None:
        of_all = f" of {words.size(operation.database_bytes)}" if operation.database_bytes else ""
        text.append(f"{words.size(operation.copied_bytes)}{of_all} had been copied.")
    text.append(unseen(of))
    return Finding(
        id="quality.not_captured",
        severity="info",
        title=f"{say.seeding(operation)}: the end of the seeding was not captured",
        narrative=" ".join(filter(None, text)),
        subject=say.subject(operation),
        window=say.window(operation.start, operation.end),
        evidence=(Evidence("end of the seeding", "not captured", "", rests.told_by(of)),),
        recommendation="Capture until it has ended: the event session, and the ERRORLOGs of both replicas.",
        confidence=0.9,
    )
