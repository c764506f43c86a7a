"""Extended Events as JSON lines and as one Parquet table."""

from __future__ import annotations

import json
from datetime import datetime

import pyarrow.parquet as pq
import pytest

from agtrace.convert import Selection, convert
from agtrace.errors import CaseError
from simulation.formats.xel import Event, Map, XelFile, event_schema

A = event_schema("a", {"n": "int32", "text": "unicode_string"}, {"session_id": "uint16"})
B = event_schema(
    "b", {"n": "unicode_string", "kind": Map("kinds", {0: "off", 1: "on"}), "raw": "binary_data"}
)
SECOND = 10_000_000


@pytest.fixture
def capture(tmp_path):
    events = [
        Event(A, 0, {"n": -1, "text": "one <b>"}, {"session_id": 51}),
        Event(B, 1 * SECOND + 5, {"n": "two", "kind": 1, "raw": b"\x01\xff"}),
        Event(A, 2 * SECOND, {"n": 3, "text": "three"}),
    ]
    path = tmp_path / "s_0_133506180000000000.xel"
    path.write_bytes(XelFile().write(events, sizes=[2, 1]))
    return path


def lines(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_one_object_per_event_in_the_order_of_the_file(capture, tmp_path):
    out = tmp_path / "x.jsonl"
    assert convert(capture, out).rows == 3
    first, second, third = lines(out)
    assert first == {
        "name": "a",
        "uuid": first["uuid"],
        "timestamp": "2024-01-25T10:00:00.0000000Z",
        "fields": {"n": -1, "text": "one <b>"},
        "actions": {"session_id": 51},
    }
    assert second["timestamp"] == "2024-01-25T10:00:01.0000005Z"
    assert second["fields"] == {"n": "two", "kind": "on", "raw": "01ff"}
    assert (third["name"], third["actions"]) == ("a", {})


def test_begin_and_end_are_utc(capture, tmp_path):
    out = tmp_path / "x.jsonl"
    selection = Selection(begin=datetime(2024, 1, 25, 10, 0, 1), end=datetime(2024, 1, 25, 10, 0, 1, 900_000))
    assert convert(capture, out, selection).rows == 1
    assert lines(out)[0]["name"] == "b"


def test_one_table_with_the_columns_of_all_events(capture, tmp_path):
    out = tmp_path / "x.parquet"
    assert convert(capture, out).rows == 3
    rows = sorted(pq.read_table(out).to_pylist(), key=lambda row: row["_seq"])
    assert [row["_event"] for row in rows] == ["a", "b", "a"]
    assert [row["n"] for row in rows] == [-1, None, 3]
    assert [row["b.n"] for row in rows] == [None, "two", None]
    assert [(row["kind"], row["kind__key"]) for row in rows] == [(None, None), ("on", 1), (None, None)]
    assert [row["action_session_id"] for row in rows] == [51, None, None]


def test_another_ending_names_the_possible_ones(capture, tmp_path):
    with pytest.raises(CaseError, match=r"cannot be written as \.csv - possible: \.jsonl, \.parquet"):
        convert(capture, tmp_path / "x.csv")


def test_files_of_a_session_follow_each_other_as_they_begin(tmp_path):
    first = [Event(A, 0, {"n": 1, "text": "a"}), Event(A, SECOND, {"n": 2, "text": "b"})]
    second = [Event(B, 2 * SECOND, {"n": "3", "kind": 0, "raw": b""})]
    (tmp_path / "late.xel").write_bytes(XelFile().write(second))
    (tmp_path / "early.xel").write_bytes(XelFile().write(first))
    files = [tmp_path / "late.xel", tmp_path / "early.xel"]
    done = convert(files, tmp_path / "x.jsonl")
    assert (done.rows, done.issues) == (3, [])
    assert [line["fields"]["n"] for line in lines(tmp_path / "x.jsonl")] == [1, 2, "3"]
    convert(files, tmp_path / "x.parquet")
    rows = pq.read_table(tmp_path / "x.parquet").sort_by("_seq").to_pylist()
    assert [(row["_seq"], row["n"], row["b.n"]) for row in rows] == [
        (0, 1, None),
        (1, 2, None),
        (2, None, "3"),
    ]


def test_files_that_overlap_are_said_to_do_so(tmp_path):
    names = []
    for number, seconds in enumerate([(0, 5), (3, 4)]):
        events = [Event(A, second * SECOND, {"n": second, "text": ""}) for second in seconds]
        names.append(tmp_path / f"{number}.xel")
        names[-1].write_bytes(XelFile().write(events))
    done = convert(names, tmp_path / "x.jsonl")
    assert [line["fields"]["n"] for line in lines(tmp_path / "x.jsonl")] == [0, 5, 3, 4]
    assert done.issues == [
        ("warning", f"{names[1]}: begins before {names[0]} ends; its events follow nevertheless", 1)
    ]
