"""How groups are built: told by looks at servers, by the statements that made them, by their connections."""

from __future__ import annotations

import pytest

from simulation.formats import rowsets as make
from tests.diagnostics.tiny import case
from tests.history.outputs import relation

STATE = "{} | 1 | replica_state | 19406 | ag={}; old_state=RESOLVING_NORMAL; new_state=SECONDARY_NORMAL"
DDL = "A | 60 | alwayson_ddl_executed | availability_group_name=AG; ddl_phase=commit; statement={}"


def topology(made, columns="ag, kind"):
    return [tuple(row.values()) for row in made.rows(f"select {columns} from topology order by ag")]


@pytest.mark.parametrize(
    ("statement", "kind", "cluster_type"),
    [
        ("CREATE AVAILABILITY GROUP [AG] FOR REPLICA ON N'A' WITH (SEEDING_MODE = AUTOMATIC)", "ordinary",
         "WSFC"),
        ((
            "CREATE AVAILABILITY GROUP [AG] WITH (DB_FAILOVER = ON, CLUSTER_TYPE = NONE) FOR REPLICA ON "
            "N'A' WITH (X = 1)"
        ), "read-scale", "NONE"),
        ("create availability group [AG] with (cluster_type=external) for replica on N'A' with (x = 1)",
         "external", "EXTERNAL"),
        ("CREATE AVAILABILITY GROUP [AG] WITH (BASIC) FOR DATABASE [d] REPLICA ON N'A' WITH (X = 1)", "basic",
         "WSFC"),
        ((
            "CREATE AVAILABILITY GROUP [AG] WITH (CONTAINED, REUSE_SYSTEM_DATABASES) FOR REPLICA ON N'A' "
            "WITH (X = 1)"
        ), "contained", "WSFC"),
        ("ALTER AVAILABILITY GROUP [AG] JOIN WITH (CLUSTER_TYPE = NONE)", "read-scale", "NONE"),
        ("ALTER AVAILABILITY GROUP [AG] JOIN", "ordinary", None),
    ],
)  # fmt: skip
def test_the_statement_that_made_a_group_tells_its_kind(statement, kind, cluster_type):
    made = case(events=DDL.format(statement.replace(";", ",")))
    assert topology(made, "ag, kind, cluster_type") == [("AG", kind, cluster_type)]


DISTRIBUTED = (
    "CREATE AVAILABILITY GROUP [AG] WITH (DISTRIBUTED) AVAILABILITY GROUP ON "
    "'AG1' WITH (LISTENER_URL = 'tcp://one:5022', SEEDING_MODE = AUTOMATIC), "
    "'AG2' WITH (LISTENER_URL = '{}', SEEDING_MODE = AUTOMATIC)"
)


def test_the_replicas_of_a_distributed_group_are_groups():
    made = case(events=DDL.format(DISTRIBUTED.format("tcp://two:5022")))
    assert topology(made, "ag, kind, members") == [("AG", "distributed", ["AG1", "AG2"])]


def test_a_distributed_group_with_a_managed_instance_is_a_link():
    made = case(events=DDL.format(DISTRIBUTED.format("tcp://mi.abc.database.windows.net:5022,Server=[AG2]")))
    assert topology(made, "ag, kind, members") == [("AG", "link", ["AG1", "AG2"])]


def test_a_connection_that_starts_from_a_group_is_of_a_distributed_one():
    made = case(messages="\n".join([
        STATE.format("A", "AG1"),
        "A | 2 | connection | 35202 | ag=AG1; from_replica=A; replica=B",
        "A | 3 | connection | 35202 | ag=DAG; from_replica=AG1; replica=AG2",
    ]))  # fmt: skip
    assert topology(made, "ag, kind, members, how") == [
        ("AG1", None, [], None),
        ("DAG", "distributed", ["AG1", "AG2"], "connection from a group (35202)"),
    ]


def test_a_replica_that_is_a_group_is_no_host_that_should_be_captured():
    made = case(messages="\n".join([
        STATE.format("A", "AG1"),
        "A | 3 | connection | 35202 | ag=DAG; from_replica=AG1; replica=AG2",
    ]))  # fmt: skip
    subjects = [f.subject.get("host") for f in made_findings(made)]
    assert "AG2" not in subjects
    assert made.rows("select * from hosts where host_id = 'AG2'") == []


def made_findings(made):
    from agtrace.diagnostics.overview import Overview

    return [f for f in Overview(made).findings() if f.id == "quality.not_captured"]


def test_groups_of_one_instance_are_counted():
    made = case(
        messages="\n".join([STATE.format("A", "AG1"), STATE.format("A", "AG2"), STATE.format("B", "AG3")])
    )
    assert topology(made, "ag, groups_beside") == [("AG1", 1), ("AG2", 1), ("AG3", 0)]


STATES = make.rowset(
    "AG_hadr_ag_states",
    (("group_id", 36), ("name", 128), ("failure_condition_level", -23), ("health_check_timeout", -20),
     ("basic_features", -14),
     ("is_distributed", -14), ("cluster_type_desc", 60), ("is_contained", -12), ("primary_replica", 128)),
    [(make.AG, "AG1", 3, 30000, 0, 0, "external", 0, "SRV1")],
)  # fmt: skip


def test_a_look_at_a_server_tells_the_kind_of_its_groups(tmp_path):
    found = relation(
        tmp_path,
        "select ag, kind, kind_source from groups",
        look__out=make.look("2026-03-01 10:15:31.017") + STATES,
    )
    assert found == [("AG1", "external", "support output")]


NODE = (
    "The NETBIOS name of the local node that is running the server is ''{}''. This is an informational "
    "message only."
)


def with_nodes(*nodes):
    made = case(messages=STATE.format("SQLVIRTUAL", "AG"))
    for place, node in enumerate(nodes):
        made.run(
            "insert into errorlog (content_id, host_id, line, time_local, time, source, message) values "
            f"('errorlog-SQLVIRTUAL', 'SQLVIRTUAL', {place + 2}, timestamp '2024-03-05 12:00:0{place}', "
            f"timestamptz '2024-03-05 12:00:0{place}+00', 'Server', '{NODE.format(node)}')"
        )
    return made


def test_an_instance_whose_node_has_another_name_is_one_of_a_failover_cluster():
    made = with_nodes("NODE1", "NODE2")
    assert made.rows("select host_id, node, is_cluster_instance from instance_nodes") == [
        {"host_id": "SQLVIRTUAL", "node": "NODE1", "is_cluster_instance": True},
        {"host_id": "SQLVIRTUAL", "node": "NODE2", "is_cluster_instance": True},
    ]
    assert topology(made, "ag, cluster_instances") == [("AG", ["SQLVIRTUAL"])]


def test_an_instance_on_the_node_of_its_name_is_none():
    assert topology(with_nodes("SQLVIRTUAL"), "ag, cluster_instances") == [("AG", None)]


def test_a_case_without_groups_has_no_topology():
    assert case().rows("select * from topology") == []


def test_a_statement_that_names_no_group_makes_none():
    statement = (
        "A | 60 | alwayson_ddl_executed | availability_group_name=; ddl_phase=commit; statement=ALTER "
        "ENDPOINT X"
    )
    assert topology(case(messages=STATE.format("A", "AG1"), events=statement)) == [("AG1", None)]
