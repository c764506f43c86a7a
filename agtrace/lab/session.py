"""What the first cell of a case's notebook calls."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agtrace.case import Case


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
    return open_(folder, store, ingest=ingest, thresholds=thresholds, case_settings=case_settings)


def use_formats() -> None:
    """Set how figures and frames are shown in this process."""
    import pandas as pd

    from agtrace.say.figures import use_renderer
    from agtrace.say.words import number

    use_renderer()
    pd.set_option("display.html.use_mathjax", False)
    pd.set_option("display.max_columns", None, "display.max_colwidth", 120)
    pd.set_option("display.float_format", number)
