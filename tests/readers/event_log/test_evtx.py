"""Event logs as Windows keeps them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from agtrace.errors import CaptureError
from agtrace.readers.event_log import READER
from agtrace.testing import check_flips, check_read_twice, check_same_in_any_block_size, facts, read_all
from simulation.formats.event_log import EVENTS
from simulation.formats.evtx import CHUNK, evtx, evtx_of_templates


def test_every_record_is_an_event_in_utc():
    tables = read_all(READER, evtx(EVENTS, first=41), "System.evtx")
    rows = tables["os_events"].to_pylist()
    assert rows[0] == {
        "line": 41,
        "time_local": datetime(2026, 2, 28, 22, 10, 44),
        "log": "System",
        "level": "Error",
        "source": "Microsoft-Windows-FailoverClustering",
        "event_id": 1135,
        "computer": "CONTOSO1",
        "category": "3",
        "user": "S-1-5-18",
        "record": 41,
        "message": "NodeName: CONTOSO2",
    }
    assert [row["level"] for row in rows] == ["Error", "Information", "Warning"]
    (file,) = facts(tables, "event_log")
    assert (file["utc"], file["computer"], file["log"]) == ("true", "CONTOSO1", "System")
    assert "issues" not in tables


@pytest.mark.parametrize("written", [evtx, evtx_of_templates])
def test_read_twice_in_any_blocks_and_damaged(written):
    data = written(EVENTS)
    check_read_twice(READER, data, "System.evtx")
    check_same_in_any_block_size(READER, data, "System.evtx", (7, 4096, 70_001))
    # Most of a chunk is empty: damage where something is.
    check_flips(READER, data[: 4096 + 4096], "System.evtx", 500)


def test_templates_stand_for_what_they_are_filled_with():
    plain, filled = (
        read_all(READER, data, "System.evtx")["os_events"].to_pylist()
        for data in (evtx(EVENTS), evtx_of_templates(EVENTS))
    )
    assert [row | {"message": ""} for row in filled] == [row | {"message": ""} for row in plain]
    assert [row["message"] for row in filled] == [f"NodeName: CONTOSO2; Tries: {n}" for n in (1, 2, 3)]


def test_chunks_follow_one_another():
    data = evtx_of_templates(EVENTS)
    many = data + bytes(CHUNK) + data[4096:] * 20
    rows = read_all(READER, many, "System.evtx")["os_events"].to_pylist()
    assert [row["event_id"] for row in rows] == [event.number for event in EVENTS] * 21


def test_a_log_that_was_cut_tells_what_is_left_or_says_so():
    data = evtx(EVENTS)
    for size in (8, 100, 4096, 4096 + 512, 4096 + 1500, len(data) - 1):
        try:
            tables = read_all(READER, data[:size], "System.evtx")
        except CaptureError as error:
            assert error.path == "System.evtx"
            continue
        assert "os_events" not in tables or tables["os_events"].num_rows <= 3


def test_a_record_that_cannot_be_read_is_counted():
    data = bytearray(evtx(EVENTS))
    second = data.index(b"\x2a\x2a\0\0", 4096 + 600)
    data[second + 24] = 0x77
    tables = read_all(READER, bytes(data), "System.evtx")
    assert [row["event_id"] for row in tables["os_events"].to_pylist()] == [1135, 153]
    assert [(row["kind"], row["count"], row["offset"]) for row in tables["issues"].to_pylist()] == [
        ("damaged_record", 1, second),
        ("bad_checksum", 1, 4096),
    ]


def test_a_chunk_that_begins_as_none_costs_itself_alone():
    data = evtx(EVENTS)
    torn = data + b"x" * CHUNK + data[4096:]
    tables = read_all(READER, torn, "System.evtx")
    assert [row["event_id"] for row in tables["os_events"].to_pylist()] == [1135, 7036, 153] * 2
    assert [(row["kind"], row["count"], row["offset"]) for row in tables["issues"].to_pylist()] == [
        ("damaged_record", 1, len(data))
    ]


FLAGS_OF_FILE, FLAGS_OF_CHUNK = 120, 4096 + 120


@pytest.mark.parametrize(("at", "flag"), [(FLAGS_OF_FILE, 1), (FLAGS_OF_FILE, 4), (FLAGS_OF_CHUNK, 4)])
def test_checksums_count_only_where_they_were_written(at, flag):
    data = bytearray(evtx(EVENTS))
    data[data.index("CONTOSO2".encode("utf-16-le"))] = ord("K")
    (issue,) = read_all(READER, bytes(data), "System.evtx")["issues"].to_pylist()
    assert (issue["kind"], issue["severity"], issue["offset"]) == ("bad_checksum", "warning", 4096)
    data[at] = flag
    tables = read_all(READER, bytes(data), "System.evtx")
    assert tables["os_events"]["message"][0].as_py() == "NodeName: KONTOSO2"
    assert "issues" not in tables


EXPORTED = datetime(2026, 3, 5, 9)
"""When a filtered export was written: the heads of its records have that time, or 1601."""


@pytest.mark.parametrize(
    ("heads", "differ"),
    [
        ([EXPORTED, EXPORTED, datetime(1601, 1, 1)], 3),
        ([event.at + timedelta(seconds=1) for event in EVENTS], 0),
        ([event.at + timedelta(seconds=2) for event in EVENTS[:1]] + [event.at for event in EVENTS[1:]], 1),
    ],
)
def test_the_time_of_an_event_is_that_of_its_creation(heads, differ):
    tables = read_all(READER, evtx(EVENTS, heads=heads), "System.evtx")
    assert [row["time_local"] for row in tables["os_events"].to_pylist()] == [event.at for event in EVENTS]
    issues = tables["issues"].to_pylist() if "issues" in tables else []
    assert [(row["kind"], row["severity"], row["count"]) for row in issues] == (
        [("record_time", "info", differ)] if differ else []
    )


def test_the_head_of_a_record_gives_its_time_where_nothing_else_does():
    heads = [EXPORTED, EXPORTED, datetime(1601, 1, 1)]
    tables = read_all(READER, evtx(EVENTS, heads=heads, dated=False), "System.evtx")
    assert [row["time_local"] for row in tables["os_events"].to_pylist()] == [EXPORTED, EXPORTED, None]
