"""Measures, each defined once with name, label, unit and meaning; and values with their measure.

A measure is declared beside the relation or analysis that computes it. Evidence, table headings, axes, key
figures and numbers in sentences use its label and unit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Measure", "Measured", "quoted"]


@dataclass(frozen=True)
class Measure:
    """A measured quantity and its unit.

    Parameters
    ----------
    name
        Its column in tables and exports: lower case, words joined by underscores.
    label
        A few words, with the statistic after a comma: "log received, p95". Default: the name in words.
    unit
        Unit of its values; "" for a text or a plain number. Byte rates name the kind of bytes: "log B/s".
    meaning
        Exact definition, for docs and tooltips; "" if the label is enough.
    better
        "higher" or "lower" if one of two values is better.
    """

    name: str
    label: str = ""
    unit: str = ""
    meaning: str = ""
    better: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.name.replace("_", " "))

    def __call__(self, value: Any, source: str, of: str = "") -> Measured:
        """Return a value of it, with its source and, if there are several, its owner."""
        return Measured(self, value, source, of)

    def of(self, unit: str) -> Measure:
        """Return the same measure in another unit: whose bytes a rate counts is known late."""
        return replace(self, unit=unit)

    def stat(self, name: str) -> Measure:
        """Return a statistic of it: "log received" and "p95" are `received_p95`, "log received, p95"."""
        return replace(self, name=f"{self.name}_{name.replace(' ', '_')}", label=f"{self.label}, {name}")

    def called(self, label: str) -> Measure:
        """Return the same measure of a thing without a label of ours, such as a counter."""
        return replace(self, label=label)

    def about(self, **names: object) -> Measure:
        """Return a copy with the placeholders of its label filled in: "processors of {host} in use"."""
        return replace(self, label=self.label.format(**names))


@dataclass(frozen=True)
class Measured:
    """A value of a measure, and where it comes from.

    Parameters
    ----------
    value
        A number, or a text that was found.
    source
        Counter and host, file and line.
    of
        Its subject if a statement is about several: the name of a configuration or database.
    """

    measure: Measure
    value: Any
    source: str
    of: str = ""

    @property
    def label(self) -> str:
        """Its name in a list of evidence."""
        return f"{self.of}: {self.measure.label}" if self.of else self.measure.label

    @property
    def unit(self) -> str:
        """Unit of the value."""
        return self.measure.unit


def quoted(label: str, text: Any, source: str) -> Measured:
    """Return a quotation from a capture, or a time, as evidence without a measurement.

    A long text is cut when shown.
    """
    return Measured(Measure("", label), text, source)


def frame(columns: Iterable[Measure], rows: Iterable[Any]) -> pd.DataFrame:
    """Return rows as a table for display, with columns named after measures.

    Parameters
    ----------
    rows
        Values in the order of the columns, or by the names of those that have one: dicts and records.
    """
    import pandas as pd

    found = [row._asdict() if hasattr(row, "_asdict") else row for row in rows]
    return pd.DataFrame(found, columns=[column.name for column in columns])


def by_name(measures: Iterable[Measure]) -> dict[str, Measure]:
    """Return measures by the name of their column.

    Raises
    ------
    ValueError
        Two differ and share a name.
    """
    found: dict[str, Measure] = {}
    for each in measures:
        if found.setdefault(each.name, each) != each:
            raise ValueError(f"two measures are called {each.name}: {found[each.name].label}, {each.label}")
    return found
