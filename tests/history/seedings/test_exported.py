"""What exports of the two seeding DMVs tell, and in which zone their times are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agtrace.history.seedings import load_seedings
from tests.diagnostics.seeding.cases import (
    MB,
    after,
    at,
    copy,
    copy_rows,
    exported,
    operation_row,
    request,
    told,
)
from tests.diagnostics.tiny import START, case

HOUR = 3600.0


def with_zone(made, host, minutes):
    """Add a host's ERRORLOG with its offset."""
    made.insert("captures", [{"capture_id": f"log-{host}", "host_id": host, "reader": "errorlog"}])
    made.insert("clocks", [{"capture_id": f"log-{host}", "local_from": START, "offset_minutes": minutes}])
    return made


def times_of_reports(made):
    """Return when a copy was reported, in seconds after the start of the case."""
    return [after(row["time"]) for row in made.rows("select time from seeding_progress order by time")]


def test_both_views_of_one_host():
    made = case(facts=operation_row("A", 0, 0, 130) + copy_rows("A", 20.5, 120.5))
    (operation,) = load_seedings(made)
    assert told(operation) == "Sales A->? [0 20.5 120.5 130] 1000 MB completed"
    assert operation.time_basis == ("DMV times are UTC: within 10 s of sys.dm_hadr_physical_seeding_stats")
    assert operation.told_by == {"dmv"}
    assert operation.attempts == 1
    assert operation.bytes_source == "transferred, sys.dm_hadr_physical_seeding_stats of A"
    (side,) = operation.sides
    assert (side.disk_wait_ms, side.network_wait_ms, side.remote) == (100, 200, "B")
    assert side.is_compression_enabled is False
    assert times_of_reports(made)[:2] == [30.5, 40.5]
    assert [s.name for s in side.phases] == ["ReadingAndSendingData", "Success"]


def test_both_ends_from_exports_of_both_hosts():
    facts = operation_row("A", 0, 0, 130) + copy_rows("A", 20.5, 120.5)
    facts += operation_row("B", 0, 0.1, 129.9, is_source=0, ag_remote_replica_id="r1")
    facts += copy_rows("B", 20.6, 120.4, local_physical_seeding_id="b", remote_physical_seeding_id="a",
                       role_desc="Destination", remote_machine_name="A")  # fmt: skip
    (operation,) = load_seedings(case(facts=facts))
    assert told(operation) == "Sales A->B [0 20.5 120.5 130] 1000 MB completed"


@pytest.mark.parametrize("offset", [0.0, 5.5 * HOUR, -8 * HOUR])
def test_times_without_zone_are_settled_by_the_events(offset):
    events = request("A", "source", "0 PENDING, 20 SEEDING, 121 CATCHUP, 130 COMPLETED")
    facts = operation_row("A", 0, offset + 0.4, offset + 130.2)
    (operation,) = load_seedings(case(events=events, facts=facts))
    assert told(operation) == "? A->? [0 20 121 130] - completed"
    assert operation.told_by == {"dmv", "xel"}
    assert operation.time_basis == "", "the events' own times are UTC"
    other = operation_row("A", 1, offset + 500, offset + 600, operation_id="op2")
    _first, second = load_seedings(case(events=events, facts=facts + other))
    assert told(second) == "? A->? [500 - - 600] - completed"
    zone = {0.0: "UTC", 5.5 * HOUR: "local time (UTC+05:30)", -8 * HOUR: "local time (UTC-08:00)"}
    assert second.time_basis == f"DMV times are {zone[offset]}: within 0 s of XEL"


def test_times_without_zone_stay_unknown_without_a_witness():
    (operation,) = load_seedings(case(facts=operation_row("A", 0, 0, 130, database_name="Sales")))
    assert told(operation) == "Sales A->? [- - - -] - completed"
    assert operation.time_basis == "unknown"
    assert operation.source.start_written == at(0).replace(tzinfo=None)
    assert operation.source.end_written == at(130).replace(tzinfo=None)


def test_exports_of_two_hosts_are_one_operation_though_their_zone_is_unknown():
    facts = operation_row("A", 0, 0, 130, operation_id="x") + operation_row(
        "B", 0, 1, 129, operation_id="y", is_source=0, ag_remote_replica_id="r1"
    )
    (operation,) = load_seedings(case(facts=facts))
    assert told(operation) == "? A->B [- - - -] - completed"
    assert operation.time_basis == "unknown"


def test_a_witness_further_away_than_a_minute_settles_nothing():
    events = copy("A", "source", 300, 400)
    _copied, asked = load_seedings(case(events=events, facts=operation_row("A", 0, 200, 500)))
    assert (told(asked), asked.time_basis) == ("? A->? [- - - -] - completed", "unknown")


def test_two_zones_that_fit_equally_settle_nothing():
    # The same length an hour apart: any of the two copies could be this one's.
    events = copy("A", "source", 10, 100) + copy("A", "source", 3610, 3700, guids="c d")
    found = load_seedings(case(events=events, facts=operation_row("A", 0, 8, 102)))
    assert [operation.time_basis for operation in found] == ["", "", "unknown"]


def test_only_utc_and_the_zone_of_the_server_come_into_question():
    events = copy("A", "source", 10, 100) + copy("A", "source", 3610, 3700, guids="c d")
    facts = operation_row("A", 0, 2 * HOUR + 8, 2 * HOUR + 102)
    found = load_seedings(with_zone(case(events=events, facts=facts), "A", 120))
    assert told(found[0]) == "Sales A->? [8 10 100 102] 1000 MB completed"
    assert found[0].time_basis == "DMV times are local time (UTC+02:00): within 2 s of XEL"


def test_a_server_in_utc_leaves_nothing_to_settle():
    (operation,) = load_seedings(with_zone(case(facts=operation_row("A", 0, 0, 130)), "A", 0))
    assert told(operation) == "? A->? [0 - - 130] - completed"
    assert operation.time_basis == "the server's local time is UTC"


COUNTED = "A | \\SQLServer:Databases({name})\\Backup/Restore Throughput/sec | {values}\n"


def test_counters_settle_times_and_show_the_copy():
    perfmon = COUNTED.format(name="Sales", values="4x0, 20x1000000, 0")
    (operation,) = load_seedings(case(perfmon, facts=operation_row("A", 0, HOUR + 10, HOUR + 130)))
    assert told(operation) == "Sales A->? [10 15 115 130] 100 MB completed"
    assert operation.told_by == {"dmv", "perfmon"}
    assert operation.bytes_source == "integral of Backup/Restore Throughput/sec, perfmon of A"
    assert operation.time_basis == (
        "DMV times are local time (UTC+01:00): within 5 s of Backup/Restore Throughput/sec"
    )


def test_counters_of_two_databases_show_no_copy():
    perfmon = COUNTED.format(name="Sales", values="4x0, 20x1000000, 0")
    perfmon += COUNTED.format(name="Stock", values="4x0, 19x1000000, 0")
    made = case(perfmon, facts=operation_row("A", 0, HOUR + 10, HOUR + 130))
    assert [told(operation) for operation in load_seedings(made)] == ["? A->? [10 - - 130] - completed"]


def test_several_looks_at_one_operation_are_one():
    facts = operation_row("A", 0, 0, None, current_state="LIMIT_CONCURRENT_BACKUPS",
                          performed_seeding=None, sampled_utc=5, file="@1")  # fmt: skip
    facts += operation_row("A", 0, 0, None, current_state="SEEDING", performed_seeding=None,
                           sampled_utc=25, file="@2")  # fmt: skip
    facts += operation_row("A", 0, 0, 130, sampled_utc=200, file="@3")
    facts += copy_rows("A", 20.5, 120.5)
    (operation,) = load_seedings(case(facts=facts))
    assert told(operation) == "Sales A->? [0 20.5 120.5 130] 1000 MB completed"
    assert [(after(s.time), s.name) for s in operation.source.states] == [
        (5, "LIMIT_CONCURRENT_BACKUPS"), (25, "SEEDING"),
    ]  # fmt: skip


def test_the_same_export_twice_is_one():
    facts = operation_row("A", 0, 0, 130) + copy_rows("A", 20.5, 120.5)
    again = facts.replace("A |", "A@again |")
    once, twice = (load_seedings(case(facts=text)) for text in (facts, facts + again))
    assert twice == once


def test_a_failed_one_with_its_reason_and_attempts():
    facts = operation_row("B", 0, 0, 30, is_source=0, current_state="FAILED", performed_seeding=0,
                          failure_state=215, failure_state_desc="Seeding", number_of_attempts=3)  # fmt: skip
    (operation,) = load_seedings(case(facts=facts))
    assert (operation.outcome, operation.attempts, operation.target.host) == ("failed", 3, "B")
    (failure,) = operation.failures
    assert (failure.state, failure.text, failure.time) == (215, "Seeding", None)
    assert failure.where == "sys.dm_hadr_automatic_seeding on B"


def test_the_same_reason_in_events_and_export_is_one():
    events = request("B", "target", "0 PENDING, 2 SEEDING, 30 FAILED", failure="215 Seeding")
    facts = operation_row("B", 0, 0, 30, is_source=0, current_state="FAILED", failure_state=215,
                          failure_state_desc="Seeding")  # fmt: skip
    (operation,) = load_seedings(case(events=events, facts=facts))
    (failure,) = operation.failures
    assert failure.where == ("hadr_automatic_seeding_failure on B; sys.dm_hadr_automatic_seeding on B")


def test_nothing_to_copy():
    facts = operation_row("A", 0, 0, 0.2, performed_seeding=0) + operation_row(
        "A", 1, 100, 230, operation_id="op2", ag_db_id="db2"
    )
    events = copy("A", "source", 105, 228)
    found = load_seedings(case(events=events, facts=facts))
    assert told(found[0]) == "? A->? [0 - - 0.2] - already_present"
    assert told(found[1]) == "Sales A->? [100 105 228 230] 1000 MB completed"


def test_a_look_in_local_time_is_told_by_the_rate():
    facts = copy_rows("A", 20.5, 120.5, sampled="sampled", zone=5.5 * HOUR)
    assert times_of_reports(case(facts=facts))[:2] == [30.5, 40.5]


def test_looks_without_a_time_give_figures_and_no_progress():
    made = case(facts=copy_rows("A", 20.5, 120.5, sampled=""))
    (operation,) = load_seedings(made)
    assert told(operation) == "Sales A->? [20.5 20.5 120.5 120.5] 1000 MB completed"
    assert times_of_reports(made) == []


def test_a_copy_that_was_only_seen_running_runs():
    (operation,) = load_seedings(case(facts=copy_rows("A", 20.5, 120.5, done=False)))
    assert told(operation) == "Sales A->? [20.5 20.5 - -] 900 MB running"


def test_the_end_of_a_copy_that_vanished_before_the_next_look_is_told_by_its_rate():
    facts = operation_row("A", 0, 0, 130) + copy_rows("A", 20.5, 120.5, done=False)
    (operation,) = load_seedings(case(facts=facts))
    assert told(operation) == "Sales A->? [0 20.5 120.5 130] 1000 MB completed"
    assert operation.bytes_source == (
        "size of the database, sys.dm_hadr_physical_seeding_stats of A: the last report was 100 MB short"
    )


def test_an_export_without_is_source_is_of_the_end_that_its_host_has():
    facts = operation_row("B", 0, 0, 130, is_source=None) + copy_rows("B", 20.5, 120.5,
        role_desc="Destination",
                                                                      remote_machine_name="A")  # fmt: skip
    (operation,) = load_seedings(
        case(
            facts=facts.replace(
                "Sales", "Sales\nB | dm_hadr_automatic_seeding | 0 | database_name | Sales", 1
            )
        )
    )
    assert told(operation) == "Sales ?->B [0 20.5 120.5 130] 1000 MB completed"


def test_an_export_of_no_known_host_joins_by_its_ids():
    events = request("A", "source", "0 PENDING, 20 SEEDING, 121 CATCHUP, 130 COMPLETED")
    facts = operation_row("", 0, 0, 130, database_name="Sales", file="@x")
    (operation,) = load_seedings(case(events=events, facts=facts))
    assert (operation.database, operation.source.host) == ("Sales", "A")
    assert operation.told_by == {"dmv", "xel"}


def test_values_that_are_none_are_left():
    facts = exported(
        "A",
        0,
        topic="physical",
        local_physical_seeding_id="a",
        role_desc="Source",
        start_time_utc=1,
        transferred_size_bytes="many",
        database_size_bytes=10**30,
        transfer_rate_bytes_per_second="-1",
        local_database_name="Sales",
        sampled_utc=5,
    )
    (operation,) = load_seedings(case(facts=facts))
    assert told(operation) == "Sales A->? [1 1 - -] - running"
    assert operation.database_bytes is None
    nothing = "A | dm_hadr_automatic_seeding | 0 | start_time | yesterday\n"
    assert load_seedings(case(facts=nothing)) == []


def test_bytes_of_a_large_database():
    (operation,) = load_seedings(case(facts=copy_rows("A", 0, 10_000, every=5000, size=6_000_000 * MB)))
    assert operation.copied_bytes == 6_000_000 * MB


def test_operations_that_follow_closely_are_told_apart_by_their_ids():
    events, facts = "", ""
    for number in range(4):
        begun = 30 * number
        states = f"{begun} PENDING, {begun + 1} SEEDING, {begun + 20} FAILED"
        events += request("A", "source", states, operation=f"op{number}", failure="115 Seeding")
        facts += operation_row(
            "A",
            number,
            begun,
            begun + 20,
            operation_id=f"op{number}",
            current_state="FAILED",
            failure_state=115,
            failure_state_desc="Seeding",
        )
    found = load_seedings(case(events=events, facts=facts))
    assert [told(operation) for operation in found] == [
        f"? A->? [{30 * n} {30 * n + 1} {30 * n + 20} {30 * n + 20}] - failed" for n in range(4)
    ]
    assert {operation.told_by for operation in found} == {frozenset({"dmv", "xel"})}


def test_a_copy_that_the_physical_view_shows_failed():
    facts = copy_rows("A", 20.5, 120.5, done=False, failure_code=3271, failure_message="I/O error",
                      failure_time_utc=115)  # fmt: skip
    (operation,) = load_seedings(case(facts=facts))
    assert told(operation) == "Sales A->? [20.5 20.5 115 115] 900 MB failed"
    assert operation.failures[0].text == "error 3271: I/O error"
    assert operation.failures[0].where == "sys.dm_hadr_physical_seeding_stats on A"


WHOLE = (
    operation_row("A", 0, 0, 130, database_name="Sales", sampled_utc=200)
    + operation_row("A", 1, 500, 630, operation_id="op2", sampled="700")
    + copy_rows("A", 20.5, 120.5, every=50)
    + copy_rows("A", 520.5, 620.5, every=50, sampled="sampled", local_physical_seeding_id="c",
                remote_physical_seeding_id="d")
).splitlines(keepends=True)  # fmt: skip
ODD = (
    "", "0", "-1", "1e400", "9" * 30, "NULL", "0001-01-01T00:00:00", "9999-12-31T23:59:59.9999999Z",
    "x" * 3000,
)  # fmt: skip


@pytest.mark.complete
@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.sampled_from(ODD)), max_size=12))
def test_odd_values_never_stop_it(changes):
    rows = list(WHOLE)
    for place, value in changes:
        rows[place] = " | ".join([*rows[place].rstrip("\n").split(" | ")[:-1], value]) + "\n"
    for operation in load_seedings(case(facts="".join(rows))):
        assert operation.outcome in {"completed", "failed", "running", "already_present"}
        assert operation.sides
