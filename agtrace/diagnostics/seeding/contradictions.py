"""Figures of one copy that cannot all be true."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from agtrace.diagnostics.seeding.rows import Report
from agtrace.history.seedings import SOURCE, Compressed, Operation
from agtrace.history.trace_flags import SEEDING_COMPRESSION
from agtrace.measure.usage import Usage, is_enough, of
from agtrace.measures import Measure, Measured, quoted
from agtrace.thresholds import Thresholds

TOO_LITTLE, TOO_MUCH, WIRE, RATE, ENDS = "disk_short", "disk_excess", "wire", "rate", "ends"


@dataclass(frozen=True)
class Contradiction:
    """Two contradicting figures.

    Parameters
    ----------
    kind
        The rule that found it.
    figures
        Values used in its texts: said/contradiction.toml.
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
    reports: Iterable[Report] = (),
    *,
    is_alone: bool = True,
) -> list[Contradiction]:
    """Return the contradictions in the figures of a completed copy.

    Parameters
    ----------
    is_alone
        False where another copy used the same hosts meanwhile: its bytes explain too many.
    """
    seconds, copied = operation.copy_seconds, operation.copied_bytes
    if operation.outcome != "completed" or not seconds or not copied:
        return []
    found = _of_disks(operation, list(usages), copied, seconds, limits)
    return [
        *(each for each in found if is_alone or each.kind != TOO_MUCH),
        *_of_wire(compressed, copied, limits),
        *_of_rate(operation, reports, copied / seconds, limits),
        *_of_ends(operation, limits),
    ]


class Moved(NamedTuple):
    """Bytes read or written by the disks of one end during the copy."""

    usage: Usage
    verb: str
    bytes: float


def _of_disks(
    operation: Operation, usages: list[Usage], copied: int, seconds: float, limits: Thresholds
) -> list[Contradiction]:
    """Compare the bytes of the disks with those copied; both ends in one statement per kind."""
    by_kind: dict[str, list[Moved]] = {TOO_LITTLE: [], TOO_MUCH: []}
    for side in operation.sides:
        resource, verb = ("disk_read", "delivered") if side.role == SOURCE else ("disk_written", "took")
        usage = of(usages, operation.number, side.host, resource)
        if usage is None or not is_enough(usage, limits):
            continue
        moved = Moved(usage, verb, usage.mean * seconds)
        if moved.bytes < copied * (1 - limits.seeding_contradiction_share):
            by_kind[TOO_LITTLE].append(moved)
        elif moved.bytes > copied * limits.seeding_foreign_ratio:
            by_kind[TOO_MUCH].append(moved)
    found = []
    for kind, disks in by_kind.items():
        if disks:
            figures: dict[str, Any] = {"copied": copied, "seconds": seconds, "mean": copied / seconds}
            times = f"{max(each.bytes for each in disks) / copied:.1f}"
            figures |= {"disks": disks, "times": times}
            reported = REPORTED(copied, operation.bytes_source or "seeding")
            found.append(Contradiction(kind, figures, (reported, *map(_measured, disks))))
    return found


def _measured(disk: Moved) -> Measured:
    measure = OF_DISKS.about(host=disk.usage.host, verb=disk.verb)
    return measure(round(disk.bytes), f"perfmon of {disk.usage.host}, n = {disk.usage.n}")


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


def _of_rate(
    operation: Operation, reports: Iterable[Report], mean: float, limits: Thresholds
) -> list[Contradiction]:
    highest = max((each.highest or 0.0 for each in reports if each.n >= limits.min_samples), default=0.0)
    if not highest or highest >= mean * (1 - limits.seeding_contradiction_share):
        return []
    evidence = (
        HIGHEST(round(highest), "hadr_physical_seeding_progress"),
        OVER_TIME(round(mean), operation.bytes_source or "seeding"),
    )
    return [Contradiction(RATE, {"highest": highest, "mean": mean}, evidence)]


def _of_ends(operation: Operation, limits: Thresholds) -> list[Contradiction]:
    known = [(side, side.transferred_bytes) for side in operation.sides if side.transferred_bytes]
    sent, got = (known[0][1], known[-1][1]) if known else (0, 0)
    if abs(sent - got) <= limits.seeding_contradiction_share * max(sent, got):
        return []
    evidence = [TRANSFERRED.about(role=own.role)(n, own.host or "not captured") for own, n in known]
    return [Contradiction(ENDS, {"sent": sent, "got": got}, tuple(evidence))]
