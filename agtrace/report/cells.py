"""Conversion of an executed notebook's cells to the blocks of a page: outputs only, no code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from html import escape, unescape
from typing import TYPE_CHECKING, Any

from agtrace import strict_json
from agtrace.interactive.own import FINDING
from agtrace.report.compact import compact
from agtrace.report.tables import is_empty, tables_of
from agtrace.say import words
from agtrace.say.figures import EMPTY, LIBRARY
from agtrace.say.finding import Evidence
from agtrace.say.incident import Incidents

if TYPE_CHECKING:
    from nbformat import NotebookNode

PLOTLY = "application/vnd.plotly.v1+json"
KEY_FIGURES = "application/vnd.agtrace.key-figures+json"
"""Output of `agtrace.report.notebook.key_figures`: a list of evidence."""
INCIDENTS = "application/vnd.agtrace.incidents+json"
"""Output of `agtrace.report.notebook.incidents`: an `agtrace.say.incident.Incidents`."""
HIDDEN = frozenset({"parameters", "injected-parameters", "findings", "told", "papermill-error-cell-tag"})
"""Cells with these tags are not shown: the findings, and texts that repeat them (``told``), are cards on
the page."""

ALL_ROWS = "The same call gives all of them in JupyterLab (<code>agtrace lab</code>)."
_CUT = re.compile(r"<p>(?P<rows>\d{1,12}) rows × \d{1,12} columns</p>")
"""Text that pandas writes below a truncated table."""
_HEADING = re.compile(r"<h2>(?P<text>.*?)</h2>")
_TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True)
class Block:
    """One element of a page.

    Parameters
    ----------
    kind
        heading, note (text of the notebook below a heading), prose (text shown by a cell), figure,
        table, nothing (a figure or table without data), numbers, incidents, text or failure.
    html
        Safe HTML of headings, notes, prose and tables.
    text
        Plain text of text and failure; the caption of a figure; the title of one without data.
    figure
        The figure's JSON, ready for a script element that is data.
    title
        Title of the figure.
    id, height
        Its identifier in the page, the same in every run, and its height in pixels.
    traces
        The types of traces that it draws.
    numbers
        The numbers to read first.
    incidents
        The incidents, moment by moment.
    """

    kind: str
    html: str = ""
    text: str = ""
    figure: str = ""
    title: str = ""
    id: str = ""
    height: int = 0
    traces: tuple[str, ...] = ()
    numbers: tuple[Evidence, ...] = ()
    incidents: Incidents | None = None


def blocks(notebook: NotebookNode, headings: Mapping[str, str] | None = None) -> list[Block]:
    """Return the blocks of a notebook, in order, without its title.

    Parameters
    ----------
    headings
        Column headings of its tables, by column name.
    """
    found: list[Block] = []
    shown_cells = [
        (place, cell)
        for place, cell in enumerate(notebook.cells)
        if not HIDDEN.intersection(cell.metadata.get("tags", []))
    ]
    for place, cell in shown_cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "markdown":
            if cell is shown_cells[0][1] and cell.source.startswith("# "):
                continue  # the page has this title in its head
            found += _written(cell.source)
        elif cell.cell_type == "code":
            shown = list(_outputs(cell, place, headings or {}))
            if "check" in tags:
                found = _with_caption(found, shown)
            else:
                found += shown
    return found


def _written(markdown: str) -> Iterator[Block]:
    """Yield the headings of a Markdown cell and the text below each."""
    for part in re.split(r"^(?=<h2>)", prose(markdown), flags=re.MULTILINE):
        head = _HEADING.match(part)
        if head:
            yield Block("heading", html=head["text"])
        if below := part[head.end() if head else 0 :].strip():
            yield Block("note", html=f"{below}\n")


def prose(markdown: str) -> str:
    """Render Markdown; HTML in it is shown as text, and links with scripts are not links."""
    return str(_markdown()(markdown))


@cache
def _markdown() -> Any:
    import mistune

    class TextOnly(mistune.HTMLRenderer):
        """Keeps character references, as written by `agtrace.say.words.md`, but no tags."""

        def inline_html(self, html: str) -> str:
            return escape(html)

        def block_html(self, html: str) -> str:
            return f"<p>{escape(html.strip())}</p>\n"

    return mistune.create_markdown(renderer=TextOnly(escape=False), plugins=["table"])


def _outputs(cell: NotebookNode, place: int, headings: Mapping[str, str]) -> Iterator[Block]:
    for number, output in enumerate(cell.outputs):
        if output.output_type == "stream" and output.name == "stdout":
            yield Block("text", text=_clean(output.text))
        elif output.output_type == "error":
            lines = _clean(output.evalue).splitlines()[:1]
            yield Block("failure", text=": ".join([output.ename, *lines]))
        elif output.output_type in ("display_data", "execute_result"):
            yield from _displayed(output.data, f"figure-{place}-{number}", headings)


def drawn(figure: dict[str, Any], identifier: str) -> list[Block]:
    """Return a figure as the blocks of a page."""
    return list(_displayed({PLOTLY: figure}, identifier, {}))


def _displayed(data: dict[str, Any], identifier: str, headings: Mapping[str, str]) -> Iterator[Block]:
    if KEY_FIGURES in data:
        yield Block("numbers", numbers=tuple(Evidence(**each) for each in data[KEY_FIGURES]))
    elif FINDING in data or LIBRARY in data:
        # Findings are already among those of the page; the page has a script of its own.
        return
    elif INCIDENTS in data:
        yield Block("incidents", incidents=Incidents.of(data[INCIDENTS]))
    elif EMPTY in data:
        yield Block("nothing", text=str(data[EMPTY]["title"]))
    elif PLOTLY in data:
        spec = data[PLOTLY]
        wanted = {"data": spec.get("data", []), "layout": spec.get("layout", {})}
        layout = wanted["layout"]
        title = unescape((layout.get("title") or {}).get("text") or "Figure")
        if not _has_data(wanted["data"]):
            yield Block("nothing", text=title)
            return
        height = round(layout.get("height") or 450)
        traces = tuple(sorted({str(each.get("type", "scatter")) for each in wanted["data"]}))
        figure = embedded(compact(wanted))
        yield Block("figure", "", "", figure, title, identifier, height, traces)
    elif "text/markdown" in data:
        # Empty text would leave an empty fold on the page.
        if html := prose(_text(data["text/markdown"])):
            yield Block("prose", html=html)
    elif "text/html" in data:
        html = _text(data["text/html"])
        table = tables_of(html, headings)
        if is_empty(table):
            yield Block("nothing")
        else:
            yield Block("table", html=table)
            if cut := _CUT.search(html):
                rows = f"{int(cut['rows']):,}"
                yield Block(
                    "prose", html=f"<p class='small'>The first and last of {rows} rows. {ALL_ROWS}</p>"
                )
    elif "text/plain" in data:
        yield Block("text", text=_clean(_text(data["text/plain"])))


def _has_data(traces: list[dict[str, Any]]) -> bool:
    """Return whether any trace has a value; an empty axis is useless to a reader."""
    return any(_values(trace.get(axis)) for trace in traces for axis in ("x", "y", "z"))


def _values(given: Any) -> bool:
    if isinstance(given, dict):  # plotly's typed arrays: text in base 64
        return bool(given.get("bdata"))
    return isinstance(given, list) and any(each is not None for each in given)


def embedded(value: object) -> str:
    """Return JSON that cannot end the script element around it."""
    text = strict_json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _with_caption(found: list[Block], shown: list[Block]) -> list[Block]:
    """Add the text of a checked cell below the figure before it: below each, if there are several."""
    text = "\n".join(block.text for block in shown if block.kind == "text").strip()
    failures = [block for block in shown if block.kind == "failure"]
    said = text.split("\n\n")
    drawn = ("figure", "nothing")
    if not all(block.kind in drawn for block in found[-len(said) :]) or len(said) > len(found):
        said = [text]
    if text and found and found[-1].kind in drawn:
        last = zip(found[-len(said) :], said, strict=True)
        captioned = [replace(block, text=each) if block.kind == "figure" else block for block, each in last]
        return [*found[: -len(said)], *captioned, *failures]
    return [*found, *failures]


def _text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "".join(value)


def _clean(text: str | list[str]) -> str:
    lines = _TERMINAL_CODES.sub("", _text(text)).rstrip("\n").splitlines()
    return "\n".join(line[: len(line) - len(line.lstrip())] + words.plain(line, 2000) for line in lines)
