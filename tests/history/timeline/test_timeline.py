"""The timeline: the same event told by several is one row, and each row says who tells it."""

from __future__ import annotations

from datetime import UTC

import pytest

import agtrace
from agtrace.history.reference_clock.skews import skews
from simulation.formats.errorlog import Log
from tests.diagnostics.tiny import START, case
from tests.history.failovers.test_failovers import pairs, states

P, R = "PRIMARY_NORMAL", "RESOLVING_NORMAL"
SEEN = (
    "A | {} | availability_replica_state_change | availability_group_name=AG; "
    f"availability_replica_name=A; previous_state={P}; current_state={R}"
)


def rows(made, kind="replica_state"):
    begin = START.replace(tzinfo=UTC).timestamp()
    query = f"""
        select round(epoch(time) - {begin}, 3) as at, host_id, before, after,
               list_transform(witnesses, lambda w: w.source) as sources
        from timeline where kind = $kind order by time
    """
    return [tuple(row.values()) for row in made.table(query, {"kind": kind}).to_pylist()]


def test_a_message_and_an_event_of_the_same_change_are_one_row():
    made = case(messages=states(f"A 10 {P} {R}"), events=SEEN.format(10.4))
    assert rows(made) == [(10, "A", P, R, ["ERRORLOG", "Extended Events"])]


def test_changes_that_one_file_tells_twice_are_two():
    made = case(
        messages=states(f"A 10 {P} {R}", f"A 11 {P} {R}"), events=SEEN.format(10) + "\n" + SEEN.format(11)
    )
    assert [row[0] for row in rows(made)] == [10, 11]
    assert {len(row[4]) for row in rows(made)} == {2}


def test_changes_far_apart_or_of_two_groups_or_hosts_stay_apart():
    made = case(
        messages=states(f"A 10 {P} {R}", f"B 10 {P} {R}")
        + f"\nA | 10 | replica_state | 19406 | ag=OTHER; old_state={P}; new_state={R}",
        events=SEEN.format(20),
    )
    assert len(rows(made)) == 4


def test_times_are_those_of_one_clock():
    made = case(messages=states(f"A 14 {P} {R}") + "\n" + pairs(ahead_ms=4000))
    ahead = made.table("select distinct host_id, skew_ms from timeline order by 1").to_pylist()
    assert [row["skew_ms"] for row in ahead] in ([4000, 0], [0, -4000])
    common = {row["host_id"]: row["skew_ms"] for row in ahead}
    assert rows(made)[0][0] == 14 - common["A"] / 1000


@pytest.mark.parametrize(
    ("pairs", "spread_ms", "shifted"),
    [(3, 900.0, True), (2, 10.0, True), (2, 4000.0, False), (1, 0.0, False)],
)
def test_one_pair_of_moments_shifts_nobody_and_two_do_where_they_agree(pairs, spread_ms, shifted):
    row = {"host_id": "A", "other_host_id": "B", "ms": 4000.0, "spread_ms": spread_ms, "n": pairs}
    assert skews([row]) == ({"A": ("A", 0.0), "B": ("A", -4000.0)} if shifted else {})


def test_a_number_is_enough_where_the_wording_of_a_language_is_not_known(tmp_path):
    log = Log().start("SQL1")
    log.error(
        "Server",
        19419,
        16,
        1,
        "Windows Server Feilover-klynge mottok ikke 'AG'.",
        "Feil: {}, alvorsgrad: {}, tilstand: {}.",
    )
    (tmp_path / "SQL1").mkdir()
    (tmp_path / "SQL1" / "ERRORLOG").write_bytes(log.windows())
    with agtrace.open_case(tmp_path) as opened:
        found = opened.sql("select kind, host_id from timeline where kind = 'lease_no_signal'").fetchall()
    assert found == [("lease_no_signal", "SQL1")]


TEXTS = [
    (
        "A timeout occurred while waiting for memory resources to execute the query.",
        "memory_grant_timeout",
        {},
    ),
    ("There is insufficient memory available in the buffer pool.", "out_of_memory", {}),
    (
        "Failed to designate the local availability replica of availability group 'AG' as the primary "
        "replica.",
        "failover_refused",
        {"ag": "AG"},
    ),
    (
        "The attempt to join database 'D' to the availability group was rejected by the primary database.",
        "join_refused",
        {"database": "D"},
    ),
    ("Cannot recover the master database. SQL Server is unable to run.", "start_failed", {}),
    ("The log for database 'D' is not available.", "log_not_available", {"database": "D"}),
    (
        "Database 'D' cannot be opened due to inaccessible files or insufficient memory or disk space.",
        "database_closed",
        {"database": "D"},
    ),
    ("Always On: AG integrity check failed for AG 'AG' with error 41044.", "integrity_failed", {"ag": "AG"}),
    ("The operating system returned error 665(limit) to SQL Server during a write.", "file_limit", {}),
]


def test_english_texts_without_their_numbers_are_known_with_the_names_that_they_quote(tmp_path):
    log = Log().start("SQL1")
    for text, _kind, _names in TEXTS:
        log.add("spid9s", text)
    (tmp_path / "SQL1").mkdir()
    (tmp_path / "SQL1" / "ERRORLOG").write_bytes(log.windows())
    with agtrace.open_case(tmp_path) as opened:
        found = opened.sql("select text, kind, ag, database from timeline where kind <> 'ready'").fetchall()
    expected = [(text, kind, names.get("ag"), names.get("database")) for text, kind, names in TEXTS]
    assert sorted(found) == sorted(expected)


def test_input_that_held_a_scheduler_for_a_second_is_not_message_833():
    said = "A | 300 | long_sync_io |  | scheduler=3; count=1; milliseconds=1000"
    assert case(messages=said).rows("select kind, value from timeline") == [
        {"kind": "long_sync_io", "value": 1000.0}
    ]


def test_a_case_without_anything_has_an_empty_timeline_with_all_columns():
    made = case()
    assert made.table("select * from timeline").num_rows == 0
    assert made.table("select * from failovers").num_rows == 0
    assert made.table("select * from component_health").num_rows == 0


def strain(perfmon, at=300):
    made = case(perfmon, messages=states(f"A {at} {P} {R}"), rows=240)
    query = f"""
        select round(epoch(time) - {START.replace(tzinfo=UTC).timestamp()}) as at, kind, value, witnesses[1].source as source
        from timeline where kind <> 'replica_state' order by time, kind
    """  # noqa: E501
    return [tuple(row.values()) for row in made.rows(query)]


BUSY = r"A | \Processor(_Total)\% Processor Time"


def test_minutes_in_which_perfmon_shows_no_processor_free_are_on_the_timeline():
    """A sample every 5 s, busy from 230 to 340 s: one whole minute, and parts of two."""
    assert strain(f"{BUSY} | 46x20, 22x97, 30") == [(240.0, "processors_busy", 97.0, "perfmon")]


def test_disks_that_stall_are_told_in_ms():
    read = r"A | \PhysicalDisk(0 C:)\Avg. Disk sec/Read | 48x0.002, 12x4, 0.002"
    moved = r"A | \PhysicalDisk(0 C:)\Disk Read Bytes/sec | 100"
    assert strain(f"{read}\n{moved}") == [(240.0, "long_io", 4000.0, "perfmon")]


def test_a_busy_hour_far_from_anything_that_happened_is_not_told():
    assert strain(f"{BUSY} | 180x20, 99", at=30) == []


def test_looks_of_support_outputs_are_told_where_they_differ_from_the_one_before():
    def look(at, role, health="HEALTHY"):
        return (
            f"A | {at} | replicas | ag=AG; replica=B; role={role}; connected_state=CONNECTED; "
            f"synchronization_health={health}"
        )

    made = case(
        relations="\n".join(
            [look(0, "SECONDARY"), look(60, "SECONDARY"), look(120, "RESOLVING", "NOT_HEALTHY")]
        )
    )
    assert rows(made, "look_replica") == [
        (0, "A", None, "SECONDARY", ["support output"]),
        (120, "A", "SECONDARY", "RESOLVING", ["support output"]),
    ]


def test_of_databases_only_looks_at_what_is_not_healthy_are_told_and_when_it_is_again():
    def look(at, state, health):
        return (
            f"A | {at} | database_states | ag=AG; database=Sales; replica=B; synchronization_state={state}; "
            f"synchronization_health={health}"
        )

    texts = [
        look(0, "SYNCHRONIZED", "HEALTHY"), look(60, "NOT SYNCHRONIZING", "NOT_HEALTHY"),
        look(120, "NOT SYNCHRONIZING", "NOT_HEALTHY"), look(180, "SYNCHRONIZED", "HEALTHY"),
    ]  # fmt: skip
    made = case(relations="\n".join(texts))
    assert [row[0] for row in rows(made, "look_database")] == [60, 180]
