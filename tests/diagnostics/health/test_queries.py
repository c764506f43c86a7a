"""Which rows the queries of health choose: of small tables, in which one row has all that is asked for."""

from __future__ import annotations

from agtrace.diagnostics import health
from tests.diagnostics.asking import ask


def test_hosts_of_a_group_are_those_of_its_events_its_roles_and_its_own_looks():
    found = ask(
        health, "grouped",
        timeline=[
            {"ag": "AG", "host_id": "A", "kind": "ddl"}, {"ag": "", "host_id": "X", "kind": "dump"},
            {"ag": "AG", "host_id": None, "kind": "ddl"},
            {"ag": "", "host_id": "D", "kind": "node_offline"},
        ],
        roles=[{"host_id": "B"}, {"host_id": None}],
        replicas=[{"is_local": True, "host_id": "C"}, {"is_local": False, "host_id": "X"},
                  {"is_local": True, "host_id": None}],
    )  # fmt: skip
    assert [row["host_id"] for row in found] == ["A", "B", "C", "D"]


def test_replicas_of_a_group_are_those_that_connect_or_are_looked_at_but_no_group_of_a_distributed_one():
    found = ask(
        health, "members",
        timeline=[
            {"kind": "connected", "ag": "AG", "replica": "A"}, {"kind": "ddl", "ag": "AG", "replica": "X"},
            {"kind": "connected", "ag": None, "replica": "X"}, {"kind": "ddl", "ag": "OTHER", "replica": "X"},
            {"kind": "connected", "ag": "AG", "replica": None},
        ],
        replicas=[{"ag": "AG", "replica": name} for name in ("B", "other", "far")],
        topology=[{"members": ["FAR"]}],
    )  # fmt: skip
    assert [(row["ag"], row["replica"]) for row in found] == [("AG", "A"), ("AG", "B")]
