"""Choice of the headline: the finding that answers the question that the captures were made for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from agtrace.say.finding import SEVERITY_ORDER, Finding

T = TypeVar("T")

ASKED = ("compare", "workload", "commit", "seeding", "backup")
"""Questions with captures made specifically for them: labelled runs, tests of a load generator, an
Extended Events session or trace flags. Logs and counters are always collected."""
OUTAGES = ("health.failover", "health.no_primary", "health.two_primaries")
"""Incidents that were not captured on purpose and are the first to report."""
CONSEQUENCES = ("health.two_primaries",)
"""Findings caused by others: the finding of the cause leads if both are equally severe."""
ANSWERS = ("compare", "health.failover")
"""Results that count as answers even with severity info: two runs that do not differ, a requested
failover."""
MENDED = "transport.healthy"
DOUBTS = ("contradiction", "not_settled")
SURE = 0.6
"""Below this confidence a cause is a guess, and a comparison is based on few runs."""


def headline(findings: Sequence[Finding]) -> Finding | None:
    """Return the finding that a case opens with, from findings in any order, or None.

    Critical findings and outages come first, then answers to specific captures, then the rest; findings on
    the quality of captures come last. If a stream keeps up after a limit was found, the limit is resolved and
    belongs to the rest. An answer of severity info does not lead if there is a warning. Among equals the most
    severe leads, then the cause of the others, then the higher confidence.
    """
    kept_up: dict[tuple[str, ...], str] = {}
    for each in findings:
        if each.id == MENDED:
            stream = _stream(each)
            kept_up[stream] = max(kept_up.get(stream, ""), _edge(each, "start"))

    def is_over(finding: Finding) -> bool:
        ended = _edge(finding, "end")
        is_limit = finding.id.startswith("transport.") and finding.id != MENDED
        return bool(is_limit and ended and ended <= kept_up.get(_stream(finding), ""))

    over = {id(each): is_over(each) for each in findings}
    if any(_is_severe(each) and not over[id(each)] for each in findings):
        findings = [each for each in findings if each.severity != "info"]
    return min(findings, key=lambda each: _rank(each, is_over=over[id(each)]), default=None)


def _is_severe(finding: Finding) -> bool:
    """Return whether a finding is a warning or worse about the case, not about its captures."""
    question, _, kind = finding.id.partition(".")
    return finding.severity in ("warning", "critical") and question != "quality" and kind not in DOUBTS


def _stream(finding: Finding) -> tuple[str, ...]:
    return tuple(str(finding.subject.get(key, "")) for key in ("ag", "primary", "replica"))


def _edge(finding: Finding, edge: str) -> str:
    return "" if finding.window.get("local") else str(finding.window.get(edge) or "")


def read_first(findings: Sequence[T], of: Callable[[T], Finding]) -> list[T]:
    """Return findings in their order, but with the headline first.

    Parameters
    ----------
    of
        Returns the finding of each item.
    """
    first = headline([of(each) for each in findings])
    return sorted(findings, key=lambda each: of(each) is not first)


def is_answer(finding: Finding) -> bool:
    """Return whether a finding can be the headline, instead of a note that there are no problems."""
    return finding.severity != "info" or finding.id in ANSWERS or finding.id.partition(".")[0] in ANSWERS


def _rank(finding: Finding, *, is_over: bool) -> tuple[int, int, int, bool, bool, float]:
    question, _, kind = finding.id.partition(".")
    severity = SEVERITY_ORDER.index(finding.severity)
    is_asked = question in ASKED
    if question == "quality":
        place = 5
    elif kind in DOUBTS:
        place = 4
    elif is_over:
        place = 2
    elif finding.severity == "critical" or (finding.id in OUTAGES and finding.severity == "warning"):
        place = 0
    elif finding.severity == "info" and question not in ANSWERS:
        place = 3
    else:
        place = 1 if is_asked else 2
    order = ASKED.index(question) if is_asked else len(ASKED)
    return (
        place,
        -severity if place in (0, 2, 5) or finding.severity in ("warning", "critical") else order,
        -severity,
        finding.id in CONSEQUENCES,
        finding.confidence < SURE,
        -finding.confidence,
    )
