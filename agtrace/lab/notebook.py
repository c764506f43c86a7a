"""The notebook of a case: its folder and its first cells."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace import notebook_format
from agtrace.errors import CaseError
from agtrace.lab.executed import outputs
from agtrace.store.place import place_in

if TYPE_CHECKING:
    from agtrace.case import Case

FOLDER = "agtrace-notebooks"
"""Folder in the home folder, so that the user's work is kept when the lab ends."""

TITLE = """\
# A case

The next cell names the folder. To run this notebook on another case:
`papermill NOTEBOOK.ipynb out.ipynb -p case FOLDER`"""

OPENING = """import agtrace
from agtrace.lab.session import first_moment, leading_counter, open_case, title

case = open_case(
    case, store, ingest=ingest, thresholds=thresholds, case_settings=case_settings, known={known!r}
)
title(case)"""

CELLS = (
    "case",
    """counter = leading_counter(case)  # or any of case.counters(), such as "Log Send Queue"
case.plot(counter, mark="roles") if counter else "No counters were captured.\"""",
    "case.findings()",
    'case.percentiles(counter, by="hour") if counter else None',
    "case.counters()",
    """moment = first_moment(case)  # or any time, such as "2024-02-06 14:45"
case.around(moment, minutes=2) if moment else None""",
)
"""Questions that the notebook asks about any case; the last expression of each is its output."""

CHANGE = """\
**Change these.** `case.plot` takes any counter of `case.counters()`, `case.around` any time, and
`case.sql("from failovers")` any relation of `case.relations()`. Run the cell `case = open_case(..)` first."""

_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def notebook_folder(case: Path, out: str | Path | None = None) -> Path:
    """Choose the folder of the notebook and create it.

    Parameters
    ----------
    case
        Folder of captures.
    out
        The folder that the user named; default ``agtrace-notebooks`` in the home folder.

    Raises
    ------
    CaseError
        It is inside the case, or cannot be created.
    """
    folder = (Path.home() / FOLDER if out is None else Path(out)).absolute()
    try:
        if folder.resolve().is_relative_to(case.resolve()):
            raise CaseError(
                f"{folder}: lies in the case", "notebooks lie elsewhere: name a folder with --out"
            )
        folder.mkdir(parents=True, exist_ok=True)
        # The server serves nothing below a path with .. in it.
        return folder.resolve()
    except (OSError, RuntimeError) as error:
        raise CaseError(f"{folder}: cannot be made ({error})", "name another folder with --out") from error


def write_notebook(
    case: Case, folder: Path, *, case_settings: bool = True, thresholds: Mapping[str, float] | None = None
) -> Path:
    """Write the notebook of a case unless it exists; an existing one may contain work.

    Parameters
    ----------
    case
        The opened case; its contents decide the first cells.
    folder
        Folder of the notebook.
    case_settings
        False: the notebook opens the case without the settings files in it.
    thresholds
        Thresholds that override those of the case.

    Returns
    -------
    Path
        The notebook; its name ends in a hash of the case's full path.
    """
    nbformat = notebook_format.load()
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    path = folder / _name(case.folder)
    if path.exists():
        return path
    opened = OPENING.format(known={str(case.folder.resolve()): _own_store(case)})
    shown = outputs(case, ["title(case)", *CELLS])
    cells = [
        new_markdown_cell(TITLE),
        new_code_cell(
            parameters(case, thresholds or {}, case_settings=case_settings), metadata={"tags": ["parameters"]}
        ),
        *(
            new_code_cell(source, execution_count=count, outputs=each)
            for count, (source, each) in enumerate(zip([opened, *CELLS], shown, strict=True), start=1)
        ),
        new_markdown_cell(CHANGE),
        new_code_cell(""),
    ]
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    notebook = new_notebook(cells=cells, metadata={"kernelspec": _KERNEL})
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    return path


def parameters(case: Case, thresholds: Mapping[str, float], *, case_settings: bool) -> str:
    """Return the cell of parameters for papermill. Paths are literals: any content is text."""
    return (
        f"case = {str(case.folder.resolve())!r}  # folder of captures\n"
        "store = None  # folder of its store; None: the one that agtrace lab read it into, or the default\n"
        "ingest = None  # read what is new in the folder first; None: unless agtrace lab has read it\n"
        f"thresholds = {dict(thresholds)!r}  # limits of your own, such as {{'rpo_s': 30}}\n"
        f"case_settings = {case_settings!r}  # follow agtrace.toml, hosts.toml and runs.csv in the folder"
    )


def _own_store(case: Case) -> str | None:
    """Return the store of the case; None if it is inside the case."""
    store = case.store.resolve()
    return None if store == place_in(case.folder.resolve()) else str(store)


def _name(case: Path) -> str:
    path = case.resolve()
    plain = re.sub(r"[^\w-]+", "-", path.name, flags=re.ASCII).strip("-")[:60] or "case"
    mark = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{plain}-{mark}.ipynb"
