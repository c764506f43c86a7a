"""The marks of timeline events, the same everywhere: one family, one symbol, one colour.

No family has the colour of a role or of a kind of capture, since they are drawn together.
"""

from __future__ import annotations

from agtrace.say.colours import DATABASES, FAINT, INK, STEPS

MARKS = {
    "leases": ("x", STEPS[1], (
        "lease_expired", "lease_lost", "lease_no_signal", "lease_no_cluster_signal", "lease_renewal_failed",
        "lease_not_valid")),
    "health checks": ("diamond", STEPS[7], (
        "health_timeout", "health_error", "not_alive", "server_died", "database_failed", "component_state",
        "monitor_timeout", "monitor_failed", "operation_timeout", "operation_failed")),
    "cluster": ("square", DATABASES[0], (
        "quorum_lost", "heartbeats_missed", "node_removed", "node_left", "nodes_down", "node_offline",
        "group_moved", "move_asked", "resource_failed", "node_quarantined", "join_failed", "udp_lost",
        "group_orphaned", "fence_asked", "fenced", "fence_failed", "promote_asked", "promoted",
        "demote_asked", "demoted", "threshold_reached",
        "failover_not_ready")),
    "connections": ("circle-open", DATABASES[3], (
        "connection_timeout", "connection_failed", "connected", "database_disconnected")),
    "strain": ("triangle-up", STEPS[8], (
        "long_io", "long_sync_io", "processors_busy", "memory_low", "memory_paged_out", "non_yielding",
        "deadlocked_schedulers", "workers_exhausted", "out_of_memory", "dump", "io_error", "disk_reset",
        "log_not_available")),
    "statements and stops": ("star", INK, (
        "ddl", "stop_requested", "system_shutdown", "shutdown_asked", "process_exit", "power_lost",
        "service_died", "restart")),
}  # fmt: skip
"""By family: symbol (plotly's name), colour, kinds of events (docs/store.md, ``timeline``)."""
OTHER = "other events"
FAMILIES = {kind: family for family, (_, _, kinds) in MARKS.items() for kind in kinds}
"""The family of each kind; kinds without one are `OTHER`."""
ROLE_CHANGES = "role changes"
CHANGES = ("replica_state", "database_role", "preparing_primary", "preparing_resolving", "resynchronising")
"""Kinds already shown by the roles of the lanes; the report's timeline also marks each."""
LOOKS = {
    **{family: (symbol, colour) for family, (symbol, colour, _) in MARKS.items()},
    ROLE_CHANGES: ("line-ns", INK),
    OTHER: ("dot", FAINT),
}
"""Symbol and colour of every family."""


def family(kind: str) -> str:
    """Return the family of a kind of event."""
    return ROLE_CHANGES if kind in CHANGES else FAMILIES.get(kind, OTHER)
