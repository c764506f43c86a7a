"""What the views of a server hold when a kit asks: two replicas, a database, one who blocks redo."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simulation.kits.server import Row

GROUP = "AAAAAAAA-1111-4222-8333-0123456789AB"
IDS = ("BBBBBBBB-1111-4222-8333-0123456789AB", "CCCCCCCC-1111-4222-8333-0123456789AB")
DATABASE_ID = "DDDDDDDD-1111-4222-8333-0123456789AB"
REDO, BLOCKER = 31, 77


def views(
    ag: str, servers: Sequence[str], database: str, local: str, more: dict[str, list[Row]] | None = None
) -> Callable[[str, int], list[Row]]:
    """Return the rows of every rowset that a kit may ask the server ``local`` for.

    Parameters
    ----------
    ag, servers, database
        A group, its replicas (the primary first), and its database.
    more
        Rows of other rowsets by title.
    """
    first, second = servers

    def rows(title: str, look: int) -> list[Row]:
        replicas: list[Row] = [
            {
                "group_name": ag,
                "replica_server_name": server,
                "node_name": server,
                "replica_id": number,
                "group_id": GROUP,
                "endpoint_url": f"TCP://{server}:5022",
                "availability_mode_desc": mode,
                "failover_mode_desc": "MANUAL",
                "session_timeout": 10,
                "is_local": int(server == local),
                "secondary_role_allow_connections_desc": "ALL",
                "backup_priority": 50,
                "role_desc": role,
                "connected_state_desc": "CONNECTED",
                "synchronization_health_desc": "HEALTHY",
            }
            for server, number, mode, role in (
                (first, IDS[0], "SYNCHRONOUS_COMMIT", "PRIMARY"),
                (second, IDS[1], "ASYNCHRONOUS_COMMIT", "SECONDARY"),
            )
        ]
        states: list[Row] = [
            {
                "Availability_Group": ag,
                "replica_name": server,
                "database_name": database,
                "replica_id": number,
                "group_id": GROUP,
                "group_database_id": DATABASE_ID,
                "database_id": 5,
                "is_local": int(server == local),
                "is_failover_ready": 1,
                "is_database_joined": 1,
                "synchronization_state_desc": "SYNCHRONIZING",
                "synchronization_health_desc": "HEALTHY",
                "is_suspended": 0,
                "log_send_queue_size": queue,
                "redo_queue_size": queue,
                "secondary_lag_seconds": 2,
            }
            for server, number, queue in ((first, IDS[0], None), (second, IDS[1], 4096))
        ]
        routed: Row = {
            "WhenThisServerIsPrimary": first,
            "Priority": 1,
            "RouteToThisServer": second,
            "ConnectionsAllowed": "ALL",
            "RoutingURL": f"TCP://{second}:1433",
        }
        known: dict[str, list[Row]] = {
            "ServerProperty": [
                {"PropertyName": name, "PropertyValue": value}
                for name, value in (
                    ("SQLServerName", local),
                    ("MachineName", local),
                    ("UTCOffset_in_Hours", "-6.00"),
                )
            ],
            "AG_hadr_ag_states": [
                {
                    "group_id": GROUP,
                    "name": ag,
                    "failure_condition_level": 3,
                    "health_check_timeout": 30000,
                    "automated_backup_preference_desc": "secondary",
                    "is_distributed": 0,
                    "primary_replica": first,
                    "synchronization_health_desc": "HEALTHY",
                }
            ],
            "AG_hadr_ag_replica_states": replicas,
            "AG_hadr_ag_database_replica_states": states,
            "AG_hadr_cluster": [
                {
                    "cluster_name": "CLU",
                    "quorum_type_desc": "NODE_MAJORITY",
                    "quorum_state_desc": "NORMAL_QUORUM",
                }
            ],
            "AG_hadr_cluster_members": [
                {
                    "member_name": server,
                    "member_type_desc": "CLUSTER_NODE",
                    "member_state_desc": "UP",
                    "number_of_quorum_votes": 1,
                }
                for server in servers
            ],
            "AG_hadr_ag_listeners": [
                {"AG_Name": ag, "listener_id": "1", "dns_name": "LSN", "port": 1433, "is_conformant": 1}
            ],
            "AG_hadr_ag_ip_information": [
                {
                    "listener_id": "1",
                    "ip_address": "10.0.0.9",
                    "ip_subnet_mask": "255.255.255.0",
                    "state_desc": "ONLINE",
                }
            ],
            "": [routed],
            "sys.configurations": [
                {"configuration_id": 503, "name": "max worker threads", "value": 0, "value_in_use": 0}
            ],
            "sys.databases": [
                {
                    "database_id": 5,
                    "name": database,
                    "recovery_model_desc": "FULL",
                    "log_reuse_wait_desc": "NOTHING",
                }
            ],
            "Names of databases": [{"database_id": 5, "name": database, "recovery_model_desc": "FULL"}],
            "dm_os_wait_stats": [
                {
                    "wait_type": kind,
                    "waiting_tasks_count": 1000 + 50 * look,
                    "wait_time_ms": 9000 + 400 * look,
                    "max_wait_time_ms": 90,
                    "signal_wait_time_ms": 10,
                }
                for kind in ("HADR_SYNC_COMMIT", "WRITELOG", "PARALLEL_REDO_FLOW_CONTROL")
            ],
            "File Stats (full)": [
                {
                    "DbId": 5,
                    "FileId": 2,
                    "NumberReads": 10 + look,
                    "BytesRead": 8192 * (10 + look),
                    "IoStallReadMS": look,
                    "NumberWrites": 100 + 9 * look,
                    "BytesWritten": 61440 * (100 + 9 * look),
                    "IoStallWriteMS": 12 * look,
                    "type_desc": "LOG",
                    "database": database,
                    "file": "L:\\log.ldf",
                }
            ],
            "Requests": [
                {
                    "session_id": REDO,
                    "database_id": 5,
                    "command": "DB STARTUP",
                    "status": "background",
                    "wait_type": "LCK_M_SCH_M",
                    "wait_time": 4000 + 15000 * look,
                    "blocking_session_id": BLOCKER,
                    "is_user_process": 0,
                }
            ],
            "Head blockers": [
                {
                    "head_blocker_session_id": BLOCKER,
                    "host_name": "CLIENT1",
                    "program_name": "Reports",
                    "login_name": "reader",
                    "is_user_process": 1,
                    "stmt_text": "SELECT * FROM dbo.Big",
                }
            ],
        }
        return known.get(title, (more or {}).get(title, []))

    return rows
