"""What SQL Server 2017 and its cluster write about a group, in their words."""

from __future__ import annotations

NO_ACTION = "This is an informational message only. No user action is required."
MORE = (
    "For more information, see the SQL Server error log or cluster log.  If this is a Windows Server "
    "Failover "
    "Clustering (WSFC) availability group, you can also see the WSFC management console."
)

# Why a replica changes its state: the last part of message 19406.

STARTING = "local instance of SQL Server is starting up"
CLUSTER = "availability group state has changed in Windows Server Failover Clustering (WSFC)"
COMING = "availability group is coming online"
ONLINE = (
    "local replica has completed processing Online command from Windows Server Failover Clustering (WSFC)"
)
LEASE = (
    "lease between the local availability replica and Windows Server Failover Clustering (WSFC) has expired"
)
STOPPING = "local instance of SQL Server is shutting down"
OFFLINE = (
    "availability group is going offline.  The replica is going offline because the associated "
    "availability group has "
    "been deleted, or the user has taken the associated availability group offline in Windows Server "
    "Failover Clustering "
    "(WSFC) management console, or the availability group is failing over to another SQL Server instance"
)
ASKED = "because of a user initiated failover"
FORCED = "because of a user initiated forced failover"

# Why the replica manager goes offline: message 41092.

NO_QUORUM = "the local Windows Server Failover Clustering (WSFC) node has lost quorum"
SHUTTING_DOWN = "SQL Server is shutting down"


def role(group: str, old: str, new: str, why: str) -> str:
    """Return message 19406."""
    reason = why if why.startswith("because") else f"because the {why}"
    return (
        f"The state of the local availability replica in availability group '{group}' has changed from "
        f"'{old}' to "
        f"'{new}'.  The state changed {reason}.  {MORE}"
    )


def database_role(database: str, old: str, new: str) -> str:
    """Return message 1480."""
    return (
        f'The availability group database "{database}" is changing roles from "{old}" to "{new}" because '
        f"the mirroring "
        f"session or availability group failed over due to role synchronization. {NO_ACTION}"
    )


def preparing(group: str, role: str) -> str:
    """Return message 41074 or 41075."""
    return (
        f"Always On: The local replica of availability group '{group}' is preparing to transition to "
        f"the {role} role. {NO_ACTION}"
    )


def not_online(group: str) -> str:
    return (
        f"Always On: The local replica of availability group '{group}' is going offline because the "
        f"corresponding resource "
        f"in the Windows Server Failover Clustering (WSFC) cluster is no longer online. {NO_ACTION}"
    )


def manager_offline(why: str) -> str:
    """Return message 41092."""
    return f"Always On: The availability replica manager is going offline because {why}. {NO_ACTION}"


def lease_renewal_stops(group: str) -> str:
    """Return message 19420."""
    return (
        f"The availability group '{group}' is being asked to stop the lease renewal because the "
        f"availability group is going "
        f"offline. {NO_ACTION}"
    )


def excess_sleep(group: str) -> str:
    """Return message 19424."""
    return (
        f"The lease worker of availability group '{group}' is now sleeping the excess lease time (163844 "
        f"ms) supplied during "
        f"online. {NO_ACTION}"
    )


def lease_expired(group: str) -> str:
    """Return message 19407."""
    return (
        f"The lease between availability group '{group}' and the Windows Server Failover Cluster has "
        f"expired. A connectivity "
        "issue occurred between the instance of SQL Server and the Windows Server Failover Cluster. To "
        "determine whether the "
        "availability group is failing over correctly, check the corresponding availability group resource "
        "in the Windows "
        "Server Failover Cluster."
    )


def no_signal_from_sql(group: str) -> str:
    """Return message 19419."""
    return (
        "Windows Server Failover Cluster did not receive a process event signal from SQL Server hosting "
        "availability group "
        f"'{group}' within the lease timeout period."
    )


def no_signal_from_cluster(group: str) -> str:
    """Return message 19421."""
    return (
        f"SQL Server hosting availability group '{group}' did not receive a process event signal from the "
        f"Windows Server Failover "
        "Cluster within the lease timeout period."
    )


def lease_offline(group: str) -> str:
    """Return message 41091."""
    return (
        f"Always On: The local replica of availability group '{group}' is going offline because either the "
        f"lease expired or "
        f"lease renewal failed. {NO_ACTION}"
    )


def connected(group: str, here: str, here_id: str, there: str, there_id: str) -> str:
    """Return message 35202."""
    return (
        f"A connection for availability group '{group}' from availability replica '{here}' with id  "
        f"[{here_id}] to "
        f"'{there}' with id [{there_id}] has been successfully established.  {NO_ACTION}"
    )


def timed_out(there: str, there_id: str) -> str:
    """Return message 35206."""
    return (
        f"A connection timeout has occurred on a previously established connection to availability replica "
        f"'{there}' with id "
        f"[{there_id}].  Either a networking or a firewall issue exists or the availability replica has "
        f"transitioned to the "
        "resolving role."
    )


def not_reached(there: str, there_id: str) -> str:
    """Return message 35201."""
    return (
        f"A connection timeout has occurred while attempting to establish a connection to availability "
        f"replica '{there}' with "
        f"id [{there_id}]. Either a networking or firewall issue exists, or the endpoint address provided "
        f"for the replica is "
        "not the database mirroring endpoint of the host server instance."
    )


def certificate_expired(address: str) -> str:
    """Return message 28047: the endpoint cannot show its certificate to the connecting one."""
    return (
        "Database Mirroring login attempt failed with error: 'Connection handshake failed. The certificate "
        "used by this endpoint was not found: Certificate expired. Use DBCC CHECKDB in master database to "
        f"verify the metadata integrity of the endpoints. State 85.'.  [CLIENT: {address}]"
    )


def link(what: str, theirs: str, mine: str, database: str, there: str, there_id: str) -> str:
    """Return message 35266 (established) or 35267 (terminated)."""
    return (
        f"Always On Availability Groups connection with {theirs} database {what} for {mine} database "
        f"'{database}' on the "
        f"availability replica '{there}' with Replica ID: {{{there_id}}}. {NO_ACTION}"
    )


def replica_failed(group: str) -> str:
    """Return message 41144."""
    return (
        f"The local availability replica of availability group '{group}' is in a failed state.  The "
        f"replica failed to read or "
        "update the persisted configuration data (SQL Server error: 41034).  To recover from this failure, "
        "either restart the "
        "local Windows Server Failover Clustering (WSFC) service or restart the local instance of SQL Server."
    )


def suspended(database: str) -> str:
    """Return message 35264 as it comes after a forced failover."""
    return (
        f"Always On Availability Groups data movement for database '{database}' has been suspended for the "
        f"following reason: "
        "\"failover from partner\" (Source ID 1; Source string: 'SUSPEND_FROM_PARTNER'). To resume data "
        "movement on the "
        "database, you will need to resume the database manually. For information about how to resume an "
        "availability "
        "database, see SQL Server Books Online."
    )


def resumed(database: str) -> str:
    """Return message 35265."""
    return (
        f"Always On Availability Groups data movement for database '{database}' has been resumed. {NO_ACTION}"
    )


def long_io(count: int, path: str, database_id: int, ms: int) -> str:
    """Return message 833."""
    return (
        f"SQL Server has encountered {count} occurrence(s) of I/O requests taking longer than 15 seconds "
        f"to complete on file "
        f"[{path}] in database id {database_id}.  The OS file handle is 0x0000000000000B54.  The offset of "
        f"the latest long I/O "
        f"is: 0x00000002e10000.  The duration of the long I/O is: {ms} ms."
    )


def paged_out(seconds: int, working_kb: int, committed_kb: int) -> str:
    """Return message 17890."""
    percent = 100 * working_kb // committed_kb
    return (
        "A significant part of sql server process memory has been paged out. This may result in a "
        "performance degradation. "
        f"Duration: {seconds} seconds. Working set (KB): {working_kb}, committed (KB): {committed_kb}, "
        f"memory utilization: "
        f"{percent}%."
    )


def non_yielding(ms: int, idle: int) -> str:
    """Return message 17883."""
    return (
        "Process 0:0:0 (0x1f4c) Worker 0x0000019E5B2E8160 appears to be non-yielding on Scheduler 3. "
        "Thread creation time: "
        f"13152834812345. Approx Thread CPU Used: kernel 0 ms, user {ms} ms. Process Utilization 99%. "
        f"System Idle {idle}%. "
        f"Interval: {ms + 70} ms."
    )


def database_failed(database: str, group: str) -> str:
    """Return message 41653."""
    return (
        f"Database '{database}' encountered an error (error type: 2 'DB_SHUTDOWN') causing failure of the "
        f"availability group "
        f"'{group}'.  Refer to the SQL Server error log for information about the errors that were "
        f"encountered.  If this "
        "condition persists, contact the system administrator."
    )


def log_lost(database: str) -> str:
    """Return message 9001."""
    return (
        f"The log for database '{database}' is not available. Check the operating system error log for "
        f"related error messages. "
        "Resolve any errors and restart the database."
    )


DUMP = (
    "**Dump thread - spid = 0, EC = 0x0000000000000000",
    r"***Stack Dump being sent to D:\MSSQL\LOG\SQLDump0007.txt",
    "* *******************************************************************************",
    "* BEGIN STACK DUMP:",
    "* Non-yielding Scheduler",
    "* *******************************************************************************",
    "Stack Signature for the dump is 0x00000000000001B7",
)
DUMP_DONE = "External dump process return code 0x20000001."
STOP_REQUEST = (
    f"SQL Server is terminating in response to a 'stop' request from Service Control Manager. {NO_ACTION}"
)
SYSTEM_SHUTDOWN = f"SQL Server is terminating because of a system shutdown. {NO_ACTION}"
NODE_NOT_ONLINE = (
    f"Always On Availability Groups: Local Windows Server Failover Clustering node is no "
    f"longer online. {NO_ACTION}"
)
SHUTDOWN_INITIATED = "SQL Server shutdown has been initiated"
TRACE_STOPPED = (
    "SQL Trace was stopped due to server shutdown. Trace ID = '1'. This is an informational message only; "
    "no user action is "
    "required."
)
MANAGER_STARTS = f"Always On: The availability replica manager is starting. {NO_ACTION}"
MANAGER_WAITS = (
    "Always On: The availability replica manager is waiting for the instance of SQL Server to allow client "
    "connections. "
    f"{NO_ACTION}"
)
CLUSTER_WAITS = tuple(
    f"Always On Availability Groups: {text} {NO_ACTION}"
    for text in (
        "Waiting for local Windows Server Failover Clustering service to start.",
        "Local Windows Server Failover Clustering service started.",
        "Waiting for local Windows Server Failover Clustering node to start.",
        "Local Windows Server Failover Clustering node started.",
        "Waiting for local Windows Server Failover Clustering node to come online.",
        "Local Windows Server Failover Clustering node is online.",
    )
)
