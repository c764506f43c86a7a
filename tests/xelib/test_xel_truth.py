"""Real Extended Events files: every event and value as Microsoft's reader reports them."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import xelib

from tests.folded import folded
from tests.shared import CAPTURES, needs_captures

pytestmark = [needs_captures, pytest.mark.complete]

FOLDERS = {"xel": "{name}", "failover_2017": "{folder}__{name}"}


def files() -> list[Path]:
    return [path for folder in FOLDERS for path in sorted((CAPTURES / folder).rglob("*.xel"))]


def expected(path: Path) -> list[dict[str, Any]]:
    top = next(folder for folder in FOLDERS if (CAPTURES / folder) in path.parents)
    name = FOLDERS[top].format(name=path.stem, folder=path.parent.name)
    with gzip.open(CAPTURES / top / "expected" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


# Type names of the other reader, by the type in the file; all other types it gives as text.
REPORTED = {
    "int16": "Int16",
    "int32": "Int32",
    "int64": "Int64",
    "uint8": "Byte",
    "uint16": "UInt16",
    "uint32": "UInt32",
    "uint64": "UInt64",
    "float64": "Double",
    "boolean": "Boolean",
    "filetime": "DateTimeOffset",
    "guid": "Guid",
    "binary_data": "Byte[]",
    "activity_id": "XEActivityId",
    "activity_id_xfer": "XEActivityId",
}
ARROW = {
    "Int16": pa.int16(),
    "Int32": pa.int32(),
    "Int64": pa.int64(),
    "Byte": pa.uint8(),
    "UInt16": pa.uint16(),
    "UInt32": pa.uint32(),
    "UInt64": pa.uint64(),
    "Double": pa.float64(),
    "Boolean": pa.bool_(),
    "DateTimeOffset": pa.int64(),
    "Guid": pa.string(),
    "Byte[]": pa.binary(),
    "XEActivityId": pa.string(),
    "String": pa.string(),
}


def reported(kind: str, value: Any) -> list[Any]:
    """Write a value the way the other reader does."""
    if kind == "callstack":
        return ["String", "".join(f"{frame}\r\n" for frame in value)]
    if kind == "filetime":
        return ["DateTimeOffset", iso_time(value)]
    if kind == "binary_data":
        return ["Byte[]", value.hex()]
    return [REPORTED.get(kind, "String"), value]


def iso_time(filetime: int) -> str:
    days, rest = divmod(filetime, 864_000_000_000)
    date = pa.scalar(days - 134_774, pa.date32()).as_py()
    seconds, fraction = divmod(rest, 10_000_000)
    minutes, second = divmod(seconds, 60)
    return f"{date}T{minutes // 60:02}:{minutes % 60:02}:{second:02}.{fraction:07}+00:00"


def events(path: Path) -> list[tuple[int, dict[str, Any]]]:
    found = []
    for name, batch in xelib.open_xel(path):
        found += rows(name, batch)
    return sorted(found, key=lambda event: event[0])


def rows(name: str, batch: pa.RecordBatch) -> Iterator[tuple[int, dict[str, Any]]]:
    about = {field.name: field.metadata for field in batch.schema}
    for row in batch.to_pylist():
        groups: dict[bytes, dict[str, Any]] = {b"field": {}, b"action": {}}
        for column, value in row.items():
            metadata = about[column]
            group = groups.get(metadata[b"xe_source"])
            absent = metadata[b"xe_source"] == b"action" and value is None
            if group is None or b"xe_key" in metadata or absent:
                continue
            kind = metadata[b"xe_type"].decode()
            group[metadata[b"xe_name"].decode()] = reported(kind, value)
            if kind != "callstack":
                assert batch.schema.field(column).type == ARROW[REPORTED.get(kind, "String")]
        event = {
            "name": name,
            "uuid": batch.schema.metadata[b"xe_uuid"].decode(),
            "ts": iso_time(row["_ticks"]),
            "fields": groups[b"field"],
            "actions": groups[b"action"],
        }
        micros = row["_time"].strftime("%Y-%m-%dT%H:%M:%S.%f")
        assert event["ts"].startswith(micros)
        yield row["_seq"], event


def with_numbers(event: dict[str, Any]) -> dict[str, Any]:
    """Read doubles, which the truth holds as text, as numbers."""
    for group in (event["fields"], event["actions"]):
        for value in group.values():
            if value[0] == "Double":
                value[1] = float(value[1])
    return event


@folded("path", files())
def test_every_event_and_value(path: Path) -> None:
    truth = [with_numbers(event) for event in expected(path)]
    found = events(path)
    assert [seq for seq, _ in found] == list(range(len(truth)))
    for (seq, event), other in zip(found, truth, strict=True):
        assert event == other, seq
        assert list(event["fields"]) == list(other["fields"])
    assert xelib.open_xel(path).faults == ()


def test_the_files_cover_the_format() -> None:
    """No file, or one without events, must not make the comparison empty."""
    counts = {path.stem: len(expected(path)) for path in files()}
    assert (len(counts), sum(counts.values())) == (44, 43_797)
    kinds = Counter(
        field.type for path in files() for schema in xelib.open_xel(path).schemas for field in schema.fields
    )
    assert {"filetime", "ptr", "callstack", "guid", "xml", "map", "boolean"} <= set(kinds)


@pytest.mark.parametrize("path", files()[:6], ids=lambda path: path.stem)
def test_dicts_show_the_same(path: Path) -> None:
    shown = list(xelib.open_xel(path).to_dicts())
    truth = [with_numbers(event) for event in expected(path)]
    assert len(shown) == len(truth)
    for event, other in zip(shown, truth, strict=True):
        assert (event["name"], event["uuid"]) == (other["name"], other["uuid"])
        assert event["timestamp"] == other["ts"].replace("+00:00", "Z")
        for group in ("fields", "actions"):
            texts = {
                name: "".join(f"{frame}\r\n" for frame in value) if isinstance(value, list) else value
                for name, value in event[group].items()
            }
            times = {
                name: value.replace("+00:00", "Z") if kind == "DateTimeOffset" else value
                for name, (kind, value) in other[group].items()
            }
            assert texts == times
