"""Names of counters, events and columns that no capture has: an error names the nearest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from agtrace.convert.base import Reading
from agtrace.errors import CaseError
from agtrace.globs import instead
from agtrace.readers.pdh_text.columns import path_filter
from agtrace.tables import COUNTERS

if TYPE_CHECKING:
    from xelib.xel import EventSchema

LEADING = ("_seq", "_time", "_ticks", "_block", "_offset", "path")
"""Columns of every event."""


class Defined:
    """The events and columns that Extended Events files define.

    Parameters
    ----------
    events, columns
        The requested names; None: all.
    """

    def __init__(self, events: Iterable[str] | None, columns: Iterable[str] | None) -> None:
        self._asked = events, columns
        self._events: set[str] = set()
        self._columns: set[str] = set()

    def add(self, schemas: Iterable[EventSchema]) -> None:
        """Add the definitions of a file that was read."""
        events = self._asked[0]
        for schema in schemas:
            self._events.add(schema.name)
            if events is None or schema.name in events:
                self._columns |= {each.name for each in schema.fields}
                self._columns |= {f"{each.name}__key" for each in schema.fields if each.map}
                self._columns |= {f"action_{each.name}" for each in schema.actions}

    def check(self) -> None:
        """Check the requested names, once all files are read.

        Raises
        ------
        CaseError
            No file defines one of them. Files without definitions (empty or damaged) are ignored.
        """
        events, columns = self._asked
        if not self._events:
            return
        for name in events or ():
            if name not in self._events:
                raise CaseError(f"no event is called {name!r}", instead(name, sorted(self._events)))
        for name in columns or ():
            if name not in self._columns and name not in LEADING:
                hint = instead(name, [*sorted(self._columns), *LEADING[:3]])
                raise CaseError(f"no column is called {name!r}", hint)


def check_counters(globs: Sequence[str], found: Iterable[pa.Table], readings: Iterable[Reading]) -> None:
    """Check that each glob of counters matches a series.

    Parameters
    ----------
    globs
        The requested globs.
    found
        The ``counters`` tables of the matched series.
    readings
        The readings of the captures; for an error message, their first rows are read again without a filter.

    Raises
    ------
    CaseError
        A glob matches nothing, and the captures have counters.
    """
    paths = {path.casefold() for table in found for path in table["path"].to_pylist()}
    missing = [glob for glob in globs if not any(map(_filter(glob).match, paths))]
    if not missing:
        return
    names = sorted({name for reading in readings for name in _names(reading)})
    if names:
        wanted = missing[0].rpartition("\\")[2]
        raise CaseError(f"no counter matches {missing[0]!r}", instead(wanted, names))


def _filter(glob: str) -> re.Pattern[str]:
    pattern = path_filter([glob])
    assert pattern is not None
    return pattern


def _names(reading: Reading) -> list[str]:
    """Return the names of a capture's counters, as far as it states them at its beginning."""
    batches = reading.reader.read(reading.source, replace(reading.options, counters=()))
    nothing = ("counters", pa.RecordBatch.from_pylist([], COUNTERS))
    batch = next((each for each in batches if each[0] == "counters"), nothing)[1]
    pairs = zip(batch["counter"].to_pylist(), batch["counter_written"].to_pylist(), strict=True)
    return [name for pair in pairs if (name := pair[0] or pair[1])]
