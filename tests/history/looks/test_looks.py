"""Groups, replicas, states, listeners, routes and the cluster at a look."""

from __future__ import annotations

from datetime import datetime

import pytest

from simulation.formats import rowsets as make
from tests.history.outputs import relation

LOOK = make.look("2026-03-01 10:15:31.017")
GROUPS = make.rowset(
    "AG_hadr_ag_states",
    (("group_id", 36), ("name", 128), ("failure_condition_level", -23), ("health_check_timeout", -20),
     ("primary_replica", 128), ("synchronization_health_desc", 60)),
    [(make.AG, "AG1", 3, 30000, "SRV1", "HEALTHY")],
)  # fmt: skip


def test_groups(tmp_path):
    query = """
        select ag, ag_id, primary_replica, failure_condition_level, health_check_timeout_ms,
               synchronization_health, line from groups
    """
    assert relation(tmp_path, query, look__out=LOOK + GROUPS) == [
        ("AG1", make.AG.lower(), "SRV1", 3, 30000, "HEALTHY", 8)
    ]


def test_replicas(tmp_path):
    query = """
        select ag, replica, replica_id, node, is_local, role, availability_mode, failover_mode,
               session_timeout_s, connected_state, synchronization_health, last_connect_error
        from replicas order by replica
    """
    assert relation(tmp_path, query, look__out=LOOK + make.replicas()) == [
        ("AG1", "SRV1", make.A.lower(), "SRV1", True, "PRIMARY", "SYNCHRONOUS_COMMIT", "AUTOMATIC",
         10, "CONNECTED", "HEALTHY", None),
        ("AG1", "SRV2", make.B.lower(), "SRV2", False, "SECONDARY", "ASYNCHRONOUS_COMMIT", "AUTOMATIC",
         10, "CONNECTED", "HEALTHY", "The connection is not active."),
    ]  # fmt: skip


OF_BACKUPS = (
    make.rowset(
        "AG_hadr_ag_states",
        (("group_id", 36), ("name", 128), ("failure_condition_level", -23), ("health_check_timeout", -20),
         ("automated_backup_preference_desc", 60), ("primary_replica", 128)),
        [(make.AG, "AG1", 3, 30000, "SECONDARY_ONLY", "SRV1")],
    )
    + make.rowset(
        "AG_hadr_ag_replica_states",
        (*make.REPLICAS[:5], ("role_desc", 60), ("endpoint_url", 256), ("backup_priority", -15)),
        [("AG1", "SRV1", "SRV1", make.A, make.AG, "PRIMARY", "TCP://SRV1:5022", 0)],
    )
)  # fmt: skip


def test_where_backups_are_preferred(tmp_path):
    query = """
        select backup_preference from groups union all select backup_priority::varchar from replicas
        union all select option || ' ' || value from group_options where option like '%backup%'
        order by 1 desc
    """
    assert relation(tmp_path, query, look__out=LOOK + OF_BACKUPS) == [
        ("backup_priority 0",), ("automated_backup_preference SECONDARY_ONLY",), ("SECONDARY_ONLY",),
        ("0",),
    ]  # fmt: skip


def test_the_last_commit_of_a_database(tmp_path):
    text = make.rowset(
        "AG_hadr_ag_database_replica_states",
        (*make.STATES[:4], ("synchronization_state_desc", 60), ("log_send_queue_size", -20),
         ("last_commit_time", 23)),
        [("AG1", make.A, make.B, "Sales", "SYNCHRONIZED", 12, "2026-03-01 10:15:30.907"),
         ("AG1", make.A, make.B, "New", "SYNCHRONIZING", 12, None)],
    )  # fmt: skip
    query = "select database, last_commit_local from database_states order by database desc"
    assert relation(tmp_path, query, look__out=LOOK + text) == [
        ("Sales", datetime(2026, 3, 1, 10, 15, 30, 907000)), ("New", None),
    ]  # fmt: skip


STATES = """
    select ag, database, replica, is_local, synchronization_state, synchronization_health,
           is_suspended, suspend_reason, log_send_queue_kb, log_send_rate_kb_s, redo_queue_kb,
           redo_rate_kb_s, secondary_lag_s
    from database_states order by database, replica
"""


def test_database_states(tmp_path):
    assert relation(tmp_path, STATES, look__out=LOOK + make.states(["Sales"])) == [
        ("AG1", "Sales", "SRV1", True, "SYNCHRONIZED", "HEALTHY", False, None, None, None, None,
         None, None),
        ("AG1", "Sales", "SRV2", False, "SYNCHRONIZING", "PARTIALLY_HEALTHY", True,
         "SUSPEND_FROM_USER", 12, 18233, 40960, 20480, 2),
    ]  # fmt: skip


READY = make.rowset(
    "AG_hadr_ag_database_replica_states",
    (*make.STATES, ("is_database_joined", -18), ("is_failover_ready", -17), ("last_commit_time", 23)),
    [("AG1", make.B, make.A, name, 5, make.AG, 1, "SYNCHRONIZED", "HEALTHY", 0, None, None, None, None, None,
      None, "AG1", "SRV2", "TCP://x:5022", 1, joined, ready, time)
     for name, joined, ready, time in (("Sales", 1, 1, "2026-03-01 10:15:30.913"), ("Stock", 0, 0, None))],
)  # fmt: skip


def test_whether_a_database_joined_and_is_ready_for_a_failover(tmp_path):
    query = "select database, is_joined, is_failover_ready, last_commit_local from database_states order by 1"
    assert relation(tmp_path, query, look__out=LOOK + READY) == [
        ("Sales", True, True, datetime(2026, 3, 1, 10, 15, 30, 913_000)),
        ("Stock", False, False, None),
    ]


@pytest.mark.parametrize(
    ("encoding", "word"),
    [
        ("utf-8", "Größe"),
        ("utf-16", "Größe"),
        ("cp850", "Größe"),
        ("cp852", "Sprzedaż"),
        ("cp866", "Бухгалтерия"),
        ("cp932", "販売"),
    ],
)
def test_sixty_databases_with_odd_names(tmp_path, encoding, word):
    names = [f"{word} {number:02} 'x' [y] \"z\"" for number in range(60)]
    text = (LOOK + make.replicas() + make.states(names)).encode(encoding)
    found = relation(tmp_path, STATES, look__out=text)
    assert len(found) == 120
    assert sorted({row[1] for row in found}) == names
    assert {row[8] for row in found} == {None, *range(12, 72)}


STAMP = "20260301T1015302241_AlwaysOnDiagScript__out"


def test_a_file_of_the_same_folder_tells_the_code_page(tmp_path):
    topology = '<AGInfoRoot><row group_name="AG1" database_name="Señal_Ñ" /></AGInfoRoot>'
    outputs = {
        f"SRV1_{STAMP}": (LOOK + make.states(["Señal_Ñ"])).encode("cp437"),
        "SRV1_20260301T1015302242_GetAGTopology__xml": topology.encode("utf-16"),
    }
    query = """
        select distinct database from database_states where database is not null
        union all select kind from issues where kind = 'code_page_guessed'
    """
    assert relation(tmp_path, query, **outputs) == [("Señal_Ñ",)]


def test_two_instances_of_a_host_are_apart(tmp_path):
    outputs = {
        f"SRV1_{name}_{STAMP}": LOOK
        + make.replicas(f"AG_{name}", f"SRV1\\{name}", f"SRV2\\{name}")
        + make.states([name], f"AG_{name}", (f"SRV1\\{name}", f"SRV2\\{name}"))
        for name in ("ONE", "TWO")
    }
    query = "select host_id, sql_instance, ag, database, replica from database_states order by all"
    assert relation(tmp_path, query, **outputs) == [
        ("SRV1", name, f"AG_{name}", name, f"{server}\\{name}")
        for name in ("ONE", "TWO")
        for server in ("SRV1", "SRV2")
    ]


OFFSET = make.rowset(
    "ServerProperty",
    (("PropertyName", 50), ("PropertyValue", 256)),
    [("MachineName", "SRV1"), ("SQLServerName", "SRV1"), ("UTCOffset_in_Hours", "5.50")],
)


def test_a_host_five_hours_and_a_half_from_utc(tmp_path):
    outputs = {
        "SRV1_20260301T1015302241_MiscDiagInfo__out": LOOK + OFFSET,
        f"SRV1_{STAMP}": LOOK + make.replicas(),
    }
    query = "select distinct time_local, time at time zone 'UTC' from replicas"
    assert relation(tmp_path, query, **outputs) == [
        (datetime(2026, 3, 1, 10, 15, 31, 17_000), datetime(2026, 3, 1, 4, 45, 31, 17_000))
    ]


@pytest.mark.parametrize("screen", [80, 20000])
def test_the_layout_of_sdp_has_ids_where_names_are_wanted(tmp_path, screen):
    replicas = make.titled(
        "AlwaysOn Availability Replica State, Identification and Configuration",
        (("group_name", 30), ("replica_server_name", 30), ("node_name", 30), ("is_local", -8),
         ("role_desc", 30), ("availability_mode", -17), ("availability_mode_Desc", 30),
         ("synhcronization_health_desc", 30), ("endpoint_url", 30), ("replica_id", 36), ("group_id", 36)),
        [("AG1", "SRV1", "SRV1", 1, "PRIMARY", 1, "SYNCHRONOUS_COMMIT", "HEALTHY", "TCP://x", make.A,
         make.AG),
         ("AG1", "SRV2", "SRV2", 0, "SECONDARY", 0, "ASYNCHRONOUS_COMMIT", "HEALTHY", "TCP://y", make.B,
          make.AG)],
        screen,
    )  # fmt: skip
    states = make.titled(
        "AlwaysOn Availability Database Identification, Configuration, State and Performance",
        (("database_name", 30), ("database_id", -11), ("group_id", 36), ("replica_id", 36),
         ("is_local", -8), ("is_suspended", -12), ("synchronization_state_desc", 30),
         ("log_send_queue_size", -20), ("redo_queue_size", -20)),
        [("Sales", 5, make.AG, make.A, 1, 0, "SYNCHRONIZED", None, None),
         ("Sales", 5, make.AG, make.B, 0, 0, "SYNCHRONIZING", 12, 40960)],
        screen,
    )  # fmt: skip
    query = """
        select ag, database, replica, synchronization_state, log_send_queue_kb, redo_queue_kb
        from database_states order by replica
    """
    assert relation(tmp_path, query, SRV1__1033_AlwaysOn__OUT=replicas + states) == [
        ("AG1", "Sales", "SRV1", "SYNCHRONIZED", None, None),
        ("AG1", "Sales", "SRV2", "SYNCHRONIZING", 12, 40960),
    ]
    query = "select replica, availability_mode, synchronization_health from replicas order by 1"
    assert relation(tmp_path, query) == [
        ("SRV1", "SYNCHRONOUS_COMMIT", "HEALTHY"),
        ("SRV2", "ASYNCHRONOUS_COMMIT", "HEALTHY"),
    ]


def test_listeners_with_their_addresses(tmp_path):
    text = LOOK + make.rowset(
        "AG_hadr_ag_listeners",
        (("Listener_Name", 63), ("AG_Name", 128), ("group_id", 36), ("listener_id", 36),
         ("dns_name", 63), ("port", -11), ("is_conformant", -13)),
        [("LIS", "AG1", make.AG, make.A, "LIS", 1433, 1)],
    ) + make.rowset(
        "AG_hadr_ag_ip_information",
        (("Listener_Name", 63), ("listener_id", 36), ("ip_address", 48), ("ip_subnet_mask", 15),
         ("is_dhcp", -7), ("state_desc", 60)),
        [("LIS", make.A, "10.0.0.5", "255.255.255.0", 0, "ONLINE"),
         ("LIS", make.A, "10.1.0.5", "255.255.255.0", 0, "OFFLINE")],
    )  # fmt: skip
    query = """
        select ag, listener, dns_name, port, ip_address, subnet_mask, state, is_conformant from listeners
    """
    assert relation(tmp_path, query, look__out=text) == [
        ("AG1", "LIS", "LIS", 1433, "10.0.0.5", "255.255.255.0", "ONLINE", True),
        ("AG1", "LIS", "LIS", 1433, "10.1.0.5", "255.255.255.0", "OFFLINE", True),
    ]


def test_routing(tmp_path):
    text = LOOK + make.rowset(
        "AG_hadr_readonly_routing",
        (("WhenThisServerIsPrimary", 256), ("Priority", -11), ("RouteToThisServer", 256),
         ("ConnectionsAllowed", 60), ("RoutingURL", 256)),
        [("SRV1", 1, "SRV2", "READ_ONLY", "TCP://srv2:1433")],
    )  # fmt: skip
    query = "select replica, priority, routed_to, connections_allowed, routing_url from routing"
    assert relation(tmp_path, query, look__out=text) == [("SRV1", 1, "SRV2", "READ_ONLY", "TCP://srv2:1433")]


def test_cluster_settings(tmp_path):
    text = LOOK + make.rowset(
        "AG_hadr_cluster",
        (("cluster_name", 128), ("quorum_type", -11), ("quorum_type_desc", 60), ("quorum_state_desc", 60)),
        [("CLU", 2, "NODE_AND_FILE_SHARE_MAJORITY", "NORMAL_QUORUM")],
    ) + make.rowset(
        "AG_hadr_cluster_members",
        (("member_name", 128), ("member_state_desc", 60), ("number_of_quorum_votes", -22),
         ("network_subnet_ip", 48)),
        [("SRV1", "UP", 1, "10.0.0.0"), ("SRV1", "UP", 1, "10.1.0.0"), ("SRV2", "DOWN", 0, "10.0.0.0")],
    ) + make.rowset(
        "Availability Group timeout settings",
        (("Availability Group", 32), ("timeout_setting_name", 24), ("timeout_value", 13)),
        [("AG1", "HealthCheckTimeout", "30000"), ("AG1", "LeaseTimeout", "20000")],
    )  # fmt: skip
    query = "select scope, item, setting, value, unit from cluster_settings order by all"
    assert relation(tmp_path, query, look__out=text) == [
        ("cluster", "CLU", "quorum_state", "NORMAL_QUORUM", None),
        ("cluster", "CLU", "quorum_type", "NODE_AND_FILE_SHARE_MAJORITY", None),
        ("group", "AG1", "HealthCheckTimeout", "30000", "ms"),
        ("group", "AG1", "LeaseTimeout", "20000", "ms"),
        ("member", "SRV1", "member_state", "UP", None),
        ("member", "SRV1", "quorum_votes", "1", "votes"),
        ("member", "SRV2", "member_state", "DOWN", None),
        ("member", "SRV2", "quorum_votes", "0", "votes"),
    ]


def test_states_as_csv_name_the_replica_as_its_server(tmp_path):
    text = "replica_server_name,database_name,redo_queue_size,is_suspended\nSRV2,Sales,7,0\n"
    query = "select replica, database, redo_queue_kb, is_suspended, time_local from database_states"
    assert relation(tmp_path, query, states__csv=text) == [("SRV2", "Sales", 7, False, None)]


def test_rows_of_the_view_alone_tell_databases_by_their_ids(tmp_path):
    text = (
        "database_id,replica_id,is_local,is_primary_replica,synchronization_state_desc,is_suspended,"
        "suspend_reason_desc,last_hardened_time\n"
        "6,8A1C,0,0,NOT SYNCHRONIZING,1,SUSPEND_FROM_REDO,2026-03-01 01:00:00.000\n"
    )
    query = """
        select replica, replica_id, database, database_id, is_primary, is_suspended, suspend_reason,
               last_hardened_local from database_states
    """
    assert relation(tmp_path, query, states__csv=text) == [
        (None, "8a1c", None, 6, False, True, "SUSPEND_FROM_REDO", datetime(2026, 3, 1, 1))
    ]


def test_replicas_may_be_named_by_their_server(tmp_path):
    text = "replica_server_name,database_name,synchronization_state_desc,is_suspended\nSRV2,Sales,X,0\n"
    query = "select replica, database from database_states"
    assert relation(tmp_path, query, states__csv=text) == [("SRV2", "Sales")]


ALIASED = """select ag, replica, database, synchronization_state, is_suspended, log_send_queue_kb
    from database_states"""


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        # Aliases of a script, in a post with a table.
        (
            "| AGName | replica | DBName | sync_state | suspended | log_send_queue_kb |\n"
            "|---|---|---|---|---|---|\n"
            "| AG1 | SRV2 | Sales | NOT SYNCHRONIZING | 1 | 7 |\n",
            ("AG1", "SRV2", "Sales", "NOT SYNCHRONIZING", True, 7),
        ),
        # Properties of SMO, as PowerShell shows them.
        (
            "AvailabilityReplicaServerName,AvailabilityDatabaseName,SynchronizationState,IsSuspended\n"
            "SRV2,Sales,NotSynchronizing,True\n",
            (None, "SRV2", "Sales", "NOT SYNCHRONIZING", True, None),
        ),
    ],
    ids=["script", "SMO"],
)
def test_columns_are_known_by_their_other_names(tmp_path, shown, found):
    assert relation(tmp_path, ALIASED, look__txt=shown) == [found]


def test_a_join_of_replicas_and_databases_tells_both(tmp_path):
    text = (
        "ag_name,replica_server_name,role_desc,availability_mode_desc,database_name,synchronization_state_desc,"
        "redo_queue_size\n"
        "AG1,SRV2,SECONDARY,SYNCHRONOUS_COMMIT,Sales,SYNCHRONIZED,0\n"
        "AG1,SRV2,SECONDARY,SYNCHRONOUS_COMMIT,Stock,SYNCHRONIZED,0\n"
    )
    assert relation(
        tmp_path, "select ag, replica, role, availability_mode from replicas", look__csv=text
    ) == [("AG1", "SRV2", "SECONDARY", "SYNCHRONOUS_COMMIT")]
    assert len(relation(tmp_path, ALIASED, look__csv=text)) == 2


def test_counters_without_a_time_tell_the_queues_of_their_server(tmp_path):
    text = (
        "object_name,counter_name,instance_name,cntr_value,cntr_type\n"
        "SQLServer:Database Replica,Log Send Queue,Sales,9,65792\n"
        "SQLServer:Database Replica,Recovery Queue,Sales,7,65792\n"
        "SQLServer:Database Replica,Recovery Queue,_Total,7,65792\n"
        "SQLServer:Database Replica,Recovery Queue,Idle,0,65792\n"
    )
    query = "select database, is_local, log_send_queue_kb, redo_queue_kb from database_states"
    assert relation(tmp_path, query, look__csv=text) == [("Sales", True, 9, 7)]
