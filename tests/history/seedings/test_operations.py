"""Which seeding operations the events of XEL files show, and how their ends are put together."""

from __future__ import annotations

from agtrace.history.seedings import load_seedings
from tests.diagnostics.seeding.cases import MB, after, copy, request, told
from tests.diagnostics.tiny import case

WAY = (
    "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 0.2 SENDING_FILE_LIST, 5 LIMIT_CONCURRENT_BACKUPS, 20 SEEDING, "
    "121 CATCHUP, 130 COMPLETED"
)
SOURCE = request("A", "source", WAY, success=True) + copy("A", "source", 20.5, 120.5, remote="B")
TARGET = request("B", "target", WAY, remote="r1", success=True) + copy(
    "B", "target", 20.6, 120.8, guids="b a", remote="A", waits="300 400"
)


def test_nothing_captured_is_no_operation():
    assert load_seedings(case()) == []


def test_both_ends_with_states_phases_waits_and_progress():
    made = case(events=SOURCE + TARGET)
    (operation,) = load_seedings(made)
    assert told(operation) == "Sales A->B [0 20.5 120.8 130] 1000 MB completed"
    assert operation.database_guid == "db1"
    assert operation.bytes_source == "transferred, hadr_physical_seeding events of A"
    assert operation.told_by == {"xel"}
    assert (operation.unjoined, operation.time_basis, operation.failures) == ("", "", ())
    assert operation.attempts == 1
    source, target = operation.sides
    assert [(after(s.time), s.name) for s in source.states] == [
        (0, "PENDING"), (0.1, "CHECK_IF_SEEDING_NEEDED"), (0.2, "SENDING_FILE_LIST"),
        (5, "LIMIT_CONCURRENT_BACKUPS"), (20, "SEEDING"), (121, "CATCHUP"), (130, "COMPLETED"),
    ]  # fmt: skip
    assert [(after(s.time), s.name) for s in target.phases] == [
        (20.6, "WaitingForBackupToStartSending"), (21.1, "ReceivingAndWritingData"), (120.8, "Success"),
    ]  # fmt: skip
    assert (source.disk_wait_ms, source.network_wait_ms) == (100, 200)
    assert (target.disk_wait_ms, target.network_wait_ms) == (300, 400)
    assert source.is_compression_enabled is False
    assert (source.remote, target.remote) == ("B", "A")
    reports = made.rows("select * from seeding_progress where role = 'source' order by time")
    assert len(reports) == 12
    assert reports[-1]["transferred_bytes"] == 1000 * MB
    assert reports[0]["bytes_per_s"] == 10 * MB


def test_the_source_alone():
    (operation,) = load_seedings(case(events=SOURCE))
    assert told(operation) == "Sales A->? [0 20.5 120.5 130] 1000 MB completed"


def test_the_target_alone():
    (operation,) = load_seedings(case(events=TARGET))
    assert told(operation) == "Sales ?->B [0 20.6 120.8 130] 1000 MB completed"


def test_the_order_of_rows_and_a_second_session_change_nothing():
    both = (SOURCE + TARGET).splitlines(keepends=True)
    once = case(events="".join(both))
    again = [line.replace(" |", "@second |", 1) for line in both]
    twice = case(events="".join(reversed(both)) + "".join(again))
    assert load_seedings(twice) == load_seedings(once)
    assert twice.rows("select * from seeding_progress") == once.rows("select * from seeding_progress")


def test_events_without_names_give_the_times_of_the_states():
    (operation,) = load_seedings(case(events=request("A", "source", WAY, success=True)))
    assert told(operation) == "? A->? [0 20 121 130] - completed"
    assert operation.database_guid == "db1"


def test_the_copy_alone_ends_as_its_last_state_says():
    (operation,) = load_seedings(case(events=copy("A", "source", 10, 60)))
    assert told(operation) == "Sales A->? [10 10 60 60] 1000 MB completed"
    (operation,) = load_seedings(case(events=copy("A", "source", 10, 60).replace("=Success", "=Failed")))
    assert told(operation) == "Sales A->? [10 10 60 60] 1000 MB failed"


def test_a_file_that_ends_during_the_copy_shows_a_running_one():
    states = "0 PENDING, 1 CHECK_IF_SEEDING_NEEDED, 2 SEEDING"
    text = request("A", "source", states) + copy("A", "source", 3, 103, ended=False)
    (operation,) = load_seedings(case(events=text))
    assert told(operation) == "Sales A->? [0 3 - -] 900 MB running"


def test_waiting_for_a_slot_goes_on_while_nothing_ends_it():
    states = "0 PENDING, 1 CHECK_IF_SEEDING_NEEDED, 2 LIMIT_CONCURRENT_BACKUPS"
    other = request("A", "source", WAY.replace("130", "9000"), operation="op9", database="db9")
    stalled, _done = load_seedings(case(events=request("A", "source", states) + other))
    assert told(stalled) == "? A->? [0 - - -] - running"
    assert stalled.source.states[-1].name == "LIMIT_CONCURRENT_BACKUPS"


def test_a_database_that_is_there_already_needs_no_copy():
    states = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 0.15 CATCHUP, 0.2 COMPLETED"
    (operation,) = load_seedings(case(events=request("A", "source", states, success=False)))
    assert told(operation) == "? A->? [0 - - 0.2] - already_present"
    (operation,) = load_seedings(case(events=request("A", "source", states)))
    assert told(operation) == "? A->? [0 - - 0.2] - already_present"
    (operation,) = load_seedings(case(events=request("A", "source", states, success=True)))
    assert operation.outcome == "completed"


FAILING = "0 PENDING, 1 CHECK_IF_SEEDING_NEEDED, 2 SEEDING, 30 FAILED"


def test_a_failure_on_the_target_with_its_state():
    text = request("A", "source", FAILING, failure="115 Seeding") + request(
        "B", "target", FAILING, remote="r1", failure="215 Seeding"
    )
    text += (
        "B | 30 | hadr_physical_seeding_failure | failure_code=3013; database_name=Sales; "
        "failure_message=RESTORE DATABASE is terminating abnormally.; local_seeding_guid=b\n"
    )
    text += copy("B", "target", 2.5, 42.5, guids="b a", ended=False).split("B | 32.5")[0]
    (operation,) = load_seedings(case(events=text))
    assert told(operation) == "Sales A->B [0 2.5 30 30] 500 MB failed"
    assert [(f.state, f.text, after(f.time), f.where) for f in operation.failures] == [
        (115, "Seeding", 30, "hadr_automatic_seeding_failure on A"),
        (215, "Seeding", 30, "hadr_automatic_seeding_failure on B"),
        (None, "error 3013: RESTORE DATABASE is terminating abnormally.", 30,
         "hadr_physical_seeding_failure on B"),
    ]  # fmt: skip


def test_a_timeout_is_a_reason():
    text = request("A", "source", FAILING)
    text += (
        "A | 29 | hadr_automatic_seeding_timeout | is_source=1; timeout_ms=60000; operation_id=op1; "
        "ag_db_id=db1; ag_remote_replica_id=r2\n"
    )
    (operation,) = load_seedings(case(events=text))
    assert operation.outcome == "failed"
    assert [(f.state, f.text) for f in operation.failures] == [(None, "timed out after 60000 ms")]


def test_retries_are_one_operation():
    again = "60 PENDING, 61 CHECK_IF_SEEDING_NEEDED, 62 SEEDING, 170 CATCHUP, 175 COMPLETED"
    text = request("A", "source", FAILING, failure="121 Seeding Check Message Timeout")
    text += request("A", "source", again, operation="op2", attempt=2, success=True)
    text += copy("A", "source", 2.5, 29.5, guids="a1 b1").replace("=Success", "=Failed")
    text += copy("A", "source", 63, 163, guids="a2 b2", size=2000 * MB)
    (operation,) = load_seedings(case(events=text))
    assert told(operation) == "Sales A->? [0 63 163 175] 2000 MB completed"
    assert (operation.attempts, len(operation.failures)) == (2, 1)
    assert [s.name for s in operation.source.states].count("SEEDING") == 2


def test_a_second_request_is_an_operation_of_its_own():
    again = "60 PENDING, 61 CHECK_IF_SEEDING_NEEDED, 62 SEEDING, 170 CATCHUP, 175 COMPLETED"
    text = request("A", "source", FAILING, failure="121 Seeding Check Message Timeout")
    text += request("A", "source", again, success=True)
    first, second = load_seedings(case(events=text))
    assert told(first) == "? A->? [0 2 30 30] - failed"
    assert told(second) == "? A->? [60 62 170 175] - completed"
    assert (first.number, second.number) == (1, 2)


def test_a_callback_that_was_retried_counts_as_an_attempt():
    (operation,) = load_seedings(case(events=copy("A", "source", 10, 60, retries=2)))
    assert (operation.attempts, operation.outcome) == (3, "completed")


RUNNING = "0 PENDING, 1 CHECK_IF_SEEDING_NEEDED, 2 SEEDING"


def test_a_restart_cuts_it_off():
    text = request("A", "source", RUNNING) + copy("A", "source", 3, 103, ended=False)
    started = "B | startup | 0 | utc_adjustment_minutes | 0 | 95\n"
    (operation,) = load_seedings(case(events=text, facts=started))
    assert operation.outcome == "running", "the restart of another host says nothing"
    (operation,) = load_seedings(case(events=text, facts=started.replace("B", "A")))
    assert told(operation) == "Sales A->? [0 3 - 95] 900 MB cut_off"


def test_a_log_that_was_only_cycled_cuts_nothing_off():
    text = request("A", "source", RUNNING) + copy("A", "source", 3, 103, ended=False)
    made = case(events=text, facts="A | startup | 0 | utc_adjustment_minutes | 0 | 95\n",
                messages="A | 95 | reinitialized | 0 | ")  # fmt: skip
    made.run("update facts set content_id = 'errorlog-A'")
    assert load_seedings(made)[0].outcome == "running"


def test_a_failure_that_the_other_end_reports_after_a_restart_is_a_cut():
    source = request("A", "source", RUNNING) + copy("A", "source", 3, 103, ended=False, remote="B")
    target = request("B", "target", "0 PENDING, 2 SEEDING, 110 FAILED", remote="r1",
                     failure="206 Transport")  # fmt: skip
    (operation,) = load_seedings(
        case(events=source + target, facts="A | startup | 0 | utc_adjustment_minutes | 0 | 95\n")
    )
    assert told(operation) == "Sales A->B [0 3 - 95] 900 MB cut_off"
    assert [f.state for f in operation.failures] == [206]


def test_a_restart_after_the_end_changes_nothing():
    started = "A | startup | 0 | utc_adjustment_minutes | 0 | 140\n"
    (operation,) = load_seedings(case(events=SOURCE + TARGET, facts=started))
    assert operation.outcome == "completed"


def test_a_copy_that_falls_silent_while_others_go_on_is_cut_off():
    silent = copy("A", "source", 0, 100, ended=False)
    goes_on = copy("A", "source", 300, 400, guids="c d", database="Other")
    first, second = load_seedings(case(events=silent + goes_on))
    assert told(first) == "Sales A->? [0 0 - 90] 900 MB cut_off"
    assert second.outcome == "completed"


def test_a_session_of_another_day_does_not_tell_that_a_copy_fell_silent():
    """The file that had its last report ends with it: what came then was not watched."""
    silent = copy("A", "source", 0, 100, ended=False)
    next_day = copy("A", "source", 90_300, 90_400, guids="c d", database="Other")
    first, _second = load_seedings(case(events=silent + next_day.replace("A | ", "A@later | ")))
    assert first.outcome == "running"


def test_a_file_whose_host_is_not_known_still_has_its_operation():
    text = (SOURCE + TARGET).replace("A | ", "@s | ").replace("B | ", "@t | ")
    (operation,) = load_seedings(case(events=text))
    assert told(operation) == "Sales unknown->unknown [0 20.5 120.8 130] 1000 MB completed"


def test_times_that_cannot_be_of_the_copy_are_left():
    # An unfinished copy has no end; a start in another zone contradicts the copy's first event.
    text = copy("A", "source", 10, 60).replace("seeding_start_time=10", "seeding_start_time=7210")
    text = text.replace("seeding_end_time=60", "seeding_end_time=-11644473600")
    (operation,) = load_seedings(case(events=text))
    assert told(operation) == "Sales A->? [10 10 60 60] 1000 MB completed"


def test_ids_of_replicas_groups_and_databases_get_their_names():
    text = request("A", "source", WAY, success=True) + request(
        "A", "source", WAY.replace("0 P", "0.05 P"), operation="op2", database="db2", success=True
    )
    text += copy("A", "source", 20.5, 120.5)
    text += "A | 140 | hadr_db_partner_set_sync_state | database_id=7; ag_database_id=DB2\n"
    text += (
        "A | 1 | availability_replica_state_change | availability_group_id=AG1; "
        "availability_group_name=Group; availability_replica_id=R2; availability_replica_name=B\\\\SQL\n"
    )
    first, second = load_seedings(case(events=text))
    assert (first.database, first.database_guid, first.ag) == (None, "db1", "Group")
    assert (second.database, second.database_guid, second.ag) == ("Sales", "db2", "Group")
    assert second.copied_bytes == 1000 * MB
    assert first.source.remote == "B"


def test_a_session_of_progress_and_states_alone_ends_the_copy_with_its_state():
    text = request("A", "source", WAY, success=True) + "".join(
        row for row in copy("A", "source", 20.5, 120.5).splitlines(True) if "_progress" in row
    )
    (operation,) = load_seedings(case(events=text))
    assert told(operation) == "Sales A->? [0 20.5 121 130] 1000 MB completed"
    assert operation.bytes_source.endswith("the last report was 100 MB short")


def test_a_start_of_the_server_long_after_the_last_report_is_not_what_cut_it_off():
    text = request("A", "source", RUNNING) + copy("A", "source", 3, 103, ended=False)
    (operation,) = load_seedings(
        case(events=text, facts="A | startup | 0 | utc_adjustment_minutes | 0 | 9000\n")
    )
    assert operation.outcome == "running"


def test_a_restart_during_the_catch_up_leaves_the_copy_its_end():
    states = "0 PENDING, 2 SEEDING, 104 CATCHUP"
    text = request("A", "source", states) + copy("A", "source", 3, 103)
    (operation,) = load_seedings(
        case(events=text, facts="A | startup | 0 | utc_adjustment_minutes | 0 | 200\n")
    )
    assert told(operation) == "Sales A->? [0 3 103 200] 1000 MB cut_off"


def test_a_failure_that_names_no_copy_is_that_of_the_one_that_ran():
    failure = (
        "A | 40 | hadr_physical_seeding_schedule_long_task_failure | failure_code=35; failure_message=no "
        "thread\n"
    )
    states = copy("A", "source", 3, 43).replace("=Success", "=Failed")
    (operation,) = load_seedings(case(events=states + failure))
    assert [(f.text, after(f.time)) for f in operation.failures] == [("error 35: no thread", 40)]
    two = copy("A", "source", 3, 43, guids="c d", database="Stock")
    found = load_seedings(case(events=states + two + failure))
    assert [operation.failures for operation in found] == [(), ()]


def test_a_forwarder_is_the_target_of_the_group_before_it():
    text = copy("A", "source", 3, 43, remote="F") + copy("F", "target", 3, 43, guids="b a").replace(
        "restore_state_change", "forwarder_state_change"
    ).replace("role_desc=Destination", "role_desc=Forwarder")
    (operation,) = load_seedings(case(events=text))
    assert told(operation) == "Sales A->F [3 3 43 43] 1000 MB completed"
