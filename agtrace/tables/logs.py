"""The Arrow schemas of what servers logged, whichever capture kept it."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import FIELDS, LOCAL_TIME, UTC_TIME, column, relation

_TEXT, _COUNT = pa.string(), pa.int64()

_WRITTEN = [
    column("host_id", _TEXT, "server that wrote it"),
    column("sql_instance", _TEXT, "its instance"),
    column("content_id", _TEXT, "capture that holds it"),
    column("line", _COUNT, "line in it, or number of the event"),
    column("time", UTC_TIME, "when; NULL if the offset is unknown"),
    column("time_local", LOCAL_TIME, "when, the server's local time; NULL for an event"),
    column("session", _TEXT, "who wrote the entry: spid12s, Logon, Server, ...; NULL for an event"),
]

LOG_ENTRIES = relation(
    "entry of an ERRORLOG, or message that a session of Extended Events kept",
    [
        column(
            "source",
            _TEXT,
            "ERRORLOG, Extended Events (error_reported), or ucs_connection_setup: a connection between "
            "replicas that could not be set up",
            nullable=False,
        ),
        *_WRITTEN,
        column("error", _COUNT, "number of the message, where the entry states it"),
        column("severity", _COUNT, "severity that it states; NULL for an event"),
        column("state", _COUNT, "state that it states; NULL for an event"),
        column("text", _TEXT, "the message"),
    ],
)

LOG_MESSAGES = relation(
    "entry of an ERRORLOG whose message is known, with or without its number",
    [
        *_WRITTEN,
        column("topic", _TEXT, "its subject"),
        column("message_id", _COUNT, "number of the message; NULL if it has none"),
        column("language", _TEXT, "language that it is written in"),
        column("fields", FIELDS, "values in its text, by name"),
    ],
)
