"""The kinds of events that the relation ``timeline`` has (docs/store.md says what each is)."""

KINDS = (
    "replica_state", "database_role", "preparing_primary", "preparing_resolving", "online_failed",
    "failover_refused", "ag_failed", "database_failed", "resource_state", "resource_online",
    "resource_left", "resource_offline", "not_alive", "health_timeout", "health_error", "server_died",
    "lease_begun", "lease_stopped", "lease_expired", "lease_lost", "lease_no_signal",
    "lease_no_cluster_signal", "lease_renewal_failed", "lease_not_valid", "lease_offline", "move_asked",
    "group_moved", "threshold_reached", "quorum_lost", "heartbeats_missed", "nodes_down",
    "node_removed", "node_left", "node_offline", "node_online", "node_quarantined", "join_failed",
    "udp_lost", "cluster_stopped", "cluster_unavailable", "group_orphaned", "resource_failed",
    "fence_asked", "fenced", "fence_failed", "promote_asked", "promoted", "demote_asked", "demoted",
    "resource_started", "resource_stopped", "monitor_timeout", "operation_timeout", "operation_failed",
    "connected", "connection_timeout", "connection_failed", "database_connected",
    "database_disconnected", "primary_not_active", "startup_skipped", "resynchronising",
    "movement_suspended", "movement_resumed", "ready", "restart", "stop_requested", "system_shutdown",
    "shutdown_asked", "process_exit", "service_died", "power_lost", "processors_busy", "memory_low",
    "memory_paged_out", "out_of_memory", "long_io", "long_sync_io", "io_error", "log_not_available",
    "flush_cache", "non_yielding", "deadlocked_schedulers", "dump", "component_state", "ddl",
    "look_replica", "look_database", "monitor_failed", "workers_exhausted",
    "failover_not_ready",
)  # fmt: skip
