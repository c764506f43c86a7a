"""The contents of a kit: the pieces, counters and events that its questions need."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import resources

from agtrace.diagnostics import analyses
from agtrace.diagnostics.need import Need
from agtrace.errors import CaseError
from agtrace.kit.pieces import COUNTERS, SESSION, Piece, events_of, pieces
from agtrace.tables.counter_catalogue import SQL_PREFIX, counters_of

VERSIONS = (2014, 2016, 2017, 2019, 2022, 2025)
"""Versions of SQL Server that kits are for."""


@dataclass(frozen=True)
class KitKind:
    """A kind of kit (kits.toml).

    Parameters
    ----------
    name, title, about
        Its name and title, and what it answers.
    questions
        Names of the analyses whose needs it collects.
    least
        Oldest supported version of SQL Server.
    interval_s
        Interval of the performance counters, in seconds.
    minutes
        Default run time, in minutes.
    moment
        When and where to run it.
    event_files
        Maximum number of its event files.
    event_cost
        Number of events to expect, as far as measured.
    """

    name: str
    title: str
    about: str
    questions: tuple[str, ...]
    least: int
    interval_s: int
    minutes: int
    moment: str
    event_files: int = 4
    event_cost: str = "How many there are was not measured."

    @property
    def needs(self) -> tuple[Need, ...]:
        """Needs of its questions, without duplicates."""
        known = analyses()
        return tuple(dict.fromkeys(need for name in self.questions for need in known[name].needs))


@dataclass(frozen=True)
class Plan:
    """The contents of one kit.

    Parameters
    ----------
    kind
        Its kind.
    version
        Version of SQL Server; None for all supported ones.
    needs
        Needs to collect.
    only
        Names of the pieces to include; None for all that the needs require.
    """

    kind: KitKind
    version: int | None
    needs: tuple[Need, ...]
    only: frozenset[str] | None = None

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Pieces that it collects, including those to be done by hand."""
        wanted = pieces() if self.only is None else self.only
        found = (piece for name, piece in pieces().items() if name in wanted)
        given = (piece for piece in found if any(piece.gives(need) for need in self.needs))
        # A need of a relation alone names no events, and a session without events cannot be created.
        return tuple(piece for piece in given if piece.name != SESSION or self._events)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the pieces that the scripts collect."""
        return frozenset(piece.name for piece in self.pieces if not piece.by_hand)

    @cached_property
    def left(self) -> tuple[Need, ...]:
        """Needs that no kit collects."""
        return tuple(need for need in self.needs if not any(piece.gives(need) for piece in pieces().values()))

    @cached_property
    def elsewhere(self) -> tuple[tuple[Need, str], ...]:
        """Needs that another kit collects, with its name: events too frequent for this one's run time."""
        found = []
        for need in self.needs:
            if need in self.left or any(piece.gives(need) for piece in self.pieces):
                continue
            others = (kind for kind in kinds().values() if kind != self.kind)
            name = next((kind.name for kind in others if not plan(kind)._missing(events_of(need))), None)
            if name:
                found.append((need, name))
        return tuple(found)

    def _missing(self, events: frozenset[str]) -> frozenset[str]:
        """Return the events that its session does not log, or a placeholder."""
        return events - {*self.events, *self.guarded_events} if events else frozenset([""])

    @cached_property
    def counters(self) -> tuple[str, ...]:
        r"""The counters to log, as ``Object\Counter``; none that the version lacks."""
        named = [name for need in self.needs if need.kind == "counter" for name in need.names if name != "*"]
        relations = {name for need in self.needs if need.kind == "relation" for name in need.names}
        objects = {name.rpartition("\\")[0] for name in named}
        for whole, wanted in pieces()[COUNTERS].whole.items():
            if whole in objects or not relations.isdisjoint(wanted):
                named += [f"{whole}\\{counter}" for counter in counters_of(whole)]
        there = [name for name in dict.fromkeys(named) if self._is_there("counters", name)]
        return tuple(sorted(there, key=lambda name: not name.startswith(SQL_PREFIX)))

    @cached_property
    def events(self) -> tuple[str, ...]:
        """Events of its own session that all its supported versions have."""
        return tuple(name for name in self._events if self._since("events", name) <= self._oldest)

    @cached_property
    def guarded_events(self) -> tuple[str, ...]:
        """Events that are added only if the server has them."""
        return tuple(name for name in self._events if name not in self.events)

    @cached_property
    def flags(self) -> tuple[int, ...]:
        """Trace flags that are on meanwhile."""
        return tuple(flag for piece in self.pieces for flag in piece.flags)

    def queries(self, when: str) -> tuple[str, ...]:
        """Return the names of the queries that run ``once`` or ``repeat``."""
        return tuple(name for piece in self.pieces for name in getattr(piece, when))

    @property
    def _oldest(self) -> int:
        return self.version or self.kind.least

    @cached_property
    def _events(self) -> tuple[str, ...]:
        asked = (need for need in self.needs if need.kind == "event")
        of_session = pieces()[SESSION]
        alone = (replace(need, names=(name,)) for need in asked for name in need.names)
        return tuple(dict.fromkeys(need.names[0] for need in alone if of_session.gives(need)))

    def _is_there(self, what: str, name: str) -> bool:
        return self.version is None or self._since(what, name) <= self.version

    def _since(self, what: str, name: str) -> int:
        return _newer()[what].get(name, VERSIONS[0])


@cache
def kinds() -> dict[str, KitKind]:
    """Return every kit by its name."""
    found = tomllib.loads(_text("kits.toml"))
    return {
        name: KitKind(name, **said | {"questions": tuple(said["questions"])}) for name, said in found.items()
    }


def kind_of(name: str) -> KitKind:
    """Return a kit by its name.

    Raises
    ------
    CaseError
        There is no kit of that name.
    """
    if name not in kinds():
        raise CaseError(f"there is no kit {name!r}", f"there are: {', '.join(kinds())}")
    return kinds()[name]


def plan(
    kind: KitKind,
    version: int | None = None,
    needs: Iterable[Need] | None = None,
    only: Iterable[str] | None = None,
) -> Plan:
    """Plan a kit for a version of SQL Server, optionally limited to some needs and pieces.

    Raises
    ------
    CaseError
        Kits do not support this version, or this kit needs a later one.
    """
    if version is not None and version not in VERSIONS:
        raise CaseError(f"there is no kit for SQL Server {version}", f"there are: {_listed(VERSIONS)}")
    if version is not None and version < kind.least:
        raise CaseError(
            f"the kit {kind.name!r} is for SQL Server {kind.least} and later, not for {version}",
            f"name one of {_listed(each for each in VERSIONS if each >= kind.least)}",
        )
    wanted = None if only is None else frozenset(only)
    return Plan(kind, version, kind.needs if needs is None else tuple(needs), wanted)


def questions_of(name: str) -> Sequence[str]:
    """Name the kits that collect what a question reads."""
    return [kind.name for kind in kinds().values() if name in kind.questions]


def _listed(years: Iterable[int]) -> str:
    return ", ".join(map(str, years))


@cache
def _newer() -> dict[str, dict[str, int]]:
    """Since when there are events and counters that were not there from the first version on."""
    found = tomllib.loads(_text("versions.toml"))
    return {
        what: {name: int(year) for year, names in years.items() for name in names}
        for what, years in found.items()
    }


def _text(name: str) -> str:
    return (resources.files(__package__ or "") / name).read_text(encoding="utf-8")
