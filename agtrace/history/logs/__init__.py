"""Entries of servers' ERRORLOGs, messages kept by sessions, and their known meanings."""

from __future__ import annotations

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)

KEPT = (
    ("error_reported", "reported.sql", {"error_number", "message"}),
    ("ucs_connection_setup", "setups.sql", {"error_number", "error_message"}),
)
"""Events that contain a message: their fields, and the query of their rows."""


def make(view: View) -> dict[str, Query]:
    """Return the queries of the entries and of the messages: a log may have millions of them."""
    kept = [_sql(name) for event, name, fields in KEPT if view.fields(event) >= fields]
    entries = "\nunion all\n".join([_sql("entries.sql"), *kept])
    return {"log_entries": Query(entries), "log_messages": Query(_sql("messages.sql"))}


MAKER = Maker(
    ("log_entries", "log_messages"),
    make,
    Sources(tables=("errorlog", "messages"), events=tuple(event for event, _sql, _fields in KEPT)),
    is_view=True,
    is_by_host=True,
)
