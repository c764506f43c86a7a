"""Findings on seedings: a table with one row per kind of verdict, and the measures used by them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agtrace.diagnostics.seeding.limits import CARD
from agtrace.diagnostics.seeding.study import NAME, Seeded
from agtrace.history.seedings import DMV, ERRORLOG, PERFMON, SOURCE, TARGET, XEL
from agtrace.measure.resources import NETWORK
from agtrace.measure.usage import Usage
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.finding import SEVERITY_ORDER, window_to_second
from agtrace.say.said import Judged, Said

SAID = Said(__package__ or "")

BYTES = Measure("copied_bytes", "bytes of the database copied", "B")
WIRE_BYTES = Measure("wire_bytes", "wire bytes of the copy", "wire B")
COPY_TIME = Measure("copy_time", "time of the copy", "s")
MEAN_RATE = Measure("mean_rate", "mean rate of the copy", "B/s")
RATE = Measure("rate", "rate", "B/s", "between two reports of the copy")
DISK_WAITS = Measure("disk_waits", "disk waits of the {role}", "ms", "summed over the copy")
NETWORK_WAITS = Measure("network_waits", "network waits of the {role}", "ms", "summed over the copy")
PROCESSORS = Measure("processors", "processors of the {role} during the copy")
WORK = Measure("work", "processor work of the {role} per GB of the database", "core-s/GB")
DISKS = {
    SOURCE: Measure("read", "disks of the {role}, read"),
    TARGET: Measure("written", "disks of the {role}, written"),
}
BUSY_DISK = Measure("busy_disk", "busiest disk of the {role}")
CARDS = Measure("cards", "network of the {role}")
BUSY_CARD = Measure("busy_card", "busiest card of the {role}")
CATCHUP_TIME = Measure("catchup_time", "time in CATCHUP", "s")
REDO = Measure("redo", "redo after the copy", "log B/s")
RECOVERY_QUEUE = Measure("recovery_queue", "recovery queue after the copy", "log B")

MOVED = {SOURCE: ("disk_read", "network_sent"), TARGET: ("disk_written", "network_received")}
"""Counters of the disks and network cards that a copy uses on each end."""
_NAMES = {XEL: "Extended Events", DMV: "DMV exports", ERRORLOG: "ERRORLOG", PERFMON: "perfmon"}


@dataclass(frozen=True)
class FindingRule:
    """Id, severity and confidence of the findings that a rule makes."""

    id: str
    severity: str
    confidence: float


COMPLETED = FindingRule("seeding.completed", "info", 0.95)
COMPLETED_UNTRACED = FindingRule("seeding.completed", "info", 0.85)
ALREADY_PRESENT = FindingRule("seeding.completed", "info", 0.9)
FAILED = FindingRule("seeding.failed", "critical", 0.9)
CUT_OFF = FindingRule("seeding.failed", "critical", 0.7)
"""Without a reason: its events end on one side."""
STALLED = FindingRule("seeding.stalled", "critical", 0.8)
STALLED_FOR_SLOT = FindingRule("seeding.stalled", "critical", 0.7)
STALLED_UNLOGGED = FindingRule("seeding.stalled", "critical", 0.5)
"""For a slot, if no backup could have been seen: missing seedings beside it are weak evidence."""
WITHOUT_END = FindingRule("quality.not_captured", "info", 0.9)
NETWORK_LIMITED = FindingRule("seeding.network_limited", "notice", 0.95)
DISK_LIMITED = FindingRule("seeding.disk_limited", "notice", 0.95)
DISK_DOUBTED = FindingRule("seeding.disk_limited", "notice", 0.75)
"""The bytes of the disk do not match those of the copy."""
WAITED_FOR_SLOT = FindingRule("seeding.waiting_for_slot", "notice", 0.9)
WAITED_UNEXPLAINED = FindingRule("seeding.waiting_for_slot", "info", 0.6)
FLAG_AGREES = FindingRule("seeding.compression", "notice", 0.95)
BYTES_DECIDE = FindingRule("seeding.compression", "notice", 0.75)
BYTES_OF_ONE_END = FindingRule("seeding.compression", "notice", 0.6)
"""Uncompressed by one end alone: other traffic of its cards would look the same."""
BYTES_OPEN = FindingRule("seeding.compression", "notice", 0.4)
CONTRADICTION = FindingRule("seeding.contradiction", "warning", 0.8)
EXCESS = FindingRule("seeding.contradiction", "notice", 0.8)
ZONE_UNKNOWN = FindingRule("quality.time_zone_unknown", "warning", 0.9)
ONE_END = FindingRule("quality.not_captured", "info", 0.9)


@dataclass(frozen=True, kw_only=True)
class Verdict(Judged):
    """A verdict on a seeding; ``short`` of its texts is the title without the seeding's name.

    Parameters
    ----------
    number
        Number of the seeding; of several reported together, the last.
    """

    number: int


def verdict(
    kind: FindingRule,
    of: Seeded,
    said: str,
    *,
    window: tuple[datetime | None, datetime | None],
    evidence: Iterable[Measured],
    severity: str = "",
    at_most: float = math.inf,
    host: str = "",
    **facts: Any,
) -> Verdict:
    """Build a verdict on a seeding.

    Parameters
    ----------
    said
        Name of its texts.
    severity
        Severity, if different from the kind's.
    at_most
        What the confidence is cut to.
    host
        The one host that it is about.
    facts
        What its words name besides what they name of every seeding.
    """
    return Verdict(
        number=of.operation.number,
        said=said,
        id=kind.id,
        severity=severity or kind.severity,
        subject={**of.subject, **({"host": words.plain(host, NAME)} if host else {})},
        window=_period(*window),
        evidence=tuple(evidence),
        confidence=min(kind.confidence, at_most),
        facts={**of.facts, **facts},
    )


def _period(start: datetime | None, stop: datetime | None) -> dict[str, Any]:
    known = [time for time in (start, stop) if time is not None]
    return window_to_second(known[0], known[-1]) if known else {}


def ordered(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Sort verdicts as their findings are sorted."""
    return sorted(verdicts, key=lambda v: (-SEVERITY_ORDER.index(v.severity), v.id))


def told_by(of: Seeded) -> str:
    """Return which kinds of capture show an operation."""
    kinds = [_NAMES[kind] for kind in (XEL, DMV, ERRORLOG, PERFMON) if kind in of.operation.told_by]
    return words.listing(kinds) or "captures of the case"


def of_copy(of: Seeded) -> list[Measured]:
    """Return bytes, time and rate of a copy."""
    operation, rate, source, found = of.operation, of.rates, told_by(of), []
    if operation.copied_bytes is not None:
        found.append(BYTES(operation.copied_bytes, operation.bytes_source or source))
    if operation.copy_seconds is not None:
        found.append(COPY_TIME(round(operation.copy_seconds, 1), source))
    if rate.mean is not None:
        found.append(MEAN_RATE(round(rate.mean), source))
    by = f"{rate.source}, n = {rate.n}"
    known = (("p5", rate.p5), ("p50", rate.p50), ("p95", rate.p95))
    found += [RATE.stat(name)(round(value), by) for name, value in known if value is not None]
    return found


def of_waits(of: Seeded) -> list[Measured]:
    """Return the waits of both ends."""
    found = []
    for each in of.limiter.waits:
        where = f"{of.end(each.role)} ({each.role}), summed over the copy"
        for measure, ms in ((DISK_WAITS, each.disk_ms), (NETWORK_WAITS, each.network_ms)):
            found.append(measure.about(role=each.role)(ms, where))
    return found


def _used(of: Seeded, role: str, resource: str, measure: Measure) -> list[Measured]:
    """Return the mean of a resource of an end; empty if it was not captured."""
    usage = of.usage(role, resource)
    if usage is None:
        return []
    source = f"perfmon of {usage.host} ({usage.instance}), mean, n = {usage.n}"
    if usage.resource in NETWORK:
        source += f": {_of_link(usage)}"
    digits = 1 if "%" in usage.unit or usage.unit == "ms" else 0
    return [measure.about(role=role).of(usage.unit)(round(usage.mean, digits), source)]


def _of_link(usage: Usage) -> str:
    """Return a card's rate and its link's, in bits: "968 Mb/s of 10.0 Gb/s"."""
    capacity = "" if usage.capacity is None else f" of {words.bits(usage.capacity)}"
    return f"{words.bits(usage.mean)}{capacity}"


def of_processors(of: Seeded) -> list[Measured]:
    """Return the processors of both ends, with their work per GB if the host's cores are known."""
    found = []
    for side in of.operation.sides:
        found += _used(of, side.role, "cpu", PROCESSORS)
        usage, spent = of.usage(side.role, "cpu"), of.work(side.role)
        if spent is None:
            continue
        assert usage is not None
        assert usage.cores is not None
        source = (
            f"{usage.mean:.1f} % of {usage.cores.count} cores ({usage.cores.source}) for "
            f"{words.span(usage.seconds)}, over {words.size(of.operation.copied_bytes)}"
        )
        found.append(WORK.about(role=side.role)(round(spent, 2), source))
    return found


def of_disks(of: Seeded) -> list[Measured]:
    """Return the traffic of both ends' disks in the direction of the copy."""
    found = []
    for role in (side.role for side in of.operation.sides):
        found += _used(of, role, MOVED[role][0], DISKS[role]) + _used(of, role, "disk_busy", BUSY_DISK)
    return found


def of_cards(of: Seeded) -> list[Measured]:
    """Return the traffic of the cards, and the utilisation of the busiest."""
    found = []
    for role in (side.role for side in of.operation.sides):
        found += _used(of, role, MOVED[role][1], CARDS) + _used(of, role, CARD[role], BUSY_CARD)
    return found


def of_redo(of: Seeded) -> list[Measured]:
    """Return the catch-up after the copy."""
    found = []
    if of.catchup_s is not None:
        found.append(CATCHUP_TIME(round(of.catchup_s, 1), told_by(of)))
    if (caught := of.catching_up) is not None:
        source = f"perfmon of {caught.host}, mean until seeding ended, n = {caught.n}"
        found.append(REDO(round(caught.mean), source))
    for usage in of.redone:
        measure = REDO if usage.resource == "redo" else RECOVERY_QUEUE
        source = f"perfmon of {usage.host}, n = {usage.n}"
        found.append(measure.stat("highest")(round(usage.highest), source))
    for each in of.parallel[:2]:
        by = f"message 49930 of {each.host}, {words.moment(each.time)}"
        found.append(quoted(f"parallel redo {each.event}", f"{each.workers} workers", by))
    return found
