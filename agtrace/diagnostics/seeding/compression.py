"""Whether a seeding stream was compressed: the one place that decides.

Bytes on the wire against bytes of the database decide; the trace flag of the source corroborates.
The column is_compression_enabled is reported and never decides: it is known to stay 0 while the
stream is compressed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from agtrace.diagnostics import words
from agtrace.diagnostics.base import View
from agtrace.diagnostics.seeding import resources
from agtrace.diagnostics.seeding.flags import SEEDING_COMPRESSION, FlagSpan, at, trace_flag
from agtrace.diagnostics.seeding.operation import Operation
from agtrace.diagnostics.seeding.resources import Usage, Window
from agtrace.diagnostics.thresholds import Thresholds

BESIDE = timedelta(seconds=60)
"""Length of the stretches before and after a copy whose traffic is taken off."""
APART = timedelta(seconds=5)
"""Kept between a copy and those stretches, for what its ends still send."""
AGREE = 0.2
"""Both ends' wire bytes agree when they differ by less than this share of the larger."""


@dataclass(frozen=True)
class Compressed:
    """Whether a stream was compressed, and what says so.

    Parameters
    ----------
    verdict
        True, False, or None where the captures do not decide.
    ratio
        Bytes on the wire over bytes of the database, None where either is not known.
    flag_says
        is_compression_enabled as reported, by either end; None where not captured.
    trace_flag
        Whether trace flag 9567 was on at the source when the copy began; None where not known.
    why
        The reasoning, in words.
    wire_source
        Which card's counter gave the wire bytes, host included.
    """

    verdict: bool | None
    ratio: float | None
    wire_bytes: float | None
    database_bytes: int | None
    flag_says: bool | None
    trace_flag: bool | None
    why: str
    wire_source: str = ""
    flag_source: str = ""
    n: int = 0


def judge(
    operation: Operation,
    usages: Iterable[Usage],
    baseline: Iterable[Usage],
    flags: Iterable[FlagSpan],
    limits: Thresholds | None = None,
    *,
    is_alone: bool = True,
) -> Compressed:
    """Judge one operation.

    Parameters
    ----------
    usages
        What the hosts did during its copy (windows of other operations are not passed).
    baseline
        The same for stretches beside it, whose traffic is taken off; see `beside`.
    flags
        Spans of trace flag 9567.
    limits
        Thresholds; the defaults when None.
    is_alone
        False where another copy of the same hosts ran meanwhile, so that their wire bytes mix.
    """
    limits = limits or Thresholds()
    span = at(flags, operation.source.host if operation.source else None, operation.copy_start)
    said = [s.is_compression_enabled for s in operation.sides if s.is_compression_enabled is not None]  # fmt: skip
    wires = _wires(operation, list(usages), list(baseline))
    wire = min(wires, key=lambda w: w[0], default=None)
    copied = operation.copied_bytes
    ratio = wire[0] / copied if wire and copied else None
    verdict, why = _verdict(ratio, wires, span, limits, operation, is_alone)
    return Compressed(
        verdict=verdict,
        ratio=ratio,
        wire_bytes=wire[0] if wire else None,
        database_bytes=copied,
        flag_says=any(said) if said else None,
        trace_flag=span.is_on if span else None,
        why=why,
        wire_source=wire[1] if wire else "",
        flag_source=span.where if span else "",
        n=wire[2] if wire else 0,
    )


def judge_all(
    view: View, operations: Sequence[Operation], limits: Thresholds | None = None
) -> dict[int, Compressed]:
    """Judge operations from the case itself, by their number."""
    windows = copies(operations)
    baselines = [w for o in operations for w in beside(o, operations)]
    of_copies = resources.usage(view, windows) if windows else []
    of_baselines = resources.usage(view, baselines) if baselines else []
    flags = trace_flag(view, SEEDING_COMPRESSION)
    return {
        o.number: judge(
            o,
            [u for u in of_copies if u.window == o.number],
            [u for u in of_baselines if abs(u.window) == o.number],
            flags,
            limits,
            is_alone=not overlapping(o, operations),
        )
        for o in operations
    }


def copies(operations: Iterable[Operation]) -> list[Window]:
    """Give the windows of the copies whose times are known, numbered like the operations."""
    return [
        Window(o.number, o.copy_start, o.copy_end, o.database)
        for o in operations
        if o.copy_start is not None and o.copy_end is not None and o.copy_end > o.copy_start
    ]


def beside(operation: Operation, others: Iterable[Operation]) -> list[Window]:
    """Give the stretches before (minus its number) and after (its number) a copy.

    One that another copy reaches into is left out.
    """
    begin, end = operation.copy_start, operation.copy_end
    if begin is None or end is None:
        return []
    stretches = [
        Window(-operation.number, begin - APART - BESIDE, begin - APART),
        Window(operation.number, end + APART, end + APART + BESIDE),
    ]
    busy = [(o.copy_start, o.copy_end or o.copy_start) for o in others if o.copy_start and o is not operation]  # fmt: skip
    return [
        w for w in stretches if not any(start < w.end and stop > w.start for start, stop in busy)
    ]


def overlapping(operation: Operation, others: Iterable[Operation]) -> list[Operation]:
    """Give the other operations that copied at the same time between any of the same hosts."""
    begin, end = operation.copy_start, operation.copy_end
    if begin is None or end is None:
        return []
    hosts = {side.host for side in operation.sides}
    return [
        o
        for o in others
        if o is not operation
        and o.copy_start is not None
        and o.copy_start < end
        and (o.copy_end or end) > begin
        and hosts & {side.host for side in o.sides}
    ]


def _wires(
    operation: Operation, usages: list[Usage], baseline: list[Usage]
) -> list[tuple[float, str, int]]:
    """Give (bytes on the wire, whose counter says so, samples) of each end that was captured."""
    seconds = operation.copy_seconds
    found = []
    for side, resource, word in (
        (operation.source, "network_sent", "sent by"),
        (operation.target, "network_received", "received by"),
    ):
        if side is None or side.host is None or not seconds:
            continue
        during = [u for u in usages if (u.host, u.resource) == (side.host, resource)]
        if not during:
            continue
        idle = [u.mean for u in baseline if (u.host, u.resource) == (side.host, resource)]
        rate = max(during[0].mean - (sum(idle) / len(idle) if idle else 0.0), 0.0)
        found.append((rate * seconds, f"{word} {side.host}", during[0].n))
    return found


def _verdict(
    ratio: float | None,
    wires: list[tuple[float, str, int]],
    span: FlagSpan | None,
    limits: Thresholds,
    operation: Operation,
    is_alone: bool,
) -> tuple[bool | None, str]:
    if ratio is None:
        lacking = "bytes on the wire (perfmon: Network Interface)" if not wires else "bytes copied"
        return None, f"not decided: {lacking} not captured during the copy"
    told = f"{words.number(ratio)} bytes on the wire per byte of the database"
    if not is_alone:
        return (
            None,
            f"not decided: another copy ran meanwhile, so the {told} are not this one's alone",
        )
    amounts = [amount for amount, _who, _n in wires]
    if len(amounts) == 2 and max(amounts) - min(amounts) > AGREE * max(amounts):
        return None, (
            f"not decided: {words.size(amounts[0])} were {wires[0][1]}, {words.size(amounts[1])} "
            f"{wires[1][1]}; other traffic, or a card that was not captured"
        )
    flag = None if span is None else span.is_on
    if ratio < limits.seeding_compressed_ratio:
        if flag is False:
            return None, (
                f"not decided: {told} speaks for compression, the source's trace flags against it; "
                "a card that was not captured would look the same"
            )
        return True, told
    if ratio > limits.seeding_foreign_ratio:
        return None, f"not decided: {told}; other traffic shares the cards"
    if ratio > limits.seeding_uncompressed_ratio:
        if flag:
            return None, (
                f"not decided: {told} although trace flag {SEEDING_COMPRESSION} was on at the source; "
                "pages that do not compress (encrypted, compressed before) would look the same"
            )
        return False, told
    return None, (
        f"not decided: {told} lies between {words.number(limits.seeding_compressed_ratio)} and "
        f"{words.number(limits.seeding_uncompressed_ratio)}, where the overhead of the protocol and pages "
        "that compress badly look alike"
    )
