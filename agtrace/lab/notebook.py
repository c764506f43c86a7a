"""The notebook of a case: where it lies, and what it begins with."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace import notebook_format
from agtrace.errors import CaseError
from agtrace.say.words import md

if TYPE_CHECKING:
    from agtrace.case import Case

FOLDER = "agtrace-notebooks"
"""In the user's own folder: what somebody has written stays when the lab ends."""

PREFERRED = (
    "Log Send Queue",
    "Recovery Queue",
    "Log Bytes Flushed/sec",
    "Backup/Restore Throughput/sec",
    "% Processor Time",
)
"""Counters to begin with, the first that was captured."""

_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def notebook_folder(case: Path, out: str | Path | None = None) -> Path:
    """Choose the folder of the notebook and make it.

    Parameters
    ----------
    case
        Folder of captures.
    out
        The folder that the user named; default ``agtrace-notebooks`` in the user's own.

    Raises
    ------
    CaseError
        It lies in the case, or cannot be made.
    """
    folder = (Path.home() / FOLDER if out is None else Path(out)).absolute()
    try:
        if folder.resolve().is_relative_to(case.resolve()):
            raise CaseError(
                f"{folder}: lies in the case", "notebooks lie elsewhere: name a folder with --out"
            )
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise CaseError(f"{folder}: cannot be made ({error})", "name another folder with --out") from error
    return folder


def write_notebook(case: Case, folder: Path, *, case_settings: bool = True) -> Path:
    """Write the notebook of a case, where there is none yet: one that is there may hold work.

    Parameters
    ----------
    case
        The opened case; what it holds decides what the notebook begins with.
    folder
        Where it goes.
    case_settings
        False: it opens the case without the settings files that lie in there.

    Returns
    -------
    Path
        The notebook; its name ends in a mark of the case's whole path.
    """
    nbformat = notebook_format.load()
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    path = folder / _name(case.folder)
    if path.exists():
        return path
    cells = [
        new_markdown_cell(f"# {md(case.folder.resolve().name)}"),
        new_code_cell(opening(case, case_settings=case_settings)),
        *(new_code_cell(source) for source in _first_questions(case)),
        new_code_cell(""),
    ]
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    notebook = new_notebook(cells=cells, metadata={"kernelspec": _KERNEL})
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    return path


def opening(case: Case, *, case_settings: bool = True) -> str:
    """Give the cell that opens the case. Paths are literals: whatever they hold, they are text."""
    given = "" if case_settings else ", case_settings=False"
    return (
        "import agtrace\nfrom agtrace.lab.session import open_case\n\n"
        f"case = open_case({str(case.folder.resolve())!r}, store={str(case.store.resolve())!r}{given})\n"
        "case"
    )


def _first_questions(case: Case) -> list[str]:
    names = {
        row["counter"]
        for row in case.view.rows("SELECT DISTINCT counter FROM counters WHERE counter IS NOT NULL")
    }
    told = ["case.findings()"]
    if counter := next((name for name in PREFERRED if name in names), None):
        told = [
            f'case.plot({counter!r}, mark="roles")',
            *told,
            f'case.percentiles({counter!r}, by="hour")',
            "case.counters()",
        ]
    moments = [
        f.window["start"] for f in case.verdicts() if f.window.get("start") and not f.window.get("local")
    ]
    if moments:
        told.append(f"case.around({str(min(moments))!r}, minutes=2)")
    return told


def _name(case: Path) -> str:
    path = case.resolve()
    plain = re.sub(r"[^\w-]+", "-", path.name, flags=re.ASCII).strip("-")[:60] or "case"
    mark = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{plain}-{mark}.ipynb"
