"""The explorer's selection, and the line of code that shows the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from agtrace.store import CaseView

GROUPINGS = ("host", "instance", "hour", "weekday", "day", "run")
"""Columns that percentiles can be grouped by."""


class Shown(Protocol):
    """The methods of an opened case that the explorer calls, by the names used in the code it shows."""

    view: CaseView


@dataclass(frozen=True)
class Choice:
    """The explorer's selection.

    Parameters
    ----------
    counters
        Names of counters.
    hosts
        Names of hosts; empty: all.
    start, end
        The window in UTC; None: the whole captured span.
    mark
        Marks drawn in the figure; empty: no marks.
    by
        Grouping of the percentiles; empty: draw a figure over time.
    """

    counters: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    start: datetime | None = None
    end: datetime | None = None
    mark: str = ""
    by: str = ""

    @property
    def call(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        """Return the method of a case to call, and its arguments."""
        bounds = [None if each is None else f"{each:%Y-%m-%d %H:%M:%S}" for each in (self.start, self.end)]
        if self.by:
            given: dict[str, Any] = {"by": self.by, "start": bounds[0], "end": bounds[1]}
            if len(self.hosts) == 1:
                given["host"] = self.hosts[0]
            return "percentiles", ("; ".join(self.counters),), _said(given)
        host = self.hosts[0] if len(self.hosts) == 1 else list(self.hosts)
        given = {"host": host or None, "mark": self.mark or None, "start": bounds[0], "end": bounds[1]}
        return "plot", self.counters, _said(given)

    def code(self, name: str = "case") -> str:
        """Return the line of Python that shows the selection; names from captures are written as literals."""
        method, positional, named = self.call
        words = [*map(repr, positional), *(f"{key}={each!r}" for key, each in named.items())]
        return f"{name}.{method}({', '.join(words)})"

    def shown(self, case: Shown) -> Any:
        """Return the figure, or the frame of percentiles."""
        method, positional, named = self.call
        return getattr(case, method)(*positional, **named)


def _said(given: dict[str, Any]) -> dict[str, Any]:
    return {key: each for key, each in given.items() if each is not None}
