"""What belongs together: in time, by hosts and groups."""

from __future__ import annotations

from agtrace.history.incidents import together
from agtrace.tables.history import RELATIONS
from tests.diagnostics.tiny import case
from tests.history.failovers.test_failovers import FAILS, states


def told(columns="kind, hosts, parts_n", **more):
    made = case(**more)
    rows = made.table(f"select {columns} from incidents order by incident_id").to_pylist()
    return [tuple(row.values()) for row in rows]


def lost(host, at, other):
    return f"{host} | {at} | connection | 35206 | replica={other}; event=timeout"


def test_what_both_ends_lose_is_one_incident():
    found = told(messages=f"{lost('A', 100, 'B')}\n{lost('B', 103, 'A')}")
    assert found == [("disconnect", ["A", "B"], 2)]


def test_what_is_more_than_a_minute_apart_is_two():
    found = told(messages=f"{lost('A', 100, 'B')}\n{lost('B', 161, 'A')}")
    assert [row[2] for row in found] == [1, 1]


def test_hosts_that_have_nothing_in_common_have_incidents_of_their_own():
    found = told(messages=f"{lost('A', 100, 'B')}\n{lost('C', 103, 'D')}")
    assert [row[1] for row in found] == [["A", "B"], ["C", "D"]]


def test_a_failover_is_what_its_lost_connection_its_lease_and_its_node_come_to():
    messages = f"{FAILS}\n{lost('B', 601, 'A')}\nA | 599 | lease | 19407 | ag=AG; event=expired"
    found = told("kind, ags, hosts, failovers, list_sort([p.kind for p in parts])", messages=messages)
    assert found == [
        ("failover", ["AG"], ["A", "B"], [1], ["connection_timeout", "failover", "lease_expired"])
    ]


def test_groups_of_one_server_that_move_together_are_one_incident():
    other = "\n".join(line.replace("ag=AG", "ag=BG") for line in FAILS.splitlines())
    found = told("ags, failovers", messages=f"{FAILS}\n{other}")
    assert found == [(["AG", "BG"], [1, 2])]


def test_what_lasts_joins_what_follows_on_its_end():
    relations = (
        "A | 100 | standstills | host_id=A; start=2024-03-05 12:01:40Z; end=2024-03-05 12:07:41Z; "
        "seconds_low=361.0; seconds_high=361.0; kind=machine paused"
    )
    found = told(messages=lost("A", 470, "B"), relations=relations)
    assert found == [("standstill", ["A", "B"], 2)]


FENCED = """
A | 580 | timeline | host_id=A; kind=monitor_timeout; after=monitor
A | 599 | timeline | host_id=A; kind=fence_asked; after=the resource did not stop
A | 600 | timeline | host_id=A; replica=B; kind=fenced; after=OK
"""


def test_a_node_that_is_fenced_belongs_to_what_its_monitor_said():
    assert told(relations=FENCED) == [("cluster", ["A", "B"], 3)]


def key(island, host=None, other=None, ag=None, is_membership=False):
    return {"island": island, "host_id": host, "other": other, "ag": ag, "is_membership": is_membership}


def test_the_membership_of_a_cluster_joins_the_only_incident_of_its_time():
    keys = [
        key(1, "A", "B"),
        key(1, "C", is_membership=True),
        key(1, is_membership=True),
        key(2, "C", is_membership=True),
    ]
    assert together(keys) == [0, 0, 0, 1]


def test_the_membership_of_a_cluster_joins_none_of_several():
    keys = [key(1, "A"), key(1, "B"), key(1, "C", is_membership=True)]
    assert together(keys) == [0, 1, 2]


def test_the_relation_exists_without_rows_in_every_case():
    made = case(messages=states("A 0 PRIMARY_PENDING PRIMARY_NORMAL"))
    assert made.table("select * from incidents").schema.names == RELATIONS["incidents"].names
    assert made.table("select * from incidents").num_rows == 0
