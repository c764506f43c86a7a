"""Failovers from small literal cases: one for each trigger and cause, and what must not be called one."""

from __future__ import annotations

from datetime import UTC

import pytest

from tests.diagnostics.tiny import START, case
from tests.folded import folded


def states(*rows):
    """Return messages 19406 of ``host seconds old new``."""
    found = []
    for row in rows:
        host, seconds, old, new = row.split()
        found.append(f"{host} | {seconds} | replica_state | 19406 | ag=AG; old_state={old}; new_state={new}")
    return "\n".join(found)


P, S, R, N = "PRIMARY_NORMAL", "SECONDARY_NORMAL", "RESOLVING_NORMAL", "NOT_AVAILABLE"
STANDS = states(f"A 0 PRIMARY_PENDING {P}", f"B 1 {R} {S}")
TAKES_OVER = states(f"B 602 {S} {R}", f"B 603 {R} PRIMARY_PENDING", f"B 604 PRIMARY_PENDING {P}")
LEAVES = states(f"A 601 {P} {R}")
FAILS = f"{STANDS}\n{LEAVES}\n{TAKES_OVER}"
SILENT = f"{STANDS}\n{TAKES_OVER}"
ORDERLY = f"""{FAILS}
A | 600.9 | preparing | 41075 | ag=AG; new_role=RESOLVING
A | 601 | lease | 19420 | ag=AG; event=stop_requested
"""


def told(messages="", events="", columns="trigger, cause, mode, confidence", **more):
    made = case(messages=messages, events=events, **more)
    query = f"select {columns} from failovers order by failover_id"
    return [tuple(row.values()) for row in made.table(query).to_pylist()]


def seconds(made, expression):
    begin = START.replace(tzinfo=UTC).timestamp()
    return [
        round(row["at"] - begin, 3)
        for row in made.table(f"select epoch({expression}) as at from failovers").to_pylist()
    ]


def test_who_and_when():
    columns = "ag, from_host, to_host, seconds_without_primary, start_source"
    assert told(FAILS, columns=columns) == [("AG", "A", "B", 3.0, "state of the old primary")]
    assert seconds(case(messages=FAILS), "start") == [601]
    assert seconds(case(messages=FAILS), '"end"') == [604]


@pytest.mark.complete
@folded(
    ("messages", "events", "expected"),
    [
        ("A | 600 | lease | 19407 | ag=AG; event=expired", "",
         ("lease_expired", "lease_expired", "automatic", 0.9)),
        ("A | 600 | ag_failure | 41653 | ag=AG; database=Sales", "",
         ("database_failed", "database_failed", "automatic", 0.9)),
        ("A | 600 | stop | 17148 | reason=service_control", "",
         ("instance_stopped", "instance_stopped", "automatic", 0.95)),
        ("A | 599 | cluster | 41049 | event=node_offline", "",
         ("quorum_lost", "quorum_lost", "automatic", 0.75)),
        ("A | 602 | cluster | 41049 | event=node_offline", "", ("open", "open", "open", 0.3)),
        ("A | 602 | cluster | 41049 | event=node_offline\nA | 590 | connection | 35206 | replica=B\n"
         "B | 592 | connection | 35206 | replica=A", "", ("quorum_lost", "network", "automatic", 0.75)),
        ("", "B | 600.5 | alwayson_ddl_executed | availability_group_name=AG; ddl_phase=begin; "
         "statement=ALTER AVAILABILITY GROUP [AG] FAILOVER",
         ("ddl_failover", "ddl_failover", "planned", 0.95)),
        ("", "B | 600.5 | alwayson_ddl_executed | availability_group_name=AG; ddl_phase=begin; "
         "statement=ALTER AVAILABILITY GROUP [AG] FORCE_FAILOVER_ALLOW_DATA_LOSS",
         ("ddl_forced", "ddl_forced", "forced", 0.95)),
        ("", "A | 600.5 | availability_group_lease_expired | availability_group_name=AG; state=LeaseNotValid",
         ("lease_expired", "lease_expired", "automatic", 0.9)),
        ("A | 600 | lease | 19407 | ag=AG; event=expired\nA | 500 | long_io | 833 | duration_ms=19000", "",
         ("lease_expired", "long_io", "automatic", 0.85)),
        ((
            "A | 600 | lease | 19407 | ag=AG; event=expired\n"
            "A | 500 | memory_paged_out | 17890 | duration_s=1"
        ), "",
         ("lease_expired", "memory_pressure", "automatic", 0.85)),
        ("A | 600 | lease | 19407 | ag=AG; event=expired\nA | 500 | long_io | 833 | duration_ms=19000\n"
         "A | 510 | memory_paged_out | 17890 | duration_s=1", "",
         ("lease_expired", "long_io", "automatic", 0.7)),
        ("", "", ("open", "open", "open", 0.3)),
    ],
)  # fmt: skip
def test_what_was_noted_of_the_old_primary_is_the_trigger(messages, events, expected):
    assert told(f"{FAILS}\n{messages}", events) == [expected]


def test_what_happens_on_the_other_node_is_no_trigger():
    beside = "B | 590 | lease | 19407 | ag=AG; event=expired\nB | 600 | long_io | 833 | duration_ms=19000"
    assert told(f"{FAILS}\n{beside}", columns="trigger, cause") == [("open", "open")]


def test_what_happened_long_before_is_no_cause():
    early = "A | 600 | lease | 19407 | ag=AG; event=expired\nA | 200 | long_io | 833 | duration_ms=19000"
    assert told(f"{FAILS}\n{early}", columns="cause") == [("lease_expired",)]


def test_a_consequence_is_no_cause():
    late = states(f"A 700 {P} {R}") + "\nA | 700 | lease | 19407 | ag=AG; event=expired"
    columns = "trigger, confidence <= 0.5, start_source, seconds_without_primary"
    assert told(f"{SILENT}\n{late}", columns=columns) == [("open", True, "replica_state on B", 2.0)]


ASKS = (
    "{} | {} | alwayson_ddl_executed | availability_group_name=AG; ddl_phase=commit; statement=ALTER "
    "AVAILABILITY GROUP [AG] {}"
)
DEMOTED, FORCED = "SET (ROLE = SECONDARY)", "FORCE_FAILOVER_ALLOW_DATA_LOSS"


def test_a_switch_of_a_read_scale_group_whose_primary_was_demoted_first_is_planned():
    events = "\n".join([ASKS.format("A", 600.9, DEMOTED), ASKS.format("B", 603.5, FORCED)])
    assert told(FAILS, events) == [("ddl_forced", "ddl_forced", "planned", 0.75)]


def test_an_old_primary_alone_that_was_demoted_by_a_statement_was_switched_whatever_it_suspends():
    messages = f"""{states(f"A 0 PRIMARY_PENDING {P}", f"A 601 {P} {R}", f"A 605 {R} {S}")}
A | 605.1 | connection | 35202 | ag=AG; replica=B
A | 605.2 | data_movement | 35264 | database=D; event=suspended; source_string=SUSPEND_FROM_PARTNER"""
    assert told(messages, columns="trigger, mode") == [("ddl_forced", "forced")]
    found = told(messages, ASKS.format("A", 600.9, DEMOTED), "trigger, mode, confidence, against")
    assert found == [
        ("ddl_forced", "planned", 0.6, [
            "no capture shows that the databases were synchronised when the old primary gave its role up",
            "the new primary was not captured: its entry is no later than this",
        ])
    ]  # fmt: skip


def test_a_switch_of_databases_that_were_not_synchronised_is_forced():
    events = "\n".join([ASKS.format("A", 600.9, DEMOTED), ASKS.format("B", 603.5, FORCED)])
    look = (
        "A | 500 | database_states | ag=AG; database=D; replica=B; synchronization_state=SYNCHRONIZING; "
        "synchronization_health=PARTIALLY_HEALTHY"
    )
    assert told(FAILS, events, "mode", relations=look) == [("forced",)]


def test_a_primary_that_is_demoted_after_the_other_was_forced_lost_what_it_had_not_sent():
    events = "\n".join([ASKS.format("B", 602.5, FORCED), ASKS.format("A", 603.5, DEMOTED)])
    assert told(FAILS, events, "trigger, mode") == [("ddl_forced", "forced")]


def test_a_statement_that_was_rolled_back_moved_nothing():
    row = (
        "B | {} | alwayson_ddl_executed | availability_group_name=AG; ddl_phase={}; statement=ALTER "
        "AVAILABILITY GROUP [AG] FAILOVER"
    )
    events = "\n".join([row.format(600.5, "begin"), row.format(600.6, "rollback")])
    assert told(FAILS, events, "trigger") == [("open",)]


def test_the_mode_of_a_failover_is_no_statement_to_fail_over():
    events = (
        "B | 600.5 | alwayson_ddl_executed | availability_group_name=AG; ddl_phase=commit; "
        "statement=ALTER AVAILABILITY GROUP [AG] MODIFY REPLICA ON 'B' WITH (FAILOVER_MODE = MANUAL)"
    )
    assert told(FAILS, events, "trigger") == [("open",)]


def test_a_group_that_went_offline_in_order_was_not_planned_for_that_alone():
    """A failed health check, lost quorum and a restarted resource host take it offline in order, too."""
    assert told(ORDERLY) == [("open", "open", "open", 0.4)]


def test_a_node_that_shuts_down_after_its_group_moved_was_drained():
    off = "A | 602 | cluster | 41049 | event=node_offline\nA | 610 | stop | 17147 | reason=system_shutdown"
    assert told(f"{ORDERLY}\n{off}") == [("node_drained", "node_drained", "planned", 0.9)]


def test_a_group_that_comes_back_in_place():
    back = states(f"A 601 {P} {R}", f"A 604 {R} PRIMARY_PENDING", f"A 605 PRIMARY_PENDING {P}")
    lease = "A | 600.9 | lease | 19407 | ag=AG; event=expired"
    columns = "from_host, to_host, trigger, seconds_without_primary"
    assert told(f"{STANDS}\n{back}\n{lease}", columns=columns) == [("A", "A", "lease_expired", 4.0)]


@pytest.mark.parametrize(
    "messages",
    [
        # The first online after the start.
        states(f"A 0 {N} {R}", f"A 5 {R} PRIMARY_PENDING", f"A 6 PRIMARY_PENDING {P}"),
        # The primary's instance starts again and has the group again.
        STANDS + "\n" + states(f"A 100 {N} {R}", f"A 105 {R} PRIMARY_PENDING", f"A 106 PRIMARY_PENDING {P}"),
        # A secondary that restarts, or loses its connection.
        STANDS + "\n" + states(f"B 100 {S} {R}",
            f"B 130 {R} {S}") + "\nA | 99 | connection | 35206 | replica=B",
        STANDS + "\n" + states(f"B 100 {N} {R}",
            f"B 130 {R} {S}") + "\nB | 80 | stop | 17148 | reason=service_control",
    ],
)  # fmt: skip
def test_no_failover(messages):
    assert told(messages) == []


def test_two_groups_on_the_same_nodes_are_told_apart():
    other = (
        FAILS.replace("ag=AG", "ag=OTHER").replace("A |", "X |").replace("B |", "A |").replace("X |", "B |")
    )
    other = "\n".join(
        " | ".join([cells[0], str(float(cells[1]) + 300), *cells[2:]])
        for cells in (line.split(" | ") for line in other.splitlines())
    )
    lease = "B | 900 | lease | 19407 | ag=OTHER; event=expired"
    columns = "ag, from_host, to_host, trigger"
    assert told(f"{FAILS}\n{other}\n{lease}", columns=columns) == [
        ("AG", "A", "B", "open"),
        ("OTHER", "B", "A", "lease_expired"),
    ]


def test_skew_is_removed_and_the_start_never_lies_after_the_end():
    # The clock of B is 4 s behind that of A: by the letters of the logs B had taken over before A left.
    late = FAILS.replace("A | 601 ", "A | 606 ")
    made = case(messages=late + "\n" + pairs(ahead_ms=4000))
    row = made.table(
        'select seconds_without_primary as s, epoch("end") - epoch(start) as d from failovers'
    ).to_pylist()[0]
    assert row == {"s": 2.0, "d": 2.0}
    # By the reference clock, that of A.
    assert seconds(made, '"end"') == [608]


def pairs(ahead_ms):
    """Return connections that both log, A's clock ahead."""
    rows = []
    for at in (20, 40, 60):
        rows.append(
            f"A | {at + ahead_ms / 1000} | connection | 35202 | ag=AG; from_replica=A; replica=B; "
            f"event=established"
        )
        rows.append(f"B | {at} | connection | 35202 | ag=AG; from_replica=B; replica=A; event=established")
    return "\n".join(rows)


def test_only_the_new_primary_was_captured():
    only_new = "\n".join(line for line in SILENT.splitlines() if line.startswith("B"))
    only_new += "\nB | 5 | connection | 35202 | ag=AG; from_replica=B; replica=A; event=established"
    only_new += "\nB | 601 | connection | 35206 | replica=A; event=timeout"
    columns = "from_host, to_host, mode, trigger, confidence <= 0.5, seconds_without_primary"
    assert told(only_new, columns=columns) == [("A", "B", "automatic", "open", True, 3.0)]


def test_only_the_old_primary_was_captured():
    only_old = f"{STANDS.splitlines()[0]}\n" + states(f"A 601 {P} {R}", f"A 610 {R} {S}")
    only_old += "\nA | 600 | lease | 19407 | ag=AG; event=expired"
    only_old += "\nA | 611 | connection | 35202 | ag=AG; from_replica=A; replica=B; event=established"
    columns = "from_host, to_host, trigger, confidence <= 0.6"
    assert told(only_old, columns=columns) == [("A", "B", "lease_expired", True)]


FOLLOWER = "\n".join(
    [
        states(f"C 1 {R} {S}", f"C 601 {S} {R}", f"C 605 {R} {S}"),
        "C | 2 | connection | 35202 | ag=AG; from_replica=C; replica=A; event=established",
        "C | 606 | connection | 35202 | ag=AG; from_replica=C; replica=B; event=established",
    ]
)


def test_a_secondary_that_follows_another_primary_shows_a_failover():
    columns = "from_host, to_host, confidence <= 0.6, seconds_without_primary"
    assert told(FOLLOWER, columns=columns) == [("A", "B", True, None)]


def test_the_next_failover_is_from_the_primary_that_a_secondary_followed_last():
    takes_over = states(f"C 1200 {S} {R}", f"C 1203 {R} PRIMARY_PENDING", f"C 1204 PRIMARY_PENDING {P}")
    assert told(f"{FOLLOWER}\n{takes_over}", columns="from_host, to_host") == [("A", "B"), ("B", "C")]


def test_databases_that_a_later_failover_suspended_do_not_force_the_one_before():
    back = states(f"C 1201 {S} {R}", f"C 1205 {R} {S}")
    back += "\nC | 1205.2 | data_movement | 35264 | event=suspended; source_string=SUSPEND_FROM_PARTNER"
    back += "\nC | 1206 | connection | 35202 | ag=AG; from_replica=C; replica=A; event=established"
    columns = "from_host, to_host, trigger"
    assert told(f"{FOLLOWER}\n{back}", columns=columns) == [("A", "B", "open"), ("B", "A", "ddl_forced")]


@pytest.mark.parametrize(
    "more",
    [f"{STANDS}", "C | 606 | connection | 35202 | ag=OTHER; from_replica=C; replica=D; event=established"],
    ids=["the primary wrote on", "a connection of another group"],
)
def test_a_secondary_that_returns_shows_no_failover(more):
    first = "\n".join(FOLLOWER.splitlines()[:4])
    assert told(f"{first}\n{more}", columns="from_host, to_host") == []


def test_the_primary_of_before_is_not_the_start_of_a_loss_that_nobody_noted():
    """Lost and won back once; then the instance ends without a word and comes back as a secondary."""
    only_old = states(
        f"A 0 PRIMARY_PENDING {P}", f"A 100 {P} {R}", f"A 105 PRIMARY_PENDING {P}", f"A 1300 {N} {R}",
        f"A 1301 {R} {S}",
    )  # fmt: skip
    only_old += "\nA | 1302 | connection | 35202 | ag=AG; from_replica=A; replica=B; event=established"
    made = case(messages=only_old)
    assert seconds(made, "start") == [100, 1301]
    query = "select from_host, to_host, seconds_without_primary from failovers order by failover_id"
    assert [tuple(r.values()) for r in made.rows(query)] == [("A", "A", 5.0), ("A", "B", None)]


def test_a_secondary_that_writes_before_the_new_primary_is_in_place_makes_no_second_failover():
    """B is in place by the letters of the logs only after A follows it, and A's word names it."""
    follows = states(f"A 603.5 {R} {S}")
    named = "A | 603.6 | connection | 35202 | ag=AG; from_replica=A; replica=B; event=established"
    columns = "from_host, to_host, seconds_without_primary"
    assert told(f"{FAILS}\n{follows}\n{named}", columns=columns) == [("A", "B", 3.0)]


def kept(*rows):
    """Return the AlwaysOn_health events of ``host seconds old new``."""
    return "\n".join(
        f"{host} | {at} | availability_replica_state_change | availability_group_name=AG; "
        f"availability_replica_name={host}; previous_state={old}; current_state={new}"
        for host, at, old, new in (row.split() for row in rows)
    )


HEALTH = (f"A 0 PRIMARY_PENDING {P}", f"A 601 {P} {R}", f"B 602 {S} {R}", f"B 604 PRIMARY_PENDING {P}")
IDS = {"A": "11111111-0000-4000-8000-000000000001", "B": "22222222-0000-4000-8000-000000000002"}


def connected(at, here, there, template):
    text = template.format(here=here, here_id=IDS[here], there=there, there_id=IDS[there])
    return f"{here} | {at} | error_reported | error_number=35202; message={text}"


ENGLISH = (
    "A connection for availability group 'AG' from availability replica '{here}' with id  [{here_id}] to "
    "'{there}' with id "
    "[{there_id}] has been successfully established.  This is an informational message only. No user action "
    "is required."
)


def test_alwayson_health_alone_tells_a_failover():
    assert told(events=kept(*HEALTH), columns="from_host, to_host, seconds_without_primary") == [
        ("A", "B", 3.0)
    ]


def test_alwayson_health_alone_tells_a_failover_once_where_the_clock_of_the_new_primary_is_ahead():
    """By its own clock A follows before B is in place, and nothing tells how far they are apart."""
    rows = [row.replace("B 602", "B 611").replace("B 604", "B 613") for row in HEALTH]
    found = told(events=kept(*rows, f"A 605 {R} {S}"), columns="from_host, to_host")
    assert found == [("A", "B")]


def test_alwayson_health_of_the_old_primary_names_the_new_one():
    events = kept(*HEALTH[:2], f"A 605 {R} {S}") + "\n" + connected(605.4, "A", "B", ENGLISH)
    columns = "from_host, to_host, seconds_without_primary, confidence <= 0.6"
    assert told(events=events, columns=columns) == [("A", "B", None, True)]


def test_every_reason_names_where_it_stands():
    made = case(messages=FAILS + "\nA | 600 | lease | 19407 | ag=AG; event=expired")
    reasons = made.table("select unnest(reasons, recursive := true) from failovers").to_pylist()
    assert [(r["host_id"], r["kind"]) for r in reasons] == [
        ("A", "lease_expired"), ("A", "replica_state"), ("B", "replica_state"),
    ]  # fmt: skip
    assert all(r["content_id"] and r["line"] for r in reasons)


def gap(*hosts):
    """Return logs that leave out the time from 10 s to 500 s."""
    return "\n".join(
        f"{host} | errorlog_gap | 0 | {key} | x | {at}"
        for host in hosts
        for key, at in (("from", 10), ("to", 500))
    )


@pytest.mark.parametrize(
    ("messages", "hosts", "expected"),
    [(SILENT, ("A",), "A"), (SILENT, ("A", "B"), ""), (FAILS, ("A", "B"), "A"), (SILENT, ("B",), "A")],
    ids=["the secondary sees it through", "nobody does", "the tail tells", "of the other log"],
)
def test_who_was_primary_is_not_carried_across_what_a_log_leaves_out(messages, hosts, expected):
    columns = "from_host, to_host"
    assert told(messages, columns=columns, facts=gap(*hosts)) == [(expected, "B")]


def test_an_old_primary_alone_that_noted_its_lease_late_lost_its_role_when_it_had_run_out():
    lease = (
        "A | 806 | availability_group_lease_expired | availability_group_name=AG; state=LeaseExpired; "
        "current_time=900000; new_timeout=700000"
    )
    follows = (
        f"{states(f'A 806.1 {P} {R}', f'A 808 {R} {S}')}\nA | 808.1 | connection | 35202 | ag=AG; replica=B"
    )
    messages = f"{states(f'A 0 PRIMARY_PENDING {P}')}\n{follows}"
    columns = "from_host, trigger, start_source, seconds_without_primary"
    found = case(messages=messages, events=lease)
    assert told(messages, lease, columns=columns) == [("A", "lease_expired", "lease_expired on A", None)]
    assert seconds(found, "start") == [606]
