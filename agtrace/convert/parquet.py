"""Parquet files that are written whole, or abandoned without a sound."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa


def write_parquet(target: Path, schema: pa.Schema, tables: Iterator[pa.Table]) -> int:
    """Write tables of one schema to a Parquet file; return the number of rows.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    import pyarrow.parquet as pq

    rows = 0
    with target.open("wb") as file:
        writer = pq.ParquetWriter(file, schema, compression="zstd")
        try:
            for table in tables:
                writer.write_table(table)
                rows += table.num_rows
            writer.close()
        finally:
            # A failed writer would try to close again when garbage-collected, and print an error.
            writer.is_open = False
    return rows
