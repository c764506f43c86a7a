"""Marks on every time axis: role changes, and the times of findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agtrace.report.timeline import ms, window
from agtrace.say.figures import label
from agtrace.say.finding import Finding

MOST = 40
"""More marks than this hide what they mark."""


def marks(findings: Iterable[Finding], roles: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the marks of a case: start and end in ms since 1970, text and tone.

    Parameters
    ----------
    findings
        Those that are warnings or worse, and have a window in UTC, are marked.
    roles
        Rows of the relation ``roles`` (ag, host_id, role, start).
    """
    made = []
    primaries: dict[str, str] = {}
    known = [row for row in roles if row["role"] == "PRIMARY" and row["start"] is not None]
    for row in sorted(known, key=lambda row: row["start"]):
        before = primaries.setdefault(row["ag"] or "", row["host_id"])
        if before != row["host_id"]:
            primaries[row["ag"] or ""] = row["host_id"]
            moment = ms(row["start"])
            made.append(_mark(moment, moment, f"{row['host_id']} becomes primary", "role"))
    for finding in findings:
        span = window(finding)
        if span and finding.severity in ("warning", "critical"):
            start, end = map(ms, span)
            made.append(_mark(start, end, finding.title, finding.severity))
    return made[:MOST]


def _mark(start: int, end: int, text: str, tone: str) -> dict[str, Any]:
    return {"start": start, "end": end, "text": label(text, 40), "tone": tone}
