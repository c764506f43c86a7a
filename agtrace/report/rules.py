"""Rules for notebooks, so that their tests can fail and their pages read well."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace import notebook_format

if TYPE_CHECKING:
    from nbformat import NotebookNode

CHECK = "check"
"""The tag of a cell whose stored output its test compares (notebooks/conftest.py)."""
FINDINGS = "findings"
PARAMETERS = "parameters"

_LOCAL_PATH = re.compile(r"/(home|tmp|var|Users|mnt|opt)/|[A-Za-z]:\\\\?Users")
_COMPUTING = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.For, ast.While, ast.If, ast.Try,
    ast.With, ast.BinOp, ast.BoolOp, ast.Compare, ast.comprehension, ast.Subscript,
)  # fmt: skip
_READING = frozenset({"read_parquet", "read_csv", "read_table", "open", "scan_parquet"})


def broken_rules(path: Path) -> list[str]:
    """Return the rules that a notebook breaks, one line each; empty if it is fine.

    The rules: a title first; one cell tagged ``parameters`` that sets ``case`` and ``store`` to None;
    a marked cell with the findings; stored output, and no failure, in every marked cell; beside each
    figure a marked cell that says what it shows; narrative first; a figure before the findings; figures
    before tables, in the whole and in each section; calls only, no path, no reading of files, nothing
    skipped.
    """
    nbformat = notebook_format.load()

    notebook = nbformat.read(path, as_version=4)
    found = [*_of_the_whole(notebook)]
    for place, cell in enumerate(notebook.cells):
        found += [f"cell {place}: {text}" for text in _of_a_cell(cell)]
        if "show(" in cell.source and not _describes(notebook.cells[place + 1 : place + 2]):
            found.append(f"cell {place}: no marked cell after it describes the figure")
    return [f"{path.name}: {text}" for text in found]


def _of_the_whole(notebook: NotebookNode) -> Iterator[str]:
    cells = notebook.cells
    if not cells or cells[0].cell_type != "markdown" or not cells[0].source.startswith("# "):
        yield "it does not begin with a title"
    parameters = [c for c in cells if PARAMETERS in c.metadata.get("tags", [])]
    if len(parameters) != 1:
        yield f"it has {len(parameters)} cells tagged {PARAMETERS}, not one"
    for name in ("case", "store"):
        if parameters and not re.search(rf"^{name} = None\b", parameters[0].source, re.MULTILINE):
            yield f"its parameter {name} is not None by default"
    findings = [n for n, c in enumerate(cells) if FINDINGS in c.metadata.get("tags", [])]
    if not any(_is_marked(cells[n]) for n in findings):
        yield "it has no marked cell with the findings"
    figures = [n for n, c in enumerate(cells) if _calls(c, "fig")]
    tables = [n for n, c in enumerate(cells) if _calls(c, "tbl")]
    said = [n for n, c in enumerate(cells) if _calls(c, "say")]
    heads = [n for n, c in enumerate(cells) if c.source.startswith("## ")]
    late = figures and tables and min(tables) < min(figures)
    for section in map(range, [0, *heads], [*heads, len(cells)]):
        of_figures, of_tables = ([n for n in each if n in section] for each in (figures, tables))
        late = late or (of_figures and of_tables and max(of_figures) > min(of_tables))
    if findings and figures and min(findings) < min(figures):
        yield "its findings come before its first figure"
    if late:
        yield "a figure comes after a table"
    if not said or min(said) > min(figures + tables, default=len(cells)):
        yield "it does not begin with its narrative"
    if "papermill" in notebook.metadata:
        yield "it carries the traces of a run (papermill)"


def _of_a_cell(cell: NotebookNode) -> Iterator[str]:
    if cell.cell_type != "code":
        return
    if re.search(r"nbval[-_](?!check)", f"{cell.source} {cell.metadata.get('tags', [])}", re.IGNORECASE):
        yield "it keeps its output from being checked"
    if _is_marked(cell) and not cell.outputs:
        yield "it is marked and has no stored output"
    if any(output.output_type == "error" for output in cell.outputs):
        yield "its stored output is a failure"
    shown = str(cell.outputs)
    if _LOCAL_PATH.search(shown) or any(place in shown for place in _here()):
        yield "its stored output names a local path"
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, _COMPUTING):
            yield f"it computes ({type(node).__name__}); notebooks only call"
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.search(r"[/\\~]", node.value)
        ):
            yield f"it holds a path ({node.value!r})"
        elif isinstance(node, ast.Name | ast.Attribute) and _called(node) in _READING:
            yield f"it reads a file ({_called(node)})"


def _calls(cell: NotebookNode, kind: str) -> bool:
    """Return whether a cell calls an analysis for a figure (``fig``), table (``tbl``) or text (``say``)."""
    return re.search(rf"\.{kind}s?_", cell.source) is not None


def _here() -> list[str]:
    places = (Path(__file__).resolve().parents[2], Path.home())
    # A home or checkout at the root of the file system matches everything.
    return [str(place) for place in places if len(place.parts) > 1]


def _called(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _is_marked(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and CHECK in cell.metadata.get("tags", [])


def _describes(cells: list[NotebookNode]) -> bool:
    return bool(cells) and _is_marked(cells[0]) and "describe(" in cells[0].source
