"""Every notebook in JupyterLab, and a session that asks a case without SQL, as a browser shows them.

``python -m tests.lab.looks [FOLDER [NOTEBOOK ..]]`` runs the notebook of each analysis and of a session in a
lab, says what is wrong with any, and how long each took; its exit status is 1 where anything is. A picture of
the first figure of each goes into FOLDER.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import nbformat
import nbformat.v4 as v4

import agtrace
from agtrace import bundled
from tests.lab.jupyter import Lab, faults, lab
from tests.report.browser import browser

CASE = "failover_lease_cpu"
SESSION = "session.ipynb"
ASKED = {
    "which counters exist": 'case.counters("Disk*")',
    "two counters of two hosts on one axis, role changes marked": 'case.plot("Disk Read Bytes/sec", "Disk '
    'Write Bytes/sec", host=["HASQL1", "HASQL2"], mark="roles", together=True)',
    "errors around a time": 'case.around("2024-02-06 14:45", minutes=5)',
    "percentiles per hour": 'case.percentiles("% Processor Time", by="hour")',
    "export": 'agtrace.export_case(case, "exported")',
}
"""What a session asks, a line each."""
COMPLETED = {
    "case.pl": ".plot",
    'case.plot("Disk W': "Write Bytes/sec",
    'case.perfmon("Disk Write Bytes/sec", host="': "HASQL2",
    'case["fail': "failovers",
}
"""What is typed before Tab, and what must be among what is offered."""


def write_session(folder: Path, first: str) -> None:
    """Write the notebook of a session: it opens the case as the one that the lab wrote does."""
    _title, parameters, opening_cell, *_rest = nbformat.read(folder / first, as_version=4).cells
    opening = f"{parameters.source}\n{opening_cell.source}"
    cells = [v4.new_code_cell(source) for source in [opening, *ASKED.values()]]
    notebook = v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, folder / SESSION)


def write_without_outputs(notebook: Path, target: Path) -> None:
    """Copy a notebook without what it has stored: what shows was made by the run."""
    read = nbformat.read(notebook, as_version=4)
    for cell in read.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    nbformat.write(read, target)


def session_faults(shown: Lab, folder: Path, cells: list[dict[str, Any]]) -> list[str]:
    """Return what else is wrong with the session that was run, in words."""
    found = []
    asked = dict(zip(ASKED, cells[1:], strict=True))
    for name, cell in asked.items():
        if not (cell["html"] or cell["wanted"] or name == "export"):
            found.append(f"{name}: neither a table nor a figure")
    figure = asked["two counters of two hosts on one axis, role changes marked"]
    if (figure["wanted"], figure["axes"]) != (1, 1) or not figure["marks"]:
        found.append(f"{figure['axes']} axes, {figure['marks']} marks of role changes")
    if not (folder / "exported" / "summary.md").is_file():
        found.append("nothing was exported")
    for typed, wanted in COMPLETED.items():
        offered = shown.complete(typed)
        if not any(wanted in each for each in offered):
            found.append(f"{typed} Tab offers {offered[:10]}, not {wanted}")
    return found


def main(arguments: list[str]) -> int:
    """Run them all; 1 where anything is wrong."""
    wrong, pictures = 0, Path(arguments[0]) if arguments else None
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        with browser(folder / "profile") as tab, lab(tab, agtrace.sample(CASE), folder) as shown:
            notebooks = folder / "notebooks"
            write_session(notebooks, shown.first)
            runs = [shown.first, SESSION]
            for path in sorted(bundled.notebooks().glob("*.ipynb")):
                write_without_outputs(path, notebooks / path.name)
                runs.append(path.name)
            for name in [name for name in runs if name in (arguments[1:] or runs)]:
                begun = time.monotonic()
                cells = shown.run(name)
                found = faults(cells)
                if name == SESSION:
                    found += session_faults(shown, notebooks, cells)
                wrong += len(found)
                print(f"{name}: {found or 'fine'}, {time.monotonic() - begun:.1f} s", flush=True)
                if pictures:
                    pictures.mkdir(parents=True, exist_ok=True)
                    (pictures / f"{Path(name).stem}.png").write_bytes(shown.picture(cells))
                shown.close()
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
