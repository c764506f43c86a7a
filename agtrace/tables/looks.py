"""The Arrow schema of the relations that support tools' outputs give: how things stood at a snapshot.

They are relations as those of `agtrace.tables.history`, where all of them are listed.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()

WRITTEN = [
    column("capture_id", _TEXT, "source capture"),
    column("content_id", _TEXT, "its content"),
    column("line", _COUNT, "line in it"),
    column("host_id", _TEXT, "host that wrote it"),
    column("sql_instance", _TEXT, "its instance"),
    column("time_local", LOCAL_TIME, "when, local time of the host"),
    column("time", UTC_TIME, "when; NULL if the offset of the host is unknown"),
]
"""Columns for the writer and the time of a row in a support tool's output."""

GROUPS = relation(
    "availability group in a snapshot of a server",
    [
        *WRITTEN,
        column("ag", _TEXT, "group"),
        column("ag_id", _TEXT, "its id, lower case"),
        column("primary_replica", _TEXT, "server that has the primary, as this one reports"),
        column("failure_condition_level", _COUNT, "faults that fail it over: 1 to 5"),
        column("health_check_timeout_ms", _COUNT, "time without a response after which it fails over", "ms"),
        column("synchronization_health", _TEXT, "HEALTHY, PARTIALLY_HEALTHY or NOT_HEALTHY"),
        column(
            "backup_preference", _TEXT, "where backups should run: PRIMARY, SECONDARY, SECONDARY_ONLY or NONE"
        ),
        column("kind", _TEXT, "how it is built, as in topology; NULL if unknown"),
        column("kind_source", _TEXT, "source of the kind"),
    ],
)

REPLICAS = relation(
    "replica of a group in a snapshot of a server",
    [
        *WRITTEN,
        column("ag", _TEXT, "group"),
        column("replica", _TEXT, "server of the replica, as configured"),
        column("replica_id", _TEXT, "its id, lower case"),
        column("node", _TEXT, "node that it runs on"),
        column("is_local", pa.bool_(), "the server of the snapshot"),
        column("role", _TEXT, "PRIMARY, SECONDARY or RESOLVING; NULL if the server does not know"),
        column("availability_mode", _TEXT, "SYNCHRONOUS_COMMIT or ASYNCHRONOUS_COMMIT"),
        column("failover_mode", _TEXT, "AUTOMATIC or MANUAL"),
        column("session_timeout_s", _COUNT, "time without a response after which it is disconnected", "s"),
        column("secondary_connections", _TEXT, "who may read it as a secondary: NO, READ_ONLY or ALL"),
        column("backup_priority", _COUNT, "0 to 100; a replica with 0 is not to run backups"),
        column("connected_state", _TEXT, "CONNECTED or DISCONNECTED"),
        column("synchronization_health", _TEXT, "HEALTHY, PARTIALLY_HEALTHY or NOT_HEALTHY"),
        column("last_connect_error", _TEXT, "text of the last error, or its number"),
    ],
)

DATABASE_STATES = relation(
    "database of a replica in a snapshot of a server",
    [
        *WRITTEN,
        column("ag", _TEXT, "group"),
        column("database", _TEXT, "database; NULL if the output has only its ids"),
        column("database_id", _COUNT, "its id on the server of the snapshot"),
        column("replica", _TEXT, "server of the replica; NULL if the output has only its id"),
        column("replica_id", _TEXT, "its id, lower case"),
        column("is_local", pa.bool_(), "on the server of the snapshot"),
        column("is_primary", pa.bool_(), "whether the replica was the primary; NULL if unknown"),
        column("synchronization_state", _TEXT, "as in sys.dm_hadr_database_replica_states: REVERTING, ..."),
        column("synchronization_health", _TEXT, "HEALTHY, PARTIALLY_HEALTHY or NOT_HEALTHY"),
        column("is_joined", pa.bool_(), "whether the database joined the group on this replica"),
        column(
            "is_failover_ready", pa.bool_(), "whether the server says that it can take over without a loss"
        ),
        column("is_suspended", pa.bool_(), "whether its data movement was suspended"),
        column("suspend_reason", _TEXT, "why"),
        column("log_send_queue_kb", _COUNT, "log not sent yet", "KB"),
        column("log_send_rate_kb_s", _COUNT, "the server's own average", "KB/s"),
        column("redo_queue_kb", _COUNT, "log not redone yet", "KB"),
        column("redo_rate_kb_s", _COUNT, "the server's own average", "KB/s"),
        column("secondary_lag_s", _COUNT, "how far it is behind the primary", "s"),
        column(
            "low_water_mark_for_ghosts", _COUNT, "the primary's ghost cleanup waits for the smallest of all"
        ),
        column("last_commit_local", LOCAL_TIME, "last commit that it has, by the clock of the primary"),
        column("last_hardened_local", LOCAL_TIME, "when it last hardened log, local time of its server"),
    ],
)

LISTENERS = relation(
    "address of a listener of a group",
    [
        *WRITTEN,
        column("ag", _TEXT, "group"),
        column("listener", _TEXT, "listener"),
        column("dns_name", _TEXT, "name that clients connect to"),
        column("port", _COUNT, "TCP port"),
        column("ip_address", _TEXT, "address; NULL if unknown"),
        column("subnet_mask", _TEXT, "its subnet mask"),
        column("state", _TEXT, "ONLINE, OFFLINE, ..."),
        column("is_conformant", pa.bool_(), "whether SQL Server made it"),
    ],
)

CLUSTER_SETTINGS = relation(
    "setting of the cluster, of a node or of a group in it",
    [
        *WRITTEN,
        column("scope", _TEXT, "cluster, member, group or resource"),
        column("item", _TEXT, "name of the cluster, node or group"),
        column("setting", _TEXT, "quorum_type, quorum_votes, LeaseTimeout, SameSubnetDelay, ..."),
        column("value", _TEXT, "its value; timeouts and delays in ms"),
        column("unit", _TEXT, "unit of the value"),
    ],
)

CLUSTER_ITEMS = relation(
    "member or resource of the cluster at a snapshot",
    [
        column("scope", _TEXT, "member or resource"),
        column("content_id", _TEXT, "capture that shows it"),
        column("item", _TEXT, "its name"),
        column("state", _TEXT, "its state as written: Online, Failed, UP, DOWN, ..."),
        column("type", _TEXT, "type of a resource: Network Name, IP Address, ..."),
        column("role", _TEXT, "clustered role that owns a resource"),
        column("votes", pa.int32(), "votes of a member in the quorum; 1 if unknown"),
        column("host_id", _TEXT, "host that wrote it"),
        column("time", UTC_TIME, "when; NULL if the offset of the host is unknown"),
        column("time_local", LOCAL_TIME, "when, local time of the host"),
        column("line", _COUNT, "first line of it"),
    ],
)

WAITS = relation(
    "wait type over an interval between two snapshots; time is the end of the interval",
    [
        *WRITTEN,
        column("wait_type", _TEXT, "type of the wait"),
        column("start_local", LOCAL_TIME, "start of the interval, local time of the host"),
        column("seconds", _NUMBER, "length of the interval", "s"),
        column("waiting_tasks", _COUNT, "waits that ended in it"),
        column("wait_ms", _COUNT, "how long they waited, together", "ms"),
        column("mean_wait_ms", _NUMBER, "mean of a wait; NULL without any", "ms"),
    ],
)

FILE_IO = relation(
    "file of a database over an interval between two snapshots; time is the end of the interval",
    [
        *WRITTEN,
        column("database", _TEXT, "database"),
        column("file_id", _COUNT, "file of the database"),
        column("file_type", _TEXT, "ROWS, LOG, ..."),
        column(
            "start_local", LOCAL_TIME, "start of the interval, local time; NULL: since the server's start"
        ),
        column("reads", _COUNT, "reads"),
        column("writes", _COUNT, "writes"),
        column("read_bytes", _COUNT, "bytes read", "B"),
        column("write_bytes", _COUNT, "bytes written", "B"),
        column("read_stall_ms", _COUNT, "how long reads took, together", "ms"),
        column("write_stall_ms", _COUNT, "how long writes took, together", "ms"),
        column("mean_read_ms", _NUMBER, "mean of a read; NULL without any", "ms"),
        column("mean_write_ms", _NUMBER, "mean of a write; NULL without any", "ms"),
    ],
)

HADR_REQUESTS = relation(
    "request or task that waited for a replica or for redo in a snapshot of a server",
    [
        *WRITTEN,
        column("session_id", _COUNT, "session"),
        column("database", _TEXT, "database, if its name is known"),
        column("database_id", _COUNT, "its id"),
        column("command", _TEXT, "what it does: COMMIT TRANSACTION, PARALLEL REDO TASK, ..."),
        column("wait_type", _TEXT, "what it waited for"),
        column("wait_ms", _COUNT, "since when", "ms"),
        column("runnable_tasks", _COUNT, "tasks that wait for the same scheduler, if known"),
        column("pending_disk_io", _COUNT, "disk requests of the scheduler, if known"),
    ],
)

DATABASES = relation(
    "database of a server in a snapshot",
    [
        *WRITTEN,
        column("database", _TEXT, "database"),
        column("database_id", _COUNT, "its id on the server"),
        column("vlf_count", _COUNT, "virtual log files: many make recovery and redo slow"),
        column("recovery_model", _TEXT, "FULL, BULK_LOGGED or SIMPLE"),
        column("log_reuse_wait", _TEXT, "what prevents the reuse of its log (log_reuse_wait_desc)"),
        column("log_used_percent", pa.float64(), "share of its log that is in use", "%"),
        column("log_bytes", pa.float64(), "size of its log", "B"),
        column("is_encrypted", pa.bool_(), "encrypted (TDE)"),
    ],
)

AG_NAMES = relation(
    "id of a group, replica or database with its name",
    [
        *WRITTEN,
        column("kind", _TEXT, "group, replica or database"),
        column("id", _TEXT, "its id, lower case"),
        column("name", _TEXT, "its name"),
    ],
)

ROWSETS = relation(
    "cell of a rowset in a support output that no other relation or fact covers",
    [
        *WRITTEN,
        column("name", _TEXT, "name of the rowset; NULL if unknown"),
        column("row", pa.int32(), "row in it, from 0"),
        column("column", _TEXT, "name of the column as written"),
        column("value", _TEXT, "value as written; NULL for NULL"),
    ],
)

CLUSTER_LOG = relation(
    "entry of a cluster log",
    [
        *WRITTEN,
        column("time_written", LOCAL_TIME, "as written: local or UTC, as the log's head says"),
        column("section", _TEXT, "section of the log: Cluster Logs, System, ..."),
        column("channel", _TEXT, "channel before the entry: System, Verbose, ..."),
        column("process_id", _COUNT, "process"),
        column("thread_id", _COUNT, "thread"),
        column("level", _TEXT, "INFO, WARN, ERR or DBG"),
        column("component", _TEXT, "word in brackets that the text begins with: RES, RCM, ..."),
        column("resource", _TEXT, "resource that an entry of RES names: for example the group"),
        column("text", _TEXT, "everything after the level, with component, resource and continuation lines"),
    ],
)

OS_EVENTS = relation(
    "event of a Windows event log",
    [
        *WRITTEN,
        column("log", _TEXT, "System, Application, ...; NULL if unknown"),
        column("level", _TEXT, "Information, Warning or Error (critical events, too)"),
        column("source", _TEXT, "program or provider that logged it"),
        column("event_id", _COUNT, "its number"),
        column("computer", _TEXT, "machine as written"),
        column("category", _TEXT, "task category as written"),
        column("user", _TEXT, "account as written"),
        column("message", _TEXT, "its text; of an .evtx the values that it carries"),
    ],
)
