"""Outputs of the first cells of a notebook, so that it opens with the answer before any kernel runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agtrace.case import Case


def outputs(case: Case, expressions: Sequence[str]) -> list[list[dict[str, Any]]]:
    """Return what each expression on ``case`` shows, as a kernel would.

    Parameters
    ----------
    case
        The opened case.
    expressions
        Python expressions that we wrote, such as ``case.findings()``.

    Returns
    -------
    list
        For each expression its outputs of the notebook format; none where its value shows nothing. The
        first are those of the cell that opens the case, with the script of figures.
    """
    from IPython.core.formatters import DisplayFormatter
    from nbformat.v4 import new_output

    from agtrace.lab.fallback import library
    from agtrace.lab.session import use_formats

    use_formats()
    formatter = DisplayFormatter()
    found = []
    for count, expression in enumerate(expressions, start=1):
        value = eval(expression, {"case": case})
        # A figure would display itself in the kernel that runs it.
        bundle = value._repr_mimebundle_() if hasattr(value, "_repr_mimebundle_") else None
        data, metadata = (bundle, {}) if bundle else formatter.format(value)
        shown = new_output("execute_result", data=data, metadata=metadata, execution_count=count)
        found.append([shown] if data else [])
    found[0].insert(0, new_output("display_data", data=library()))
    return found
