"""A page of each analysis from what its notebook has stored: nothing runs, and nothing is read twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import nbformat

from agtrace import bundled
from agtrace.diagnostics import Finding, analyses
from agtrace.report.cells import PLOTLY, blocks
from agtrace.report.pages import Page, Shell, anchored, notebook_page
from agtrace.report.scripts import bundle
from agtrace.report.sections import sections

WHOLE = ("health",)
"""Analyses whose page keeps its figures, a few points of each trace, and has the findings: they look the same
on every page, and take most of the time."""
POINTS, ROWS = 30, 2
"""How many points of a trace and rows of a table are kept: what is left out is like it."""


def write_stored_pages(folder: Path, findings: Sequence[Finding]) -> list[Path]:
    """Write a short page for each analysis; one has these findings."""
    known = analyses()
    contents = tuple(Page(n, each.title, each.question, f"{n}.html") for n, each in known.items())
    shell = Shell("stored", "2020-01-01", contents, "", "<p>Some data was lost.</p>", damaged=True)
    shown = {page.name: blocks(_short(page.name)) for page in contents}
    drawn_by = bundle([each for found in shown.values() for each in found], single_file=False)
    (folder / drawn_by.file).write_text(drawn_by.text, encoding="utf-8")
    written = []
    for page in contents:
        told = sections(shown[page.name])
        cards = anchored(findings if page.name in WHOLE else [])
        text = notebook_page(shell, page, told, cards, None, drawn_by)
        written.append(folder / page.file)
        written[-1].write_text(text, encoding="utf-8")
    return written


def _short(name: str) -> nbformat.NotebookNode:
    notebook = nbformat.read(bundled.notebooks() / f"{name}.ipynb", as_version=4)
    for output in [output for cell in notebook.cells for output in cell.get("outputs", [])]:
        data = output.get("data", {})
        if "text/html" in data:
            data["text/html"] = _few_rows(data["text/html"])
        if PLOTLY in data and name not in WHOLE:
            del data[PLOTLY]
        for trace in data.get(PLOTLY, {}).get("data", []):
            trace |= {key: each[:POINTS] for key, each in trace.items() if isinstance(each, list)}
    return notebook


def _few_rows(table: str) -> str:
    _head, *rows = re.findall(r"<tr\b.*?</tr>", table, re.DOTALL)
    for row in rows[ROWS:]:
        table = table.replace(row, "", 1)
    return table
