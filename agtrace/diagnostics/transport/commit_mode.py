"""Which replicas commit synchronously, as far as the captures tell."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from agtrace.diagnostics.base import View
from agtrace.diagnostics.transport.links import Link
from agtrace.diagnostics.transport.units import ASYNCHRONOUS, SYNCHRONOUS
from agtrace.measure import transport_counters as c
from agtrace.resolve.replicas import HostNames
from agtrace.thresholds import Thresholds

_GROUP = re.compile(r"AVAILABILITY\s+GROUP\s+(\[(?:[^\]]|\]\])+\]|\S+)", re.IGNORECASE)
_REPLICA = re.compile(r"N?'((?:[^']|'')+)'\s+WITH\s*\(", re.IGNORECASE)
_MODE = re.compile(r"AVAILABILITY_MODE\s*=\s*(A?SYNCHRONOUS)_COMMIT", re.IGNORECASE)


@dataclass(frozen=True)
class Mode:
    """A commit mode, `SYNCHRONOUS` or `ASYNCHRONOUS`, with what says so."""

    mode: str
    why: str


@dataclass(frozen=True)
class Modes:
    """What the statements of a case say about commit modes: (time, group, replica, mode)."""

    stated: list[tuple[float, str, str, str]]

    def of(self, link: Link, limits: Thresholds) -> Mode | None:
        """Give the commit mode of a replica in the window of a link; None where it is open."""
        stated = [
            (at, mode)
            for at, group, replica, mode in self.stated
            if group.lower() == link.ag.lower() and replica.lower() == link.replica.lower()
        ]
        if stated and len(link.times) and not link.is_local:
            start, end = float(link.times[0]), float(link.times[-1])
            before = [mode for at, mode in stated if at <= start]
            modes = {*before[-1:], *(mode for at, mode in stated if start < at <= end)}
            if modes:  # two of them: it was changed within the window
                why = "alwayson_ddl_executed of the AlwaysOn_health session"
                return Mode(modes.pop(), why) if len(modes) == 1 else None
        return _of_counters(link, limits)


def read_modes(view: View, sql: Callable[[str], str], names: HostNames) -> Modes:
    """Read the commit modes that statements about groups set."""
    known = "select column_name as name from information_schema.columns where table_name = 'events_alwayson_ddl_executed'"  # fmt: skip
    if "statement" not in view.table(known)["name"].to_pylist():
        return Modes([])
    rows = view.rows(sql("statements.sql"))
    return Modes(
        [
            (row["time_s"], group, names.replica(replica), mode)
            for row in rows
            for group, replica, mode in modes_in(row["statement"])
        ]
    )


def modes_in(statement: str) -> list[tuple[str, str, str]]:
    """Give (group, replica, mode) for each replica whose commit mode a statement sets."""
    group = _GROUP.search(statement)
    if group is None:
        return []
    written = group[1]
    name = written[1:-1].replace("]]", "]") if written.startswith("[") else written
    replicas = list(_REPLICA.finditer(statement))
    starts = [*(match.start() for match in replicas), len(statement)]
    found = []
    for match, end in zip(replicas, starts[1:], strict=True):
        mode = _MODE.search(statement, match.end(), end)
        if mode is not None:
            which = ASYNCHRONOUS if mode[1].lower().startswith("a") else SYNCHRONOUS
            found.append((name, match[1].replace("''", "'"), which))
    return found


def _of_counters(link: Link, limits: Thresholds) -> Mode | None:
    """Conclude from commits that waited for a replica: where there is only one, it is this one.

    That none waited proves nothing: nobody waits for a synchronous replica that has fallen behind.
    """
    if link.primary is None or len(link.group.peers(link.primary)) != 1:
        return None
    names = link.group.databases.values()
    waited = [v for db in names if (v := link.on_primary(c.MIRRORED_WRITES, db)) is not None]
    if not any(int((v > 0).sum()) >= limits.min_samples for v in waited):
        return None
    counter = f"{c.MIRRORED_WRITES[0]}\\{c.MIRRORED_WRITES[1]} on {link.primary.name}"
    return Mode(SYNCHRONOUS, f"{counter}, for the only replica")
