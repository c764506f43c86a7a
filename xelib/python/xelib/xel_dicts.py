"""Events as dictionaries, for a look by hand."""

from __future__ import annotations

import datetime
import heapq
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

_EPOCH = datetime.datetime(1601, 1, 1)
_PER_SECOND = 10_000_000
_YEAR_10000 = 2_650_467_744_000_000_000


def iso_time(filetime: int) -> str | int:
    """Write a FILETIME (100 ns since 1601-01-01, UTC) as ISO 8601 with 7 decimals.

    Beyond the years 1601 to 9999 the number itself is returned.
    """
    if not 0 <= filetime < _YEAR_10000:
        return filetime
    seconds, rest = divmod(filetime, _PER_SECOND)
    return f"{_EPOCH + datetime.timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}.{rest:07}Z"


def event_dicts(batches: Iterable[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    """Return the events of consecutive batches of a file, by ``_seq``."""
    rows = heapq.merge(*map(_rows, batches), key=lambda row: row[0])
    return (event for _, event in rows)


def _rows(batch: pa.RecordBatch) -> Iterator[tuple[int, dict[str, Any]]]:
    about = batch.schema.metadata
    name, uuid = about[b"xe_event"].decode(), about[b"xe_uuid"].decode() or None
    parts: dict[bytes, list[tuple[str, list[Any]]]] = {b"field": [], b"action": []}
    for field, column in zip(batch.schema, batch.columns, strict=True):
        metadata = field.metadata
        if metadata[b"xe_source"] in parts and b"xe_key" not in metadata:
            shown = _SHOWN.get(metadata[b"xe_type"])
            values = column.to_pylist()
            if shown is None and values and any(isinstance(value, bytes) for value in values):
                shown = bytes.hex
            if shown is not None:
                values = [None if value is None else shown(value) for value in values]
            parts[metadata[b"xe_source"]].append((field.name, values))
    actions = [(name.removeprefix("action_"), values) for name, values in parts[b"action"]]
    numbers, times = batch.column("_seq").to_pylist(), batch.column("_ticks").to_pylist()
    for row, (seq, time) in enumerate(zip(numbers, times, strict=True)):
        fields = {name: values[row] for name, values in parts[b"field"]}
        carried = {name: values[row] for name, values in actions if values[row] is not None}
        yield (
            seq,
            {"name": name, "uuid": uuid, "timestamp": iso_time(time), "fields": fields, "actions": carried},
        )


_SHOWN: dict[bytes, Callable[[Any], Any]] = {b"filetime": iso_time, b"binary_data": bytes.hex}
