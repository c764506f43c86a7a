"""The function that the first cell of a case's notebook calls."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agtrace.case import Case


HTML = "agtrace_html"
"""plotly's name for what adds a figure as HTML."""


def open_case(
    folder: str | Path,
    store: str | Path | None = None,
    *,
    ingest: bool = False,
    thresholds: Mapping[str, float] | None = None,
    case_settings: bool = True,
) -> Case:
    """Open a case as ``agtrace lab`` has read it; ``ingest`` reads what is new first.

    Figures are shown as JupyterLab renders them without the network, none can be uploaded from its tool
    bar, numbers have three digits, and a dollar in a name begins no formula.
    """
    from agtrace.opening import open_case as open_

    use_formats()
    _show_library()
    return open_(folder, store, ingest=ingest, thresholds=thresholds, case_settings=case_settings)


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
