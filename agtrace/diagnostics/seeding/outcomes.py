"""What became of each seeding: completed, failed, stalled, or without an end."""

from __future__ import annotations

from agtrace.diagnostics.seeding import evidence as rests
from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.failures import Decoded, Series, alike, decode_all
from agtrace.diagnostics.seeding.slots import COPY, SLOT, Stall
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.diagnostics.seeding.verdict import (
    ALREADY_PRESENT,
    COMPLETED,
    COMPLETED_UNTRACED,
    CUT_OFF,
    FAILED,
    STALLED,
    STALLED_FOR_SLOT,
    STALLED_UNLOGGED,
    WITHOUT_END,
    Verdict,
    verdict,
)
from agtrace.history.seedings.operation import SOURCE, TARGET, XEL, Operation
from agtrace.say import words
from agtrace.say.finding import Evidence

AGAIN = "Start it again: ALTER AVAILABILITY GROUP ... MODIFY REPLICA ON ... WITH (SEEDING_MODE = AUTOMATIC)."


def of_outcomes(found: Study) -> list[Verdict]:
    """Give one verdict per operation for what became of it; failures that are alike share one."""
    made = []
    series = {each.operation.number: group for group in alike(found) for each in group}
    for each in found.seeded:
        group = series.get(each.operation.number, (each,))
        tell = _TELLS.get(each.operation.outcome)
        if tell is not None and each is group[-1]:
            made.append(tell(group, found))
        if each.stall is not None:
            made.append(_stalled(each, each.stall, found))
        elif each.operation.outcome == "running":
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


def _completed(group: Series, found: Study) -> Verdict:
    (of,) = group
    operation, rate = of.operation, of.rates
    whole = say.lasted(operation)
    size = words.size(operation.copied_bytes) if operation.copied_bytes is not None else ""
    is_whole = say.is_whole(operation)
    took = f"in {words.span(whole)}" if whole is not None else ""
    copy = ""
    if operation.copy_seconds and operation.copied_bytes:
        copy = f"The copy itself: {size} in {words.span(operation.copy_seconds)}, {words.rate(rate.mean)} on average"
        if rate.n:
            copy += f" (p5 {words.rate(rate.p5)}, p50 {words.rate(rate.p50)}, p95 {words.rate(rate.p95)}, n = {rate.n})"
        copy += "."
    return verdict(
        COMPLETED if XEL in operation.told_by else COMPLETED_UNTRACED,
        operation,
        " ".join(filter(None, ("seeded" if is_whole else "copied", size, took))),
        [
            f"{say.database(operation)} was seeded from {say.end(operation, SOURCE)} to "
            f"{say.end(operation, TARGET)}, {say.ran(operation)}.",
            "" if is_whole else "Only the copy was seen, neither the request before nor the catch-up after it.",
            copy, _states(operation), _wire(of), _waited(of), _processors(of), _cores(of, found), _redo(of), _tried(of),
            _unjoined(operation), _basis(operation), unseen(of),
        ],
        window=(operation.start, operation.end),
        evidence=(
            *_duration(of, whole), *rests.of_copy(of), *rests.of_waits(of), *rests.of_processors(of),
            *rests.of_disks(of), *rests.of_cards(of), *rests.of_redo(of),
        ),
    )  # fmt: skip


def _states(operation: Operation) -> str:
    states = say.phases(operation)
    return f"States: {states}." if states else ""


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
        f"The network: {words.plain(sent.host)} {verb} {words.wire_rate(sent.p50)}, in the middle of the copy "
        f"(p50, n = {sent.n}), which is {words.bits(wire / whole)} over the whole seeding."
    )


def _processors(of: Seeded) -> str:
    told, unknown = [], []
    for side in of.operation.sides:
        usage = of.usage(side.role, "cpu")
        if usage is None:
            continue
        name, spent = say.end(of.operation, side.role), rests.work(of, side.role)
        cores = f" of {usage.cores.count} cores" if usage.cores else ""
        text = f"{name} {usage.mean:.0f} %{cores} (p95 {usage.p95:.0f} %, n = {usage.n})"
        if not usage.cores:
            unknown.append(name)
        told.append(f"{text}, {spent:.1f} core-seconds per GB" if spent is not None else text)
    if not told:
        return ""
    text = f"Processors during the copy: {words.listing(told)}."
    if unknown:
        verb = "has" if len(unknown) == 1 else "have"
        text += f" That is utilisation: how many cores {words.listing(unknown)} {verb} was not captured."
    busy = [words.plain(usage.host) for usage in of.limiter.busy_cpu]
    if busy:
        text += f" Those of {words.listing(busy)} were near their limit, which no wait of seeding shows."
    return text


def _cores(of: Seeded, found: Study) -> str:
    """Say how the work was spread over the cores, where they were sampled one by one."""
    told = [say.spread(each, found.limits.seeding_even_share) for each in of.cores]
    return f"Load of the cores: {'; '.join(told)}." if told else ""


def _redo(of: Seeded) -> str:
    told = []
    if of.catchup_s is not None and of.catchup_s >= say.SHORTEST_S:
        told.append(f"{words.span(of.catchup_s)} in CATCHUP")
    caught = of.catching_up
    if caught is not None:
        told.append(f"redo at {words.rate(caught.mean)} until seeding ended (mean, n = {caught.n})")
    target = of.operation.target
    for usage in of.redo:
        if target is None or usage.host != target.host or usage.highest <= 0:
            continue
        if usage.resource == "redo" and caught is None:
            told.append(f"redo of up to {words.rate(usage.highest)} (n = {usage.n})")
        if usage.resource == "recovery_queue":
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


def _already_present(group: Series, _found: Study) -> Verdict:
    (of,) = group
    operation, seconds = of.operation, say.lasted(of.operation)
    took = f" ({words.span(seconds)})" if seconds is not None else ""
    return verdict(
        ALREADY_PRESENT,
        operation,
        f"already present, nothing was copied{took}",
        [
            f"{say.end(operation, TARGET)} had {say.database(operation)} already, so seeding only checked it and caught up, "
            f"{say.between(operation.start, operation.end)}. This says nothing about the speed of seeding.",
            _states(operation),
            _unjoined(operation),
        ],
        window=(operation.start, operation.end),
        evidence=_duration(of, seconds),
    )


def _failed(group: Series, found: Study) -> Verdict:
    """Tell a failure; of several of one kind the last one."""
    first, of = group[0].operation, group[-1]
    operation, n = of.operation, len(group)
    began = first.start or first.copy_start if n > 1 else operation.start
    ended = operation.end or operation.start or operation.copy_start if n > 1 else operation.end
    reasons = decode_all(operation.failures)
    mended = found.mended(operation)
    cut = operation.outcome == "cut_off"
    happened = "was cut off" if cut else "failed"
    times = words.count(n, "time")
    often = [f"It happened {times}, each for the same reason, {say.between(began, ended)}. The last one:"]
    counted = [
        Evidence("failed in this way", n, "n", rests.told_by(of)),
        Evidence("the first of them", words.moment(began), "", rests.told_by(group[0])),
    ]
    advice = " ".join(dict.fromkeys(each.advice for each in reasons)) or _cut_advice(operation)
    return verdict(
        CUT_OFF if cut and not reasons else FAILED,
        operation,
        f"seeding {happened}"
        + (f" {times}" if n > 1 else "")
        + (f" ({words.plain(reasons[0].told, 120)})" if reasons else ""),
        [
            *(often if n > 1 else []),
            f"Seeding {say.between(operation.start, operation.end)} {happened}.",
            "Its events stop on one side: a restart or a lost connection ends them so." if cut and not reasons else "",
            *map(_reason, reasons),
            f"By then {_copied(operation)} had been copied." if operation.copied_bytes is not None else "",
            f"{operation.attempts} attempts were made." if (operation.attempts or 0) > 1 else "",
            _states(operation),
            _unjoined(operation),
            f"A later seeding succeeded, {say.between(mended.start, mended.end)}."
            if mended is not None
            else "No later seeding of it that succeeded was captured.",
            unseen(of),
        ],
        severity="" if mended is None else "warning",
        window=(began, ended),
        evidence=(*(counted if n > 1 else ()), *_reasons(of, reasons), *rests.of_copy(of)),
        advice=advice if mended is None else f"It is mended. {advice}",
        name=say.pair(operation) if n > 1 else "",
    )  # fmt: skip


_TELLS = {"completed": _completed, "already_present": _already_present, "failed": _failed, "cut_off": _failed}
"""What tells of an outcome: of one seeding, or of several that are told as one."""


def _copied(operation: Operation) -> str:
    of_all = f" of {words.size(operation.database_bytes)}" if operation.database_bytes else ""
    return f"{words.size(operation.copied_bytes)}{of_all}"


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


def _stalled(of: Seeded, stall: Stall, found: Study) -> Verdict:
    operation, host = of.operation, say.end(of.operation, stall.side.role)
    where = COPY if stall.state == COPY else words.plain(stall.state, 40)
    lasted = f"{'' if stall.is_over else 'at least '}{words.span(stall.seconds)}"
    is_over = stall.is_over or found.mended(operation) is not None
    is_logged = stall.side.host in found.logged
    source = f"{rests.told_by(of)}, {host}"
    slot = [
        f"{SLOT} waits for a backup slot, yet no other backup and no other seeding was captured on {host} meanwhile. A "
        "defect that left seeding in this state without any other backup was mended in later cumulative updates of SQL Server.",
        "Backups that trace flag 3226 keeps out of the ERRORLOG would not have been seen."
        if is_logged
        else f"Trace flag 3226 keeps backups that succeed out of the ERRORLOG of {host}: one there would not have been seen."
        if stall.side.host in found.hushed
        else f"No ERRORLOG of {host} was captured, so a backup there would not have been seen.",
    ]
    beside = Evidence("other backups or seedings captured meanwhile", 0, "n", "captures of the case")
    kind, told, counted, advice = STALLED, [], [], _LOOK_AT_THE_COPY
    if stall.slot is not None:
        kind = STALLED_FOR_SLOT if is_logged else STALLED_UNLOGGED
        told, counted, advice = slot, [beside], _LOOK_FOR_THE_SLOT
    return verdict(
        kind,
        operation,
        f"no progress in {where} for {lasted}",
        [
            f"On {host} it made no progress in {where} for {lasted}, {say.between(stall.start, stall.end)}.",
            f"{words.size(stall.copied)} had been transferred by then." if stall.copied is not None else "",
            *told,
            "It ended." if stall.is_over else "It lasted to the end of what was captured.",
            unseen(of),
        ],
        severity="warning" if is_over else "",
        window=(stall.start, stall.end),
        evidence=(
            Evidence(f"time in {where} without progress", round(stall.seconds, 1), "s", source),
            *counted,
        ),
        advice=advice,
    )  # fmt: skip


_LOOK_FOR_THE_SLOT = (
    "Install the newest cumulative update on both replicas; until then look for a backup that holds the slot "
    "(sys.dm_exec_requests: BACKUP, VDI_CLIENT_WORKER), and remove and add the database again if there is none."
)
_LOOK_AT_THE_COPY = (
    "Look at sys.dm_hadr_physical_seeding_stats and sys.dm_exec_requests (VDI_CLIENT_WORKER, wait types) on both "
    "replicas, and at both ERRORLOGs for connection errors at that time."
)


def _without_end(of: Seeded) -> Verdict:
    operation = of.operation
    begun = operation.start or operation.copy_start
    states = [side.states[-1] for side in operation.sides if side.states]
    last = max(states, key=lambda state: state.time, default=None)
    return verdict(
        WITHOUT_END,
        operation,
        "the end of the seeding was not captured",
        [
            f"It began {words.moment(begun)}." if begun else "Its beginning was not captured.",
            f"Its last state is {words.plain(last.name, 40)}, at {words.moment(last.time)}." if last else "",
            f"{_copied(operation)} had been copied." if operation.copied_bytes is not None else "",
            unseen(of),
        ],
        window=(operation.start, operation.end),
        evidence=(Evidence("end of the seeding", "not captured", "", rests.told_by(of)),),
        advice="Capture until it has ended: the event session, and the ERRORLOGs of both replicas.",
    )  # fmt: skip
