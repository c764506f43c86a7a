"""Figures as pictures: those of the report by name, and counters over time."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.errors import AgtraceError, CaseError, MissingExtraError
from agtrace.mcp.served import Served
from agtrace.mcp.unknown import unknown
from agtrace.mcp.untrusted import Answer, Picture

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from agtrace.case import Case

MOST_BYTES = 4_000_000
"""Of a picture: larger ones are refused by clients."""


def figure(
    served: Served,
    case: str | None,
    name: str | None,
    counters: list[str] | None,
    host: str | None,
    start: str | None,
    end: str | None,
) -> Answer | Picture:
    """Return a figure, or the names of the figures."""
    called = served.name_of(case)
    opened = served.case(called)
    if name and counters:
        raise CaseError("name and counters exclude each other", "a figure of the report, or counters")
    if not name and not counters:
        return _list(opened, called)
    if name and (host or start or end):
        raise CaseError("host, start and end belong to counters", "figures of the report show the whole case")
    drawn = _named(opened, name) if name else opened.plot(*(counters or ()), host=host, start=start, end=end)
    title = drawn.layout.title.text
    about = {"case": called, "figure": name or ", ".join(counters or ()), "title": title}
    return Picture(_png(drawn), Answer(about))


def _list(case: Case, called: str) -> Answer:
    from agtrace.export.contents import Contents

    names = Contents(case).figure_names()
    return Answer({"case": called, "figures": names}, "figures", total=len(names))


def _named(case: Case, name: str) -> Figure:
    from agtrace.export.contents import Contents

    names = Contents(case).figure_names()
    if name not in names:
        raise unknown(f"no figure of this case is called {name!r}", name, names)
    contents = Contents(case, [name])
    found = next(contents.figures(), None)
    if found is None:
        raise CaseError(contents.failures[0] if contents.failures else f"{name} has no rows in this case")
    return found[1]


def _png(drawn: Figure) -> bytes:
    """Draw a figure.

    Raises
    ------
    AgtraceError
        There is no browser, it failed, or the picture is too large.
    """
    from agtrace.export.pictures import check_installed, draw

    try:
        check_installed()
    except MissingExtraError:
        raise
    except AgtraceError as error:
        # Its message may have a path.
        raise CaseError(
            "no browser that can draw figures was found",
            "install Chromium, Chrome or Edge where the server runs, or name it in AGTRACE_BROWSER",
        ) from error
    with tempfile.TemporaryDirectory(prefix="agtrace-figure-") as folder:
        path = Path(folder) / "figure.png"
        draw([(path, drawn)], scale=1)
        if not path.is_file():
            raise AgtraceError("the browser did not draw the figure")
        png = path.read_bytes()
    if len(png) > MOST_BYTES:
        raise CaseError(f"the picture is too large ({len(png):,} bytes)", "name fewer counters or hosts")
    return png
