"""Samples that an availability group resource took before its lease expired: processor, memory and disk.

The lines follow ``[hadrag] Date/Time, Processor time(%), ...``. Their times are UTC or the node's local time,
depending on the version and not on the time of the log itself: SQL Server 2017 writes UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

import pyarrow as pa

from agtrace.readers.fact_text import Fact
from agtrace.tables.topics import Value, facts

TOPIC = facts(
    "lease_sample",
    "sample that the resource of a group took before its lease ran out, every 10 s",
    Value("group", "availability group whose resource took it"),
    Value("processor_percent", "processor time", "%"),
    Value("available_memory_bytes", "memory available", "B"),
    Value("disk_read_s", "mean time of a disk read", "s"),
    Value("disk_write_s", "mean time of a disk write", "s"),
)

_NUMBER = r"(-?\d{1,20}(?:\.\d{1,20})?)"
_SAMPLE = re.compile(
    r"\[hadrag\] (\d{1,2})/(\d{1,2})/(\d{4}) (\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d{1,9})?, *"
    + ", *".join([_NUMBER] * 4)
)
_KEYS = (
    ("processor_percent", "%"),
    ("available_memory_bytes", "B"),
    ("disk_read_s", "s"),
    ("disk_write_s", "s"),
)


def lease_samples(batch: pa.RecordBatch, places: bytes, first_item: int) -> Iterator[Fact]:
    """Yield the samples among rows of ``cluster_log``, numbered from ``first_item``.

    Parameters
    ----------
    places
        Row numbers of the candidates, int64 each; samples are rare, so only these rows are parsed.
    """
    rows = pa.Array.from_buffers(pa.int64(), len(places) // 8, [None, pa.py_buffer(places)])
    item = first_item
    columns = (batch[name].take(rows).to_pylist() for name in ("line", "resource", "text"))
    for line, resource, text in zip(*columns, strict=True):
        match = _SAMPLE.search(text)
        if match is None:
            continue
        month, day, year, hour, minute, second = map(int, match.groups()[:6])
        try:
            at = datetime(year, month, day, hour, minute, second)
        except ValueError:
            continue
        if resource is not None:
            yield Fact("lease_sample", item, "group", resource, None, line, at)
        for (key, unit), value in zip(_KEYS, match.groups()[6:], strict=True):
            yield Fact("lease_sample", item, key, value, unit, line, at)
        item += 1
