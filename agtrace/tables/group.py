"""The Arrow schemas of what happened to a group: roles, the timeline, failovers, health."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()

ROLES = relation(
    "period in which a replica of an availability group had one role",
    [
        column("ag", _TEXT, "availability group; A or B if ambiguous, NULL if unknown"),
        column("host_id", _TEXT, "server of the replica", nullable=False),
        column("sql_instance", _TEXT, "its instance"),
        column("role", _TEXT, "PRIMARY, SECONDARY or RESOLVING; NULL if unknown"),
        column("start", UTC_TIME, "start; NULL if unknown"),
        column("end", UTC_TIME, "end; NULL if unknown"),
        column("start_local", LOCAL_TIME, "start, the server's local time, where UTC is unknown"),
        column("end_local", LOCAL_TIME, "end, the same"),
        column(
            "evidence",
            _TEXT,
            "message 19406, message 1480, availability_replica_state_change, counters, no log moved, or "
            "ERRORLOG without its middle: a collector left out the evidence of the role",
            nullable=False,
        ),
    ],
)

WITNESS = pa.struct(
    [
        column(
            "source", _TEXT, "ERRORLOG, Extended Events, cluster, Pacemaker or event log, support, perfmon"
        ),
        column("host_id", _TEXT, "host whose file it is"),
        column("content_id", _TEXT, "source capture"),
        column("line", _COUNT, "line in it, or number of the event"),
        column("time", UTC_TIME, "when, by the clock of that host"),
    ]
)

TIMELINE = relation(
    "event of a group or of one of its servers, reported by one or several sources",
    [
        column("time", UTC_TIME, "when; NULL if the offset is unknown"),
        column("end", UTC_TIME, "end of a lasting event; of a restart, when clients can connect"),
        column("time_local", LOCAL_TIME, "when, in local time, from the first source"),
        column("ag", _TEXT, "availability group; NULL: the whole server"),
        column("host_id", _TEXT, "server that it happened to"),
        column("sql_instance", _TEXT, "its instance"),
        column("replica", _TEXT, "the other replica or node, where one is named"),
        column("database", _TEXT, "database"),
        column("kind", _TEXT, "what happened: timeline_kinds.md lists them", nullable=False),
        column("before", _TEXT, "state before, where a state changed"),
        column(
            "after", _TEXT, "state after; of a statement its phase, of a move its type, of a suspension who"
        ),
        column("value", _NUMBER, "the number that it carries"),
        column("unit", _TEXT, "unit of the number"),
        column("sql_percent", _NUMBER, "share of SQL Server in the busy processors", "%"),
        column("thing", _TEXT, "file that it names, where it names one"),
        column("text", _TEXT, "from the first source, cut at 400 characters"),
        column(
            "skew_ms", _NUMBER, "how far the clock of its first source is ahead of the reference clock", "ms"
        ),
        column("witnesses", pa.list_(WITNESS), "its sources, the most certain first"),
    ],
)

CONNECTIONS = relation(
    "sign that a server was connected to another replica, or was not",
    [
        column("host_id", _TEXT, "server that shows it", nullable=False),
        column("sql_instance", _TEXT, "its instance"),
        column("replica", _TEXT, "the other replica, as written", nullable=False),
        column("replica_host_id", _TEXT, "its host; its name where no host has it", nullable=False),
        column("ag", _TEXT, "availability group; NULL where it is not named"),
        column("database", _TEXT, "database, where the connection of one is meant"),
        column("time", UTC_TIME, "when; NULL where it is not known"),
        column("time_local", LOCAL_TIME, "when, the server's local time"),
        column(
            "kind",
            _TEXT,
            "connected, connection_timeout, connection_failed, database_connected, database_disconnected, or "
            "snapshot",
            nullable=False,
        ),
        column("is_connected", pa.bool_(), "whether they were; NULL where a snapshot does not show it"),
        column("content_id", _TEXT, "capture that shows it first"),
        column("line", _COUNT, "line in it, or number of the event"),
        column("text", _TEXT, "as it is written there, cut at 400 characters"),
    ],
)

REASON = pa.struct(
    [
        column("time", UTC_TIME, "when"),
        column("own_time", UTC_TIME, "when, by the clock of its own host: as its log has it"),
        column("host_id", _TEXT, "server that it happened to"),
        column("kind", _TEXT, "kind of the event, as in timeline"),
        column("text", _TEXT, "what was written"),
        column(
            "source", _TEXT, "ERRORLOG, Extended Events, cluster, Pacemaker or event log, support, perfmon"
        ),
        column("content_id", _TEXT, "source capture"),
        column("line", _COUNT, "line in it, or number of the event"),
    ]
)

FAILOVERS = relation(
    "entry of a replica into PRIMARY_NORMAL, in a group with a known primary before",
    [
        column("failover_id", _COUNT, "dense number in order of time, from 1", nullable=False),
        column("ag", _TEXT, "availability group", nullable=False),
        column("from_host", _TEXT, "host of the old primary; empty if not known"),
        column("to_host", _TEXT, "host of the new one; the same if it returned in place"),
        column("mode", _TEXT, "planned, automatic, forced or open", nullable=False),
        column(
            "trigger",
            _TEXT,
            "reason for the cluster's action: ddl_failover, cluster_move, node_drained, ddl_forced, "
            "lease_expired, health_timeout, health_error, quorum_lost, node_down, instance_stopped, "
            "instance_died, database_failed or open",
            nullable=False,
        ),
        column(
            "cause", _TEXT, "trigger, cpu_starvation, long_io, memory_pressure, dump, network", nullable=False
        ),
        column("start", UTC_TIME, "when the old primary was lost"),
        column("end", UTC_TIME, "when the new one was in place"),
        column(
            "seconds_without_primary",
            _NUMBER,
            "end less start; NULL if the end is only an upper bound: the new primary was not captured",
            "s",
        ),
        column("start_source", _TEXT, "state of the old primary, or the first other evidence"),
        column("confidence", _NUMBER, "0 to 1; at most 0.5 if it rests on absence"),
        column("reasons", pa.list_(REASON), "evidence for trigger and cause, by time"),
        column("against", pa.list_(_TEXT), "evidence against it, and unexplained facts"),
    ],
)

PART = pa.struct(
    [
        column("time", UTC_TIME, "when it began"),
        column("host_id", _TEXT, "server that it happened to, or whose file tells of it"),
        column("kind", _TEXT, "kind of the event, as in timeline; failover or standstill"),
        column("text", _TEXT, "what was written"),
        column("source", _TEXT, "ERRORLOG, Extended Events, cluster log, event log, perfmon, or the session"),
        column("content_id", _TEXT, "source capture"),
        column("line", _COUNT, "line in it, or number of the event"),
    ]
)

STANDSTILLS = relation(
    "period in which a host or an instance did not run, or its clock was set",
    [
        column("host_id", _TEXT, "server that did not run", nullable=False),
        column("sql_instance", _TEXT, "its instance"),
        column("start", UTC_TIME, "last sign of life before it; if paused, the pause started by then"),
        column("end", UTC_TIME, "first sign of life after it"),
        column("seconds_low", _NUMBER, "lower bound of its length", "s"),
        column("seconds_high", _NUMBER, "upper bound of its length", "s"),
        column(
            "kind",
            _TEXT,
            "machine paused (the wall clock gained on the tick count), SQL Server silent (its machine "
            "continued), clock stepped, or open (unknown)",
            nullable=False,
        ),
        column("clock_gained_s", _NUMBER, "gain of the wall clock on the tick count, where it was read", "s"),
        column("kept_running", pa.list_(_TEXT), "hosts that wrote meanwhile"),
        column(
            "witnesses",
            pa.list_(PART),
            "its evidence by time: samples, losses seen by others, its own entries",
        ),
    ],
)

INCIDENTS = relation(
    "group of events that share hosts or groups and follow each other",
    [
        column("incident_id", _COUNT, "dense number in order of time, from 1", nullable=False),
        column("start", UTC_TIME, "start of its first part"),
        column("end", UTC_TIME, "end of its last part, the same"),
        column("ags", pa.list_(_TEXT), "availability groups that its parts name"),
        column("hosts", pa.list_(_TEXT), "servers that they name"),
        column(
            "kind",
            _TEXT,
            "its result: failover, standstill, restart, cluster (quorum and membership), lease, "
            "health or disconnect",
            nullable=False,
        ),
        column("failovers", pa.list_(_COUNT), "failover_id of its failovers; NULL without any"),
        column("parts_n", _COUNT, "number of parts"),
        column("parts", pa.list_(PART), "its first 100 parts in order of time"),
    ],
)

COMPONENT_HEALTH = relation(
    "state of a component of sp_server_diagnostics, as SQLDIAG files and system_health keep it",
    [
        column("time", UTC_TIME, "when"),
        column("host_id", _TEXT, "server"),
        column("sql_instance", _TEXT, "its instance"),
        column("source", _TEXT, "SQLDIAG or system_health"),
        column("content_id", _TEXT, "source capture"),
        column("seq", _COUNT, "number of the event in it"),
        column("component", _TEXT, "system, resource, query_processing, io_subsystem, events, a group"),
        column("state", _TEXT, "clean, warning, error or unknown"),
        column("failure_condition_level", _COUNT, "of the group, where the event has it"),
        column("system_cpu_percent", _NUMBER, "of the machine, as written; on Linux always 100 or 0", "%"),
        column("sql_cpu_percent", _NUMBER, "processor time of SQL Server", "%"),
        column("page_faults", _COUNT, "page faults"),
        column("non_yielding_tasks", _COUNT, "tasks that do not yield"),
        column("total_dumps", _COUNT, "dumps since the start"),
        column("interval_dumps", _COUNT, "dumps since the last state"),
        column("interval_long_ios", _COUNT, "I/O of more than 15 s since the last state"),
        column("total_long_ios", _COUNT, "the same since the start"),
        column("io_latch_timeouts", _COUNT, "latches that timed out on I/O"),
        column("out_of_memory_exceptions", _COUNT, "exceptions for lack of memory"),
        column("out_of_memory_s", _COUNT, "how long the process has lacked memory", "s"),
        column("last_notification", _TEXT, "RESOURCE_MEMPHYSICAL_LOW, ..."),
        column("available_memory_bytes", _NUMBER, "physical memory available", "B"),
        column("max_workers", _COUNT, "worker threads at most"),
        column("workers_created", _COUNT, "worker threads"),
        column("workers_idle", _COUNT, "those that wait for work"),
        column("pending_tasks", _COUNT, "tasks that wait for a worker"),
        column("deadlocked_schedulers", pa.bool_(), "schedulers were deadlocked"),
    ],
)
