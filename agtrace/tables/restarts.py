"""The Arrow schema of the starts of instances that had run before."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import UTC_TIME, column, relation

_TEXT, _COUNT = pa.string(), pa.int64()

RESTARTS = relation(
    "start of an instance that ran before, with the bounds of its downtime",
    [
        column("host_id", _TEXT, "server", nullable=False),
        column("sql_instance", _TEXT, "its instance"),
        column(
            "kind",
            _TEXT,
            "stopped or shutdown: requested by the service control manager or a statement, or by the system; "
            "died: the previous log ends unexpectedly. open (unknown): the previous log is missing",
            nullable=False,
        ),
        column("asked", UTC_TIME, "when it was asked to stop; NULL: not logged"),
        column("last_sign", UTC_TIME, "last sign of life before the start"),
        column(
            "last_sign_by", _TEXT, "ERRORLOG, Extended Events, perfmon, message 17176, or a partner's note"
        ),
        column("gone_by", UTC_TIME, "earliest proof that it had ended", nullable=False),
        column("gone_by_what", _TEXT, "next start, or the event that proves it", nullable=False),
        column("missed_since", UTC_TIME, "when a partner noted that it had lost it: a hint, or a network"),
        column("missed_by", _TEXT, "that partner"),
        column("started", UTC_TIME, "first entry of the start", nullable=False),
        column("ready", UTC_TIME, "when clients could connect again", nullable=False),
        column("content_id", _TEXT, "ERRORLOG of the start"),
        column("line", _COUNT, "its line that clients may connect"),
        column("asked_content_id", _TEXT, "ERRORLOG that holds the request to stop"),
        column("asked_line", _COUNT, "line in it"),
        column("last_sign_content_id", _TEXT, "capture that holds the last sign of life; NULL: several may"),
    ],
)
