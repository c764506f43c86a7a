"""The function that the first cell of a case's notebook calls."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.interactive.named import counter_names
from agtrace.say.words import md

if TYPE_CHECKING:
    from IPython.display import Markdown

    from agtrace.case import Case


PREFERRED = (
    "Log Send Queue",
    "Recovery Queue",
    "Log Bytes Flushed/sec",
    "Backup/Restore Throughput/sec",
    "% Processor Time",
)
"""Counters to plot first, in order of preference."""
HTML = "agtrace_html"
"""Name of the plotly renderer that adds a figure as HTML."""


def open_case(
    folder: str | Path,
    store: str | Path | None = None,
    *,
    ingest: bool | None = None,
    thresholds: Mapping[str, float] | None = None,
    case_settings: bool = True,
    known: Mapping[str, str | None] | None = None,
) -> Case:
    """Open the case of a notebook.

    ``known`` contains the stores of cases that ``agtrace lab`` has already read, by folder. Unless ``ingest``
    says otherwise, new files are read in all other cases.

    Figures are rendered by JupyterLab without the network and cannot be uploaded from their tool bar. Numbers
    are shown with three digits, and a dollar sign in a name does not start a formula.
    """
    from agtrace.opening import open_case as open_

    use_formats()
    _show_library()
    read, place = known or {}, str(Path(folder).resolve())
    if ingest is None:
        ingest = place not in read
    store = store or read.get(place)
    return open_(folder, store, ingest=ingest, thresholds=thresholds, case_settings=case_settings)


def title(case: Case) -> Markdown:
    """Return the name of a case and its summary."""
    from IPython.display import Markdown

    return Markdown(f"# {md(case.folder.resolve().name)}\n\n{case.summary()}")


def leading_counter(case: Case) -> str | None:
    """Return the counter to plot first; None if no counter was captured."""
    names = counter_names(case.view)
    return next((name for name in PREFERRED if name in names), next(iter(names), None))


def first_moment(case: Case) -> str | None:
    """Return the earliest start of a finding in UTC; None if no finding has a start."""
    windows = [finding.window for finding in case.findings()]
    starts = [str(each["start"]) for each in windows if each.get("start") and not each.get("local")]
    return min(starts, default=None)


def _show_library() -> None:
    """Show in a notebook what pages of nbconvert draw its figures with."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and hasattr(shell, "kernel"):
        from IPython.display import display

        from agtrace.lab.fallback import library

        display(library(), raw=True)


def use_formats() -> None:
    """Set how figures and frames are shown in this process."""
    import pandas as pd
    import plotly.io as pio

    from agtrace.lab.fallback import HtmlRenderer
    from agtrace.say.figures import MIMETYPE, use_renderer
    from agtrace.say.words import number

    use_renderer()
    pio.renderers[HTML] = HtmlRenderer()
    pio.renderers.default = f"{MIMETYPE}+{HTML}"
    pd.set_option("display.html.use_mathjax", False)
    pd.set_option("display.max_columns", None, "display.max_colwidth", 120)
    pd.set_option("display.float_format", number)
