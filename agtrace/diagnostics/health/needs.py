"""Captures needed for the health of a group."""

from __future__ import annotations

from agtrace.diagnostics.need import PROCESSORS, Need, counters

NEEDS = (
    Need(
        "relation",
        ("timeline", "failovers", "standstills", "incidents", "restarts", "seedings"),
        "events of the group and its servers, and each failover with its cause",
        "copy of every node ERRORLOG and the ones before it, the files of AlwaysOn_health and system_health, "
        "the SQLDIAG files beside them, and the cluster log (Get-ClusterLog; of Pacemaker journalctl "
        "-u pacemaker -u corosync): agtrace kit health writes scripts that do.",
        lacking="Nothing that happened to a group was captured:",
    ),
    Need(
        "relation",
        ("coverage", "restarts"),
        "the time for which each server was watched, which limits claims of absence; how its "
        "instances ended and returned",
        "every file whole, ERRORLOG and the ones before it with their numbers: one that is missing "
        "between two is a gap",
    ),
    Need(
        "relation",
        ("log_entries", "log_messages", "processor_minutes", "long_waits"),
        "logged problems without an outage yet, load of processors, and long waits of requests",
        "ERRORLOG of every replica, and the files of AlwaysOn_health and system_health",
    ),
    Need(
        "event",
        ("error_reported", "wait_info"),
        "logged problems without an outage yet, even without an ERRORLOG, and long waits of requests",
        "the files of AlwaysOn_health and system_health",
    ),
    Need(
        "event",
        ("ucs_connection_setup", "scheduler_monitor_system_health_ring_buffer_recorded"),
        "failed connections between replicas, and the load of processors when one was lost",
        "AlwaysOn_health of SQL Server 2019 CU15 and later, and system_health, of both ends",
    ),
    Need(
        "relation",
        ("component_health", "server_options"),
        "whether tasks waited for a worker when a connection was lost, and the maximum number of "
        "worker threads",
        "system_health and the SQLDIAG files of both ends, sys.configurations (LogScout)",
    ),
    Need(
        "counter",
        PROCESSORS + counters("PhysicalDisk", "Avg. Disk sec/Read, Avg. Disk sec/Write"),
        "load and disks at the time of the events",
        "perfmon on every replica",
    ),
    Need(
        "relation",
        ("roles", "topology", "instance_nodes"),
        "replicas of each group, structure of groups, and the node of each instance",
        "ERRORLOG and AlwaysOn_health, the output of LogScout's AlwaysOn scenario",
    ),
    Need(
        "relation",
        ("recoveries",),
        "when the databases of a new primary were available",
        "ERRORLOG of every replica",
    ),
    Need("topic", ("startup",), "which version each instance runs", "ERRORLOG of every replica"),
    Need(
        "topic",
        ("frozen", "resumed", "long_io"),
        "databases frozen by a snapshot backup, and I/O requests that span a gap",
        "ERRORLOG of every replica",
    ),
    Need(
        "counter",
        counters("SQLServer:Databases", "Transactions/sec"),
        "commits of a database while it was frozen",
        "perfmon on every replica",
    ),
    Need(
        "relation",
        ("os_events",),
        "whether hosts run on Azure, where a listener's address needs a probe port",
        "the System event log of every node",
    ),
    Need(
        "relation",
        ("cluster_settings", "groups", "replicas", "listeners"),
        "an overview of the group; timeouts, modes and votes that put the next failover at risk",
        "the output of LogScout's AlwaysOn scenario, or ClusterInfo and AlwaysOnDiagScript",
    ),
    Need(
        "relation",
        ("replicas", "database_states", "cluster_settings", "group_options"),
        "whether each replica could take over, what prevents it and its cost, and the worker "
        "threads its groups need, at the last snapshot",
        "the output of LogScout's AlwaysOn scenario (AlwaysOnDiagScript) on the primary: it alone knows "
        "every replica; the cluster log of every node",
    ),
)
