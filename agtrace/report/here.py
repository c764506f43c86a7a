"""Run a notebook of agtrace in this process; anybody else's is run in a kernel (`agtrace.report.kernel`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace import notebook_format
from agtrace.report.execution import Executed, run, sharing

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from agtrace.case import Case


def run_here(path: Path, parameters: Mapping[str, Any], folder: Path, case: Case | None = None) -> Executed:
    """Run a notebook in this process; errors inside the notebook are never raised.

    Parameters
    ----------
    path
        One of agtrace's own notebooks; it is not written to.
    parameters
        Values for its parameters cell; undeclared names are left out.
    folder
        An empty folder for files of IPython.
    case
        The opened case it uses; by default, the one named in its parameters.

    Raises
    ------
    KeyboardInterrupt
        The report was interrupted.
    """
    # It is to be imported before papermill, which imports all of it.
    notebook_format.load()
    from agtrace.report.engine import NAME, use_engine

    use_engine()
    kept: list[NotebookNode] = []
    with sharing(case):
        engine = {"engine_name": NAME, "shell_folder": folder, "kept": kept}
        return run(path, parameters, None, lambda: kept[0], str, engine)
