"""The rows of a comparison: one item on both sides, with its change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from agtrace.measure.statistics import Interval

CAME, WENT, TURNED, MORE, LESS, CHANGED, SAME, OPEN = (
    "came", "went", "turned", "more", "less", "changed", "same", "open",
)  # fmt: skip
"""Changes from the first to the second case. Came and went: only one case has it, and the other would have
shown it. Turned: the same question has a different result. Open: unknown."""

OPPOSITE = {CAME: WENT, WENT: CAME, MORE: LESS, LESS: MORE}
PARTS = ("streams", "numbers", "waits", "settings", "failovers")
"""The parts of a comparison besides findings."""
DIFFERENCES = (CAME, WENT, TURNED, MORE, LESS, CHANGED)


@dataclass(frozen=True)
class Row:
    """One item on both sides.

    Parameters
    ----------
    about
        Its host, stream or group; both names if they differ.
    what
        Name of the number, setting or wait.
    before, after
        Its values in the first and the second case; None if not captured.
    unit
        Unit of both; "" for a text.
    verdict
        The change.
    n
        Number of values on each side; 0 for a single statement.
    ratio
        The second divided by the first, with its interval, if both are numbers above 0.
    more
        Further numbers: name, before, after.
    why
        Why the change is unknown, or a remark.
    key
        Name of the number in programs.
    values
        Its means by minute, if measured.
    """

    about: str
    what: str
    before: Any
    after: Any
    unit: str = ""
    verdict: str = SAME
    n: tuple[int, int] = (0, 0)
    ratio: Interval | None = None
    more: tuple[tuple[str, Any, Any], ...] = ()
    why: str = ""
    key: str = ""
    values: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())

    @property
    def differs(self) -> bool:
        """Whether it is another one in the second case."""
        return self.verdict in DIFFERENCES

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON types."""
        found = {
            "about": self.about, "what": self.what, "before": self.before, "after": self.after,
            "unit": self.unit, "verdict": self.verdict, "n": list(self.n), "why": self.why, "key": self.key,
        }  # fmt: skip
        if self.ratio is not None:
            found["ratio"] = {"value": self.ratio.value, "low": self.ratio.low, "high": self.ratio.high}
        if self.more:
            found["more"] = {name: {"before": first, "after": second} for name, first, second in self.more}
        return found


@dataclass(frozen=True)
class Moved:
    """A number in the evidence of a finding that both cases have."""

    label: str
    before: float
    after: float
    unit: str


@dataclass(frozen=True)
class ComparedFinding:
    """A finding, or a question's result for one subject, on both sides.

    Parameters
    ----------
    ids
        Its id before and after; "" if absent.
    severities, titles, counts
        The most severe of its kind, and their number, before and after.
    about
        The subject as text.
    moved
        Numbers of its evidence that differ, the largest difference first.
    why
        The question that one of the cases cannot answer, if it is unknown whether the finding came or went.
    """

    ids: tuple[str, str]
    severities: tuple[str, str]
    titles: tuple[str, str]
    counts: tuple[int, int]
    about: str
    verdict: str
    moved: tuple[Moved, ...] = field(default=())
    why: str = ""

    @property
    def differs(self) -> bool:
        """Return whether the second case differs."""
        return self.verdict in DIFFERENCES

    @property
    def severity(self) -> str:
        """The graver one."""
        from agtrace.say.finding import SEVERITY_ORDER

        return max(filter(None, self.severities), key=SEVERITY_ORDER.index)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON types."""
        sides = {}
        for place, side in enumerate(("before", "after")):
            sides[side] = {
                "id": self.ids[place],
                "severity": self.severities[place],
                "title": self.titles[place],
                "count": self.counts[place],
            }
        moved = [vars(each) for each in self.moved]
        return {"about": self.about, "verdict": self.verdict, **sides, "moved": moved, "why": self.why}


def differing(rows: Iterable[Row]) -> list[Row]:
    """Return the differing rows."""
    return [row for row in rows if row.differs]
