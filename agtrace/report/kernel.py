"""Run one notebook, in a kernel of the very interpreter that runs agtrace."""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace.errors import NotebookError
from agtrace.store.scratch import prefix

if TYPE_CHECKING:
    from nbformat import NotebookNode

KERNEL_LOG = "kernel.log"
"""What a kernel itself writes, beside what notebooks print."""

CASE_SETTINGS = "AGTRACE_CASE_SETTINGS"
"""Set to 0, notebooks open cases without their settings files: none of them needs a parameter for it."""

_TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True)
class Executed:
    """A notebook after its run.

    Parameters
    ----------
    name
        Name of the notebook, and of the analysis that it shows.
    notebook
        Its cells, with outputs as far as it came.
    failure
        What went wrong, None when it ran to its end.
    """

    name: str
    notebook: NotebookNode
    failure: NotebookError | None


def declared_parameters(path: Path) -> list[str]:
    """Give the names that the cell tagged ``parameters`` of a notebook assigns."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if "parameters" in cell.metadata.get("tags", []):
            targets = [
                n.targets[0] for n in ast.parse(cell.source).body if isinstance(n, ast.Assign)
            ]
            return [target.id for target in targets if isinstance(target, ast.Name)]
    return []


def execute(path: Path, parameters: dict[str, Any], *, case_settings: bool = True) -> Executed:
    """Execute a notebook with papermill. Never raises for what happens inside of it.

    Parameters
    ----------
    path
        The notebook; it is not written to.
    parameters
        Values for its parameters cell; names that it does not declare are left out.
    case_settings
        False: cases are opened without the settings files that lie in them.
    """
    import nbformat
    import papermill
    from papermill.exceptions import PapermillExecutionError

    notebook = nbformat.read(path, as_version=4)
    known = declared_parameters(path)
    wanted = {name: value for name, value in parameters.items() if name in known}
    failure = None
    # An empty working directory: a notebook must not depend on where it lies, nor a file there
    # shadow a module. An empty IPython directory: a person's start-up scripts have no say here.
    with tempfile.TemporaryDirectory(prefix=prefix("kernel"), ignore_cleanup_errors=True) as here:
        folder = Path(here)
        written = folder / "executed.ipynb"
        try:
            notebook = papermill.execute_notebook(
                notebook,
                # papermill formats this path with the parameters.
                str(written).replace("{", "{{").replace("}", "}}"),
                request_save_on_cell_execute=False,
                parameters=wanted,
                kernel_name="python3",
                language="python",
                progress_bar=False,
                start_timeout=120,
                kernel_manager_class=_kernel_manager(folder, case_settings),
                resources={"metadata": {"path": here}},
            )
        except PapermillExecutionError as error:
            notebook = nbformat.read(written, as_version=4)
            failure = NotebookError(_one_line(path.stem, error.ename, error.evalue))
        except Exception as error:
            # A kernel that dies or never starts raises errors of nbclient and jupyter_client.
            failure = NotebookError(_one_line(path.stem, type(error).__name__, str(error)))
    return Executed(path.stem, notebook, failure)


def _one_line(name: str, kind: str, text: str) -> str:
    lines = _TERMINAL_CODES.sub("", text or "").strip().splitlines()
    return f"notebook {name} failed: {kind}" + (f": {lines[0].strip()}" if lines else "")


def _kernel_manager(folder: Path, case_settings: bool) -> type:
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    # Not the kernel that happens to be registered as python3: it may be another environment's.
    spec = KernelSpec(
        argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        display_name="Python 3 (ipykernel)",
        language="python",
        env={"IPYTHONDIR": str(folder), CASE_SETTINGS: "1" if case_settings else "0"},
    )
    # Sockets in the folder instead of open ports, where the system has them.
    transport = "tcp" if sys.platform == "win32" else "ipc"

    class OwnKernelManager(AsyncKernelManager):
        def __init__(self, **settings: Any) -> None:
            settings |= {"transport": transport, "connection_file": str(folder / "kernel.json")}
            super().__init__(**settings)

        @property
        def kernel_spec(self) -> KernelSpec:
            return spec

        # jupyter_client declares the blocking signature here, and awaits what it returns.
        async def start_kernel(self, **settings: Any) -> None:  # type: ignore[override]
            with (folder / KERNEL_LOG).open("wb") as log:
                await super().start_kernel(**settings, stdout=log, stderr=log)

    return OwnKernelManager
