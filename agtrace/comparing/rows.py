"""What a comparison consists of: one thing on both sides, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from agtrace.measure.statistics import Interval

CAME, WENT, TURNED, MORE, LESS, CHANGED, SAME, OPEN = (
    "came", "went", "turned", "more", "less", "changed", "same", "open",
)  # fmt: skip
"""What became of it from the first to the second case. Came and went: only the one has it, and the other
would have shown it. Turned: the same question says something else. Open: it cannot be told."""

OPPOSITE = {CAME: WENT, WENT: CAME, MORE: LESS, LESS: MORE}
PARTS = ("streams", "numbers", "waits", "settings", "failovers")
"""What is compared beside findings."""
DIFFERENCES = (CAME, WENT, TURNED, MORE, LESS, CHANGED)


@dataclass(frozen=True)
class Row:
    """One thing on both sides.

    Parameters
    ----------
    about
        Whose it is: a host, a stream, a group; both names where they differ.
    what
        What is compared: the name of a number, setting or wait.
    before, after
        In the first and the second case; None where it was not captured.
    unit
        Of both; "" of a text.
    verdict
        What became of it.
    n
        How many values each side rests on; 0 where it is one statement.
    ratio
        The second over the first with its interval, where both are numbers above 0.
    more
        Further numbers of it: name, before, after.
    why
        Why it cannot be told, or what to know about it.
    key
        Name of the number in programs.
    values
        Its means by the minute, where it is measured.
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
    """A finding, or what a question says of one subject, on both sides.

    Parameters
    ----------
    ids
        Its id before and after; "" where it is not said.
    severities, titles, counts
        The worst of its kind, and how many there are, before and after.
    about
        The subject, in words.
    moved
        Numbers of its evidence that differ, the largest difference first.
    why
        The question that one of the cases does not answer, where it is not known whether it came or went.
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
        """Whether the second case says something else."""
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
