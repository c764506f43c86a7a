"""The result of a report."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agtrace.errors import NotebookError
    from agtrace.say.finding import Finding


@dataclass
class ReportResult:
    """The result of a report.

    Parameters
    ----------
    index
        The page to open.
    pages
        The page of each notebook that ran.
    findings
        All findings, the most severe first.
    failures
        Notebooks and analyses that failed, one line each; the others are complete.
    missing
        Reasons why notebooks were not run, by name.
    files
        Names of all files of the report.
    """

    index: Path
    pages: dict[str, Path] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list, repr=False)
    failures: list[NotebookError] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list, repr=False)
