"""Captures needed for the access to endpoints, listeners and readable secondaries."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

NEEDS = (
    Need(
        "relation",
        ("timeline", "connections", "listeners", "routing"),
        "which replicas are known to be connected, and since when; snapshots of listeners and routing lists",
        "copy ERRORLOG and the ones before it of every replica, at both ends of a connection that fails, "
        "and the files of AlwaysOn_health; the output of LogScout's AlwaysOn scenario.",
        lacking="Nothing that tells of connections of replicas, of listeners or of routing was captured:",
    ),
    Need(
        "relation",
        ("replicas", "roles", "restarts", "coverage"),
        "the partners of each server, and whether the far end was down or watched",
        "ERRORLOG of every replica whole, with the ones before it; the output of LogScout's AlwaysOn "
        "scenario",
    ),
    Need(
        "relation",
        ("database_states",),
        "whether a routing target has suspended databases",
        "sys.dm_hadr_database_replica_states, on the primary",
    ),
    Need(
        "relation",
        ("log_entries", "log_messages"),
        "log entries about endpoints, listeners and refused connections",
        "ERRORLOG of every replica, and the files of AlwaysOn_health",
    ),
    Need("topic", ("endpoint",), "that the endpoint of the far end was stopped", "ERRORLOG of every replica"),
    Need(
        "event",
        ("error_reported",),
        "endpoints, listeners and refused connections without an ERRORLOG",
        "the files of AlwaysOn_health",
    ),
    Need(
        "relation",
        ("os_events", "cluster_log", "cluster_settings"),
        "why the name or an address of a listener did not come online, and how it is registered",
        "the System event log and the cluster log (Get-ClusterLog -UseLocalTime) of every node; "
        "Get-ClusterResource | Get-ClusterParameter",
        "every node",
    ),
    Need(
        "topic",
        ("read_only_routing_list",),
        "whether a routing list is empty",
        "the output of sys.availability_read_only_routing_lists, also where it has no row",
        "any replica",
    ),
)
