"""Other names of the columns of SQL Server's views: those of SMO and PowerShell, and of common scripts.

Source: Microsoft Learn, "DatabaseReplicaState Class" and "AvailabilityReplica Class" of
Microsoft.SqlServer.Management.Smo; the aliases are those that published scripts give in SELECT lists.
"""

from __future__ import annotations

_OF = {
    "availability_group": (
        "agname", "groupname", "availabilitygroup", "availabilitygroupname", "availability_group_name",
    ),
    "replica_server_name": (
        "replica", "replicaname", "replicaservername", "availabilityreplica", "availabilityreplicaservername",
        "availability_replica", "replica_server", "secondary_replica", "secondaryreplica", "server_name",
        "servername", "secondary_server", "ag_replica_server",
    ),
    "database_name": (
        "database", "db", "dbname", "db_name", "databasename", "availabilitydatabase",
        "availabilitydatabasename", "availability_database", "ag_database",
    ),
    "synchronization_state_desc": (
        "synchronization_state", "synchronizationstate", "sync_state", "syncstate", "synch_state",
        "synchstate", "sync_state_desc", "synchronisation_state", "synchronizationstatedesc",
    ),
    "synchronization_health_desc": (
        "synchronization_health", "synchronizationhealth", "sync_health", "synch_health", "health",
        "sync_health_desc",
    ),
    "is_suspended": ("issuspended", "suspended"),
    "suspend_reason_desc": ("suspend_reason", "suspendreason"),
    "is_local": ("islocal",),
    "is_primary_replica": ("isprimaryreplica", "is_primary"),
    "is_failover_ready": ("isfailoverready",),
    "is_database_joined": ("isjoined", "is_joined"),
    "log_send_queue_size": (
        "log_send_queue", "logsendqueuesize", "log_send_queue_kb", "log_send_queue_size_kb", "send_queue_kb",
        "log_send_queue_size(kb)", "log_send_queue_size_(kb)", "log_send_queue_(kb)", "send_queue",
    ),
    "log_send_rate": (
        "logsendrate", "log_send_rate_kb_s", "log_send_rate_kb", "log_send_rate_(kb/s)",
        "log_send_rate(kb/s)", "send_rate_kb_s", "send_rate",
    ),
    "redo_queue_size": (
        "redo_queue", "redoqueuesize", "redo_queue_kb", "redo_queue_size_kb", "redo_queue_size(kb)",
        "redo_queue_size_(kb)", "redo_queue_(kb)",
    ),
    "redo_rate": ("redorate", "redo_rate_kb_s", "redo_rate_kb", "redo_rate_(kb/s)", "redo_rate(kb/s)"),
    "secondary_lag_seconds": (
        "secondarylagseconds", "secondary_lag", "secondary_lag_s", "lag_seconds", "lag_s", "lag_in_seconds",
    ),
    "last_commit_time": ("lastcommittime",),
    "last_hardened_time": ("lasthardenedtime",),
    "last_redone_time": ("lastredonetime",),
    "role_desc": ("role", "replica_role", "replicarole"),
    "availability_mode_desc": ("availability_mode", "availabilitymode"),
    "failover_mode_desc": ("failover_mode", "failovermode"),
    "connected_state_desc": ("connected_state", "connectedstate", "connection_state", "connectionstate"),
    "operational_state_desc": ("operational_state", "operationalstate"),
    "endpoint_url": ("endpointurl",),
}  # fmt: skip
ALIASES = {alias: name for name, aliases in _OF.items() for alias in aliases}
"""Names of columns by their other names, in small letters, with underscores for blanks."""

_OF_GROUPS = (
    *("synchronization_state_desc", "synchronization_health_desc", "is_suspended", "log_send_queue_size"),
    *("redo_queue_size", "availability_mode_desc", "secondary_lag_seconds", "is_failover_ready"),
)
_COMMON = ("health", "suspended", "send_queue", "lag_s")
DISTINCTIVE = frozenset(a for name in _OF_GROUPS for a in _OF[name] if a not in _COMMON)
"""Of these, names that other programs' tables do not have."""
