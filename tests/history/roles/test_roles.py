"""Roles as a relation: from messages, events and counters, on servers with perfmon and without."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

import agtrace
from agtrace.diagnostics.transport import Transport
from tests.diagnostics.tiny import START, case
from tests.shared import CAPTURES, needs_captures

# P hands over to S after 300 s; rows of one host in both roles.
HANDOVER = r"""
P | \SQLServer:Databases(Sales)\Log Bytes Flushed/sec            | 1000000
P | \SQLServer:Database Replica(Sales)\Log Bytes Received/sec    | 60x0, 1000000
P | \SQLServer:Database Replica(Sales)\Log Send Queue            | 60x0, 100~5
P | \SQLServer:Availability Replica(AG:S)\Bytes Sent to Replica/sec | 60x1000000, 500
S | \SQLServer:Databases(Sales)\Log Bytes Flushed/sec            | 1000000
S | \SQLServer:Database Replica(Sales)\Log Bytes Received/sec    | 60x400000, 0
S | \SQLServer:Database Replica(Sales)\Log Send Queue            | 60x0..175781, 0
S | \SQLServer:Availability Replica(AG:P)\Bytes Received from Replica/sec | 60x400000, 500
"""

STATES = """
    P | 10 | replica_state | 19406 | ag=AG; old_state=RESOLVING_NORMAL; new_state=PRIMARY_NORMAL
    P | 50 | replica_state | 19406 | ag=AG; old_state=PRIMARY_NORMAL; new_state=RESOLVING_NORMAL
"""
CHANGES = """
    P | 10 | role_change | 1480 | database=Sales; old_role=SECONDARY; new_role=PRIMARY
    P | 10 | role_change | 1480 | database=Stock; old_role=SECONDARY; new_role=PRIMARY
"""
SEEN = """
P | 10 | availability_replica_state_change | availability_group_name=AG; availability_replica_name=P\\ONE; previous_state=RESOLVING_NORMAL; current_state=PRIMARY_NORMAL
"""  # noqa: E501


def told(made):
    """Return ag, host, role, start and end in seconds after the start, and the evidence."""
    begin = START.replace(tzinfo=UTC).timestamp()
    query = f"""
        select coalesce(ag, '') as ag, host_id, role, epoch(coalesce(start, start_local::timestamptz)) - {begin} as start,
               epoch(coalesce("end", end_local::timestamptz)) - {begin} as "end", evidence
        from roles order by all nulls first
    """  # noqa: E501
    return [tuple(row.values()) for row in made.table(query).to_pylist()]


def test_counters_tell_roles_of_the_group_that_they_name():
    assert sorted(told(case(HANDOVER)), key=str) == [
        ("AG", "P", "PRIMARY", None, 300, "counters"),
        ("AG", "P", "SECONDARY", 300, None, "counters"),
        ("AG", "S", "PRIMARY", 300, None, "counters"),
        ("AG", "S", "SECONDARY", None, 300, "counters"),
    ]


def test_messages_alone_tell_roles():
    assert told(case(messages=STATES)) == [
        ("AG", "P", "PRIMARY", 10, 50, "message 19406"),
        ("AG", "P", "RESOLVING", None, 10, "message 19406"),
        ("AG", "P", "RESOLVING", 50, None, "message 19406"),
    ]


def test_a_server_whose_clock_is_not_known_has_local_times_alone():
    made = case(messages=STATES, zone_unknown=("P",))
    assert told(made)[0] == ("AG", "P", "PRIMARY", 10, 50, "message 19406")
    assert made.table("""select * from roles where start is not null or "end" is not null""").num_rows == 0


def test_databases_that_change_together_are_a_group_of_unknown_name():
    assert told(case(messages=CHANGES)) == [
        ("", "P", "PRIMARY", 10, None, "message 1480"),
        ("", "P", "SECONDARY", None, 10, "message 1480"),
    ]


def test_databases_that_say_different_things_name_no_role():
    other = "P | 50 | role_change | 1480 | database=Stock; old_role=PRIMARY; new_role=RESOLVING"
    assert told(case(messages=CHANGES + other)) == []


def test_events_alone_tell_roles():
    made = case(events=SEEN)
    assert told(made) == [
        ("AG", "P", "PRIMARY", 10, None, "availability_replica_state_change"),
        ("AG", "P", "RESOLVING", None, 10, "availability_replica_state_change"),
    ]
    assert set(made.table("select sql_instance from roles")["sql_instance"].to_pylist()) == {"ONE"}


def test_messages_outrank_events():
    assert {row[-1] for row in told(case(messages=STATES, events=SEEN))} == {"message 19406"}


GAP = """
    P | errorlog_gap | 0 | from | head | 60
    P | errorlog_gap | 0 | to | tail | 900
"""
BEFORE = "P | 10 | replica_state | 19406 | ag=AG; old_state=RESOLVING_NORMAL; new_state=PRIMARY_NORMAL"
AFTER = "P | 950 | replica_state | 19406 | ag=AG; old_state=PRIMARY_NORMAL; new_state=RESOLVING_NORMAL"
LEFT_OUT = "ERRORLOG without its middle"


def in_order(made):
    return sorted((row[2:] for row in told(made)), key=lambda row: row[1] or 0)


def test_no_role_is_carried_across_what_a_log_leaves_out():
    assert in_order(case(messages=f"{BEFORE}\n{AFTER}", facts=GAP)) == [
        ("RESOLVING", None, 10, "message 19406"),
        ("PRIMARY", 10, 60, "message 19406"),
        (None, 60, 900, LEFT_OUT),
        ("PRIMARY", 900, 950, "message 19406"),
        ("RESOLVING", 950, None, "message 19406"),
    ]


def test_a_side_that_says_nothing_is_not_known():
    assert in_order(case(messages=BEFORE, facts=GAP)) == [
        ("RESOLVING", None, 10, "message 19406"),
        ("PRIMARY", 10, 60, "message 19406"),
        (None, 60, None, LEFT_OUT),
    ]
    assert in_order(case(messages=AFTER, facts=GAP)) == [
        (None, None, 900, LEFT_OUT),
        ("PRIMARY", 900, 950, "message 19406"),
        ("RESOLVING", 950, None, "message 19406"),
    ]


def test_events_tell_what_the_log_leaves_out():
    seen = """
P | 10 | availability_replica_state_change | availability_group_name=AG; availability_replica_name=P; previous_state=RESOLVING_NORMAL; current_state=PRIMARY_NORMAL
P | 500 | availability_replica_state_change | availability_group_name=AG; availability_replica_name=P; previous_state=PRIMARY_NORMAL; current_state=SECONDARY_NORMAL
"""  # noqa: E501
    assert in_order(case(messages=f"{BEFORE}\n{AFTER}", facts=GAP, events=seen))[2:4] == [
        ("SECONDARY", 500, 900, "availability_replica_state_change"),
        ("PRIMARY", 900, 950, "message 19406"),
    ]


def test_a_whole_copy_of_the_log_leaves_nothing_out():
    made = case(messages=f"{BEFORE}\n{AFTER}", facts=GAP)
    span = {"first_local": START, "last_local": START + timedelta(seconds=2000)}
    made.insert(
        "captures", [{"capture_id": "w", "content_id": "w", "host_id": "P", "reader": "errorlog", **span}]
    )
    assert in_order(made) == [
        ("RESOLVING", None, 10, "message 19406"),
        ("PRIMARY", 10, 950, "message 19406"),
        ("RESOLVING", 950, None, "message 19406"),
    ]


def test_another_server_leaves_nothing_out_of_this_one():
    other = GAP.replace("P |", "S |")
    assert len(told(case(messages=f"{BEFORE}\n{AFTER}", facts=other))) == 3


def test_events_without_the_fields_that_it_takes_tell_nothing():
    assert told(case(events="P | 10 | availability_replica_state_change | availability_group_name=AG")) == []


@pytest.mark.parametrize("every", [5.0, 0.7, 1 / 3])
def test_the_transport_gets_roles_that_begin_on_a_row_of_the_grid(every):
    study = Transport(case(HANDOVER, every=every)).study
    (group,) = study.groups
    starts = {
        role.start for node in group.nodes for role in study.roles[group.ags][node.name] if role.start > 0
    }
    assert starts == {group.nodes[0].times[60]}


@pytest.mark.complete
@needs_captures
def test_the_real_failovers_of_a_day(tmp_path):
    with agtrace.open_case(CAPTURES / "failover_2017", store=tmp_path) as opened:
        frame = opened.roles()
    assert set(frame["ag"]) == {"ag1023"}
    primary = frame[frame["role"] == "PRIMARY"].sort_values("start")
    assert [(row.host_id[-2:], f"{row.start:%H:%M:%S}") for row in primary.itertuples()] == [
        ("V1", "18:47:26"), ("V2", "18:52:01"), ("V1", "18:56:40"), ("V2", "20:16:40"),
        ("V2", "20:47:07"), ("V1", "21:02:13"), ("V2", "21:32:52"), ("V1", "21:52:26"),
        ("V2", "21:53:42"), ("V1", "22:19:08"),
    ]  # fmt: skip
