"""The user's notebooks in a report: a page each, and the findings they add."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace import notebook_format
from agtrace.diagnostics import Analysis, Finding, analyses
from agtrace.errors import CaseError
from agtrace.interactive.own import FINDING

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from agtrace.case import Case

MOST_BYTES = 256 << 20


class OwnNotebook(Analysis):
    """The page of a user's notebook, whose texts are in its cells."""

    question = "A notebook of your own."
    order = 100

    def __init__(self, case: Case, name: str, title: str) -> None:
        super().__init__(case.view)
        self.name = name  # type: ignore[misc]
        self.title = title  # type: ignore[misc]

    def findings(self) -> list[Finding]:
        """Return an empty list: its findings exist once it has run."""
        return []


def own_notebooks(paths: Iterable[str | Path]) -> dict[str, Path]:
    """Return notebooks by the names of their pages.

    Raises
    ------
    CaseError
        A file is not a notebook, or two have the same name.
    """
    found: dict[str, Path] = {}
    for path in map(Path, paths):
        name = path.stem
        if name in analyses() or name in found or name == "index":
            raise CaseError(f"{path}: the report has a page {name!r} already", "give it another name")
        _read(path)
        found[name] = path
    return found


def adopt(case: Case, paths: dict[str, Path]) -> None:
    """Add notebooks as analyses to a case."""
    for name, path in paths.items():
        case.adopt(OwnNotebook(case, name, _title(_read(path), name)))


def added(notebook: NotebookNode) -> list[Finding]:
    """Return the findings that an executed notebook has added."""
    outputs = [
        output.get("data", {}).get(FINDING)
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    return [Finding.of(fields) for fields in outputs if fields is not None]


def _read(path: Path) -> NotebookNode:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CaseError(f"{path}: is too large for a notebook", "clear its outputs")
        return notebook_format.load().read(path, as_version=4)
    except OSError as error:
        raise CaseError(f"{path}: cannot be read ({error.strerror or error})", "name a notebook") from error
    except Exception as error:
        if isinstance(error, CaseError):
            raise
        raise CaseError(f"{path}: is no notebook", "name a file that JupyterLab has saved") from error


def _title(notebook: NotebookNode, name: str) -> str:
    """Return the first heading of a notebook."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("# "):
            return str(cell.source.splitlines()[0].removeprefix("# ").strip()) or name
    return name
