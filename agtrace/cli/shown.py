"""Findings and ingested captures as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from agtrace.cli.terminal import colour, one_line, say, wrapped

if TYPE_CHECKING:
    from agtrace.diagnostics.finding import Evidence, Finding
    from agtrace.ingest import IngestedCapture, IngestReport

STYLES: dict[str, dict[str, object]] = {
    "critical": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "notice": {"fg": "cyan"},
    "info": {"fg": "green"},
}


def show_findings(findings: Iterable[Finding]) -> None:
    """Print findings, in the order given."""
    count = 0
    for finding in findings:
        count += 1
        say(
            f"{colour(finding.severity.upper(), **STYLES[finding.severity])}  {one_line(finding.id)}"
        )
        say(colour(wrapped(one_line(finding.title)), bold=True))
        say(wrapped(finding.narrative))
        for line in _evidence_lines(finding.evidence):
            say(line)
        if finding.recommendation:
            say(wrapped(f"Do: {finding.recommendation}"))
        say()
    if not count:
        say("No findings.")


def _evidence_lines(evidence: Iterable[Evidence]) -> list[str]:
    cells = [(one_line(e.label), _value(e), one_line(e.source)) for e in evidence]
    labels = min(max((len(label) for label, _, _ in cells), default=0), 44)
    values = min(max((len(value) for _, value, _ in cells), default=0), 24)
    return [
        f"    {label:<{labels}}  {value:>{values}}  {colour(source, dim=True)}"
        for label, value, source in cells
    ]


def _value(evidence: Evidence) -> str:
    """Word the value with its unit; bytes in the decimal multiple that suits."""
    from agtrace.diagnostics import words

    *whose, measure = one_line(evidence.unit).split(" ")
    if isinstance(evidence.value, str):
        return f"{one_line(evidence.value)} {one_line(evidence.unit)}".rstrip()
    if evidence.value is not None and measure in ("B", "B/s"):
        amount = words.size(evidence.value) + measure.removeprefix("B")
        return " ".join([amount, *whose])
    return words.number(evidence.value, one_line(evidence.unit))


def show_ingest(report: IngestReport, case: str) -> None:
    """Print what an ingest did: a line of counts, then every file that is not in the store."""
    counts = [
        (report.ingested, "read"),
        (report.skipped, "unchanged"),
        (report.not_understood, "not understood"),
        (report.failed, "failed"),
    ]
    said = ", ".join(f"{n:,} {what}" for n, what in counts if n) or "nothing to read"
    say(f"{one_line(case)}: {len(report.captures):,} files: {said}")
    for capture in report.captures:
        if capture.status != "ingested":
            say(f"  {_not_ingested(capture)}")


def _not_ingested(capture: IngestedCapture) -> str:
    status = capture.status.replace("_", " ")
    style: dict[str, object] = (
        {"fg": "red"} if status in ("failed", "unreadable") else {"dim": True}
    )
    kind = f" ({one_line(capture.kind)})" if capture.kind else ""
    reason = f": {one_line(capture.reason)}" if capture.reason else ""
    return f"{colour(status, **style)}  {one_line(capture.path)}{kind}{reason}"


def worst_at_least(findings: Iterable[Finding], severity: str | None) -> bool:
    """Tell whether a finding is at least as severe as ``--fail-on`` asks."""
    from agtrace.diagnostics.finding import SEVERITY_ORDER

    if severity is None:
        return False
    limit = SEVERITY_ORDER.index(severity)
    return any(SEVERITY_ORDER.index(finding.severity) >= limit for finding in findings)
