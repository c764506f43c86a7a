"""Topics of the facts and the traced backups of an Extended Events file."""

from __future__ import annotations

from agtrace.readers.errorlog.topics import TRACED
from agtrace.tables.topics import Value, facts

TOPICS = (
    facts(
        "xel_file",
        "Extended Events file",
        Value("utc", "true: its times are UTC"),
        Value("session", "name of the session, by the file's name"),
        Value("file_number", "number in the file's name"),
        Value("file_created", "when the file was made, by its name; UTC"),
        Value("server", "node, or node\\instance, in every event, or the replica of its states"),
        Value("events", "events read"),
        Value("end", "offset behind the last whole event"),
        Value("session_run", "guid of the run of the session"),
        Value("begins", "block and ticks of the first event: equal in copies of one file"),
    ),
    *TRACED,
)
