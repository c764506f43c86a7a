"""Column headings of tables: the label and unit of the measure."""

from __future__ import annotations

from agtrace.diagnostics import analyses
from agtrace.measures import Measure
from agtrace.tables.history import RELATIONS


def headings(question: str) -> dict[str, str]:
    """Return the heading of each column that a question or a relation declares.

    Parameters
    ----------
    question
        Name of the notebook; if it is not a question's, only columns of relations are known.
    """
    # A name that contains its unit has the same meaning everywhere; others may be scaled by a question.
    said = {name: (unit, f"_{unit.lower().replace('/', '_')}") for name, unit in _units().items()}
    found = {
        name: _heading(name.removesuffix(end).replace("_", " "), unit)
        for name, (unit, end) in said.items()
        if name.endswith(end)
    }
    analysis = analyses().get(question)
    return found | {each.name: heading(each) for each in (analysis.measures if analysis else ())}


def heading(measure: Measure) -> str:
    """Format a measure as a heading: "log received, p95 (MB/s)"."""
    return _heading(measure.label, measure.unit)


def _heading(label: str, unit: str) -> str:
    return f"{label} ({unit})" if unit else label


def _units() -> dict[str, str]:
    """Return the units of the relations' columns, except names with two units."""
    units: dict[str, set[str]] = {}
    for schema in RELATIONS.values():
        for column in schema:
            units.setdefault(column.name, set()).add((column.metadata or {}).get(b"unit", b"").decode())
    return {name: min(each) for name, each in units.items() if len(each) == 1 and min(each)}
