"""Changes of daylight saving inside an output of sqlcmd that contains periodic snapshots of a server.

Such an output has local times, and its UTC offset rarely or never. In a repeated hour, the local times of its
snapshots step back by one hour, from the end of an hour to its start. In a missing hour, they skip one whole
hour of the clock, at the usual interval between snapshots. The latter could also be a pause, so a stated
offset on the other side must confirm it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from agtrace.store import CaseView
from agtrace.store.sql_files import beside

_sql = beside(__file__)

HOUR = timedelta(hours=1)
SOURCE = "an hour of the looks' local times {}"
SLACK_S = 60
"""Allowed delay of a snapshot in seconds, in addition to twice the usual interval."""


@dataclass(frozen=True)
class Offsets:
    """A change of the UTC offset in an output, with the offsets before and after it.

    Parameters
    ----------
    line
        First line with the new offset.
    """

    line: int
    before_local: datetime
    after_local: datetime
    old: int
    new: int


def settle_outputs(view: CaseView) -> None:
    """Split ``clocks`` into one period before and one after a change of offset, by line, for outputs."""
    if not view.has_rows("raw_rowset_rows"):
        return
    steps = defaultdict(list)
    for row in view.rows(_sql("daylight_outputs.sql")):
        if is_change(row):
            steps[row["content_id"]].append(row)
    found = {content: rows[0] for content, rows in steps.items() if len(rows) == 1}
    if not found:
        return
    stated = defaultdict(list)
    for row in view.rows(_sql("daylight_stated.sql"), {"contents": list(found)}):
        stated[row["content_id"]].append(row)
    for content_id, step in found.items():
        changed = offsets_of(step, stated[content_id])
        if changed is not None:
            _change(view, content_id, changed)


def is_change(step: dict[str, Any]) -> bool:
    """Return whether snapshots jump an hour exactly where clocks are changed.

    Parameters
    ----------
    step
        ``before_local``, ``after_local``, ``seconds`` between them, ``usual_s`` of the other looks.
    """
    if step["usual_s"] is None:
        return False
    before, after = step["before_local"], step["after_local"]
    slack = timedelta(seconds=2 * step["usual_s"] + SLACK_S)
    hour = before.replace(minute=0, second=0, microsecond=0)
    turn = hour if hour == before else hour + HOUR
    goes_on = turn - HOUR if step["seconds"] < 0 else turn + HOUR
    return bool(slack < HOUR and turn - before <= slack and timedelta(0) <= after - goes_on <= slack)


def offsets_of(step: dict[str, Any], stated: list[dict[str, Any]]) -> Offsets | None:
    """Return the offsets around a change; None if none is stated, or a missing hour is not shown.

    Parameters
    ----------
    stated
        Offsets, those of the output itself first: ``is_own``, ``line``, ``time_local`` and ``minutes``.
    """
    change = -60 if step["seconds"] < 0 else 60
    sides: dict[bool, list[int]] = {False: [], True: []}
    for row in stated:
        if row["minutes"] is None:
            continue
        if row["is_own"] and row["line"] is not None:
            is_behind = row["line"] >= step["line"]
        elif step["after_local"] <= row["time_local"] <= step["before_local"]:
            continue  # in the hour that repeats
        else:
            is_behind = row["time_local"] > step["before_local"]
        sides[is_behind].append(row["minutes"])
    # The last that was stated before the change, the first behind it.
    old = sides[False][-1] if sides[False] else None
    new = sides[True][0] if sides[True] else None
    if change > 0 and (old is None or new is None):
        return None
    if old is None and new is not None:
        old = new - change
    if old is None or (new is not None and new != old + change):
        return None
    return Offsets(step["line"], step["before_local"], step["after_local"], old, old + change)


def _change(view: CaseView, content_id: str, changed: Offsets) -> None:
    of_content = {"content": content_id}
    rows = view.rows(
        "select distinct capture_id from captures where content_id = $content and has_part", of_content
    )
    verb = "repeats" if changed.new < changed.old else "is missing"
    for row in rows:
        given = {
            "capture": row["capture_id"],
            "content": content_id,
            "line": changed.line,
            "old": changed.old,
            "new": changed.new,
            "before": changed.before_local + timedelta(microseconds=1),
            "after": changed.after_local,
            "source": f"daylight saving: {SOURCE.format(verb)}",
        }
        for statement in (
            "delete from clocks where capture_id = $capture",
            "insert into clocks values ($capture, $content, '0001-01-02', $before::timestamp, 0, "
            "$line::integer, "
            "$old::integer, $source, 0.9), ($capture, $content, $after::timestamp, '9999-12-31', "
            "$line::integer, null, "
            "$new::integer, $source, 0.9)",
            "update captures set first_time = (first_local - to_minutes($old::integer)) at time zone 'UTC', "
            "last_time = (last_local - to_minutes($new::integer)) at time zone 'UTC' where capture_id = "
            "$capture",
        ):
            view.run(statement, given)
