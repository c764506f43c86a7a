"""What ERRORLOGs and counters tell of seedings, and what they do not prove."""

from __future__ import annotations

import pytest

from agtrace.history.seedings import load_seedings
from tests.diagnostics.backup.cases import backed_up, backup_case, log, processed
from tests.diagnostics.seeding.cases import after, copy, request, told
from tests.diagnostics.tiny import case

PAGES = 128_000
DEVICE = "'{B6BD6B1D-9C2E-4F0B-8B4B-2C0F8C5A7A11}'"


def restored(database: str) -> str:
    """Return message 18267 of a restore from a virtual device."""
    return (
        f"Database was restored: Database: {database}, creation date(time): 2024/01/02(03:04:05), first LSN: "
        f"39:760:1, "
        f"last LSN: 39:763:1, number of dump devices: 1, device information: (FILE=1, TYPE=VIRTUAL_DEVICE: "
        f"{{{DEVICE}}}). "
        "Informational message. No user action required."
    )


def source_log(end: float, seconds: float, database: str = "Sales", *, rate: bool = True) -> str:
    entries = [(end, "Backup", backed_up(database, PAGES, DEVICE, media="VIRTUAL_DEVICE"))]
    if rate:
        entries.append((end + 0.01, "Backup", processed("BACKUP DATABASE", PAGES, seconds)))
    return log(*entries)


def target_log(end: float, seconds: float, database: str = "Sales", *, rate: bool = True) -> str:
    entries = [(end, "Backup", restored(database))]
    if rate:
        entries.append((end + 0.01, "Backup", processed("RESTORE DATABASE", PAGES, seconds)))
    return log(*entries)


DAY = 86_400
"""The logs are written on the day before the other captures begin."""


def logged(source: str = "", target: str = "", **more):
    made = backup_case(
        *filter(None, (source, target)),
        hosts=tuple(h for h, text in (("A", source), ("B", target)) if text),
        **more,
    )
    made.run(
        f"update messages set time = time + to_seconds({DAY}), time_local = time_local + to_seconds({DAY})"
    )
    made.run(
        f"update errorlog set time = time + to_seconds({DAY}), time_local = time_local + to_seconds({DAY})"
    )
    return made


def test_a_backup_and_a_restore_of_one_stream():
    (operation,) = load_seedings(logged(source_log(110, 100), target_log(111, 100.5)))
    assert told(operation) == "Sales A->B [10 10 111 111] 1048.58 MB completed"
    assert operation.bytes_source == "pages times 8,192, ERRORLOG of A"
    assert operation.told_by == {"errorlog"}
    assert operation.source.states == operation.source.phases == ()


@pytest.mark.complete
def test_one_log_alone_proves_no_seeding():
    assert load_seedings(logged(source_log(110, 100))) == []
    assert load_seedings(logged("", target_log(111, 100))) == []


@pytest.mark.complete
def test_a_backup_through_another_tool_is_none():
    other = target_log(400, 100)
    assert load_seedings(logged(source_log(110, 100), other)) == []
    assert load_seedings(logged(source_log(110, 100), target_log(111, 100, "Stock"))) == []


def test_a_snapshot_through_a_virtual_device_is_none():
    frozen = log(
        (100, "spid51", (
            "I/O is frozen on database Sales. No user action is required. However, if I/O is not resumed "
            "promptly, you could cancel the backup."
        )),
        (109, "spid51", "I/O was resumed on database Sales. No user action is required."),
    )  # fmt: skip
    assert load_seedings(logged(frozen + source_log(110, 9), target_log(111, 9))) == []


def test_a_backup_by_another_tool_beside_a_seeding_is_not_taken_for_it():
    night = source_log(-3000, 100) + source_log(110, 100)
    (operation,) = load_seedings(logged(night, target_log(111, 100.5)))
    assert told(operation) == "Sales A->B [10 10 111 111] 1048.58 MB completed"


THROUGHPUT = r"{host} | \SQLServer:Databases({database})\Backup/Restore Throughput/sec | {values}"


def counted(host: str, values: str, database: str = "Sales") -> str:
    return THROUGHPUT.format(host=host, database=database, values=values) + "\n"


@pytest.mark.complete
def test_counters_give_the_start_and_the_bytes_that_the_log_lacks():
    perfmon = counted("A", "3x0, 20x10000000, 0") + counted("B", "3x0, 20x10000000, 0")
    source, target = source_log(110, 0, rate=False), target_log(111, 0, rate=False)
    (operation,) = load_seedings(logged(source, target, perfmon=perfmon))
    assert told(operation) == "Sales A->B [10 10 111 111] 1048.58 MB completed"
    assert operation.told_by == {"errorlog", "perfmon"}
    (only,) = load_seedings(logged(source, target, perfmon=perfmon.splitlines()[1]))
    assert told(only) == "Sales A->B [10 10 111 111] 1048.58 MB completed"


def test_all_databases_together_count_where_the_database_has_no_counter():
    perfmon = counted("B", "3x0, 20x10000000, 0", "_Total")
    source, target = source_log(110, 0, rate=False), target_log(111, 0, rate=False)
    (operation,) = load_seedings(logged(source, target, perfmon=perfmon))
    assert after(operation.start) == 10


def test_a_counter_that_no_server_reaches_is_not_believed():
    events = request("A", "source", "0 PENDING, 5 SEEDING, 112 CATCHUP, 130 COMPLETED", success=True)
    for rate, copied in (("10000000", "1000 MB"), ("9" * 30, "-")):
        made = case(counted("A", f"3x0, 20x{rate}, 0"), events=events)
        assert [told(each).split("] ")[1] for each in load_seedings(made)] == [f"{copied} completed"]


@pytest.mark.complete
def test_counters_of_the_other_host_stand_for_its_log():
    perfmon = counted("A", "3x0, 20x10000000, 0") + counted("B", "3x0, 20x10000000, 0")
    (operation,) = load_seedings(logged(source_log(110, 100), perfmon=perfmon))
    assert told(operation) == "Sales A->B [10 10 110 110] 1048.58 MB completed"
    assert operation.target.told_by == {"perfmon"}
    with_log = logged(source_log(110, 100), log((0, "spid5s", "Recovery is complete.")), perfmon=perfmon)
    with_log.run(
        "insert into messages by name select content_id, 'B' as host_id, 'ready' as topic from errorlog "
        "where host_id = 'B'"
    )
    assert load_seedings(with_log) == [], "its log was captured and tells of no restore"


def test_counters_alone_are_no_operation():
    perfmon = counted("A", "3x0, 20x10000000, 0") + counted("B", "3x0, 20x10000000, 0")
    assert load_seedings(case(perfmon)) == []


def test_what_the_log_says_of_a_copy_that_events_show():
    made = logged(source_log(110, 100), events=copy("A", "source", 10, 110.2, remote="B"))
    (operation,) = load_seedings(made)
    assert told(operation) == "Sales A->? [10 10 110.2 110.2] 1000 MB completed"
    assert operation.told_by == {"errorlog", "xel"}


def test_the_log_ends_a_copy_whose_events_stop():
    made = logged(source_log(110, 100), events=copy("A", "source", 10, 110, ended=False))
    (operation,) = load_seedings(made)
    assert told(operation) == "Sales A->? [10 10 110 110] 1000 MB completed"


TRACE = (
    "role={role}; operation_id=OP1; database=Sales; local_replica_id={local}; remote_replica_id={remote}; "
    "old_state={old}; new_state={new}"
)


def traced(host: str, role: str, seconds: float, old: str, new: str) -> str:
    local, remote = ("r1", "r2") if role == "Primary" else ("r2", "r1")
    said = TRACE.format(role=role, local=local, remote=remote, old=old, new=new)
    return f"{host} | {seconds} | seeding_trace | 0 | {said}\n"


def failed(host: str, seconds: float, reason: str = "transient") -> str:
    return f"{host} | {seconds} | seeding_failed | 19494 | database=Sales; ag=Group; reason={reason}\n"


REASON = "{host} | {seconds} | seeding_trace | 0 | database=$; reason=215; reason_text=Seeding\n"


def test_traced_states_are_a_timeline():
    messages = traced("A", "Primary", 0, "PENDING", "CHECK_IF_SEEDING_NEEDED")
    messages += traced("A", "Primary", 5, "CHECK_IF_SEEDING_NEEDED", "SEEDING")
    messages += traced("A", "Primary", 50, "SEEDING", "COMPLETED")
    messages += traced("B", "Secondary", 50.5, "SEEDING", "COMPLETED")
    (operation,) = load_seedings(case(messages=messages))
    assert told(operation) == "Sales A->B [0 5 50 50.5] - completed"
    assert [s.name for s in operation.source.states] == [
        "CHECK_IF_SEEDING_NEEDED", "SEEDING", "COMPLETED",
    ]  # fmt: skip


def test_a_failure_in_the_log_with_its_reason_and_side():
    messages = failed("B", 30) + REASON.format(host="B", seconds=30)
    messages += traced("B", "Secondary", 30, "SEEDING", "FAILED")
    (operation,) = load_seedings(case(messages=messages))
    assert told(operation) == "Sales ?->B [- - - 30] - failed"
    assert operation.ag == "Group"
    assert [(f.state, f.text, f.where) for f in operation.failures] == [
        (None, "transient", "ERRORLOG of B, line 1"),
        (215, "Seeding", "ERRORLOG of B, line 2"),
    ]


def test_failures_of_one_database_in_a_row_are_attempts():
    messages = "".join(failed("B", s) + REASON.format(host="B", seconds=s) for s in (30, 150, 270))
    (operation, other) = load_seedings(case(messages=messages + failed("B", 2000)))
    assert (operation.outcome, operation.attempts, len(operation.failures)) == ("failed", 3, 6)
    assert (after(operation.end), operation.target.host) == (270, "B")
    assert (after(other.end), other.attempts) == (2000, None)


def test_the_side_of_a_failure_without_a_reason():
    backup = "A | 29 | backup_failed | 3013 | statement=BACKUP DATABASE; reason=terminated\n"
    (operation,) = load_seedings(case(messages=backup + failed("A", 30)))
    assert (operation.source.host, operation.target) == ("A", None)
    primary = "A | 1 | role_change | 1480 | database=Sales; new_role=PRIMARY\n"
    (operation,) = load_seedings(case(messages=primary + failed("A", 30)))
    assert (operation.source.host, operation.target) == ("A", None)
    (operation,) = load_seedings(case(messages=failed("A", 30)))
    assert (operation.source, operation.target.host) == (None, "A")


def test_a_failure_in_the_log_is_that_of_the_events():
    events = request("B", "target", "0 PENDING, 2 SEEDING, 30 FAILED", failure="215 Seeding")
    messages = failed("B", 30.1) + REASON.format(host="B", seconds=30.1)
    (operation,) = load_seedings(case(events=events, messages=messages))
    assert [(f.state, f.text) for f in operation.failures] == [(215, "Seeding"), (None, "transient")]
    assert operation.failures[0].where == ("hadr_automatic_seeding_failure on B; ERRORLOG of B, line 2")
    assert operation.told_by == {"errorlog", "xel"}


def test_a_log_whose_clock_is_unknown_says_nothing():
    messages = failed("B", 30)
    assert load_seedings(case(messages=messages, zone_unknown=("B",))) == []


def test_failures_of_attempts_that_follow_closely_go_to_the_nearest():
    events, messages = "", ""
    for number in range(4):
        begun = 60 * number
        states = f"{begun} PENDING, {begun + 1} SEEDING, {begun + 30} FAILED"
        events += request("B", "target", states, operation=f"op{number}", failure="215 Seeding")
        messages += failed("B", begun + 30.1)
    found = load_seedings(case(events=events, messages=messages))
    assert [[after(f.time) for f in operation.failures] for operation in found] == [
        [30, 30.1], [90, 90.1], [150, 150.1], [210, 210.1],
    ]  # fmt: skip


def test_a_traced_target_is_the_one_of_the_events_though_its_operation_id_is_the_sources():
    events = request("A", "source", "0 PENDING, 2 SEEDING, 50 COMPLETED") + request(
        "B", "target", "0 PENDING, 2 SEEDING, 50.4 COMPLETED", operation="op7", remote="r1"
    )
    messages = traced("B", "Secondary", 2, "PENDING", "SEEDING")
    messages += traced("B", "Secondary", 50.5, "SEEDING", "COMPLETED")
    (operation,) = load_seedings(case(events=events, messages=messages))
    assert told(operation) == "Sales A->B [0 2 50.4 50.4] - completed"
