"""Figures of one copy that cannot all be true."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow.compute as pc

from agtrace.history.seedings.compression import Compressed
from agtrace.history.seedings.operation import SOURCE, Operation
from agtrace.history.trace_flags import SEEDING_COMPRESSION
from agtrace.measure.usage import Usage, is_enough, of
from agtrace.say import words
from agtrace.say.finding import Evidence
from agtrace.thresholds import Thresholds

TOO_LITTLE, TOO_MUCH, WIRE, RATE, ENDS = "disk_short", "disk_excess", "wire", "rate", "ends"


@dataclass(frozen=True)
class Contradiction:
    """Two figures that do not fit together.

    Parameters
    ----------
    kind
        Which rule found it.
    short
        What does not fit, for a title.
    text
        Both figures with their sources, and what could explain them.
    """

    kind: str
    short: str
    text: str
    evidence: tuple[Evidence, ...]


def find(
    operation: Operation,
    usages: Iterable[Usage],
    compressed: Compressed,
    limits: Thresholds,
    *,
    is_alone: bool = True,
) -> list[Contradiction]:
    """Give what contradicts itself in the figures of a copy that completed.

    Parameters
    ----------
    is_alone
        False where another copy used the same hosts meanwhile: its bytes explain too many.
    """
    seconds, copied = operation.copy_seconds, operation.copied_bytes
    if not seconds or not copied:
        return []
    rows = list(usages)
    found = _of_disks(operation, rows, copied, seconds, limits)
    found = [each for each in found if is_alone or each.kind != TOO_MUCH]
    found += _of_wire(compressed, copied, limits)
    found += _of_rate(operation, copied / seconds, limits)
    found += _of_ends(operation, limits)
    return found


def _of_disks(
    operation: Operation, usages: list[Usage], copied: int, seconds: float, limits: Thresholds
) -> list[Contradiction]:
    """Compare what the disks moved with what was copied; both ends in one statement of a kind."""
    short: list[Usage] = []
    excess: list[Usage] = []
    for side in operation.sides:
        usage = of(usages, operation.number, side.host, "disk_read" if side.role == SOURCE else "disk_written")  # fmt: skip
        if usage is None or not is_enough(usage, limits):
            continue
        if usage.mean * seconds < copied * (1 - limits.seeding_contradiction_share):
            short.append(usage)
        elif usage.mean * seconds > copied * limits.seeding_foreign_ratio:
            excess.append(usage)
    found = []
    told = f"{words.size(copied)} in {words.span(seconds)} ({words.rate(copied / seconds)})"
    reported = Evidence("bytes of the database copied", copied, "B", operation.bytes_source or "seeding")
    if short:
        found.append(
            Contradiction(
                TOO_LITTLE,
                f"{words.size(copied)} were copied, but {_moved(short, seconds)}",
                f"The operation reports {told}, but in that time {_moved(short, seconds, at_length=True)}. Both cannot be "
                "true: either parts of the database never touched a captured disk (pages without content, a volume or a "
                "share that perfmon does not list), or one of the figures is wrong.",
                (reported, *(_measured(usage, seconds) for usage in short)),
            )
        )
    if excess:
        most = max(usage.mean * seconds / copied for usage in excess)
        found.append(
            Contradiction(
                TOO_MUCH,
                f"{_moved(excess, seconds)} for {words.size(copied)} of database",
                f"The operation reports {told}, but in that time {_moved(excess, seconds, at_length=True)}, up to "
                f"{most:.1f} times as much. That is not the copy alone: something else used the disks, or their counters "
                "count a transfer more than once.",
                (reported, *(_measured(usage, seconds) for usage in excess)),
            )
        )
    return found


def _moved(usages: list[Usage], seconds: float, *, at_length: bool = False) -> str:
    told = []
    for usage in usages:
        verb = "delivered" if usage.resource == "disk_read" else "took"
        text = f"the disks of {words.plain(usage.host)} {verb} {words.size(usage.mean * seconds)}"
        if at_length:
            text += f" (mean {words.rate(usage.mean)}, at most {words.rate(usage.highest)}, n = {usage.n})"
        told.append(text)
    return words.listing(told)


def _measured(usage: Usage, seconds: float) -> Evidence:
    verb = "delivered" if usage.resource == "disk_read" else "took"
    host = words.plain(usage.host)
    label = f"disk bytes that {host} {verb} during the copy"
    return Evidence(label, round(usage.mean * seconds), "B", f"perfmon of {host}, n = {usage.n}")


def _of_wire(compressed: Compressed, copied: int, limits: Thresholds) -> list[Contradiction]:
    ratio, wire = compressed.ratio, compressed.wire_bytes
    if compressed.trace_flag is not False or ratio is None or wire is None:
        return []
    if ratio >= limits.seeding_compressed_ratio:
        return []
    return [
        Contradiction(
            WIRE,
            f"{words.size(wire)} on the wire for {words.size(copied)}, with trace flag {SEEDING_COMPRESSION} off",
            f"{words.size(wire)} were {compressed.wire_source} during the copy, {words.number(ratio)} bytes per byte of the "
            f"database, while trace flag {SEEDING_COMPRESSION} was off at the source ({compressed.flag_source}). An "
            "uncompressed stream cannot be smaller than the database: a card was not captured, or the flag was set "
            "without a trace in the ERRORLOG.",
            (
                Evidence("wire bytes of the copy", round(wire), "wire B", f"perfmon, n = {compressed.n}"),
                Evidence("bytes of the database copied", copied, "B", "seeding"),
                Evidence(f"trace flag {SEEDING_COMPRESSION}", "off", "", compressed.flag_source),
            ),
        )
    ]  # fmt: skip


def _of_rate(operation: Operation, mean: float, limits: Thresholds) -> list[Contradiction]:
    highest: float | None = None
    for side in operation.sides:
        known = pc.max(side.progress["bytes_per_s"]).as_py()
        if known and len(side.progress) >= limits.min_samples:
            highest = max(highest or 0.0, known)
    if highest is None or highest >= mean * (1 - limits.seeding_contradiction_share):
        return []
    return [
        Contradiction(
            RATE,
            f"{words.rate(highest)} at most, but {words.rate(mean)} on average",
            f"The highest transfer rate reported is {words.rate(highest)}, but bytes over time give {words.rate(mean)} on "
            "average: the reported rate counts other bytes than the reported size, as that of a compressed stream would.",
            (
                Evidence("highest rate reported", round(highest), "B/s", "hadr_physical_seeding_progress"),
                Evidence("bytes over time", round(mean), "B/s", operation.bytes_source or "seeding"),
            ),
        )
    ]  # fmt: skip


def _of_ends(operation: Operation, limits: Thresholds) -> list[Contradiction]:
    if operation.source is None or operation.target is None:
        return []
    sent, got = operation.source.transferred_bytes, operation.target.transferred_bytes
    if not sent or not got:
        return []
    if abs(sent - got) <= limits.seeding_contradiction_share * max(sent, got):
        return []
    return [
        Contradiction(
            ENDS,
            f"the source reports {words.size(sent)}, the target {words.size(got)}",
            f"The source reports {words.size(sent)} transferred, the target {words.size(got)}: one of the reports is not the "
            "last one, or they belong to different copies.",
            (
                Evidence("transferred, as the source reports", sent, "B", words.plain(operation.source.host)),
                Evidence("transferred, as the target reports", got, "B", words.plain(operation.target.host)),
            ),
        )
    ]  # fmt: skip
