"""Which seeding operations the events of XEL files show, and how their ends are put together."""

from __future__ import annotations

from agtrace.diagnostics.seeding.operations import load
from tests.diagnostics.seeding_cases import MB, after, copy, request, told
from tests.diagnostics.tiny import case

WAY = "0 PENDING, 0.1 CHECK_IF_SEEDING_NEEDED, 0.2 SENDING_FILE_LIST, 5 LIMIT_CONCURRENT_BACKUPS, 20 SEEDING, 121 CATCHUP, 130 COMPLETED"  # fmt: skip
SOURCE = request("A", "source", WAY, success=True) + copy("A", "source", 20.5, 120.5, remote="B")
TARGET = request("B", "target", WAY, remote="r1", success=True) + copy(
    "B", "target", 20.6, 120.8, guids="b a", remote="A", waits="300 400"
)


def test_nothing_captured_is_no_operation():
    assert load(case()) == []


def test_both_ends_with_states_phases_waits_and_progress():
    (operation,) = load(case(events=SOURCE + TARGET))
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
    assert source.progress.num_rows == 12
    assert source.progress["transferred_bytes"].to_pylist()[-1] == 1000 * MB
    assert source.progress["bytes_per_s"].to_pylist()[0] == 10 * MB


def test_the_source_alone():
    (operation,) = load(case(events=SOURCE))
    assert told(operation) == "Sales A->? [0 20.5 120.5 130] 1000 MB completed"


def test_the_target_alone():
    (operation,) = load(case(events=TARGET))
    assert told(operation) == "Sales ?->B [0 20.6 120.8 130] 1000 MB completed"


def test_the_order_of_rows_and_a_second_session_change_nothing():
    both = (SOURCE + TARGET).splitlines(keepends=True)
    once = load(case(events="".join(both)))
    again = [line.replace(" |", "@second |", 1) for line in both]
    twice = load(case(events="".join(reversed(both)) + "".join(again)))
    assert twice == once
    assert twice[0].source.progress.equals(once[0].source.progress)
