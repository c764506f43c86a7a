"""The course of an incident, as lines of plain text, escaped by the caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """A moment of an incident.

    Parameters
    ----------
    time
        ISO 8601, UTC, by the clock common to all hosts.
    utc, local
        The same as text, and in the host's local time; "" if unknown.
    where
        File and line of the entry.
    """

    time: str
    utc: str
    local: str
    host: str
    what: str
    where: str

    @property
    def place(self) -> tuple[str, str]:
        """Return file and line separately; "" if unknown."""
        file, _, number = self.where.rpartition(" line ")
        return (file, number) if file else (self.where, "")


@dataclass(frozen=True)
class Link:
    """A link of the chain from the cause of an incident to its end.

    Parameters
    ----------
    role
        Its part in the chain: "Cause", "Trigger", "New primary".
    number
        Its measurement; "" if none.
    after
        Time since the previous link; "" for the first.
    line
        Time, place and event, with file and line.
    """

    role: str
    number: str
    after: str
    line: Line


@dataclass(frozen=True)
class Incident:
    """An incident as text.

    Parameters
    ----------
    key
        Anchor for links.
    title
        Event and time, in a few words.
    impact
        Its cost.
    not_known, ask
        Unknowns, and the captures to collect for them; "" if there are none.
    lines, more
        The deciding entries in chronological order, and the other entries.
    chain
        The links from its cause to its end.
    """

    key: str
    title: str
    severity: str
    impact: str
    not_known: str
    ask: str
    lines: tuple[Line, ...]
    more: tuple[Line, ...] = ()
    chain: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Moved:
    """A failover as a row of the table of all; ``key`` is that of its incident."""

    key: str
    time: str
    utc: str
    ag: str
    old: str
    new: str
    mode: str
    cause: str
    away: str


@dataclass(frozen=True)
class Incidents:
    """The incidents of a case.

    Parameters
    ----------
    moved
        Its failovers, if there are several.
    told
        Each incident, in chronological order.
    opened
        Key of the one to read first; "" if there are none.
    """

    moved: tuple[Moved, ...] = ()
    told: tuple[Incident, ...] = ()
    opened: str = ""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Incidents:
        """Build them from plain data, as returned by `dataclasses.asdict`."""
        told = [Incident(**each | _parts(each)) for each in given["told"]]
        return cls(tuple(Moved(**each) for each in given["moved"]), tuple(told), given["opened"])

    @property
    def first(self) -> Incident | None:
        """The incident to read first."""
        return next((each for each in self.told if each.key == self.opened), None)

    @property
    def rest(self) -> tuple[Incident, ...]:
        """The others."""
        return tuple(each for each in self.told if each.key != self.opened)

    @property
    def words(self) -> int:
        """Return the number of words visible before anything is unfolded."""
        first = self.first
        told = [first.title, first.impact, first.not_known, first.ask] if first else []
        told += [
            f"{each.utc} {each.local} {each.host} {each.what}" for each in (first.lines if first else ())
        ]
        told += [
            f"{each.role} {each.number} {each.after} {each.line.host} {each.line.utc} {each.line.what}"
            for each in (first.chain if first else ())
        ]
        return sum(len(each.split()) for each in told)


def _parts(given: Mapping[str, Any]) -> dict[str, Any]:
    lines = {name: tuple(Line(**one) for one in given[name]) for name in ("lines", "more")}
    return lines | {"chain": tuple(Link(**one | {"line": Line(**one["line"])}) for one in given["chain"])}
