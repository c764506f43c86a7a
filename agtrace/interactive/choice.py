"""What somebody has chosen in the explorer, and the line of code that shows the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from agtrace.store import CaseView

GROUPINGS = ("host", "instance", "hour", "weekday", "day", "run")
"""What percentiles can be grouped by."""


class Shown(Protocol):
    """An opened case, as far as the explorer asks it; its methods are found by the names that code has."""

    view: CaseView


@dataclass(frozen=True)
class Choice:
    """What is to be shown.

    Parameters
    ----------
    counters
        Names of counters.
    hosts
        Names of hosts; none: all of them.
    start, end
        The window in UTC; None: as captured.
    mark
        What to mark in the figure; empty: nothing.
    by
        What percentiles are grouped by; empty: a figure over time.
    """

    counters: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    start: datetime | None = None
    end: datetime | None = None
    mark: str = ""
    by: str = ""

    @property
    def call(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        """Method of a case, and what it is given."""
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
        """Return the line of Python that shows it; names from captures are literals in it."""
        method, positional, named = self.call
        words = [*map(repr, positional), *(f"{key}={each!r}" for key, each in named.items())]
        return f"{name}.{method}({', '.join(words)})"

    def shown(self, case: Shown) -> Any:
        """Return the figure, or the frame of percentiles."""
        method, positional, named = self.call
        return getattr(case, method)(*positional, **named)


def _said(given: dict[str, Any]) -> dict[str, Any]:
    return {key: each for key, each in given.items() if each is not None}
