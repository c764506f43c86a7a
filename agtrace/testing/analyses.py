"""The battery that every diagnostic passes: one call per diagnostic and case."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.base import Analysis
from agtrace.say.finding import Finding
from agtrace.strict_json import dumps

if TYPE_CHECKING:
    from agtrace.case import Case


def check_analysis(analysis: type[Analysis], case: Case) -> list[Finding]:
    """Call every method of a diagnostic on a case, and check the results.

    Parameters
    ----------
    analysis
        The diagnostic to test.
    case
        An opened case: ``agtrace.open_case(tmp_path)`` on a few captures that the test has written.

    Returns
    -------
    list of Finding
        Its findings; empty if its input is missing. Check their contents in your own test.
    """
    first, again = analysis(case.view), analysis(case.view)
    assert all(isinstance(each, str) and each for each in first.missing())
    found = [] if first.missing() else first.findings()
    assert found == ([] if again.missing() else again.findings()), "asked again, it answers something else"
    for finding in found:
        text = dumps(finding.to_dict())
        assert json.loads(text)["id"].count(".") == 1, f"{finding.id}: an id is PAGE.WHAT"
        assert "\n" not in finding.title, f"{finding.id}: a title is one line"
        for each in finding.evidence:
            assert each.label, f"{finding.id}: evidence without a label"
            assert each.source, f"{finding.id}: {each.label} names no source"
    for name, answer in _answers(first):
        given = answer()
        if name.startswith("say_"):
            assert isinstance(given, str), f"{name} gives no text"
        elif name.startswith("tbl_"):
            assert hasattr(given, "columns"), f"{name} gives no frame"
        else:
            assert hasattr(given, "to_plotly_json"), f"{name} gives no figure"
    return found


def _answers(of: Analysis) -> list[tuple[str, Callable[[], Any]]]:
    """Return its pages, tables and figures, in the order of their names; each without arguments."""
    names = [name for name in dir(type(of)) if name.startswith(("say_", "tbl_", "fig_"))]
    return [(name, getattr(of, name)) for name in names]
