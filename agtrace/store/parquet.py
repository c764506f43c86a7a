"""Read Parquet files by their literal paths.

All Parquet files are read here. DuckDB takes ``key=value`` in a path for a column, and brackets, stars and
question marks for a pattern; in the names of case folders they mean neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from agtrace.store.quoting import literal

_PATTERN = re.compile(r"[*?\[]")


def source(paths: Iterable[Path], *, union_by_name: bool = False) -> str:
    """Return the FROM clause for the rows of files.

    Parameters
    ----------
    paths
        The files.
    union_by_name
        Whether columns of different files are matched by name instead of position.
    """
    listed = ", ".join(literal(pattern(path)) for path in paths)
    united = ", union_by_name = true" if union_by_name else ""
    return f"read_parquet([{listed}], hive_partitioning = false{united})"


def pattern(path: Path) -> str:
    """Return the pattern of DuckDB that this path alone matches."""
    return _PATTERN.sub(r"[\g<0>]", path.absolute().as_posix())


def can_be_named(path: Path) -> bool:
    """Return whether a query can refer to the file at a path.

    Its bytes must be UTF-8, and in patterns DuckDB takes a backslash for a path separator.
    """
    text = path.absolute().as_posix()
    if "\\" in text and _PATTERN.search(text):
        return False
    return not any("\ud800" <= character <= "\udfff" for character in text)


def opened(path: Path) -> pq.ParquetFile:
    """Open one file; to be closed, or used in a ``with``."""
    return pq.ParquetFile(path)


def read(path: Path) -> pa.Table:
    """Read one file."""
    with opened(path) as file:
        return file.read()
