"""Roles are intervals per group and replica; windows are cut where they change."""

from __future__ import annotations

import math

import pytest

from agtrace.diagnostics.transport import Transport
from agtrace.errors import CaseError
from agtrace.history.roles.collect import role_of
from tests.behind import assert_facts
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import SLOW, one, perfmon, told, verdicts
from tests.folded import folded

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


def roles(made):
    """Give (replica, role, start, end, evidence) with times in seconds after the start."""
    found = []
    for group in Transport(made).study.groups:
        for node in group.nodes:
            for role in Transport(made).study.roles[group.ags][node.name]:
                start, end = role.start - 1709640000, role.end - 1709640000
                found.append((node.name, role.role, start, end, role.evidence))
    return found


@folded(
    ("state", "role"),
    [
        ("PRIMARY_NORMAL", "PRIMARY"),
        ("SECONDARY_NORMAL", "SECONDARY"),
        ("RESOLVING_NORMAL", "RESOLVING"),
        ("PRIMARY_PENDING", "RESOLVING"),
        ("RESOLVING_PENDING_FAILOVER", "RESOLVING"),
        ("NOT_AVAILABLE", "RESOLVING"),
        ("PRIMARY", "PRIMARY"),
        ("SECONDARY", "SECONDARY"),
        (None, "UNKNOWN"),
    ],
)
def test_states_of_messages(state, role):
    assert role_of(state) == role


def test_counters_tell_roles_where_nothing_else_does():
    assert roles(case(perfmon())) == [
        ("P", "PRIMARY", -math.inf, math.inf, "counters"),
        ("S", "SECONDARY", -math.inf, math.inf, "counters"),
    ]


def test_counters_tell_a_handover():
    assert roles(case(HANDOVER)) == [
        ("P", "PRIMARY", -math.inf, 300, "counters"),
        ("P", "SECONDARY", 300, math.inf, "counters"),
        ("S", "SECONDARY", -math.inf, 300, "counters"),
        ("S", "PRIMARY", 300, math.inf, "counters"),
    ]


def test_messages_outrank_counters():
    messages = """
        P | -7200 | replica_state | 19406 | ag=AG; old_state=RESOLVING_NORMAL; new_state=PRIMARY_NORMAL
        P | 301   | replica_state | 19406 | ag=AG; old_state=PRIMARY_NORMAL; new_state=RESOLVING_NORMAL
        P | 303   | replica_state | 19406 | ag=AG; old_state=RESOLVING_NORMAL; new_state=SECONDARY_NORMAL
        P | 100   | replica_state | 19406 | ag=OTHER; old_state=PRIMARY_NORMAL; new_state=SECONDARY_NORMAL
    """
    assert roles(case(HANDOVER, messages=messages))[:4] == [
        ("P", "RESOLVING", -math.inf, -7200, "message 19406"),
        ("P", "PRIMARY", -7200, 301, "message 19406"),
        ("P", "RESOLVING", 301, 303, "message 19406"),
        ("P", "SECONDARY", 303, math.inf, "message 19406"),
    ]


def test_role_changes_of_databases_count_where_the_group_has_no_messages():
    messages = """
        P | 302 | role_change | 1480 | kind=availability group; database=sales; old_role=PRIMARY; new_role=RESOLVING; reason=x
        P | 304 | role_change | 1480 | kind=availability group; database=sales; old_role=RESOLVING; new_role=SECONDARY; reason=x
        P | 100 | role_change | 1480 | kind=availability group; database=Unknown; old_role=PRIMARY; new_role=SECONDARY; reason=x
    """  # noqa: E501
    assert roles(case(HANDOVER, messages=messages))[:3] == [
        ("P", "PRIMARY", -math.inf, 302, "message 1480"),
        ("P", "RESOLVING", 302, 304, "message 1480"),
        ("P", "SECONDARY", 304, math.inf, "message 1480"),
    ]


def test_windows_are_cut_at_the_handover():
    made = case(HANDOVER, every=10)
    assert verdicts(made) == ["network_limited critical 0.6 S", "healthy info 0.9 P"]
    before, after = one(made, "network_limited"), one(made, "healthy")
    assert (before.subject["primary"], after.subject["primary"]) == ("P", "S")
    assert before.window == {"start": "2024-03-05T12:00:30Z", "end": "2024-03-05T12:09:50Z"}
    assert after.window == {"start": "2024-03-05T12:10:00Z", "end": "2024-03-05T12:19:50Z"}


def test_a_moment_without_received_log_is_no_change_of_role():
    rows = perfmon(SLOW, received="30x400000,5x0,400000", queue="30x0,5x0,0..250000", recovery="0")
    assert [role for _, role, *_ in roles(case(rows))] == ["PRIMARY", "SECONDARY"]


# Names and groups


def swapped(text, **names):
    for old, new in names.items():
        text = text.replace(f"{old} |", f"{new} |").replace(f"AG:{old})", f"AG:{new})")
    return text


def test_names_do_not_matter():
    made = case(swapped(perfmon(SLOW), P="ZULU", S="ALFA"))
    assert verdicts(made) == ["network_limited critical 0.6 ALFA"]


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("s.corp.example", "S"),
        ("SQLPRODUCTION0123", "SQLPRODUCTION01"),  # cut to 15 characters in the host's own log
    ],
)
def test_replica_names_find_their_host(written, host):
    rows = perfmon(SLOW).replace("AG:S)", f"AG:{written})").replace("S |", f"{host} |")
    made = case(rows)
    assert verdicts(made) == [f"network_limited critical 0.6 {host}"]
    # The sender's counters for this replica were found by that name.
    assert any(e.label == "sent to the replica, mean" for e in one(made, "network_limited").evidence)


def test_a_named_instance_is_a_replica_of_its_own():
    rows = perfmon(SLOW).replace("SQLServer:", "MSSQL$PAY:").replace("AG:S)", r"AG:S\PAY)")
    rows = rows.replace("AG:P)", r"AG:P\PAY)")
    found = one(case(rows), "network_limited")
    assert found.subject == {"replica": r"S\PAY", "ag": "AG", "host": "S", "primary": r"P\PAY"}


def test_sums_leave_other_databases_out():
    more = r"""
        P | \SQLServer:Databases(_Total)\Log Bytes Flushed/sec | 9000000
        P | \SQLServer:Databases(tempdb)\Log Bytes Flushed/sec | 7000000
        P | \SQLServer:Database Replica(_Total)\Log Send Queue | 0
        S | \SQLServer:Database Replica(_Total)\Log Send Queue | 900000
        S | \SQLServer:Database Replica(_Total)\Log Bytes Received/sec | 400000
    """
    found = one(case(perfmon(SLOW) + more), "network_limited")
    flushed = [e for e in found.evidence if e.label == "log flushed on the primary, mean"]
    assert [e.value for e in flushed] == [1_000_000]


SECOND = r"""
P | \SQLServer:Databases(Stock)\Log Bytes Flushed/sec | 200000
S | \SQLServer:Database Replica(Stock)\Log Send Queue | {queue}
S | \SQLServer:Database Replica(Stock)\Log Bytes Received/sec | {received}
"""


def test_databases_with_one_verdict_share_a_finding():
    second = SECOND.format(queue="0..58594", received="100000")
    made = case(perfmon(SLOW) + second)
    assert verdicts(made) == ["network_limited critical 0.6 S"]
    labels = {e.label: e.value for e in one(made, "network_limited").evidence}
    assert labels["log flushed on the primary, mean"] == 1_200_000
    assert labels["Sales: log received, mean"] == 400_000
    assert labels["Stock: log received, mean"] == 100_000
    assert labels["Stock: log send queue, at the end"] == 60_000_000


def test_databases_with_different_verdicts_are_told_apart():
    second = SECOND.format(queue="3~20", received="200000")
    assert verdicts(case(perfmon(SLOW) + second)) == [
        "network_limited critical 0.6 S Sales",
        "healthy info 0.9 S Stock",
    ]


def test_two_groups_that_run_in_opposite_directions():
    other = r"""
        S | \SQLServer:Databases(Back)\Log Bytes Flushed/sec | 500000
        S | \SQLServer:Availability Replica(GA:P)\Bytes Sent to Replica/sec | 500000
        P | \SQLServer:Availability Replica(GA:S)\Bytes Received from Replica/sec | 500000
        P | \SQLServer:Database Replica(Back)\Log Send Queue | 5~20
        P | \SQLServer:Database Replica(Back)\Log Bytes Received/sec | 500000
    """
    made = case(perfmon(SLOW) + other)
    assert verdicts(made) == ["network_limited critical 0.6 S", "healthy info 0.9 P"]
    assert one(made, "healthy").subject["ag"] == "GA"
    assert one(made, "network_limited").subject["ag"] == "AG"


# Clocks


def test_without_a_zone_only_averages_compare():
    made = case(perfmon(SLOW), zone_unknown=("S",))
    found = one(made, "network_limited")
    assert found.confidence == 0.5
    assert found.window == {"start": "2024-03-05T12:00:20", "end": "2024-03-05T12:09:55", "local": True}
    assert_facts(found, side="both", averaged=None, gate=None, resent=None)
    rpo = one(made, "rpo")
    assert rpo.confidence == 0.5


def test_skew_is_said_where_it_matters():
    apart = case(perfmon(SLOW), skew=(("P", "S", 7000.0),))
    assert_facts(one(apart, "rpo"), method="integral", clocks_apart=7.0, end=True, p50=True)


def test_a_gap_of_hours_starts_a_window_of_its_own():
    rows = perfmon(SLOW)
    made = case(rows, rows=240)
    # The second half was captured a day later.
    for table in ("ticks", "samples"):
        for column in ("time", "time_local"):
            made.run(f"update {table} set {column} = {column} + interval 1 day where tick >= 120")
    first, second = (f for f in Transport(made).findings() if f.id == "transport.network_limited")
    assert first.window == {"start": "2024-03-05T12:00:25Z", "end": "2024-03-05T12:09:55Z"}
    assert second.window == {"start": "2024-03-06T12:10:00Z", "end": "2024-03-06T12:19:55Z"}


@pytest.mark.parametrize(
    "start", ["2024-03-05T12:04:00Z", "2024-03-05T13:04:00+01:00", "2024-03-05T12:04:00"]
)
def test_the_question_can_be_narrowed_in_time(start):
    late = Transport(case(perfmon(SLOW))).only(start=start, end="", replica="")
    (found,) = [f for f in late.findings() if f.id == "transport.network_limited"]
    assert found.window["start"] == "2024-03-05T12:04:00Z"


def test_the_question_can_be_narrowed_to_a_replica_or_a_database():
    second = SECOND.format(queue="3~20", received="200000")
    whole = Transport(case(perfmon(SLOW) + second))
    assert whole.only(replica="other").findings() == []
    assert told(whole.only(replica="s", database="stock").findings()) == ["healthy info 0.9 S Stock"]


def test_a_text_that_is_no_time_is_refused():
    with pytest.raises(CaseError, match="start = 'noon' is no time - write it as 2024"):
        Transport(case()).only(start="noon")


def later(made, host, days):
    """Let a host have been captured some days later."""
    for table in ("ticks", "samples"):
        for column in ("time", "time_local"):
            made.run(
                f"update {table} set {column} = {column} + interval {days} day "
                f"where content_id = 'perfmon-{host}'"
            )
    return made


@pytest.mark.parametrize("zone_unknown", [(), ("S",), ("P", "S")])
def test_a_primary_that_was_captured_on_another_day_is_not_compared(zone_unknown):
    made = later(case(perfmon(SLOW), zone_unknown=zone_unknown), "S", 20)
    (found,) = [f for f in Transport(made).findings() if f.id == "transport.network_limited"]
    assert found.subject["primary"] == "P"
    assert_facts(found, flushed=None, side="replica", averaged=None, clocks_apart=None)
    assert not [e for e in found.evidence if "flushed on the primary" in e.label]


def test_within_a_day_the_unknown_zone_may_explain_the_difference():
    made = later(case(perfmon(SLOW), zone_unknown=("P", "S")), "S", 1)
    assert_facts(one(made, "network_limited"), side="both", averaged=None, gate=None, resent=None)
