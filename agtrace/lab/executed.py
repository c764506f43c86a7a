"""Outputs of the first cells of a notebook, so that it opens with the answer before any kernel runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agtrace.case import Case


def outputs(case: Case, cells: Sequence[str]) -> list[list[dict[str, Any]]]:
    """Return what each cell shows, as a kernel would.

    Parameters
    ----------
    case
        The opened case.
    cells
        Python that we wrote: its last line is an expression, such as ``case.findings()``.

    Returns
    -------
    list
        For each cell its outputs of the notebook format; none where its value shows nothing. The
        first are those of the cell that opens the case, with the script of figures.
    """
    from IPython.core.formatters import DisplayFormatter
    from nbformat.v4 import new_output

    from agtrace.lab import session
    from agtrace.lab.fallback import library

    session.use_formats()
    formatter = DisplayFormatter()
    found = []
    names = {name: getattr(session, name) for name in ("first_moment", "leading_counter", "title")}
    names |= {"case": case}
    for count, cell in enumerate(cells, start=1):
        *before, last = cell.splitlines()
        exec("\n".join(before), names)
        value = eval(last, names)
        # A figure would display itself in the kernel that runs it.
        bundle = value._repr_mimebundle_() if hasattr(value, "_repr_mimebundle_") else None
        data, metadata = (bundle, {}) if bundle else formatter.format(value)
        shown = new_output("execute_result", data=data, metadata=metadata, execution_count=count)
        found.append([shown] if data else [])
    found[0].insert(0, new_output("display_data", data=library()))
    return found
