"""Who stood still: what writes at a steady pace comes late, and what else tells of it."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agtrace.history.standstills.still import Late, apart_from_restarts
from agtrace.tables.history import RELATIONS
from tests.diagnostics.tiny import START, case

MINUTE = "scheduler_monitor_system_health_ring_buffer_recorded"
LEASE = "availability_group_lease_expired"


def minutes(host, *seconds):
    return "\n".join(f"{host} | {at} | {MINUTE} | memory_utilization=100" for at in seconds)


def lease(host, at, tick_s, valid_until_s=None):
    until = tick_s if valid_until_s is None else valid_until_s
    return (
        f"{host} | {at} | {LEASE} | availability_group_name=AG; state=LeaseExpired; "
        f"current_time={round(tick_s * 1000)}; "
        f"new_timeout={round(until * 1000)}"
    )


def lost(host, at, other):
    return f"{host} | {at} | connection | 35206 | replica={other}; event=timeout"


def told(messages="", *events, columns="host_id, kind, seconds_low, seconds_high, clock_gained_s", **more):
    made = case(messages=messages, events="\n".join(events), **more)
    query = f"select {columns} from standstills order by start, host_id"
    return [tuple(row.values()) for row in made.table(query).to_pylist()]


EVEN = minutes("A", 0, 60, 120, 180, 240)
LATE = minutes("A", 0, 60, 480, 540, 600)
"""A minute that came 360 s late."""


def test_samples_that_keep_their_pace_tell_none():
    assert told("", EVEN) == []


def test_a_sample_less_than_the_limit_late_tells_none():
    assert told("", minutes("A", 0, 60, 120, 199, 259)) == []


def test_a_session_that_keeps_another_pace_is_held_against_its_own():
    assert told("", minutes("A", 0, 300, 600, 900, 1200)) == []


def test_a_late_minute_without_another_sign_is_a_standstill_that_stays_open():
    assert told("", LATE) == [("A", "open", 360, 420, None)]


def test_a_sample_less_than_its_pace_late_is_none_where_its_host_noted_nothing():
    late = minutes("A", 0, 60, 172, 232, 292)
    assert told("", late) == []
    assert told(lost("B", 100, "A"), late) == []
    both = f"{lost('B', 100, 'A')}\n{lost('A', 172, 'B')}"
    assert told(both, late) == [("A", "open", 72, 112, None)]


WRITES = "A | {} | error_reported | error_number=17830; message=x"


def test_a_host_that_goes_on_before_its_late_sample_stood_still_where_it_notes_that_it_was_cut_off():
    late = (minutes("A", 0, 60, 201, 261, 321), WRITES.format(150))
    assert told("", *late) == []
    assert told(lost("A", 150, "B"), *late) == [("A", "open", 81, 90, None)]


def test_the_silence_at_whose_end_it_notes_that_it_was_cut_off_is_the_standstill():
    late = (minutes("A", 0, 60, 151, 211, 271), WRITES.format(62), WRITES.format(95))
    assert told(lost("A", 95, "B"), *late) == [("A", "open", 31, 33, None)]


def test_a_host_that_was_cut_off_and_not_silent_for_as_long_as_its_sample_is_late_did_not_stand_still():
    late = (minutes("A", 0, 60, 201, 261, 321), WRITES.format(75), WRITES.format(150))
    assert told(lost("A", 150, "B"), *late) == []


def test_another_host_whose_samples_go_on_kept_running():
    found = told("", LATE, minutes("B", 0, 60, 120, 180, 240), columns="host_id, kind, kept_running")
    assert found == [("A", "open", ["B"])]


def test_a_sample_that_is_late_while_its_instance_writes_is_none():
    writes = "\n".join(f"A | {at} | connection | 35202 | ag=AG; replica=B" for at in range(70, 480, 20))
    events = "\n".join(
        f"A | {at} | error_reported | error_number=17830; message=x" for at in range(70, 480, 20)
    )
    assert told(writes, LATE, events) == []


def test_a_wall_clock_that_gained_on_the_ticks_of_two_leases_shows_a_paused_machine():
    found = told(lost("B", 130, "A"), LATE, lease("A", 50, 1000), lease("A", 500, 1090))
    assert found == [("A", "machine paused", 360, 360, 360)]


def test_a_paused_machine_stood_still_until_it_wrote_again():
    begin = START.replace(tzinfo=UTC).timestamp()
    found = told(
        lost("B", 130, "A"), LATE, lease("A", 50, 1000), lease("A", 500, 1090),
        columns=f'epoch(start) - {begin}, epoch("end") - {begin}, kept_running',
    )  # fmt: skip
    assert found == [(120, 480, ["B"])]


def test_a_clock_that_gained_at_another_moment_too_bounds_the_standstill_from_above():
    found = told(lost("B", 130, "A"), LATE, lease("A", 50, 1000), lease("A", 500, 1086))
    assert found == [("A", "machine paused", 360, 364, 364)]


def test_ticks_that_ran_on_show_that_the_server_alone_was_silent():
    found = told(lost("B", 130, "A"), LATE, lease("A", 50, 1000), lease("A", 500, 1450))
    assert found == [("A", "SQL Server silent", 350, 420, 0)]


def test_a_lease_that_had_run_out_bounds_it_from_below():
    found = told("", LATE, lease("A", 50, 1000), lease("A", 480, 1430, valid_until_s=1030))
    assert found == [("A", "SQL Server silent", 400, 420, 0)]


def test_what_the_cluster_resource_writes_meanwhile_shows_that_the_machine_went_on():
    resource = "A | 200 | info_message | data=[hadrag] Lease renewal failed with timeout error"
    assert [row[1] for row in told("", LATE, resource)] == ["SQL Server silent"]


def test_a_clock_that_gained_while_others_lost_nothing_was_set():
    seen = "B | 200 | connection | 35202 | ag=AG; replica=C"
    found = told(seen, LATE, lease("A", 50, 1000), lease("A", 600, 1190))
    assert found == [("A", "clock stepped", 360, 360, 360)]


def test_a_clock_that_gained_and_nobody_else_to_ask_is_open():
    found = told("", LATE, lease("A", 50, 1000), lease("A", 600, 1190))
    assert found == [("A", "open", 360, 420, 360)]


def test_a_tick_count_that_begins_anew_says_nothing():
    found = told(lost("B", 130, "A"), LATE, lease("A", 50, 1000), lease("A", 500, 30))
    assert found == [("A", "open", 350, 420, None)]


def test_samples_that_go_back_in_time_show_a_clock_that_was_set_back():
    found = told("", minutes("A", 0, 60, 120, 180, 90, 150))
    assert found == [("A", "clock stepped", 0, 60, -150)]


@pytest.mark.parametrize(("noted", "n"), [("", 0), (lost("B", 250, "SQL1"), 1)], ids=["nobody", "a partner"])
def test_rows_of_perfmon_that_stop_for_a_while_are_a_standstill_only_where_others_lost_the_host(noted, n):
    made = case(messages=noted, perfmon="SQL1 | \\Processor(_Total)\\% Processor Time | 5", rows=60)
    # The collector's rows from 150 s on come five minutes later.
    made.run("update ticks set time = time + interval 300 seconds where tick >= 30")
    rows = made.table("select host_id, kind, seconds_high from standstills").to_pylist()
    assert [tuple(row.values()) for row in rows] == [("SQL1", "open", 305)] * n


def test_an_instance_that_was_not_there_did_not_stand_still():
    begin = START.replace(tzinfo=UTC)
    late = Late("A", None, "xel-A", begin, begin + timedelta(seconds=420), "system_health", 360.0, 60.0)
    away = {"host_id": "A", "time": begin + timedelta(seconds=30), "until": begin + timedelta(seconds=400)}
    assert apart_from_restarts([late], [away]) == []
    assert apart_from_restarts([late], [away | {"host_id": "B"}]) == [late]


def test_the_relation_exists_without_rows_in_every_case():
    made = case()
    assert made.table("select * from standstills").schema.names == RELATIONS["standstills"].names
    assert made.table("select * from standstills").num_rows == 0
