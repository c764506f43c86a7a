"""Puts what xelib gives into the yardstick's terms, so that the two can be held together."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pyarrow as pa

from simulation.formats import plain_xel

TYPES = {
    "int8": "SByte",
    "int16": "Int16",
    "int32": "Int32",
    "int64": "Int64",
    "uint8": "Byte",
    "uint16": "UInt16",
    "uint32": "UInt32",
    "uint64": "UInt64",
    "cpu_cycle": "UInt64",
    "float32": "Single",
    "float64": "Double",
    "boolean": "Boolean",
    "filetime": "DateTimeOffset",
    "guid": "Guid",
    "binary_data": "Byte[]",
    "activity_id": "XEActivityId",
    "activity_id_xfer": "XEActivityId",
}
"""What the yardstick calls a type; the others are text."""

SHOWN = {
    "filetime": plain_xel.time_text,
    "binary_data": bytes.hex,
    "callstack": lambda stack: "".join(f"{address}\r\n" for address in stack),
}


def events(batches: list[tuple[str, pa.RecordBatch]]) -> list[dict[str, Any]]:
    """Return the events of a file's batches in the order of the file, as the yardstick does."""
    found = [row for name, batch in batches for row in rows(name, batch)]
    found.sort(key=lambda row: row[0])
    assert len({seq for seq, _ in found}) == len(found)
    return [event for _, event in found]


def rows(name: str, batch: pa.RecordBatch) -> list[tuple[int, dict[str, Any]]]:
    """Return each event of a batch with its ``_seq``."""
    about = batch.schema.metadata
    assert name == about[b"xe_event"].decode()
    uuid = str(UUID(about[b"xe_uuid"].decode()))
    found = [
        (seq, {"name": name, "uuid": uuid, "ts": ts, "fields": {}, "actions": {}})
        for seq, ts in zip(batch["_seq"].to_pylist(), batch["_ticks"].to_pylist(), strict=True)
    ]
    for field, column in zip(batch.schema, batch.columns, strict=True):
        source, kind = field.metadata[b"xe_source"], field.metadata.get(b"xe_type", b"").decode()
        if source == b"record" or b"xe_key" in field.metadata:
            continue
        type_, show = TYPES.get(kind, "String"), SHOWN.get(kind, lambda value: value)
        original = field.metadata[b"xe_name"].decode()
        for (_, event), value in zip(found, column.to_pylist(), strict=True):
            if source == b"field":
                event["fields"][original] = None if value is None else (type_, show(value))
            elif value is not None:
                event["actions"][original] = (type_, show(value))
    return found
