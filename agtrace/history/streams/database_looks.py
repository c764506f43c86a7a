"""States of the databases of replicas in single snapshots of a server."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from agtrace.history.base import View
from agtrace.resolve.replicas import HostNames
from agtrace.store.sql_files import beside

_sql = beside(__file__)

SYNCHRONIZED = "SYNCHRONIZED"


@dataclass(frozen=True)
class State:
    """A database of a replica in a snapshot; sizes in KB of 1,024 bytes, as reported by the server.

    Parameters
    ----------
    send_rate, redo_rate
        The server's own averages, KB/s, over an unknown time.
    """

    database: str
    state: str
    is_suspended: bool
    suspend_reason: str | None
    send_queue: int | None
    send_rate: int | None
    redo_queue: int | None
    redo_rate: int | None
    lag_s: int | None
    source: str

    @property
    def waiting(self) -> int:
        """KB that wait to be sent or redone."""
        return (self.send_queue or 0) + (self.redo_queue or 0)

    @property
    def seconds_to_send(self) -> float | None:
        """Return the age of the log that has not arrived.

        The server's lag if most of it waits to be sent, else the queue at its rate; None if unknown.
        """
        if not self.send_queue:
            return None
        if self.lag_s is not None and self.send_queue >= (self.redo_queue or 0):
            return float(self.lag_s)
        return self.send_queue / self.send_rate if self.send_rate else None

    @property
    def seconds_to_redo(self) -> float | None:
        """Return the time of redo for the log that has arrived, at the server's rate; None if unknown."""
        return self.redo_queue / self.redo_rate if self.redo_queue and self.redo_rate else None


@dataclass(frozen=True)
class Look:
    """The databases of one replica in one output.

    Parameters
    ----------
    ag, replica
        Its group, and its name as returned by `HostNames.replica`.
    at
        Seconds since 1970, in UTC or, if ``is_local``, in the host's own time; None if the output has no
        time.
    host, is_of_primary
        The server of the output, and whether it was the primary, which also lists other servers.
    """

    ag: str
    replica: str
    at: float | None
    is_local: bool
    host: str
    is_of_primary: bool
    path: str
    states: tuple[State, ...]

    def is_between(self, start: datetime | None, end: datetime | None) -> bool:
        """Return whether it is within a span; False if its own time is not UTC."""
        at = None if self.at is None or self.is_local else datetime.fromtimestamp(self.at, UTC)
        return is_between(at, start, end)

    @property
    def synchronized(self) -> list[State]:
        """Return the databases without data loss."""
        return [each for each in self.states if each.state == SYNCHRONIZED]


def is_between(at: datetime | None, start: datetime | None, end: datetime | None) -> bool:
    """Return whether a moment is within a time, UTC when without zone; an unknown one never is."""
    if start is None and end is None:
        return True
    if at is None:
        return False
    first, last = (
        None if each is None else each if each.tzinfo else each.replace(tzinfo=UTC) for each in (start, end)
    )
    return (first is None or first <= at) and (last is None or at < last)


def read_looks(view: View, names: HostNames) -> list[Look]:
    """Read the snapshots of a case, in chronological order; those in local time come last."""
    if not view.has_rows("database_states"):
        return []
    found: dict[Any, list[State]] = {}
    first: dict[tuple[Any, ...], str] = {}
    for row in view.rows(_sql("database_looks.sql")):
        who = (
            row["ag"],
            names.replica(row["replica"]),
            row["time_s"],
            row["is_local"],
            row["host_id"] or "",
            row["is_of_primary"],
        )
        # Outputs of one moment and server are one snapshot; each adds its own databases.
        moment = who if row["time_s"] is not None else (*who, row["path"])
        key = (*who, first.setdefault(moment, row["path"]))
        found.setdefault(key, []).append(_state(row))
    return [Look(*(*key, tuple(states))) for key, states in found.items()]


def _state(row: dict[str, Any]) -> State:
    return State(
        row["database"], row["synchronization_state"], bool(row["is_suspended"]), row["suspend_reason"],
        row["log_send_queue_kb"], row["log_send_rate_kb_s"], row["redo_queue_kb"], row["redo_rate_kb_s"],
        row["secondary_lag_s"], f"{row['path']}, line {row['line']}",
    )  # fmt: skip
