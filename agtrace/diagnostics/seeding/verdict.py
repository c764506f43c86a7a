"""What is said of a seeding: every kind of verdict is a row of one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from agtrace.diagnostics.seeding import wording as say
from agtrace.history.seedings.operation import Operation
from agtrace.say.finding import SEVERITY_ORDER, Evidence, Finding


@dataclass(frozen=True)
class Kind:
    """A kind of verdict: id and severity of its finding, and how sure it is."""

    id: str
    severity: str
    confidence: float


COMPLETED = Kind("seeding.completed", "info", 0.95)
COMPLETED_UNTRACED = Kind("seeding.completed", "info", 0.85)
ALREADY_PRESENT = Kind("seeding.completed", "info", 0.9)
FAILED = Kind("seeding.failed", "critical", 0.9)
CUT_OFF = Kind("seeding.failed", "critical", 0.7)
"""Without a reason: its events end on one side."""
STALLED = Kind("seeding.stalled", "critical", 0.8)
STALLED_FOR_SLOT = Kind("seeding.stalled", "critical", 0.7)
STALLED_UNLOGGED = Kind("seeding.stalled", "critical", 0.5)
"""For a slot, where no backup could have been seen: that nothing ran beside it says little."""
WITHOUT_END = Kind("quality.not_captured", "info", 0.9)
NETWORK_LIMITED = Kind("seeding.network_limited", "notice", 0.95)
DISK_LIMITED = Kind("seeding.disk_limited", "notice", 0.95)
DISK_DOUBTED = Kind("seeding.disk_limited", "notice", 0.75)
"""The disk's own bytes do not fit the copy's."""
WAITED_FOR_SLOT = Kind("seeding.waiting_for_slot", "notice", 0.9)
WAITED_UNEXPLAINED = Kind("seeding.waiting_for_slot", "info", 0.6)
FLAG_AGREES = Kind("seeding.compression", "notice", 0.95)
BYTES_DECIDE = Kind("seeding.compression", "notice", 0.75)
BYTES_OF_ONE_END = Kind("seeding.compression", "notice", 0.6)
"""Uncompressed by one end alone: any other traffic of its cards would look the same."""
BYTES_OPEN = Kind("seeding.compression", "notice", 0.4)
CONTRADICTION = Kind("seeding.contradiction", "warning", 0.8)
EXCESS = Kind("seeding.contradiction", "notice", 0.8)
ZONE_UNKNOWN = Kind("quality.time_zone_unknown", "warning", 0.9)
ONE_END = Kind("quality.not_captured", "info", 0.9)


@dataclass(frozen=True)
class Verdict:
    """A finding about a seeding.

    Parameters
    ----------
    number
        The seeding's; of several that are told as one the last one's.
    short
        The title without the seeding's name.
    """

    number: int
    short: str
    finding: Finding


def verdict(
    kind: Kind,
    of: Operation,
    short: str,
    text: Iterable[str],
    *,
    window: tuple[datetime | None, datetime | None],
    evidence: Iterable[Evidence],
    advice: str = "",
    severity: str = "",
    at_most: float = 1.0,
    name: str = "",
    host: str = "",
) -> Verdict:
    """Say something of a seeding.

    Parameters
    ----------
    text
        Sentences; empty ones are left out.
    severity
        Where it is another one than the kind's.
    at_most
        What the confidence is cut to.
    name
        What the title calls the seeding, where that is not its own name.
    host
        The one host that it is about.
    """
    subject: Mapping[str, str] = {"host": host} if host else {}
    finding = Finding(
        id=kind.id,
        severity=severity or kind.severity,
        title=f"{name or say.seeding(of)}: {short}",
        narrative=" ".join(filter(None, text)),
        subject={**say.subject(of), **subject},
        window=say.window(*window),
        evidence=tuple(evidence),
        recommendation=advice,
        confidence=min(kind.confidence, at_most),
    )
    return Verdict(of.number, short, finding)


def ordered(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Sort verdicts as their findings are sorted."""
    return sorted(verdicts, key=lambda v: (-SEVERITY_ORDER.index(v.finding.severity), v.finding.id))
