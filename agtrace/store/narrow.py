"""The relations of captured data, limited to a part of a case.

Log entries and measurements are cut to the hosts and the time of the part. Configuration has no time, so
settings, snapshots and the facts of small files are kept for the hosts of the part.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from agtrace.store.part import Part
from agtrace.store.quoting import identifier, literal
from agtrace.store.view import VIEWS, CaseView

LOGGED = ("ticks", "errorlog", "messages")
"""Views whose rows have a time of their own."""
LOGS = "('errorlog', 'xel', 'cluster_log', 'event_log')"
"""Readers of captures that are logs."""


def narrow(view: CaseView, part: Part, ahead: Mapping[str, timedelta]) -> None:
    """Restrict the relations of captured data to a part of the case.

    Parameters
    ----------
    view
        The tables of a case from which nothing was computed yet, not locked.
    ahead
        Difference of each host's clock to the reference clock of the part's time window.
    """
    _keep_captures(view, part)
    for name in LOGGED:
        _cut(view, name, part.within(_by_reference("time", "content_id", ahead)))
    for name in sorted(view.events):
        of_part = "_content_id IN (SELECT content_id FROM contents)"
        moment = _by_reference("_time", "_content_id", ahead)
        _cut(view, name, " AND ".join(filter(None, [of_part, part.within(moment)])))
    view.run(f"DELETE FROM counters WHERE NOT ({part.of_hosts(('host_id',)) or 'true'})")
    view.run("DELETE FROM counters WHERE content_id NOT IN (SELECT content_id FROM contents)")
    if not part.window.holds_all():
        view.run("DELETE FROM counters WHERE content_id NOT IN (SELECT content_id FROM ticks)")
        view.run(f"DELETE FROM runs WHERE NOT {part.within('start', chr(34) + 'end' + chr(34))}")
    view.run(f"DELETE FROM hosts WHERE NOT ({part.of_hosts(('host_id',)) or 'true'})")
    view.run("DELETE FROM clocks WHERE capture_id NOT IN (SELECT capture_id FROM captures)")
    view.run(
        "DELETE FROM skew WHERE host_id NOT IN (SELECT host_id FROM hosts) "
        "OR other_host_id NOT IN (SELECT host_id FROM hosts)"
    )


def _keep_captures(view: CaseView, part: Part) -> None:
    """Keep the captures of the part; what a log covers ends where the window ends."""
    logged = f"(coalesce(reader IN {LOGS}, false) OR content_id IN (SELECT content_id FROM counters))"
    wanted = part.of_hosts(("host_id",)) or "true"
    told = f"({wanted} OR content_id IN (SELECT content_id FROM counters WHERE {wanted}))"
    spans = part.within("first_time", "last_time")
    if spans:
        told += f" AND (NOT {logged} OR first_time IS NULL OR {spans})"
    view.run(f"DELETE FROM captures WHERE NOT ({told})")
    for bound, column, pick in (("start", "first", "greatest"), ("end", "last", "least")):
        if (moment := getattr(part.window, bound)) is not None:
            limit = f"TIMESTAMPTZ '{moment.isoformat(sep=' ')}'"
            view.run(
                f"UPDATE captures SET {column}_local = {pick}({column}_local, {column}_local + ({limit} - "
                f"{column}_time)), {column}_time = {pick}({column}_time, {limit}) "
                f"WHERE {column}_time IS NOT NULL AND {logged}"
            )
    view.run("DROP TABLE contents")
    (contents,) = (
        each.query
        for each in view.connection.extract_statements(VIEWS.read_text(encoding="utf-8"))
        if "CREATE TABLE contents" in each.query
    )
    view.run(contents)


def _by_reference(time: str, content: str, ahead: Mapping[str, timedelta]) -> str:
    """Return the time of a row by the reference clock, in SQL; host and clock are those of its content."""
    cases = " ".join(
        f"WHEN {content} IN (SELECT content_id FROM contents WHERE host_id = {literal(host)}) "
        f"THEN {by // timedelta(microseconds=1)}"
        for host, by in ahead.items()
        if by
    )
    return f"({time} - to_microseconds(CASE {cases} ELSE 0 END))" if cases else time


def _cut(view: CaseView, name: str, condition: str) -> None:
    """Restrict a view to the rows that meet a condition."""
    if not condition or name in view.empty:
        return
    (row,) = view.rows("SELECT sql FROM duckdb_views() WHERE view_name = $name", {"name": name})
    whole = row["sql"].partition(" AS ")[2].rstrip().rstrip(";")
    view.run(f"CREATE OR REPLACE VIEW {identifier(name)} AS SELECT * FROM ({whole}) WHERE {condition}")
