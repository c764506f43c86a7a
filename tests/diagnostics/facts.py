"""A finding without its words, for tests that hold all that it states."""

from __future__ import annotations

from typing import Any

from agtrace.say.finding import Finding


def facts(finding: Finding) -> dict[str, Any]:
    """Return severity, subject, window, confidence, and each line of evidence; numbers to six digits."""
    return {
        "severity": finding.severity,
        "subject": finding.subject,
        "window": finding.window,
        "confidence": finding.confidence,
        "evidence": [(each.label, _short(each.value), each.unit, each.source) for each in finding.evidence],
    }


def _short(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, float) else value
