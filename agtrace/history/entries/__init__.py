"""All entries of logs and Extended Events, as text, with file and line.

They are queries instead of a relation: the texts are stored once, in the tables of their captures.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from agtrace.resolve.clocks import UTC_BY_FORMAT
from agtrace.store import CaseView
from agtrace.store.quoting import identifier, literal
from agtrace.store.sql_files import beside

_sql = beside(__file__)

LOGS = _sql("logs.sql")
"""Columns: time (UTC by the clock of the host; NULL if the offset is unknown), time_local, host_id,
source, content_id, line, text."""


def events(view: CaseView) -> dict[str, str]:
    """Return the query of each captured Extended Event's entries, by the name of its view.

    Returns
    -------
    dict
        Their columns are those of `LOGS`; time_local is NULL (`Clocks` tells it), ``line`` the number of the
        event in its file, from 0, as the witnesses of the relations give it. The text names the fields
        that have a value: ``n=7, state=ONLINE``.
    """
    fields = {
        row["table"]: zip(row["names"], row["kinds"], strict=True) for row in view.rows(_sql("columns.sql"))
    }
    return {name: _event(name, dict(fields.get(name, ()))) for name in sorted(view.events)}


def _event(name: str, fields: dict[str, str]) -> str:
    told = [
        f"{literal(column + '=')} || {_shown(identifier(column), kind)}" for column, kind in fields.items()
    ]
    text = f"concat_ws(', ', {', '.join(told)})" if told else "''"
    return (
        "SELECT e._time AS time, CAST(NULL AS TIMESTAMP) AS time_local, o.host_id, "
        f"{literal(name.removeprefix('events_'))} AS source, e._content_id AS content_id, e._seq AS line, "
        f"{text} AS text "
        f"FROM {identifier(name)} e LEFT JOIN contents o ON o.content_id = e._content_id"
    )


def _shown(column: str, kind: str) -> str:
    return f"lower(hex({column}))" if kind == "BLOB" else f"CAST({column} AS VARCHAR)"


class Clocks:
    """The UTC offset of each host's local time, by the spans of its captures."""

    def __init__(self, view: CaseView) -> None:
        self.unknown: list[str] = [row["host_id"] for row in view.rows(_sql("unplaced.sql"))]
        """Hosts with a capture in local time that cannot be converted to UTC."""
        self._stretches = view.rows(_sql("offsets.sql"), {"by_format": UTC_BY_FORMAT})

    def local(self, host: str | None, time: datetime) -> datetime | None:
        """Return the host's local time; None if its captures lack it, or contradict each other."""
        covering: set[datetime] = set()
        others: set[datetime] = set()
        for row in self._stretches:
            if row["host_id"] == host:
                there = time.replace(tzinfo=None) + timedelta(minutes=row["offset_minutes"])
                if row["local_from"] <= there < row["local_to"]:
                    covers = row["first_local"] <= there <= row["last_local"]
                    (covering if covers else others).add(there)
        found = covering or others
        return found.pop() if len(found) == 1 else None

    def offsets(self) -> set[timedelta]:
        """Return all UTC offsets of the case's clocks."""
        return {timedelta(minutes=row["offset_minutes"]) for row in self._stretches}
