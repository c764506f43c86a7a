"""Shared parts of running notebooks with papermill, in this process or in a kernel."""

from __future__ import annotations

import ast
import contextlib
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace import interrupts, notebook_format
from agtrace.errors import NotebookError
from agtrace.say.words import number

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from agtrace.case import Case

ROWS_SHOWN = 1000
"""Rows of a table on a page; of a longer one, the first and last rows and a note."""
OPTIONS = {
    "display.max_rows": ROWS_SHOWN,
    "display.max_columns": None,
    "display.max_colwidth": 120,
    "display.float_format": number,
    # A dollar sign in a name does not start a formula.
    "display.html.use_mathjax": False,
}
"""Options for tables of pandas in notebooks."""

_TALKATIVE = ("asyncio", "papermill", "traitlets")

_TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")

_SHARED: ContextVar[Case | None] = ContextVar("shared", default=None)


@dataclass(frozen=True)
class Executed:
    """A notebook after its run.

    Parameters
    ----------
    name
        Name of the notebook and of its analysis.
    notebook
        Its cells, with the outputs up to the end or the failure.
    failure
        The error; None if it ran to its end.
    """

    name: str
    notebook: NotebookNode
    failure: NotebookError | None


@contextlib.contextmanager
def sharing(case: Case | None) -> Iterator[None]:
    """Share an opened case with the notebooks run in this context."""
    shared = _SHARED.set(case)
    try:
        yield
    finally:
        _SHARED.reset(shared)


def shared_case() -> Case | None:
    """Return the case shared with the running notebook; None if it opens its own."""
    return _SHARED.get()


def declared_parameters(path: Path) -> list[str]:
    """Return the names that the cell tagged ``parameters`` of a notebook assigns."""
    nbformat = notebook_format.load()

    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if "parameters" in cell.metadata.get("tags", []):
            return assigned(cell.source)
    return []


def assigned(source: str) -> list[str]:
    """Return the names that the statements of a cell assign; empty if it is not plain Python."""
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return []
    targets = [each.targets[0] for each in statements if isinstance(each, ast.Assign)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def run(
    path: Path,
    parameters: Mapping[str, Any],
    written: Path | None,
    failed: Callable[[], NotebookNode],
    told: Callable[[Exception], str],
    engine: Mapping[str, Any],
) -> Executed:
    """Run a notebook with papermill.

    Parameters
    ----------
    path
        The notebook; it is not written to.
    parameters
        Values for its parameters cell; undeclared names are left out.
    written
        Path to which papermill writes it; None: nowhere.
    failed
        Returns the notebook whose cell has failed, with papermill's mark.
    told
        Returns the message of an error outside its cells.
    engine
        Arguments for papermill on how to run it.
    """
    nbformat = notebook_format.load()
    import papermill
    from papermill.exceptions import PapermillExecutionError

    # Failures of notebooks are reported by the result, not by these loggers.
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    notebook = nbformat.read(path, as_version=4)
    known = declared_parameters(path)
    failure = None
    try:
        notebook = papermill.execute_notebook(
            notebook,
            # papermill formats this path with the parameters.
            None if written is None else str(written).replace("{", "{{").replace("}", "}}"),
            request_save_on_cell_execute=False,
            parameters={name: value for name, value in parameters.items() if name in known},
            kernel_name="python3",
            language="python",
            progress_bar=False,
            **engine,
        )
    except PapermillExecutionError as error:
        notebook = failed()
        failure = NotebookError(_one_line(path.stem, error.ename, error.evalue or told(error)))
    except Exception as error:
        interrupts.raise_again(error)
        failure = NotebookError(_one_line(path.stem, type(error).__name__, told(error)))
    for name in ("input_path", "output_path"):
        # The notebook's path within the package, without the metadata on its sample and a folder that no
        # longer exists.
        notebook.metadata.get("papermill", {}).pop(name, None)
    return Executed(path.stem, notebook, failure)


@contextlib.contextmanager
def scratch_folder(what: str) -> Iterator[Path]:
    """Yield a temporary folder of this process, removed afterwards."""
    import tempfile

    from agtrace.store.scratch import prefix

    with tempfile.TemporaryDirectory(prefix=prefix(what), ignore_cleanup_errors=True) as name:
        yield Path(name)


def _one_line(name: str, kind: str, text: str) -> str:
    lines = _TERMINAL_CODES.sub("", text or "").strip().splitlines()
    return f"notebook {name} failed: {kind}" + (f": {lines[0].strip()}" if lines else "")
