"""Changes of daylight saving inside an ERRORLOG: an hour that repeats, or is missing.

An ERRORLOG states its UTC offset once, at its start. Extended Events of the same server and the same events
show the offset of later lines. Without them, a repeated hour shows in the local times themselves. A missing
hour shows in the next log of the server, which states its own offset and cannot begin before this one ends.
In the last log of a server it is found by two other sources: the cluster log, which has the UTC time at which
a group was brought online, and connections that another server also logged. That server's log must have begun
after the change, or have a resolved offset, or be an Extended Events session. Otherwise a missing hour cannot
be distinguished from an hour without entries.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from agtrace.store import CaseView
from agtrace.store.sql_files import beside

_sql = beside(__file__)

REPEATED_S = (-3600, -300)
"""Range of the step back of local times between two entries in a repeated hour, in seconds."""

HOUR = timedelta(hours=1)
EVENTS = "Extended Events of the server"
NEXT_LOG = "the next log of the server"
CLUSTER = "the cluster, which brought the group online"
CONNECTIONS = "connections that another server noted, too"

_EVENTS = {
    "daylight_states.sql": (
        "availability_replica_state_change",
        {"availability_group_name", "previous_state", "current_state"},
    ),
    "daylight_errors.sql": ("error_reported", {"message"}),
    "daylight_connected.sql": ("error_reported", {"error_number", "message"}),
}


@dataclass(frozen=True)
class Turn:
    """A change of the UTC offset in a log.

    Parameters
    ----------
    line
        First line with the new offset.
    before_local
        The last local time with the old one; None if only a later entry is known.
    minutes
        New offset minus the old one, in minutes.
    """

    line: int
    before_local: datetime | None
    minutes: int
    source: str


def settle_daylight(view: CaseView) -> None:
    """Split ``clocks`` into one period before and one after, for ERRORLOGs in which the offset changes.

    The spans of such a log are bounded by line (``tick_from``, ``tick_to``), because local times repeat.
    """
    logs = "select content_id from captures where first_entry is not null and content_id is not null"
    names = sorted({row["content_id"] for row in view.rows(logs)})
    if not names:
        return
    view.run(_sql("daylight_kept.sql"))
    for name, (event, fields) in _EVENTS.items():
        if view.fields(event) >= fields:
            view.run(_sql(name))
    view.run(_sql("daylight.sql"))
    marks = defaultdict(list)
    query = "select content_id, line, minutes from scratch.daylight_marks order by content_id, line"
    for row in view.rows(query):
        marks[row["content_id"]].append((row["line"], row["minutes"]))
    ends = {row["content_id"]: row["line"] for row in view.rows(_sql("daylight_next.sql"))}
    # Most logs provably keep their offset almost to the end, so only entries after that are inspected.
    since = {name: max((line for line, off in marks[name] if off == 0), default=0) for name in names}
    steps = defaultdict(list)
    given = {"logs": names, "lines": [since[name] for name in names]}
    for row in view.rows(_sql("daylight_steps.sql"), given):
        steps[row["content_id"]].append(row)
    turned = set()
    for content_id in names:
        turn = turn_of(marks[content_id], steps[content_id], ends.get(content_id))
        if turn is not None:
            turned.add(content_id)
            _turn(view, content_id, turn)
    for told_by, told in ((CLUSTER, _online), (CONNECTIONS, _connected)):
        # These sources confirm a missing hour, which shows as a pause; logs without one need no check.
        paused = [
            name
            for name in names
            if name not in turned and any(step["seconds"] >= -REPEATED_S[0] for step in steps[name])
        ]
        for content_id, more in told(view, paused).items() if paused else ():
            marks[content_id] = sorted({*marks[content_id], *more})
            turn = turn_of(marks[content_id], steps[content_id], told_by=told_by)
            if turn is not None:
                turned.add(content_id)
                _turn(view, content_id, turn)
    for name in ("marks", "kept", "connected", "online"):
        view.run(f"drop table scratch.daylight_{name}")


Marks = dict[str, list[tuple[int, int]]]
"""By content: line, and by how many minutes the offset is off there."""


def _online(view: CaseView, logs: list[str]) -> Marks:
    """Return the marks from the cluster, which logs the UTC time at which a group comes online."""
    primary = [row["content_id"] for row in view.rows(_sql("daylight_primary.sql"), {"logs": logs})]
    if not primary:
        return {}
    view.run(_sql("daylight_online.sql"))
    if view.fields("availability_group_state_change") >= {"availability_group_name", "target_state"}:
        view.run(_sql("daylight_resource.sql"))
    return _marks(view, "daylight_told.sql", primary)


def _connected(view: CaseView, logs: list[str]) -> Marks:
    """Return the marks of other servers: connections that both ends logged."""
    return _marks(view, "daylight_pairs.sql", logs)


def _marks(view: CaseView, name: str, logs: list[str]) -> Marks:
    found: Marks = defaultdict(list)
    for row in view.rows(_sql(name), {"logs": logs}):
        found[row["content_id"]].append((row["line"], row["minutes"]))
    return found


def turn_of(
    marks: list[tuple[int, int]], steps: list[dict[str, Any]], end: int | None = None, told_by: str = EVENTS
) -> Turn | None:
    """Return the change of the UTC offset in a log, if any.

    Parameters
    ----------
    marks
        Line, and the error of the offset there in minutes, in line order.
    steps
        Steps in local times, with ``line``, ``before_local``, ``after_local`` and ``seconds``.
    end
        Last line, if it is an hour too late because the next log of the server begins before it.
    told_by
        Source of the marks.
    """
    moved = [(line, minutes) for line, minutes in marks if minutes in (60, -60)]
    source = told_by
    if end is not None and not moved:
        moved, source = [(end, 60)], NEXT_LOG
    if moved:
        first, minutes = moved[0]
        settled = [line for line, none in marks if none == 0]
        if any(line > first for line in settled):
            return None
        last = max(settled, default=0)
        between = [step for step in steps if last < step["line"] <= first]
        if minutes == -60:
            fitting = [step for step in between if REPEATED_S[0] <= step["seconds"] <= REPEATED_S[1]]
        else:
            fitting = [step for step in between if step["seconds"] >= -REPEATED_S[0]]
            if len(fitting) > 1:
                fitting = [step for step in fitting if _misses_an_hour(step)]
        if len(fitting) == 1:
            return Turn(fitting[0]["line"], fitting[0]["before_local"], minutes, source)
        if not fitting and told_by != EVENTS and source == told_by:
            # Two similar events one hour apart may be two events: a missing hour requires a pause.
            return None
        # Several pauses are long enough, or none is seen: the first entry that is known to be off.
        return Turn(first, None, minutes, source)
    kept = max((line for line, _none in marks), default=0)
    back = [
        step for step in steps if step["line"] > kept and REPEATED_S[0] <= step["seconds"] <= REPEATED_S[1]
    ]
    if len(back) == 1:
        return Turn(back[0]["line"], back[0]["before_local"], -60, "an hour of local times repeats")
    return None


def _misses_an_hour(step: dict[str, Any]) -> bool:
    """Return whether a whole hour of the clock has no entry: usually the one skipped at a change."""
    before = step["before_local"]
    hour = before.replace(minute=0, second=0, microsecond=0)
    begin = hour if hour == before else hour + HOUR
    return bool(before + timedelta(seconds=step["seconds"]) >= begin + HOUR)


def _turn(view: CaseView, content_id: str, turn: Turn) -> None:
    captures = "select * from clocks where content_id = $content"
    rows = view.rows(captures, {"content": content_id})
    if len({row["capture_id"] for row in rows}) != len(rows):
        return
    entry = (
        "select time_local from raw_errorlog where content_id = $content and line >= $line order by "
        "line limit 1"
    )
    at = view.table(entry, {"content": content_id, "line": turn.line})["time_local"].to_pylist()
    last = turn.before_local
    before = at[0] if last is None else last + timedelta(microseconds=1)
    for row in rows:
        given = {
            "capture": row["capture_id"],
            "line": turn.line,
            "before": before,
            "content": content_id,
            "old": row["offset_minutes"],
            "offset": row["offset_minutes"] + turn.minutes,
            "source": f"{row['source']}; daylight saving: {turn.source}",
            "confidence": row["confidence"] * 0.95,
        }
        for statement in (
            "insert into clocks select capture_id, content_id, $before::timestamp, local_to, "
            "$line::integer, null, "
            "$offset::integer, $source, $confidence::double from clocks where capture_id = $capture",
            "update clocks set local_to = $before::timestamp, tick_from = 0, tick_to = $line::integer "
            "where capture_id = $capture and tick_from is null",
            # In a repeated hour, the earliest local time need not be the start, nor the latest the end.
            "update captures set first_time = e.first at time zone 'UTC', "
            "last_time = e.last at time zone 'UTC' from "
            "(select min(utc) as first, max(utc) as last from (select time_local - "
            "to_minutes(if(line < $line, $old, $offset)::integer) as utc "
            "from raw_errorlog where content_id = $content)) e "
            "where captures.capture_id = $capture",
        ):
            view.run(statement, given)
