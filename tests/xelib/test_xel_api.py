"""How xelib.open_xel is used: sources, choosing, tables, dictionaries, errors."""

from __future__ import annotations

import datetime as dt
import io
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
import xelib

from simulation.formats.xel import Event, Map, XelFile, event_schema

STATE = Map("state", {0: "off", 1: "on"})
PLAN = event_schema(
    "plan",
    {"n": "uint32", "at": "filetime", "data": "binary_data", "stack": "callstack", "state": STATE},
    {"who": "unicode_string"},
)
TICK = event_schema("tick", {"n": "uint64", "_time": "int16", "n__key": "boolean"})


def file_of(count: int) -> bytes:
    """Make a file of ``count`` events, every third a tick, in blocks of four."""
    events = [
        Event(TICK, n, {"n": n, "_time": -1, "n__key": True})
        if n % 3 == 0
        else Event(
            PLAN,
            n,
            {"n": n, "at": n, "data": bytes([n]), "stack": [n, 2**64 - 1], "state": n % 2},
            {"who": f"user {n}"} if n % 3 == 1 else {},
        )
        for n in range(count)
    ]
    return XelFile().write(events, [4] * (count // 4) + [count % 4] * (count % 4 > 0))


class Stream:
    """A file object that can only be read, and gives less than asked for."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def read(self, size: int) -> bytes:
        return self._file.read(min(size, 100))


def numbers(source: object, **options) -> list[int]:
    file = xelib.open_xel(source, **options)
    return sorted(seq for _, batch in file for seq in batch["_seq"].to_pylist())


def test_a_path_a_file_object_and_a_stream_give_the_same(tmp_path: Path) -> None:
    data = file_of(10)
    path = tmp_path / "session_0_133485408000000000.xel"
    path.write_bytes(data)
    for source in (path, str(path), io.BytesIO(data), Stream(data)):
        assert numbers(source) == list(range(10))


def test_a_file_can_be_iterated_over_again_a_stream_cannot(tmp_path: Path) -> None:
    path = tmp_path / "a.xel"
    path.write_bytes(file_of(10))
    for source in (path, io.BytesIO(file_of(10))):
        file = xelib.open_xel(source)
        assert [len(list(file.to_dicts())) for _ in range(3)] == [10, 10, 10]
    file = xelib.open_xel(Stream(file_of(10)))
    assert len(list(file.to_dicts())) == 10
    with pytest.raises(ValueError, match="can be read only once"):
        next(iter(file))


def test_an_error_of_the_source_comes_through() -> None:
    class Broken:
        def read(self, size: int) -> bytes:
            raise TimeoutError("no answer")

    with pytest.raises(TimeoutError, match="no answer"):
        xelib.open_xel(Broken())


def test_the_columns_of_a_batch() -> None:
    ((name, batch), *_) = xelib.open_xel(io.BytesIO(file_of(4)), events=["tick"])
    assert name == "tick"
    kinds = {field.name: field.type for field in batch.schema}
    assert list(kinds.items())[:6] == [
        ("_seq", pa.int64()),
        ("_time", pa.timestamp("us", "UTC")),
        ("_ticks", pa.int64()),
        ("n", pa.uint64()),
        ("_time_2", pa.int16()),
        ("n__key", pa.bool_()),
    ]
    assert kinds["action_who"] == pa.string()
    metadata = batch.schema.field("_time_2").metadata
    assert (metadata[b"xe_name"], metadata[b"xe_source"]) == (b"_time", b"field")
    assert batch["_time_2"].to_pylist() == [-1, -1]
    assert batch["action_who"].null_count == 2


def test_chosen_columns_are_all_there_is() -> None:
    file = xelib.open_xel(io.BytesIO(file_of(4)), columns=["n", "state__key", "_offset"])
    batches = dict(file)
    assert batches["plan"].schema.names == ["_offset", "n", "state__key"]
    assert batches["plan"]["state__key"].to_pylist() == [1, 0]
    assert batches["tick"].schema.names == ["_offset", "n"]


def test_positions_identify_an_event_across_copies() -> None:
    data = file_of(10)
    file = xelib.open_xel(io.BytesIO(data), positions=True)
    rows = [row for _, batch in file for row in batch.to_pylist()]
    rows.sort(key=lambda row: row["_seq"])
    assert [row["_block"] for row in rows] == [1] * 4 + [2] * 4 + [3] * 2
    for row in rows:
        length = int.from_bytes(data[row["_offset"] + 20 :][:4], "little")
        assert row["n"].to_bytes(4, "little") == data[row["_offset"] + 24 :][:4]
        assert length > 4
    assert len(file.session_runs) == 1


def test_tables_leave_out_actions_that_no_event_carries() -> None:
    tables = xelib.open_xel(io.BytesIO(file_of(30))).read()
    assert {name: len(table) for name, table in tables.items()} == {"tick": 10, "plan": 20}
    assert "action_who" in tables["plan"].column_names
    assert "action_who" not in tables["tick"].column_names


def test_dicts_are_in_the_order_of_the_file_and_go_to_json() -> None:
    file = xelib.open_xel(io.BytesIO(file_of(5)), columns=["n", "at", "data", "stack", "state"])
    shown = list(file.to_dicts())
    assert [event["fields"]["n"] for event in shown] == [0, 1, 2, 3, 4]
    assert json.loads(json.dumps(shown[1]["fields"])) == {
        "n": 1,
        "at": "1601-01-01T00:00:00.0000001Z",
        "data": "01",
        "stack": ["0x0000000000000001", "0xFFFFFFFFFFFFFFFF"],
        "state": "on",
    }
    assert list(shown[1]) == ["name", "uuid", "timestamp", "fields", "actions"]
    carried = [event["actions"] for event in xelib.open_xel(io.BytesIO(file_of(3))).to_dicts()]
    assert carried == [{}, {"who": "user 1"}, {}]


def test_time_is_exact_in_ticks_and_rounded_down_in_microseconds() -> None:
    ((_, batch),) = xelib.open_xel(io.BytesIO(file_of(9)), events=["plan"])
    ticks = batch["_ticks"].to_pylist()
    assert [later - ticks[0] for later in ticks] == [0, 1, 3, 4, 6, 7]
    epoch = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)
    micros = [(time - epoch) // dt.timedelta(microseconds=1) for time in batch["_time"].to_pylist()]
    assert micros == [tick // 10 for tick in ticks]


def test_an_error_names_the_place_and_survives_a_process_boundary() -> None:
    with pytest.raises(xelib.FormatError) as caught:
        xelib.open_xel(io.BytesIO(b"PK\x03\x04" + bytes(600)))
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (error.offset, error.need, error.have) == (0, "0xefab375a", "0x04034b50")
        assert str(error) == (
            "magic of an Extended Events file at offset 0 (need 0xefab375a, have 0x04034b50)"
        )


def test_importing_costs_no_pyarrow() -> None:
    check = "import sys, xelib; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
