"""The report of a case that could not be reported: one page with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.report import findings_json
from agtrace.report.folder import INDEX, ReportFolder
from agtrace.report.pages import render
from agtrace.say import words

if TYPE_CHECKING:
    from agtrace.ingested import IngestedCapture

FILES_SHOWN = 500


def write_broken(out: Path, case: str, reason: str, captures: Sequence[IngestedCapture] = ()) -> None:
    """Write a report on a failed report, in place of the previous one.

    Parameters
    ----------
    out
        Folder of the report.
    case
        Name of the case.
    reason
        The reason, in one line.
    captures
        Its captures, as far as known.

    Raises
    ------
    CaseError
        The folder contains something other than a report, or cannot be written.
    """
    text = render(
        "broken.html",
        case=words.plain(case),
        made=words.moment(datetime.now(UTC)),
        reason=reason,
        captures=captures[:FILES_SHOWN],
        more=max(len(captures) - FILES_SHOWN, 0),
    )
    with ReportFolder(out) as target:
        target.write("findings.json", findings_json([]))
        target.write(INDEX, text)
        target.finish()
