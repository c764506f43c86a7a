"""Parquet files that are written whole, or abandoned without a sound."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa


def write_parquet(target: Path, schema: pa.Schema, tables: Iterator[pa.Table]) -> int:
    """Write tables of one schema one after the other; give the rows written.

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
            # A writer that failed would try to close once more when it is collected, and complain.
            writer.is_open = False
    return rows
