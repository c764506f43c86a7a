"""Execute the notebooks and store their outputs: ``python -m agtrace.report.store_outputs FOLDER``.

The files come out the same on every machine: no times, no paths, no versions.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace import notebook_format
from agtrace.errors import AgtraceError
from agtrace.report.cells import PLOTLY
from agtrace.report.execution import scratch_folder
from agtrace.report.here import run_here

if TYPE_CHECKING:
    from nbformat import NotebookNode


def store_outputs(path: Path) -> None:
    """Execute a notebook with its own defaults and write it back with its outputs.

    Raises
    ------
    NotebookError
        It failed; the file is unchanged.
    """
    import pandas as pd

    nbformat = notebook_format.load()

    # As in a kernel; here pandas would fit tables to the terminal.
    with scratch_folder("notebook") as folder, pd.option_context("display.max_columns", 20):
        run = run_here(path, {}, folder)
    if run.failure:
        raise run.failure
    notebook = run.notebook
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    count = 0
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        cell.metadata = {"tags": tags} if tags else {}
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            cell.outputs = [o for o in cell.outputs if o.get("name") != "stderr" and not _is_loader(o)]
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = count
                if PLOTLY in (data := output.get("data", {})):
                    output.data = {PLOTLY: data[PLOTLY]}
    text = nbformat.writes(nbformat.from_dict(notebook), indent=1)
    path.write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")


def _is_loader(output: NotebookNode) -> bool:
    """Return whether an output is the megabytes of JavaScript that plotly shows before its first figure."""
    return output.output_type == "display_data" and list(output.data) == ["text/html"]


def main(arguments: list[str]) -> int:
    """Store the outputs of every notebook in the folders and files named."""
    paths = [Path(argument) for argument in arguments]
    notebooks = [n for p in paths for n in (sorted(p.glob("*.ipynb")) if p.is_dir() else [p])]
    if not notebooks:
        sys.stderr.write("name the notebooks, or a folder of them\n")
        return 2
    try:
        for path in notebooks:
            store_outputs(path)
            sys.stdout.write(f"{path}\n")
    except AgtraceError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
