"""Named contents of a case: counters, Extended Events and relations, as lists and frames."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.errors import CaseError
from agtrace.globs import instead
from agtrace.measure.series import chosen, series_of
from agtrace.say.finding import SEVERITY_ORDER
from agtrace.store import CaseView
from agtrace.store.part import WHOLE, Part
from agtrace.store.quoting import identifier, literal
from agtrace.tables.frames import frame_of
from agtrace.tables.history import RELATIONS

if TYPE_CHECKING:
    import pandas as pd

CAPTURED = {
    "captures": "file that was found, also those not understood",
    "hosts": "machine",
    "counters": "perfmon series of a capture",
    "samples": "value of a perfmon series",
    "errorlog": "entry of an ERRORLOG",
    "messages": "ERRORLOG entry that is understood, with its values",
    "facts": "value that a small text file states",
    "clocks": "stretch of a capture's local time and how far it is from UTC",
    "skew": "pair of hosts: how far their clocks are apart",
    "runs": "labelled stretch of time to compare",
    "issues": "fault met while reading",
}
"""Useful relations of captured data; docs/store.md lists all."""
EVENT_PLACE = ("_host_id", "_time")
"""The columns of events that a part of a case filters."""
FOUND = {"findings": "finding of an analysis"}


def counter_names(view: CaseView) -> list[str]:
    """Return the names of all counters, in English if in the catalogue."""
    rows = view.rows(
        "SELECT DISTINCT coalesce(counter, counter_written) AS name FROM counters WHERE name IS NOT NULL "
        "ORDER BY 1"
    )
    return [row["name"] for row in rows]


def event_list(view: CaseView, part: Part = WHOLE) -> pd.DataFrame:
    """Return the captured Extended Events: name, number, first and last time."""
    counted = "SELECT {} AS event, count(*) AS n, min(_time) AS first_time, max(_time) AS last_time FROM "
    queries = [
        counted.format(literal(name)) + with_hosts(f"events_{name}") + f" WHERE {part.rows(EVENT_PLACE)}"
        for name in event_names(view)
    ]
    nothing = counted.format("''::varchar") + "(SELECT NULL::timestamptz AS _time) WHERE false"
    found = " UNION ALL ".join(queries) or nothing
    return frame_of(view.table(f"SELECT * FROM ({found}) WHERE n > 0 ORDER BY event"))


def with_hosts(view: str) -> str:
    """Return the FROM clause of a view of events with the host of each."""
    return (
        f"(SELECT o.host_id AS _host_id, e.* FROM {identifier(view)} e "
        "LEFT JOIN contents o ON o.content_id = e._content_id)"
    )


def event_names(view: CaseView) -> list[str]:
    """Return the names of all captured Extended Events."""
    return sorted(name.removeprefix("events_") for name in view.events)


def relations() -> dict[str, str]:
    """Return the meaning of a row of each relation, by name: captured relations, then those of events."""
    return CAPTURED | FOUND | {name: schema.metadata[b"row"].decode() for name, schema in RELATIONS.items()}


def no_attribute(name: str, known: Iterable[str]) -> str:
    """Return the message of an error for an attribute that a case does not have."""
    if name in relations():
        return f"a case has no method {name!r} - its relation is case[{name!r}]"
    return f"a case has no {name!r} - {instead(name, known, 'dir(case) lists its names')}"


def columns(name: str) -> list[str]:
    """Return the names of the columns of a relation of events."""
    return list(RELATIONS[name].names)


def relation(view: CaseView, name: str, part: Part = WHOLE) -> pd.DataFrame:
    """Return a relation of the case as a frame.

    Parameters
    ----------
    name
        Name of a relation in docs/store.md.
    part
        The part of the case that the rows are limited to, for relations of events.

    Returns
    -------
    pandas.DataFrame
        All its columns; times of columns without ``_local`` are UTC.

    Raises
    ------
    CaseError
        There is no relation of that name.
    """
    if name not in relations():
        raise CaseError(f"no relation is called {name!r}", instead(name, relations()))
    condition = "true" if part.is_all else part.rows(columns(name))
    frame = frame_of(view.table(f'SELECT * FROM "{name}" WHERE {condition}'))
    if name in FOUND:
        import pandas as pd

        frame["severity"] = pd.Categorical(frame["severity"], SEVERITY_ORDER, ordered=True)
    if name in RELATIONS:
        frame.attrs["units"] = {
            field.name: field.metadata[b"unit"].decode()
            for field in RELATIONS[name]
            if field.metadata and b"unit" in field.metadata
        }
    return frame


def series(
    view: CaseView,
    counter: str | Iterable[str] = "*",
    host: str | Iterable[str] | None = None,
    instance: str | Iterable[str] | None = None,
) -> pd.DataFrame:
    """List the captured series; see `agtrace.case.Case.counters`."""
    captured = view.rows("SELECT * FROM counters ORDER BY counter_id")
    found = chosen(captured, counter, host, instance) if captured else {}
    question = Path(__file__).with_name("series.sql").read_text(encoding="utf-8")
    with series_of(view, found):
        return frame_of(view.table(question))
