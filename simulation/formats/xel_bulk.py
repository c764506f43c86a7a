"""Writes millions of events of a few kinds as `simulation.formats.xel` does, a column at a time.

One record of each kind is written by `xel.record`; numpy puts the numbers of the others into copies of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from simulation.formats.xel import BLOCK_BYTES, EventSchema, XelFile, record, size_of
from simulation.formats.xel_data_movement import event
from simulation.formats.xel_metadata import SLOT, Metadata
from simulation.formats.xel_schema import TYPES

TICKS_AT, HEAD = 12, 24
"""Where the ticks of a record stand, and how long its head is."""


@dataclass(frozen=True)
class Many:
    """Events of one kind: their ticks, and fields that are one value, or an array with one for each."""

    schema: EventSchema
    ticks: np.ndarray
    fields: Mapping[str, Any]


def write_many(file: XelFile, parts: Iterable[Sequence[Many]], out: BinaryIO) -> int:
    """Write a file; the events of each part are put in order by themselves. Gives the number of events.

    Parameters
    ----------
    file
        It declares all schemas that occur.
    """
    out.write(file.write())
    metadata = Metadata(file.schemas, file.base, file.frequency, file.run)
    blocks = events = 0
    for part in parts:
        events += sum(len(many.ticks) for many in part)
        for payload in _payloads(part, metadata):
            out.write(file.data_block(payload, blocks))
            blocks += 1
    return events


def _payloads(part: Sequence[Many], metadata: Metadata) -> Iterator[bytes]:
    """Put the records of all kinds in the order of their ticks, and cut them into blocks."""
    written = [_records(many, metadata) for many in part]
    ticks = np.concatenate([many.ticks for many in part])
    lengths = np.concatenate([np.full(len(each), each.shape[1]) for each in written])
    order = np.argsort(ticks, kind="stable")
    ends = np.cumsum(lengths[order])
    places = np.empty(len(order), np.int64)
    places[order] = ends - lengths[order]
    whole = np.empty(ends[-1], np.uint8)
    first = 0
    for each in written:
        at = places[first : first + len(each)]
        whole[at[:, None] + np.arange(each.shape[1])] = each
        first += len(each)
    start = 0
    while start < len(whole):
        end = int(ends[np.searchsorted(ends, start + BLOCK_BYTES, "right") - 1])
        yield whole[start:end].tobytes()
        start = end


def _records(many: Many, metadata: Metadata) -> np.ndarray:
    """Return the bytes of the records, one in each row."""
    varying = {name: v for name, v in many.fields.items() if isinstance(v, np.ndarray)}
    same = {name: v for name, v in many.fields.items() if name not in varying}
    model = np.frombuffer(record(event(many.schema, 0, same), metadata), np.uint8)
    rows = np.repeat(model[None, :], len(many.ticks), axis=0)
    _put(rows, TICKS_AT, many.ticks, "<q")
    at = HEAD
    for name, column in many.schema.columns.items():
        if name in varying:
            assert isinstance(column.type, str), f"{name} is a map"
            _put(rows, at, varying[name], TYPES[column.type].code)
        at += size_of(column.type) or SLOT
    return rows


def _put(rows: np.ndarray, at: int, values: np.ndarray, code: str) -> None:
    raw = np.ascontiguousarray(values.astype(code)).view(np.uint8).reshape(len(values), -1)
    rows[:, at : at + raw.shape[1]] = raw
