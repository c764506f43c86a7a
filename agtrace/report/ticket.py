"""The ticket of an opened case without its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agtrace.report.frame import Asked, ticket_of

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.errors import NotebookError
    from agtrace.say.strip import Strip


def alone(case: Case) -> tuple[str, list[NotebookError]]:
    """Return the ticket of a case as Markdown, and the failures."""
    failures: list[NotebookError] = []
    findings = case.findings()
    asked = Asked({*case.unanswered(), *case.failures}, failures)
    none: list[Strip] = []
    return ticket_of(case, findings, asked.of(case.transport, case.transport.strips, none), asked), failures
