"""What a report consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agtrace.errors import NotebookError
    from agtrace.say.finding import Finding


@dataclass
class ReportResult:
    """What a report consists of.

    Parameters
    ----------
    index
        The page to open.
    pages
        The page of each notebook that was run.
    findings
        All findings, the most severe first.
    failures
        Notebooks and analyses that failed, one line each; the rest is there.
    missing
        Why a notebook was not run, by name.
    files
        Names of all its files.
    """

    index: Path
    pages: dict[str, Path] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list, repr=False)
    failures: list[NotebookError] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list, repr=False)
