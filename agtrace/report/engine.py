"""A papermill engine that runs the cells of a notebook in this process."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from papermill.engines import Engine, papermill_engines

from agtrace import interrupts
from agtrace.report.execution import OPTIONS
from agtrace.report.shell import NotebookShell

NAME = "agtrace"
"""Name under which papermill knows the engine."""

LANGUAGE = {
    "name": "python",
    "mimetype": "text/x-python",
    "file_extension": ".py",
    "pygments_lexer": "ipython3",
    "nbconvert_exporter": "python",
    "codemirror_mode": {"name": "ipython", "version": 3},
}
"""Language information as provided by a kernel."""


class ShellEngine(Engine):
    """Runs a notebook in its own shell (`agtrace.report.shell`); no kernel is started."""

    @classmethod
    def execute_managed_notebook(
        cls, nb_man: Any, kernel_name: str, *, shell_folder: Path, kept: list[Any], **_others: Any
    ) -> None:
        """Run the cells in order, up to the first that fails.

        Parameters
        ----------
        shell_folder
            Folder to which the shell writes.
        kept
            Receives the notebook, which papermill does not return if a cell has failed.

        Raises
        ------
        KeyboardInterrupt
            Interrupted by the user.
        """
        import pandas as pd

        kept.append(nb_man.nb)
        shell = NotebookShell(shell_folder)
        nb_man.nb.metadata["language_info"] = dict(LANGUAGE)
        # The options of a session that creates a report are restored.
        with pd.option_context(*_kept_options()):
            for index, cell in enumerate(nb_man.nb.cells):
                nb_man.cell_start(cell, index)
                error = None
                try:
                    error = _run(shell, cell)
                finally:
                    if error is not None:
                        nb_man.cell_exception(cell, cell_index=index, exception=error)
                    nb_man.cell_complete(cell, cell_index=index)
                if error is not None:
                    return


def _run(shell: NotebookShell, cell: Any) -> BaseException | None:
    if cell.cell_type != "code" or not cell.source.strip():
        return None
    cell.execution_count = shell.execution_count
    cell.outputs, error = shell.run(cell.source)
    if isinstance(error, KeyboardInterrupt):
        raise error
    interrupts.check()
    return error


def _kept_options() -> list[Any]:
    import pandas as pd

    return [each for name in OPTIONS for each in (name, pd.get_option(name))]


@cache
def use_engine() -> None:
    """Make papermill know the engine."""
    papermill_engines.register(NAME, ShellEngine)
