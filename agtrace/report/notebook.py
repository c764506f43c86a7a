"""Functions called by notebooks: open the case, then show the results of its analyses.

All computations are in importable, tested modules.
"""

from __future__ import annotations

import atexit
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.bundled import sample
from agtrace.errors import CaseError
from agtrace.globs import instead
from agtrace.moments import moment
from agtrace.printable import as_written
from agtrace.report.cells import INCIDENTS, KEY_FIGURES
from agtrace.report.execution import OPTIONS, assigned, shared_case
from agtrace.report.kernel import CASE_SETTINGS, THRESHOLDS
from agtrace.say import wording
from agtrace.say.figures import describe, show
from agtrace.say.finding import Evidence
from agtrace.say.incident import Incidents
from agtrace.say.wording import findings_text
from agtrace.say.words import md
from agtrace.store.scratch import prefix

if TYPE_CHECKING:
    from IPython.display import Markdown

    from agtrace.case import Case

__all__ = ["at", "describe", "findings_text", "incidents", "key_figures", "open_case", "say", "show"]

SAMPLE = "log_send_queue"
INJECTED = "# Parameters\n"
"""Start of the cell that papermill adds."""


def open_case(
    case: str | Path | None, store: str | Path | None = None, *, ingest: bool = True, default: str = SAMPLE
) -> Case:
    """Open the case named in a notebook's parameters; without one, the sample case.

    Parameters
    ----------
    case
        Folder of captures. None: the sample case, with a temporary store that is removed when the kernel
        ends.
    store
        Folder of the store; default as in `agtrace.open_case`.
    ingest
        Read new captures first. The report passes False: it has done so for all notebooks.
    default
        Name of the sample case, the one that shows what the notebook is about.

    Raises
    ------
    CaseError
        papermill was given a parameter that the notebook does not have.
    """
    import pandas as pd

    from agtrace.opening import open_case as open_

    _refuse_unknown_parameters()
    for name, value in OPTIONS.items():
        pd.set_option(name, value)
    if (opened := shared_case()) is not None:
        return opened
    if case is None:
        _say_sample(default)
        case, ingest = sample(default), True
        if store is None:
            scratch = tempfile.TemporaryDirectory(prefix=prefix("sample"))
            atexit.register(scratch.cleanup)
            store = Path(scratch.name) / "store"
    elif not Path(case).exists() and isinstance(case, str):
        case = as_written(case)
    case_settings = os.environ.get(CASE_SETTINGS, "1") != "0"
    thresholds = json.loads(os.environ.get(THRESHOLDS, "{}"))
    return open_(case, store=store, ingest=ingest, thresholds=thresholds, case_settings=case_settings)


def _say_sample(name: str) -> None:
    """Mark a notebook that runs on a sample, so that its findings are not mistaken for those of a case."""
    from IPython.display import Markdown, display

    display(
        Markdown(
            f"> # This is the sample `{name}`, not your captures\n"
            "> No case was given: everything below is about captures that came with agtrace. For "
            "your own, set `case` in the cell above, or run "
            "`papermill NOTEBOOK.ipynb OUT.ipynb -p case FOLDER`."
        )
    )


def _refuse_unknown_parameters() -> None:
    """Raise for parameters that the notebook does not declare: papermill only warns about them.

    papermill puts them into a cell of their own behind the one that declares them.
    """
    from IPython import get_ipython

    shell = get_ipython()
    cells = [str(cell) for cell in shell.user_ns.get("In", [])] if shell else []
    for place, cell in enumerate(cells):
        if not cell.startswith(INJECTED):
            continue
        declared = {name for before in cells[:place] for name in assigned(before)}
        for name in assigned(cell):
            if declared and name not in declared:
                raise CaseError(f"this notebook has no parameter {name!r}", instead(name, sorted(declared)))


def say(text: str) -> Markdown:
    """Return narrative text for notebooks to render."""
    from IPython.display import Markdown

    return Markdown(text)


def key_figures(found: Sequence[Evidence]) -> None:
    """Show the key figures: a line in a notebook, a section on the page."""
    from IPython.display import display

    if not found:
        return
    told = [f"**{md(wording.value_of(each))}** {md(each.label)}" for each in found]
    shown = {
        KEY_FIGURES: [asdict(each) for each in found],
        "text/markdown": " · ".join(told),
        "text/plain": "\n".join(f"{each.label}: {wording.value_of(each)}" for each in found),
    }
    display(shown, raw=True)


def incidents(found: Incidents, said: str) -> None:
    """Show the incidents: the one to read first in a notebook, all of them on the page.

    Parameters
    ----------
    said
        The first incident as Markdown.
    """
    from IPython.display import display

    if not found.told:
        return
    lines = [f"{each.utc} {each.host}: {each.what}" for each in (found.first.lines if found.first else ())]
    shown = {INCIDENTS: asdict(found), "text/markdown": said, "text/plain": "\n".join(lines)}
    display(shown, raw=True)


def at(text: str | None) -> datetime | None:
    """Parse a time given as a parameter, ISO 8601; without a zone it is UTC.

    Raises
    ------
    CaseError
        It is not a time.
    """
    return None if text is None else moment(text)
