"""Two cases side by side: everything that was compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from agtrace import thresholds
from agtrace.comparing import findings, moves, numbers, settings
from agtrace.comparing.findings import is_about_captures
from agtrace.comparing.rows import PARTS, ComparedFinding, Row, differing
from agtrace.comparing.sides import Pairing, Side
from agtrace.say.finding import SEVERITY_ORDER


@dataclass(frozen=True, eq=False, repr=False)
class Compared:
    """The compared items, and the differences.

    Parameters
    ----------
    before, after
        The two cases.
    pairing
        The matching hosts and groups of both cases.
    findings
        Findings that came, went, turned, changed or stayed.
    streams, numbers, waits, settings, failovers
        The same for measurements, settings and events.
    """

    before: Side
    after: Side
    pairing: Pairing
    findings: list[ComparedFinding]
    streams: list[Row]
    numbers: list[Row]
    waits: list[Row]
    settings: list[Row]
    failovers: list[Row]

    @classmethod
    def of(cls, before: Side, after: Side, pairing: Pairing) -> Self:
        """Compare two cases."""
        limits = thresholds.of(before.view)
        return cls(
            before,
            after,
            pairing,
            findings.compared_findings(before, after, pairing, limits.compare_resource_share),
            numbers.of_streams(before, after, pairing, limits),
            numbers.of_hosts(before, after, pairing, limits),
            numbers.of_waits(before, after, pairing, limits),
            settings.of_settings(before, after, pairing),
            moves.of_failovers(before, after, pairing, limits),
        )

    @property
    def differs(self) -> bool:
        """Return whether anything captured in both cases differs."""
        told = any(each.differs and not is_about_captures(each) for each in self.findings)
        return told or any(row.differs for part in PARTS for row in getattr(self, part))

    def differences(self, part: str) -> list[Row]:
        """Return the differences of a part: streams, numbers, waits, settings or failovers."""
        return differing(getattr(self, part))

    def worse(self, severity: str) -> bool:
        """Return whether a finding of at least this severity is new, more severe or more frequent."""
        least = SEVERITY_ORDER.index(severity)
        return any(
            each.severities[1]
            and SEVERITY_ORDER.index(each.severities[1]) >= least
            and (not each.severities[0] or _rank(each, 1) > _rank(each, 0))
            for each in self.findings
            if each.differs
        )


def _rank(told: ComparedFinding, place: int) -> tuple[int, int]:
    return SEVERITY_ORDER.index(told.severities[place]), told.counts[place]
