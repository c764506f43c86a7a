"""Figures of one copy that cannot all be true."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from agtrace.history.seedings.compression import Compressed
from agtrace.history.seedings.operation import SOURCE, Operation
from agtrace.history.trace_flags import SEEDING_COMPRESSION
from agtrace.measure.usage import Usage, is_enough, of
from agtrace.measures import Measure, Measured, quoted
from agtrace.thresholds import Thresholds

TOO_LITTLE, TOO_MUCH, WIRE, RATE, ENDS = "disk_short", "disk_excess", "wire", "rate", "ends"


@dataclass(frozen=True)
class Contradiction:
    """Two figures that do not fit together.

    Parameters
    ----------
    kind
        Which rule found it.
    figures
        What its words name: said/contradiction.toml.
    """

    kind: str
    figures: dict[str, Any]
    evidence: tuple[Measured, ...]


REPORTED = Measure("reported", "bytes of the database copied", "B")
OF_DISKS = Measure("of_disks", "disk bytes that {host} {verb} during the copy", "B")
ON_WIRE = Measure("on_wire", "wire bytes of the copy", "wire B")
HIGHEST = Measure("highest", "highest rate reported", "B/s")
OVER_TIME = Measure("over_time", "bytes over time", "B/s")
TRANSFERRED = Measure("transferred", "transferred, as the {role} reports", "B")


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
    reported = REPORTED(copied, operation.bytes_source or "seeding")
    return [
        Contradiction(
            kind,
            {"copied": copied, "seconds": seconds, "mean": copied / seconds, "disks": _disks(disks, seconds),
             "times": f"{max(usage.mean * seconds / copied for usage in disks):.1f}"},
            (reported, *(_measured(usage, seconds) for usage in disks)),
        )
        for kind, disks in ((TOO_LITTLE, short), (TOO_MUCH, excess))
        if disks
    ]  # fmt: skip


def _verb(usage: Usage) -> str:
    return "delivered" if usage.resource == "disk_read" else "took"


def _disks(usages: list[Usage], seconds: float) -> list[dict[str, Any]]:
    return [{"usage": usage, "verb": _verb(usage), "bytes": usage.mean * seconds} for usage in usages]


def _measured(usage: Usage, seconds: float) -> Measured:
    measure = OF_DISKS.about(host=usage.host, verb=_verb(usage))
    return measure(round(usage.mean * seconds), f"perfmon of {usage.host}, n = {usage.n}")


def _of_wire(compressed: Compressed, copied: int, limits: Thresholds) -> list[Contradiction]:
    ratio, wire = compressed.ratio, compressed.wire_bytes
    if compressed.trace_flag is not False or ratio is None or wire is None:
        return []
    if ratio >= limits.seeding_compressed_ratio:
        return []
    flag = f"{SEEDING_COMPRESSION}"
    evidence = (
        ON_WIRE(round(wire), f"perfmon, n = {compressed.n}"),
        REPORTED(copied, "seeding"),
        quoted(f"trace flag {flag}", "off", compressed.flag_source),
    )
    return [Contradiction(WIRE, {"stream": compressed, "copied": copied, "flag": flag}, evidence)]


def _of_rate(operation: Operation, mean: float, limits: Thresholds) -> list[Contradiction]:
    highest: float | None = None
    for side in operation.sides:
        known = pc.max(side.progress["bytes_per_s"]).as_py()
        if known and len(side.progress) >= limits.min_samples:
            highest = max(highest or 0.0, known)
    if highest is None or highest >= mean * (1 - limits.seeding_contradiction_share):
        return []
    evidence = (
        HIGHEST(round(highest), "hadr_physical_seeding_progress"),
        OVER_TIME(round(mean), operation.bytes_source or "seeding"),
    )
    return [Contradiction(RATE, {"highest": highest, "mean": mean}, evidence)]


def _of_ends(operation: Operation, limits: Thresholds) -> list[Contradiction]:
    if operation.source is None or operation.target is None:
        return []
    sent, got = operation.source.transferred_bytes, operation.target.transferred_bytes
    if not sent or not got:
        return []
    if abs(sent - got) <= limits.seeding_contradiction_share * max(sent, got):
        return []
    sides = ((operation.source, sent), (operation.target, got))
    evidence = tuple(
        TRANSFERRED.about(role=side.role)(amount, side.host or "not captured") for side, amount in sides
    )
    return [Contradiction(ENDS, {"sent": sent, "got": got}, evidence)]
