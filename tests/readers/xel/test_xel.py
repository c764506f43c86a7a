"""The XEL reader: tables per event, facts about the file, backup traces, damage as issues."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agtrace.errors import CaptureError
from agtrace.readers.base import Source
from agtrace.readers.xel import READER
from agtrace.testing import check_empty, check_flips, check_read_twice, read_all
from simulation.formats.xel import Event, XelFile, event_schema
from simulation.formats.xel_sessions import BACKUP_TRACE
from tests.effort import thorough
from tests.folded import folded

STATE = event_schema(
    "state_change", {"node_name": "unicode_string", "instance_name": "unicode_string", "n": "int32"}
)
NAME = "AlwaysOn_health_0_131532683190890000.xel"
START = datetime(2024, 1, 25, 10, 0, tzinfo=UTC)


def states(count: int = 5) -> bytes:
    values = {"node_name": "SQL1", "instance_name": "PROD"}
    return XelFile().write(
        [Event(STATE, 10_000_000 * n, values | {"n": n}) for n in range(count)], sizes=[1] * count
    )


def facts(data: bytes, name: str = NAME) -> dict[str, str]:
    table = read_all(READER, data, name)["facts"]
    assert set(table["topic"].to_pylist()) == {"xel_file"}
    return dict(zip(table["key"].to_pylist(), table["value"].to_pylist(), strict=True))


def test_a_table_per_event():
    tables = read_all(READER, states(), NAME)
    assert set(tables) == {"events/state_change", "facts"}
    assert tables["events/state_change"]["n"].to_pylist() == [0, 1, 2, 3, 4]
    assert tables["events/state_change"]["_time"].to_pylist()[1] == START.replace(second=1)


def test_the_name_gives_session_and_creation():
    found = facts(states())
    assert (found["session"], found["file_number"]) == ("AlwaysOn_health", "0")
    assert found["file_created"] == "2017-10-23T21:38:39.089000+00:00"


def test_the_session_may_hold_underscores_and_a_node():
    found = facts(states(), "SQL1_PROD_SQLDIAG_3_131532683190890000.xel")
    assert (found["session"], found["file_number"]) == ("SQL1_PROD_SQLDIAG", "3")


def test_another_name_gives_no_session():
    assert "session" not in facts(states(), "capture.xel")


def test_events_of_the_cluster_name_their_server():
    assert facts(states())["server"] == r"SQL1\PROD"


@pytest.mark.parametrize(
    ("replicas", "server"), [(["SQL1\\PROD", "SQL1\\PROD"], "SQL1\\PROD"), (["SQL1", "SQL2"], None)]
)
def test_states_of_its_own_replica_name_the_server(replicas, server):
    own = event_schema("availability_replica_state_change", {"availability_replica_name": "unicode_string"})
    data = XelFile().write(
        [
            Event(own, 10_000_000 * n, {"availability_replica_name": replica})
            for n, replica in enumerate(replicas)
        ]
    )
    assert facts(data).get("server") == server


def test_where_the_file_begins_is_told_by_block_and_time():
    assert facts(states())["begins"] == f"1:{XelFile().base}"


def test_a_file_without_events_is_read():
    assert facts(XelFile(schemas=[STATE]).write())["events"] == "0"


def test_texts_of_backups_go_through_the_parser_of_the_errorlog():
    def said(second: int, text: str) -> Event:
        values = {"operation_type": 0, "trace_level": 0, "database_name": "Sales", "trace_message": text}
        return Event(BACKUP_TRACE[0], 10_000_000 * second, values)

    data = XelFile().write(
        [said(0, "BACKUP DATABASE started"), said(9, "Checkpoint is complete (elapsed = 90 ms)")]
    )
    found = read_all(READER, data, NAME)["messages"].to_pylist()
    assert [
        (row["topic"], dict(row["fields"])["operation"], dict(row["fields"])["database"]) for row in found
    ] == [("phase", "backup", "Sales"), ("phase", "backup", "Sales")]
    assert dict(found[1]["fields"])["elapsed_ms"] == "90"
    assert found[1]["time_local"] == datetime(2024, 1, 25, 10, 0, 9)


def test_a_cut_file_gives_what_came_before_and_an_issue():
    whole = states()
    tables = read_all(READER, whole[:-450], NAME)
    assert tables["events/state_change"]["n"].to_pylist() == [0, 1, 2, 3]
    (issue,) = tables["issues"].to_pylist()
    assert issue["severity"] == "data_loss"
    assert issue["offset"] is not None


@pytest.mark.parametrize("version", [9, 11])
def test_another_version_is_refused_with_the_place(version):
    data = bytearray(states())
    data[4] = version
    with pytest.raises(CaptureError, match="at offset 4"):
        read_all(READER, bytes(data), NAME)


def test_other_files_are_not_detected():
    assert READER.detect(b"\xff\xfe2\x000\x00", "x.xel") is None
    assert READER.detect(states()[:64], "x.bin") is not None


@thorough
def test_the_contract():
    data = states(20)
    check_read_twice(READER, data, NAME)
    check_empty(READER, NAME)
    check_flips(READER, data, NAME, flips=2_000)


@folded("place", range(1, 50))
def test_cut_anywhere_the_events_before_are_whole(place):
    whole = states(20)
    cut = whole[: len(whole) * place // 50]
    try:
        tables = read_all(READER, cut, NAME)
    except CaptureError:
        return
    found = tables.get("events/state_change")
    numbers = found["n"].to_pylist() if found else []
    assert numbers == list(range(len(numbers)))
    assert len(numbers) == 20 * place // 50 or "issues" in tables or len(cut) % 512 == 0


def test_a_source_is_read_without_a_file_on_disk():
    assert dict(READER.read(Source.of_bytes(states(), NAME)))["events/state_change"].num_rows >= 1
