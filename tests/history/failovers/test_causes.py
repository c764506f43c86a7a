"""Every trigger and every root cause from a literal timeline, alone and two at once: which one counts, how
sure.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.history.failovers.event import Event
from agtrace.history.failovers.rows import failovers
from tests.folded import folded

P, S, R, PENDING = "PRIMARY_NORMAL", "SECONDARY_NORMAL", "RESOLVING_NORMAL", "PRIMARY_PENDING"


def on(seconds, kind, host="A", *, by=None, ag=None, before=None, after=None, until=None, text=""):
    """Return an event of a host, from its own ERRORLOG or that of another one."""
    witness = {"source": "ERRORLOG", "host_id": by or host, "content_id": "c", "line": 1, "time": None}
    return Event(float(seconds), until, host, ag, kind, before, after, None, text, 0.0, (witness,))


def state(host, seconds, before, after, ag="AG"):
    return on(seconds, "replica_state", host, ag=ag, before=before, after=after)


STANDS = [state("A", 0, PENDING, P), state("B", 1, R, S)]
LEAVES = state("A", 601, P, R)
TAKES_OVER = [state("B", 602, S, R), state("B", 603, R, PENDING), state("B", 604, PENDING, P)]
FAILS = [*STANDS, LEAVES, *TAKES_OVER]
SILENT = [*STANDS, *TAKES_OVER]


def told(*events):
    return failovers(sorted(events, key=lambda one: one.at), [])


def seen(*events):
    return [(row["trigger"], row["cause"], row["mode"], row["confidence"]) for row in told(*events)]


def busy(*moments):
    return [on(at, "processors_busy") for at in moments]


LEASE = on(600, "lease_expired", ag="AG")
LOST = on(600, "lease_lost", ag="AG")
TIMEOUT = on(600.5, "health_timeout", ag="AG")
DIED_AND_BACK = on(598, "restart", after="died", until=1200.0)


def error(component):
    return on(
        600.5, "health_error", ag="AG", text=f"Failure detected, the state of {component} component is error"
    )


CAUSES = {
    "lease": (FAILS, [LEASE], ("lease_expired", "lease_expired", "automatic", 0.9)),
    "lease, as the cluster saw it": (FAILS, [LOST], ("lease_expired", "lease_expired", "automatic", 0.9)),
    "lease, processors": (FAILS, [LEASE, *busy(520, 580)],
        ("lease_expired", "cpu_starvation", "automatic", 0.85)),
    "lease, a scheduler that does not yield": (
        FAILS, [LEASE, on(540, "non_yielding"), on(590, "non_yielding")],
        ("lease_expired", "cpu_starvation", "automatic", 0.85)),
    "lease, processors busy once": (FAILS, [LEASE, *busy(580)],
        ("lease_expired", "lease_expired", "automatic", 0.9)),
    "lease, processors busy before, not then": (
        FAILS, [LEASE, *busy(310, 370, 430)], ("lease_expired", "lease_expired", "automatic", 0.9)),
    "lease, dump": (FAILS, [LEASE, on(560, "dump")], ("lease_expired", "dump", "automatic", 0.85)),
    "lease, disks": (FAILS, [LEASE, on(500, "long_io")], ("lease_expired", "long_io", "automatic", 0.85)),
    "lease, memory": (FAILS, [LEASE, on(580, "memory_low")],
        ("lease_expired", "memory_pressure", "automatic", 0.85)),
    "lease, out of memory": (FAILS, [LEASE, on(580, "out_of_memory")],
        ("lease_expired", "memory_pressure", "automatic", 0.85)),
    "health check": (FAILS, [TIMEOUT], ("health_timeout", "health_timeout", "automatic", 0.9)),
    "health check, disks": (FAILS, [TIMEOUT, on(480, "long_io")],
        ("health_timeout", "long_io", "automatic", 0.85)),
    "health check, processors": (FAILS, [TIMEOUT, *busy(500, 560)],
        ("health_timeout", "cpu_starvation", "automatic", 0.85)),
    "health check, dump": (FAILS, [TIMEOUT, on(590, "dump")], ("health_timeout", "dump", "automatic", 0.85)),
    "error of query processing": (FAILS, [error("query_processing")],
        ("health_error", "health_error", "automatic", 0.9)),
    "error of system, dump": (FAILS, [error("system"), on(590, "dump")],
        ("health_error", "dump", "automatic", 0.85)),
    "error of resource, memory": (
        FAILS, [error("resource"), on(590, "memory_low")],
        ("health_error", "memory_pressure", "automatic", 0.85)),
    "error of a component that disks do not bring about": (
        FAILS, [error("query_processing"), on(500, "long_io")],
        ("health_error", "health_error", "automatic", 0.9)),
    "a component in error, and no word of the cluster": (
        FAILS, [on(590, "component_state", after="error", text="component system: error")],
        ("health_error", "health_error", "automatic", 0.75)),
    "process gone": (FAILS, [on(600.5, "server_died", ag="AG")],
        ("instance_died", "instance_died", "automatic", 0.9)),
    "process gone, as Windows saw it": (FAILS, [on(600.5, "service_died")],
        ("instance_died", "instance_died", "automatic", 0.9)),
    "process gone after a dump": (
        FAILS, [on(600.5, "server_died", ag="AG"), on(590, "dump")],
        ("instance_died", "dump", "automatic", 0.85)),
    "process gone, disks slow": (
        FAILS, [on(600.5, "server_died", ag="AG"), on(590, "long_io")],
        ("instance_died", "instance_died", "automatic", 0.9)),
    "log that ends without a word": (
        SILENT, [DIED_AND_BACK],
        ("instance_died", "instance_died", "automatic", 0.5)),
    "node gone": (
        SILENT, [on(601, "node_removed", by="B"), on(590, "power_lost"),
                 DIED_AND_BACK],
        ("node_down", "node_down", "automatic", 0.85)),
    "node gone, or cut off": (SILENT, [on(601, "node_removed", by="B")],
        ("node_down", "node_down", "automatic", 0.5)),
    "node removed whose instance went on": (
        SILENT, [on(601, "node_removed", by="B"), state("A", 900, P, R)], ("open", "open", "automatic", 0.5)),
    "node fenced": (SILENT, [on(600, "fenced", after="OK", by="B"), on(600, "node_left", by="B")],
        ("node_down", "node_down", "automatic", 0.85)),
    "node that could not be fenced": (SILENT, [on(600, "fence_failed", by="B"), on(600, "node_left", by="B")],
        ("node_down", "node_down", "automatic", 0.5)),
    "quorum": (FAILS, [on(600.9, "quorum_lost")], ("quorum_lost", "quorum_lost", "automatic", 0.9)),
    "quorum, network": (
        FAILS, [on(600.9, "quorum_lost"), on(596, "heartbeats_missed", host="B")],
        ("quorum_lost", "network", "automatic", 0.8)),
    "database": (FAILS, [on(600, "database_failed", ag="AG")],
        ("database_failed", "database_failed", "automatic", 0.9)),
    "stop": (FAILS, [on(600, "stop_requested")], ("instance_stopped", "instance_stopped", "automatic", 0.95)),
    "nothing": (FAILS, [], ("open", "open", "open", 0.3)),
}  # fmt: skip


@folded(("group", "more", "expected"), CAUSES.values())
def test_one_cause(group, more, expected):
    assert seen(*group, *more) == [expected]


TWO = {
    # A dump holds the process, a slow disk lets workers wait, lack of memory makes disks and processors busy.
    "dump and disks": ([LEASE, on(560, "dump"), on(500, "long_io")], "dump", "long_io"),
    "disks and memory": ([TIMEOUT, on(500, "long_io"), on(510, "memory_low")], "long_io", "memory_pressure"),
    "disks and processors": ([LEASE, on(500, "long_io"), *busy(520, 580)], "long_io", "cpu_starvation"),
    "memory and processors": ([LEASE, on(510, "memory_low"), *busy(520, 580)], "memory_pressure",
        "cpu_starvation"),
    "dump and processors": ([LEASE, on(560, "dump"), *busy(520, 580)], "dump", "cpu_starvation"),
}  # fmt: skip


@pytest.mark.parametrize(("more", "named", "beside"), TWO.values(), ids=TWO)
def test_of_two_shortages_the_one_that_brings_the_other_is_named_and_less_sure(more, named, beside):
    (row,) = told(*FAILS, *more)
    assert (row["cause"], row["confidence"]) == (named, 0.7)
    assert f"{beside} was seen as well" in row["against"]


BESIDE = {
    # The stop came first, and what follows from it is no cause.
    "stop, then the lease": ([on(600, "stop_requested"), on(600.9, "lease_stopped", ag="AG")],
        "instance_stopped"),
    # The node was cut off: its lease ran out for it.
    "quorum and lease": ([on(599, "quorum_lost"), LEASE], "quorum_lost"),
    # The lease ran out first; the node went offline for it.
    "lease, then offline": ([LEASE, on(603, "node_offline")], "lease_expired"),
    "health check and lease": ([TIMEOUT, LEASE], "health_timeout"),
    "database and health check": ([on(600, "database_failed", ag="AG"), TIMEOUT], "database_failed"),
}  # fmt: skip


@pytest.mark.parametrize(("more", "trigger"), BESIDE.values(), ids=BESIDE)
def test_of_two_triggers_the_one_that_brings_the_other_counts(more, trigger):
    assert [row["trigger"] for row in told(*FAILS, *more)] == [trigger]


def other_group(events, later):
    """Return the same of another group, reversed and later."""
    swapped = {"A": "B", "B": "A"}
    return [
        replace(one, at=one.at + later, host=swapped[one.host], ag="OTHER" if one.ag else None)
        for one in events
    ]


@pytest.mark.parametrize("later", [2.5, 60, 300])
def test_two_groups_on_the_same_nodes_have_causes_of_their_own(later):
    """What names a group is none of the other's, however near they fail over."""
    rows = told(*FAILS, LEASE, *other_group([*FAILS, TIMEOUT], later))
    assert [(r["ag"], r["from_host"], r["to_host"], r["trigger"]) for r in rows] == [
        ("AG", "A", "B", "lease_expired"), ("OTHER", "B", "A", "health_timeout"),
    ]  # fmt: skip


def test_a_stop_of_the_node_takes_all_its_groups():
    both = [replace(one, ag="OTHER") for one in FAILS]
    rows = told(*FAILS, *both, on(600, "stop_requested"))
    assert [(row["ag"], row["trigger"]) for row in rows] == [
        ("AG", "instance_stopped"), ("OTHER", "instance_stopped"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        # It may have been a statement on the new primary, even a forced one.
        ([], ("open", "open", "open", 0.4)),
        ([on(600.8, "group_moved", ag="AG", after="Manual")], ("open", "open", "open", 0.4)),
        # Somebody asked this node's cluster service.
        ([on(600.7, "move_asked", ag="AG", after="Manual")],
         ("cluster_move", "cluster_move", "planned", 0.5)),
        ([on(600.7, "move_asked", ag="AG", after="Drain")], ("node_drained", "node_drained", "planned", 0.6)),
    ],
)  # fmt: skip
def test_who_wanted_it_is_open_where_only_the_old_primary_tells_that_it_went_in_order(more, expected):
    orderly = on(600.9, "preparing_resolving", ag="AG")
    follows = replace(on(606.2, "connected", ag="AG"), other="B")
    only_old = [STANDS[0], orderly, LEAVES, state("A", 606, R, S), follows]
    assert seen(*only_old, *more) == [expected]


ASKED = [
    state("B", 599.4, S, "RESOLVING_PENDING_FAILOVER"),
    state("B", 603, "RESOLVING_PENDING_FAILOVER", PENDING),
    state("B", 604, PENDING, P),
]  # fmt: skip
IN_ORDER = on(600.9, "preparing_resolving", ag="AG")
FOLLOWS = state("A", 605, R, S)
CONNECTED = replace(on(605.8, "database_connected"), other="B")
HELD = on(605.2, "movement_suspended", after="SUSPEND_FROM_PARTNER")
PLANNED = ("ddl_failover", "ddl_failover", "planned", 0.75)
FORCED = ("ddl_forced", "ddl_forced", "forced", 0.9)
EITHER = ("ddl_failover", "ddl_failover", "open", 0.5)


def look(seconds, ag="AG", reason="SUSPEND_FROM_PARTNER"):
    text = f"Sales on A in {ag}, NOT SYNCHRONIZING, NOT_HEALTHY, suspended {reason}"
    return on(seconds, "look_database", by="B", ag=ag, after="NOT SYNCHRONIZING", text=text)


STATEMENTS = {
    "data moves again": ([IN_ORDER, LEAVES, FOLLOWS, CONNECTED], PLANNED),
    "data does not move": ([IN_ORDER, LEAVES, FOLLOWS, CONNECTED, HELD], FORCED),
    "the old primary comes back later": ([replace(FOLLOWS, at=9000), replace(HELD, at=9000.4)], FORCED),
    "suspended by a third replica": ([IN_ORDER, LEAVES, state("C", 605, R, S), replace(HELD, host="C")],
        FORCED),
    "a look shows databases that stand": ([IN_ORDER, LEAVES, look(4000)], FORCED),
    "of another group": ([IN_ORDER, LEAVES, look(4000, "OTHER")], EITHER),
    "suspended by somebody": ([IN_ORDER, LEAVES, FOLLOWS, CONNECTED,
        replace(HELD, after="SUSPEND_FROM_USER")], PLANNED),
    "suspended long after": ([IN_ORDER, LEAVES, FOLLOWS, CONNECTED, replace(HELD, at=800)], PLANNED),
    "only the new primary": ([], EITHER),
    "nobody follows": ([IN_ORDER, LEAVES], EITHER),
    "connected to another one": ([IN_ORDER, LEAVES, FOLLOWS, replace(CONNECTED, other="C")], EITHER),
}  # fmt: skip


@folded(("more", "expected"), STATEMENTS.values())
def test_what_a_statement_did_to_the_databases_tells_asked_from_forced(more, expected):
    assert seen(*STANDS, *ASKED, *more) == [expected]


def test_where_nothing_tells_asked_from_forced_both_are_said_to_be_possible():
    (row,) = told(*STANDS, *ASKED, IN_ORDER, LEAVES)
    (against,) = row["against"]
    assert against.endswith("both are possible")


def test_a_statement_without_a_primary_is_the_likelier_forced():
    (row,) = told(*STANDS, *ASKED)
    assert row["against"][1].endswith("a forced failover is the likelier one")


def test_the_old_primary_alone_tells_a_forced_failover_by_its_databases():
    follows = replace(on(606.2, "connected", ag="AG"), other="B")
    only_old = [STANDS[0], IN_ORDER, LEAVES, state("A", 606, R, S), follows, replace(HELD, at=606.1)]
    assert seen(*only_old) == [("ddl_forced", "ddl_forced", "forced", 0.6)]


def test_suspended_databases_are_no_statement_where_the_lease_ran_out_and_nobody_asked():
    assert seen(*FAILS, LEASE, FOLLOWS, HELD) == [("lease_expired", "lease_expired", "automatic", 0.9)]


def test_suspended_databases_are_less_sure_without_the_state_that_a_statement_brings():
    assert seen(*FAILS, IN_ORDER, FOLLOWS, HELD) == [("ddl_forced", "ddl_forced", "forced", 0.6)]


def test_databases_of_another_group_that_moved_at_the_same_moment_make_it_less_sure():
    """Message 35264 names a database, and no group."""
    other = state("A", 604.8, R, S, ag="OTHER")
    rows = told(*STANDS, *ASKED, IN_ORDER, LEAVES, FOLLOWS, HELD, other)
    (row,) = [row for row in rows if row["ag"] == "AG"]
    assert (row["trigger"], row["confidence"]) == ("ddl_forced", 0.6)


def test_what_a_later_failover_suspends_is_not_of_the_one_before():
    back = [
        state("A", 2000, S, "RESOLVING_PENDING_FAILOVER"), state("B", 2001, P, R),
        on(2000.9, "preparing_resolving", "B", ag="AG"), state("A", 2004, PENDING, P), state("B", 2005, R, S),
        replace(HELD, host="B", at=2005.3),
    ]  # fmt: skip
    rows = seen(*STANDS, *ASKED, IN_ORDER, LEAVES, FOLLOWS, CONNECTED, *back)
    assert rows == [PLANNED, FORCED]


# A primary that stood still


def still(since, until, kind="machine paused", host="A"):
    one = on(since, "standstill", host, after=kind, until=float(until), text=f"stood still: {kind}")
    return replace(one, value=float(until - since))


def noted_late(at, run_out):
    return replace(on(at, "lease_expired", ag="AG"), value=float(run_out))


def test_a_machine_that_was_paused_is_trigger_and_cause():
    assert seen(*SILENT, still(590, 960)) == [("standstill", "standstill", "automatic", 0.85)]


def test_what_the_cluster_wrote_of_a_paused_node_is_evidence_and_no_other_trigger():
    gone = [on(603, "node_removed"), on(603, "node_quarantined"), on(960, "quorum_lost")]
    (row,) = told(*SILENT, still(590, 960), *gone)
    assert (row["trigger"], row["cause"]) == ("standstill", "standstill")
    assert {"node_removed", "node_quarantined"} <= {one["kind"] for one in row["reasons"]}


def test_a_server_that_was_silent_is_the_cause_of_its_lease():
    found = seen(*SILENT, still(560, 700, "SQL Server silent"), noted_late(700, 110))
    assert found == [("lease_expired", "standstill", "automatic", 0.75)]


def test_a_primary_that_was_silent_and_alone_captured_was_lost_when_its_lease_was():
    follows = [state("A", 700, P, R), state("A", 702, R, S)]
    follows.append(replace(on(703, "connected", ag="AG"), other="B"))
    silent = still(560, 700, "SQL Server silent")
    (row,) = told(state("A", 0, PENDING, P), silent, on(580, "lease_lost", ag="AG"), *follows)
    assert (row["from_host"], row["to_host"], row["start"].timestamp()) == ("A", "B", 580)


def test_a_primary_that_was_paused_and_alone_captured_was_lost_when_it_stood_still():
    follows = [state("A", 980, P, R), state("A", 982, R, S)]
    follows += [replace(on(983, "connected", ag="AG"), other="B"), on(970, "node_offline")]
    (row,) = told(state("A", 0, PENDING, P), still(590, 960), *follows)
    assert (row["from_host"], row["to_host"], row["start"].timestamp()) == ("A", "B", 590)


GONE_LATE = [state("A", 0, PENDING, P), state("A", 790, P, R), state("A", 900, R, S)]
FOLLOWS_B = replace(on(901, "connected", ag="AG"), other="B")


def spans(*events):
    return [
        (row["from_host"], row["to_host"], row["start"].timestamp(), row["end"].timestamp())
        for row in told(*events)
    ]


def test_a_move_that_another_node_tells_is_the_failover_that_the_old_primary_notes_late():
    moved = replace(on(601, "group_moved", by="C", ag="AG", after="NodeDown"), other="B")
    assert spans(*GONE_LATE, FOLLOWS_B, moved) == [("A", "B", 601, 900)]


def test_a_third_replica_that_follows_the_new_primary_tells_when_the_old_one_was_lost_that_notes_it_late():
    third = [state("C", 1, R, S), state("C", 602, S, R), state("C", 606, R, S)]
    third.append(replace(on(607, "connected", "C", ag="AG"), other="B"))
    assert spans(*GONE_LATE, FOLLOWS_B, *third) == [("A", "B", 602, 900)]


def test_a_third_replica_that_follows_the_same_primary_again_tells_no_loss():
    third = [state("C", 1, R, S), state("C", 602, S, R), state("C", 606, R, S)]
    third.append(replace(on(607, "connected", "C", ag="AG"), other="A"))
    assert spans(*GONE_LATE, FOLLOWS_B, *third) == [("A", "B", 790, 900)]


def test_a_quorum_that_a_primary_alone_captured_noted_as_it_went_on_is_a_consequence():
    follows = [state("A", 980, P, R), state("A", 982, R, S), on(969, "quorum_lost"), on(970, "node_offline")]
    follows.append(replace(on(983, "connected", ag="AG"), other="B"))
    found = seen(state("A", 0, PENDING, P), still(590, 960, "open"), *follows)
    assert found == [("standstill", "standstill", "automatic", 0.6)]


def test_a_lease_that_is_noted_late_counts_from_when_it_had_run_out():
    assert seen(*SILENT, noted_late(700, 110)) == [("lease_expired", "lease_expired", "automatic", 0.85)]


@pytest.mark.parametrize("run_out", [0, 20], ids=["expired then", "expired after the new one was in place"])
def test_a_lease_that_had_not_run_out_before_the_new_primary_was_in_place_triggered_nothing(run_out):
    ((trigger, *_),) = seen(*SILENT, noted_late(700, run_out))
    assert trigger != "lease_expired"


def test_busy_processors_before_a_standstill_leave_starvation_possible():
    (row,) = told(*SILENT, *busy(440, 500), still(560, 700, "SQL Server silent"), noted_late(700, 110))
    assert (row["cause"], row["confidence"]) == ("standstill", 0.6)
    assert row["against"] == ["its processors were busy before: starved to a standstill stays possible"]


def test_a_dump_before_a_standstill_is_what_held_the_server():
    (row,) = told(*SILENT, on(555, "dump"), still(560, 700, "SQL Server silent"), noted_late(700, 110))
    assert row["cause"] == "dump"


def test_slow_reads_that_are_noted_when_it_goes_on_are_no_cause():
    (row,) = told(*SILENT, still(560, 603, "SQL Server silent"), on(603.5, "long_io"), noted_late(603.6, 20))
    assert row["cause"] == "standstill"


@pytest.mark.parametrize(
    "other", [still(100, 500), still(590, 960, "clock stepped"), still(590, 960, host="B")],
    ids=["over before", "a clock that was set", "of the other host"],
)  # fmt: skip
def test_other_standstills_cause_nothing(other):
    ((trigger, cause, *_),) = seen(*SILENT, other)
    assert "standstill" not in (trigger, cause)


def test_a_standstill_that_does_not_tell_what_stood_still_is_worth_less():
    (row,) = told(*SILENT, still(590, 960, "open"))
    assert (row["trigger"], row["confidence"]) == ("standstill", 0.6)


def test_a_quorum_that_is_noted_as_lost_when_the_server_goes_on_is_a_consequence():
    removed = [on(598, "heartbeats_missed", host="B"), on(601, "node_removed", by="B")]
    noted = [on(650.1, "connection_timeout", ag="AG"), on(658, "quorum_lost"), on(658.5, "node_offline")]
    found = seen(*SILENT, *removed, still(590, 650, "open"), *noted)
    assert found == [("standstill", "standstill", "automatic", 0.6)]


def test_a_quorum_that_was_lost_while_the_server_stood_still_was_lost_by_its_node():
    missed, lost = on(598, "heartbeats_missed", host="B"), on(600.9, "quorum_lost")
    found = seen(*SILENT, missed, lost, still(590, 650, "SQL Server silent"))
    assert found == [("quorum_lost", "network", "automatic", 0.8)]


def test_a_primary_that_notes_late_that_it_was_cut_off_may_have_stood_still():
    removed = [on(598, "heartbeats_missed", host="B"), on(601, "node_removed", by="B")]
    noted = [on(650.1, "connection_timeout", ag="AG"), on(658, "quorum_lost")]
    (row,) = told(*SILENT, *removed, *noted)
    assert (row["trigger"], row["cause"], row["confidence"]) == ("quorum_lost", "network", 0.5)
    assert row["against"] == [
        "the old primary noted none of it before the new one was in place: it may have stood still"
    ]


DIED = on(598, "restart", after="died", until=900.0)


def test_a_role_that_failed_on_a_node_that_stayed_tells_an_instance_that_died():
    failed = on(600, "resource_failed", "", ag="AG")
    assert seen(*SILENT, DIED, failed) == [("instance_died", "instance_died", "automatic", 0.75)]


def test_a_role_that_failed_with_its_node_does_not():
    failed = on(600, "resource_failed", "", ag="AG")
    ((*_, confidence),) = seen(*SILENT, DIED, failed, on(640, "node_removed", "A", by="A"))
    assert confidence == 0.5


def test_a_node_that_was_cut_off_before_it_took_its_group_offline_was_not_drained():
    stopped = on(600.5, "lease_stopped", ag="AG")
    found = seen(*FAILS, stopped, on(599, "node_offline"), on(700, "system_shutdown"))
    assert found == [("quorum_lost", "quorum_lost", "automatic", 0.75)]


def test_a_group_that_may_have_been_moved_on_purpose_was_lost_by_no_shortage():
    assert seen(*FAILS, *busy(500, 560, 590)) == [("open", "open", "open", 0.3)]


def test_a_service_that_is_not_alive_may_have_been_stopped_where_its_log_was_not_captured():
    away = on(612, "restart", after="open", until=700.0)
    dead = on(600.5, "server_died", ag="AG")
    assert seen(*FAILS, dead, away) == [("open", "open", "automatic", 0.5)]
    assert seen(*FAILS, dead, away, *busy(500, 560, 590)) == [("open", "open", "automatic", 0.5)]
