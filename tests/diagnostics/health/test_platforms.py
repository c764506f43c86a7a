"""What is said of servers by what they run on: Windows, Linux, a failover cluster, no cluster at all."""

from __future__ import annotations

from agtrace.diagnostics.health import failed_over, servers
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts
from tests.diagnostics.health.cases import at, failover, findings, restart, told


def node(seconds, name, host="A"):
    return {
        "host_id": host,
        "sql_instance": "MSSQLSERVER",
        "time": at(seconds),
        "node": name,
        "content_id": "log-A",
        "line": 12,
    }


def test_a_restart_on_another_node_is_a_move_of_a_failover_cluster_instance():
    row = restart("stopped", 100, 100, gone=150, ready=160)
    nodes = (node(-3000, "NODE1"), node(151, "NODE2"))
    (found,) = findings(servers.restarts, told(restarts=(row,), nodes=nodes))
    assert_facts(
        found,
        kind="stopped",
        server="A",
        moved="NODE1 to NODE2",
        start="2024-03-05T12:01:40+00:00",
        asked_for=["stopped", "shutdown"],
    )
    (moved,) = [e for e in found.evidence if e.label == "node"]
    assert (moved.value, moved.source) == ("NODE1 to NODE2", "A/ERRORLOG line 12")


def test_a_restart_on_the_same_node_is_no_move():
    row = restart("stopped", 100, 100, gone=150, ready=160)
    (found,) = findings(
        servers.restarts, told(restarts=(row,), nodes=(node(-3000, "NODE1"), node(151, "NODE1")))
    )
    assert_facts(found, kind="stopped", server="A", start="2024-03-05T12:01:40+00:00", at_most=60.0)


def test_a_start_whose_node_is_not_told_is_no_move():
    row = restart("stopped", 100, 100, gone=150, ready=160)
    (found,) = findings(servers.restarts, told(restarts=(row,), nodes=(node(-3000, "NODE1"),)))
    assert_facts(found, kind="stopped", server="A", start="2024-03-05T12:01:40+00:00", at_most=60.0)


def test_a_lossless_switch_is_no_loss_and_needs_no_action():
    row = failover(100, 110, mode="planned", trigger="ddl_forced", cause="ddl_forced", confidence=0.75)
    (found,) = findings(failed_over.failovers, told([row]), Thresholds())
    assert found.severity in ("info", "notice")
    assert_facts(found, root="switched", mode="planned", trigger="ddl_forced", groups=["AG"])


def test_a_restart_of_a_server_without_a_group_is_an_info():
    row = restart("died", None, 100, gone=150, ready=160)
    (found,) = findings(servers.restarts, told(restarts=(row,), grouped=frozenset("B")))
    assert (found.id, found.severity) == ("health.restart", "info")
