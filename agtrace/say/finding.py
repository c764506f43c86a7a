"""Findings: what agtrace says, with the numbers that it rests on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from agtrace.errors import CaseError
from agtrace.globs import instead
from agtrace.moments import iso

SEVERITY_ORDER = ("info", "notice", "warning", "critical")


class Severity(str):
    """A severity: text that is compared by rank, ``"critical" > "warning"``."""

    __slots__ = ()

    def __lt__(self, other: str) -> bool:
        return _rank(self) < _rank(other)

    def __le__(self, other: str) -> bool:
        return _rank(self) <= _rank(other)

    def __gt__(self, other: str) -> bool:
        return _rank(self) > _rank(other)

    def __ge__(self, other: str) -> bool:
        return _rank(self) >= _rank(other)


def _rank(severity: str) -> int:
    if severity not in SEVERITY_ORDER:
        raise CaseError(f"{severity!r} is no severity", instead(str(severity), SEVERITY_ORDER))
    return SEVERITY_ORDER.index(severity)


@dataclass(frozen=True)
class Evidence:
    """One number or fact that a finding rests on.

    Parameters
    ----------
    label
        What it is, in words.
    value
        The value; numbers stay numbers, and what is none (NaN, or beyond what a double holds) is None.
    unit
        Unit of a number, "" otherwise. Byte rates name whose bytes: "log B/s", "wire B/s".
    source
        Where it comes from: counter and host, file and line.
    """

    label: str
    value: float | int | str | None
    unit: str
    source: str

    def __post_init__(self) -> None:
        if not isinstance(self.value, str | None) and not _is_finite(self.value):
            object.__setattr__(self, "value", None)


def window(start: datetime, end: datetime, *, is_local: bool = False) -> dict[str, str | bool]:
    """Return a finding's window: in UTC, or in its host's local time if no offset is known."""
    if is_local:
        first, last = (time.replace(tzinfo=None).isoformat() for time in (start, end))
        return {"start": first, "end": last, "local": True}
    return {"start": start.astimezone(UTC).isoformat(), "end": end.astimezone(UTC).isoformat()}


def window_to_second(start: datetime, end: datetime) -> dict[str, str | bool]:
    """Return the window of a finding to the second: in UTC, or in local time for instants without a zone."""
    first, last = map(to_second, (start, end))
    return {"start": first, "end": last} | ({"local": True} if start.tzinfo is None else {})


def span_of(window: Mapping[str, object]) -> tuple[datetime, datetime] | None:
    """Return begin and end of the window of a finding: without a zone where they are local times."""
    first, last = iso(window.get("start")), iso(window.get("end"))
    if first is None or last is None:
        return None
    if window.get("local") or first.tzinfo is None or last.tzinfo is None:
        return first.replace(tzinfo=None), last.replace(tzinfo=None)
    return first, last


def to_second(time: datetime) -> str:
    """Write an instant as ISO 8601, cut to the second: "2024-03-05T12:00:00Z", without Z where it has no
    zone.
    """
    if time.tzinfo is None:
        return time.isoformat(timespec="seconds")
    return time.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


@dataclass(frozen=True, repr=False)
class Finding:
    """One statement about the case (the fields of findings.json).

    Shown, it is a card: title, narrative, the leading numbers and what to do.

    Parameters
    ----------
    id
        Fixed dotted name, see docs/diagnostics.md.
    severity
        info, notice, warning or critical; compared by rank.
    title
        One line that stands alone.
    narrative
        A few sentences that carry the numbers, the window and n, and what could not be seen.
    subject
        ag, host, replica, database, ...: whatever the statement is about.
    window
        start and end as ISO 8601 UTC (or local time with "local": true), empty when not bound.
    evidence
        At least one entry; the number that decides comes first.
    recommendation
        What to do next.
    confidence
        0 to 1.
    brief
        What happened and what it cost, in two sentences for the summary of a case; not part of the JSON.
    """

    id: str
    severity: str
    title: str
    narrative: str
    subject: dict[str, str] = field(default_factory=dict)
    window: dict[str, str | bool] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    recommendation: str = ""
    confidence: float = 1.0
    brief: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.severity not in SEVERITY_ORDER:
            raise ValueError(f"{self.id}: severity {self.severity!r} is none of {SEVERITY_ORDER}")
        object.__setattr__(self, "severity", Severity(self.severity))
        if not self.evidence:
            raise ValueError(f"{self.id}: a finding needs evidence")
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"{self.id}: confidence {self.confidence} is outside 0..1")

    @property
    def span(self) -> tuple[datetime, datetime] | None:
        """Begin and end of its window: in UTC, or without zone in local time; None where it has none."""
        return span_of(self.window)

    def to_dict(self) -> dict[str, object]:
        """Return the finding as plain JSON types, with the rank of its severity: 0 (info) to 3 (critical)."""
        fields = asdict(self) | {"evidence": [asdict(e) for e in self.evidence]}
        del fields["brief"]
        first: dict[str, object] = {name: str(fields.pop(name)) for name in ("id", "severity")}
        return first | {"severity_rank": SEVERITY_ORDER.index(self.severity)} | fields

    def kept(self) -> dict[str, object]:
        """Return all fields as plain JSON types: `of` makes the same finding of them."""
        return asdict(self)

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Finding:
        """Make a finding of what `kept` or `to_dict` gave."""
        plain = {name: value for name, value in fields.items() if name != "severity_rank"}
        return cls(**(plain | {"evidence": tuple(Evidence(**each) for each in plain["evidence"])}))

    def __repr__(self) -> str:
        return _shown.text([self])

    def _repr_html_(self) -> str:
        return _shown.page([self])


@dataclass(frozen=True)
class Shown:
    """How findings look, as text and as HTML: `agtrace.say.cards` knows, which stands above."""

    text: Callable[[Sequence[Finding]], str] = lambda found: "\n".join(each.title for each in found)
    page: Callable[[Sequence[Finding]], str] = lambda found: ""


_shown = Shown()


def show_as(made: Shown) -> None:
    """Set how findings are shown."""
    global _shown
    _shown = made


def shown() -> Shown:
    """Return how findings are shown."""
    return _shown


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
