"""The report of a case of which nothing can be said: one page that says why."""

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
    """Write the report of a case that could not be reported, in the place of the one before.

    Parameters
    ----------
    out
        Folder of the report.
    case
        Name of the case.
    reason
        Why, in one line.
    captures
        What lay in it, as far as that is known.

    Raises
    ------
    CaseError
        The folder holds something that is no report, or cannot be written.
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
