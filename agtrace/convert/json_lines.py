"""Files of JSON lines, an object per record."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from agtrace import strict_json


def write_json_lines(batches: Iterator[pa.RecordBatch], target: Path) -> int:
    """Write rows as JSON Lines, with times in ISO 8601 to the millisecond; return their number."""
    count = 0
    with target.open("w", encoding="utf-8", newline="\n") as file:
        for batch in batches:
            for row in batch.to_pylist():
                for name, value in row.items():
                    if isinstance(value, dt.datetime):
                        row[name] = value.isoformat(timespec="milliseconds")
                file.write(strict_json.dumps(row, ensure_ascii=False) + "\n")
            count += batch.num_rows
    return count
