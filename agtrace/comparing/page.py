"""The page of a comparison, and its notebook."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agtrace import notebook_format, strict_json
from agtrace.comparing.comparison import Comparison
from agtrace.comparing.findings import is_about_captures
from agtrace.comparing.rows import OPEN, PARTS, ComparedFinding
from agtrace.comparing.said import TITLES
from agtrace.comparing.tables import ROWS_SHOWN, cells
from agtrace.report.cells import drawn
from agtrace.report.folder import INDEX, ReportFolder
from agtrace.report.pages import render
from agtrace.say import words

KIND = "comparison"
NOTEBOOK = "compare.ipynb"
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def write(
    of: Comparison,
    out: Path,
    folders: tuple[Path, Path],
    *,
    hosts: dict[str, str],
    thresholds: dict[str, float] | None = None,
) -> Path:
    """Write the page of a comparison, ``compare.json`` and a notebook that repeats the comparison.

    Parameters
    ----------
    out
        The folder.
    folders
        Folders of the two cases, for the notebook.
    hosts, thresholds
        As of `agtrace.compare`.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    CaseError
        The folder contains something other than a comparison, or cannot be written.
    """
    with ReportFolder(out, KIND) as target:
        target.write(INDEX, page(of))
        target.write("compare.json", strict_json.dumps(of.to_dict(), ensure_ascii=False, indent=1))
        target.write(NOTEBOOK, notebook(of, folders, hosts, thresholds))
        target.finish()
    return target.index


def page(of: Comparison) -> str:
    """Return the page: the differences first, the rest folded, and what could not be compared."""
    figures = [
        block
        for name, fig in (("figure-minutes", of.fig_minutes()), ("figure-ratios", of.fig_ratios()))
        for block in drawn(fig.to_plotly_json(), name)
        if block.kind == "figure"
    ]
    told = [each for each in of.findings if not is_about_captures(each)]
    captures = [each for each in of.findings if is_about_captures(each)]
    return render(
        "compare.html",
        case=f"{words.plain(of.before.name)} / {words.plain(of.after.name)}",
        made=words.moment(datetime.now(UTC)),
        figures=figures,
        before=of.before.name,
        after=of.after.name,
        sentences=of.words.sentences,
        findings=_told(of, [each for each in told if each.differs or each.verdict == OPEN]),
        same_findings=_told(of, [each for each in told if not each.differs and each.verdict != OPEN]),
        captures=_told(of, [each for each in captures if each.differs]),
        compared=[_part(of, part) for part in PARTS],
        open=of.words.open,
        notebook=NOTEBOOK,
    )


def _told(of: Comparison, found: list[ComparedFinding]) -> list[dict[str, Any]]:
    return [_finding(of, each) for each in found[:ROWS_SHOWN]]


def _finding(of: Comparison, told: ComparedFinding) -> dict[str, Any]:
    return {
        "severity": told.severity,
        "verdict": told.verdict,
        "text": of.words.finding(told),
        "about": told.about,
    }


def _part(of: Comparison, part: str) -> dict[str, Any]:
    rows = getattr(of, part)
    differing = [cells(of.words, row) for row in rows if row.differs]
    rest = [cells(of.words, row) for row in rows if not row.differs]
    return {
        "title": TITLES[part],
        "differing": differing[:ROWS_SHOWN],
        "rest": rest[:ROWS_SHOWN],
        "more": max(0, len(differing) - ROWS_SHOWN) + max(0, len(rest) - ROWS_SHOWN),
    }


def notebook(
    of: Comparison,
    folders: tuple[Path, Path],
    hosts: dict[str, str],
    thresholds: dict[str, float] | None = None,
) -> str:
    """Return a notebook that repeats the comparison; paths and names are literals in it."""
    nbformat = notebook_format.load()
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    before, after = (str(folder.resolve()) for folder in folders)
    names = (of.before.name, of.after.name)
    asked = (
        f"before = {before!r}  # folder of captures\nafter = {after!r}\n"
        f"names = {names!r}\nhosts = {hosts!r}  # which host of the first is which of the second\n"
        f"thresholds = {thresholds or {}!r}  # limits of your own, by name"
    )
    cells = [
        new_markdown_cell(f"# {words.md(names[0])} against {words.md(names[1])}"),
        new_code_cell(asked, metadata={"tags": ["parameters"]}),
        new_code_cell(
            "import agtrace\n\nfound = agtrace.compare(\n    before, after, hosts=hosts, names=tuple(names), "
            "thresholds=thresholds\n)\nfound"
        ),
        new_code_cell("found.fig_minutes()"),
        new_code_cell("found.fig_ratios()"),
        new_code_cell("found.to_df()"),
    ]
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    return str(nbformat.writes(new_notebook(cells=cells, metadata={"kernelspec": _KERNEL}))) + "\n"
