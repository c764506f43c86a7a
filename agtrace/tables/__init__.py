"""The Arrow schema of each table of the store, declared once.

Readers produce these columns; the store adds ``content_id`` in front. Unit and meaning of a column
stand in its field metadata (``meaning``, ``unit``). Times of readers are the writing host's local
time without zone (``timestamp[us]``), unless the format itself is in UTC.

A column of text says what it holds (``holds``), by which `agtrace.redact` tells what may be handed out:
"own" words of agtrace, "words" of the products, the name of a "host", an "instance", a "login" or of whatever
the case names ("name"), a "label" of few words or a "text" that may name anything, or what another column
says ("keyed").
"""

from __future__ import annotations

import pyarrow as pa

LOCAL_TIME = pa.timestamp("us")
UTC_TIME = pa.timestamp("us", tz="UTC")
FIELDS = pa.map_(pa.string(), pa.string())


def column(
    name: str, kind: pa.DataType, meaning: str, unit: str = "", *, nullable: bool = True, holds: str = ""
) -> pa.Field:
    """Declare one column with its meaning, its unit and what its text holds in the field metadata."""
    metadata = {"meaning": meaning} | ({"unit": unit} if unit else {}) | ({"holds": holds} if holds else {})
    return pa.field(name, kind, nullable=nullable, metadata=metadata)


def relation(row: str, columns: list[pa.Field]) -> pa.Schema:
    """Declare a relation: what one row is, and its columns."""
    return pa.schema(columns, metadata={"row": row})


COUNTERS = pa.schema(
    [
        column(
            "counter_no", pa.int32(), "dense number of the series in its content, file order", nullable=False
        ),
        column(
            "host", pa.string(), "machine as written in the path; NULL when the path names none", holds="host"
        ),
        column(
            "sql_instance",
            pa.string(),
            "MSSQLSERVER or the instance name; NULL for Windows objects",
            holds="instance",
        ),
        column(
            "object",
            pa.string(),
            "canonical object, SQLServer:<Object> for every instance; NULL if unmapped",
            holds="words",
        ),
        column(
            "instance",
            pa.string(),
            "instance text, parent/ and #n included; NULL when there is none",
            holds="keyed",
        ),
        column("counter", pa.string(), "canonical English counter name; NULL if unmapped", holds="words"),
        column("object_written", pa.string(), "object as written", holds="label"),
        column("counter_written", pa.string(), "counter as written", holds="label"),
        column("path", pa.string(), "counter path exactly as written", nullable=False, holds="keyed"),
        column("unit", pa.string(), "unit of the values, where the catalogue knows it", holds="own"),
        column("counter_type", pa.string(), "perfmon counter type, where the format carries it", holds="own"),
    ]
)

TICKS = pa.schema(
    [
        column("tick", pa.int32(), "row number in the content, from 0", nullable=False),
        column("time_local", LOCAL_TIME, "sample time, local time of the collecting host", nullable=False),
    ]
)

SAMPLES = pa.schema(
    [
        column("counter_no", pa.int32(), "series, as in counters", nullable=False),
        column("tick", pa.int32(), "row, as in ticks", nullable=False),
        column("value", pa.float64(), "cooked value; a blank cell is absent, never 0", nullable=False),
    ]
)

ERRORLOG = pa.schema(
    [
        column("line", pa.int64(), "physical line number of the entry's header, from 1", nullable=False),
        column("time_local", LOCAL_TIME, "entry time, local time of the server", nullable=False),
        column(
            "source", pa.string(), "Server, Logon, Backup, spid51, spid7s, ...", nullable=False, holds="label"
        ),
        column("spid", pa.int32(), "session id when the source is a session"),
        column("error", pa.int32(), "error number of an error pair"),
        column("severity", pa.int32(), "severity of an error pair"),
        column("state", pa.int32(), "state of an error pair"),
        column(
            "message",
            pa.string(),
            "text, continuation lines joined by line feeds (capped)",
            nullable=False,
            holds="text",
        ),
        column("continuation_lines", pa.int32(), "lines after the header that belong to it", nullable=False),
    ]
)

MESSAGES = pa.schema(
    [
        column("line", pa.int64(), "line of the ERRORLOG entry, as in errorlog", nullable=False),
        column("time_local", LOCAL_TIME, "as in errorlog", nullable=False),
        column("source", pa.string(), "as in errorlog", nullable=False, holds="label"),
        column(
            "topic",
            pa.string(),
            "what the entry says: role_change, replica_state, backup, ...",
            nullable=False,
            holds="own",
        ),
        column("message_id", pa.int32(), "number in sys.messages; NULL for hard-coded trace text"),
        column("language", pa.string(), "language of the text that matched", holds="own"),
        column("fields", FIELDS, "the values that the text carries, by name", nullable=False, holds="keyed"),
    ]
)

FACTS = pa.schema(
    [
        column(
            "topic",
            pa.string(),
            "tcp_global, robocopy, ping, startup, pdh_header, ...",
            nullable=False,
            holds="own",
        ),
        column("item", pa.int32(), "which record of the topic in this file, from 0", nullable=False),
        column("key", pa.string(), "name of the value", nullable=False, holds="label"),
        column("value", pa.string(), "value as text", nullable=False, holds="keyed"),
        column("unit", pa.string(), "unit of a numeric value", holds="own"),
        column("line", pa.int64(), "physical line it stands on, from 1"),
        column("time_local", LOCAL_TIME, "when the file says it was so"),
    ]
)

ROWSET_HEADS = pa.schema(
    [
        column("rowset", pa.int32(), "number of the rowset in the file, from 0", nullable=False),
        column("name", pa.string(), "what the file calls it; NULL where nothing names it", holds="label"),
        column("line", pa.int64(), "line of its header, from 1", nullable=False),
        column("time_local", LOCAL_TIME, "when the server was looked at, its local time"),
        column(
            "columns", pa.list_(pa.string()), "names of its columns as written", nullable=False, holds="label"
        ),
    ]
)

ROWSET_ROWS = pa.schema(
    [
        column("rowset", pa.int32(), "rowset, as in rowset_heads", nullable=False),
        column("row", pa.int32(), "number of the row in its rowset, from 0", nullable=False),
        column("line", pa.int64(), "physical line, from 1", nullable=False),
        column("time_local", LOCAL_TIME, "its column runtime, else when the server was looked at; local"),
        column(
            "cells",
            pa.list_(pa.string()),
            "values in the order of the columns, without blanks around them; a row that ends early has fewer",
            nullable=False,
            holds="keyed",
        ),
    ]
)

ISSUES = pa.schema(
    [
        column("offset", pa.int64(), "byte offset in the file; NULL when the fault has no place"),
        column("severity", pa.string(), "info, warning or data_loss", nullable=False, holds="own"),
        column("kind", pa.string(), "short fixed name of the fault", nullable=False, holds="own"),
        column(
            "message", pa.string(), "what was met and what was done about it", nullable=False, holds="text"
        ),
        column("count", pa.int64(), "how many times", nullable=False),
    ]
)

CLUSTER_LOG = pa.schema(
    [
        column("line", pa.int64(), "line of the entry's beginning, from 1", nullable=False),
        column(
            "time_written", LOCAL_TIME, "as written: local time of the node, or UTC, as the log's head says"
        ),
        column("time_local", LOCAL_TIME, "in local time; NULL where the log does not say which it writes"),
        column(
            "section", pa.string(), "title of the section above: Cluster Logs, System, ...", holds="label"
        ),
        column("channel", pa.string(), "channel before the entry: System, Verbose, ...", holds="label"),
        column("process_id", pa.int64(), "process", nullable=False),
        column("thread_id", pa.int64(), "thread", nullable=False),
        column("level", pa.string(), "INFO, WARN, ERR or DBG; NULL for another word", holds="own"),
        column(
            "component",
            pa.string(),
            "word in brackets that the text begins with: RES, RCM, ...",
            holds="label",
        ),
        column("resource", pa.string(), "resource that an entry of RES names", holds="name"),
        column(
            "text",
            pa.string(),
            "all after the level, with continuation lines (capped)",
            nullable=False,
            holds="text",
        ),
    ]
)

OS_EVENTS = pa.schema(
    [
        column(
            "line", pa.int64(), "line of its beginning, from 1; record number in an .evtx", nullable=False
        ),
        column(
            "time_local", LOCAL_TIME, "when generated: local time, UTC in an .evtx; NULL where unreadable"
        ),
        column(
            "log",
            pa.string(),
            "System, Application or the channel; NULL where nothing says it",
            holds="label",
        ),
        column("level", pa.string(), "Information, Warning or Error (critical events, too)", holds="own"),
        column("source", pa.string(), "program or provider that logged it", holds="label"),
        column("event_id", pa.int64(), "its number"),
        column("computer", pa.string(), "machine as written", holds="host"),
        column("category", pa.string(), "task category as written", holds="label"),
        column("user", pa.string(), "account as written", holds="login"),
        column("record", pa.int64(), "number of the event in its log, where the file has it"),
        column(
            "message", pa.string(), "its text; of an .evtx the values that it carries (capped)", holds="text"
        ),
    ]
)

CONTENT_TABLES: dict[str, pa.Schema] = {
    "counters": COUNTERS,
    "ticks": TICKS,
    "samples": SAMPLES,
    "errorlog": ERRORLOG,
    "messages": MESSAGES,
    "cluster_log": CLUSTER_LOG,
    "os_events": OS_EVENTS,
    "facts": FACTS,
    "rowset_heads": ROWSET_HEADS,
    "rowset_rows": ROWSET_ROWS,
    "issues": ISSUES,
}

SEVERITIES = ("info", "warning", "data_loss")
