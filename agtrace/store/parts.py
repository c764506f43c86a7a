"""Parts: the Parquet files of one decoded content, written once and never changed."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import uuid
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from agtrace import moving
from agtrace.errors import (
    CLOSE_IT,
    MORE_FILES,
    SHORTER,
    StoreError,
    is_exhausted,
    is_full,
    is_in_use,
    is_too_long,
)
from agtrace.printable import is_device
from agtrace.store.records import PartFile
from agtrace.store.seals import digest_of
from agtrace.tables.rows import array_of, numbers

WAITING_BYTES = 8 << 20
ROW_GROUP_ROWS = 256 * 1024
"""Small enough that one counter of thousands is found by row-group statistics."""

LOOKED_AT = 20_000
"""Values by which a dictionary is chosen; a spread of the first rows to be written."""

ROWS_AT_ONCE = 64 * 1024
"""Rows encoded at a time where rows are small; in the default 1,024 the overhead is a tenth of writing."""

_ENCODINGS = {
    # Measured on perfmon text: 1.5 bytes a cell against 3.8 with the defaults.
    "samples": {"counter_no": "DELTA_BINARY_PACKED", "tick": "DELTA_BINARY_PACKED"},
    "ticks": {"tick": "DELTA_BINARY_PACKED", "time_local": "DELTA_BINARY_PACKED"},
}


@dataclass
class _Waiting:
    """Batches that wait for enough others to be written with."""

    batches: list[pa.RecordBatch] = field(default_factory=list)
    rows: int = 0
    size: int = 0

    def add(self, batch: pa.RecordBatch) -> None:
        self.batches.append(batch)
        self.rows += batch.num_rows
        self.size += batch.nbytes


PARTIAL = ".partial"
"""Suffix of a part that is being written; only a stopped writer leaves such a folder behind."""

LONGEST_NAME = 50
"""Characters of an event's name in that of its file: paths are short on Windows."""


class PartWriter:
    """Writes batches of content tables into a new part, until `finish`; an abandoned part is removed.

    Its folder has the suffix `PARTIAL` until `agtrace.store.Store.commit` publishes it.

    Parameters
    ----------
    parts
        The store's ``parts`` folder.
    content_id
        First column of every row.
    label
        Reader and version, for information.
    """

    def __init__(self, parts: Path, content_id: str, label: str) -> None:
        self.name = f"{content_id}-{label}-{uuid.uuid4().hex[:8]}"
        self.folder = parts / f"{self.name}{PARTIAL}"
        self.content_id = content_id
        self.rows: dict[str, int] = {}
        self.files: dict[str, list[PartFile]] = {}
        self._taken: set[str] = set()
        self._writers: dict[tuple[str, pa.Schema], pq.ParquetWriter] = {}
        self._waiting: dict[tuple[str, pa.Schema], _Waiting] = {}

    def write(self, table: str, batch: pa.RecordBatch) -> None:
        """Append a batch.

        Raises
        ------
        StoreError
            The disk is full, or the folder cannot be written.
        """
        if not batch.num_rows:
            return
        key = (table, batch.schema)
        waiting = self._waiting.setdefault(key, _Waiting())
        waiting.add(batch)
        # Events come in small batches; a row group of each would cost more than its rows.
        if waiting.rows >= ROW_GROUP_ROWS // 4 or waiting.size >= WAITING_BYTES:
            self._flush(key)
        self.rows[table] = self.rows.get(table, 0) + batch.num_rows

    def _flush(self, key: tuple[str, pa.Schema]) -> None:
        waiting = self._waiting.pop(key).batches
        batch = waiting[0] if len(waiting) == 1 else pa.concat_batches(waiting)
        try:
            writer = self._writers.get(key) or self._open(*key, batch)
            writer.write_batch(self._with_content(batch, writer.schema), row_group_size=ROW_GROUP_ROWS)
        except OSError as error:
            raise storage_error(self.folder, error) from error

    def _open(self, table: str, schema: pa.Schema, first: pa.RecordBatch) -> pq.ParquetWriter:
        # Two packages may define an event of one name differently: each definition has its file.
        columns = {field.name: str(field.type) for field in schema} if "/" in table else {}
        path = self.folder / self._name(table, columns, layout="" if columns else _layout(schema))
        path.parent.mkdir(parents=True, exist_ok=True)
        encodings = _ENCODINGS.get(table, {})
        plain = {*encodings, *(["value"] if table == "samples" and _mostly_distinct(first) else [])}
        content = pa.field("content_id", pa.dictionary(pa.int8(), pa.string()), nullable=False)
        full = pa.schema([content, *schema])
        writer = pq.ParquetWriter(
            # Arrow takes a relative path for a URL where it looks like one.
            path.absolute(),
            full,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in full.names if name not in plain],
            column_encoding=encodings or None,
            write_batch_size=ROWS_AT_ONCE if encodings else None,
            # Series are found by row group; statistics of values would only cost time.
            write_statistics=["content_id", "counter_no"] if table == "samples" else True,
        )
        self._writers[table, schema] = writer
        return writer

    def adopt(self, table: str, path: Path, file: PartFile, rows: int) -> None:
        """Move a file from another part of the same content into this one.

        Raises
        ------
        StoreError
            As for `write`.
        """
        name = self._name(table, file.columns, file.digest, file.layout)
        try:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            moving.rename(path, self.folder / name)
        except OSError as error:
            raise storage_error(self.folder, error) from error
        self.rows[table] = self.rows.get(table, 0) + rows

    def _name(self, table: str, columns: dict[str, str], digest: str = "", layout: str = "") -> str:
        files = self.files.setdefault(table, [])
        stem, number = file_stem(table), len(files) + 1
        # Names of events that were made harmless may be the same, or differ in case alone.
        while (name := f"{stem}{f'~{number}' if number > 1 else ''}.parquet").casefold() in self._taken:
            number += 1
        self._taken.add(name.casefold())
        files.append(PartFile(name, columns, digest, layout))
        return name

    def _with_content(self, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
        content = pa.DictionaryArray.from_arrays(
            _zeros(batch.num_rows), array_of([self.content_id], pa.string())
        )
        return pa.RecordBatch.from_arrays([content, *batch.columns], schema=schema)

    def __enter__(self) -> PartWriter:
        try:
            self.folder.mkdir(parents=True)
        except OSError as error:
            raise storage_error(self.folder, error) from error
        return self

    def finish(self) -> None:
        """Write buffered rows and close the files; `rows` and `files` are then complete.

        Raises
        ------
        StoreError
            As for `write`.
        """
        for key in list(self._waiting):
            self._flush(key)
        try:
            while self._writers:
                _close(self._writers.popitem()[1])
            for table, files in self.files.items():
                self.files[table] = [
                    file if file.digest else replace(file, digest=digest_of(self.folder / file.name))
                    for file in files
                ]
        except OSError as error:
            raise storage_error(self.folder, error) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            return
        for writer in self._writers.values():
            # Windows removes no open file; what closing has to say is of no interest any more.
            with contextlib.suppress(OSError):
                _close(writer)
        shutil.rmtree(self.folder, ignore_errors=True)


def _close(writer: pq.ParquetWriter) -> None:
    try:
        writer.close()
    finally:
        # A writer that failed would close once more when it is collected, and complain.
        writer.is_open = False


@cache
def _layout(schema: pa.Schema) -> str:
    columns = "\n".join(f"{field.name} {field.type}" for field in schema)
    return hashlib.sha256(columns.encode()).hexdigest()[:16]


def _mostly_distinct(samples: pa.RecordBatch) -> bool:
    """Return whether a dictionary of values would only cost time and space (measured: half more of both)."""
    step = max(samples.num_rows // LOOKED_AT, 1)
    some = numbers(samples["value"])[::step][:LOOKED_AT]
    return len(np.unique(some)) > len(some) // 2


def _zeros(count: int) -> pa.Array:
    return pa.Array.from_buffers(pa.int8(), count, [None, pa.py_buffer(bytes(count))])


def file_stem(table: str) -> str:
    """Return the file name of a table; an event's name comes from a capture and is made harmless."""
    if "/" not in table:
        return table
    kind, name = table.split("/", 1)
    harmless = re.sub(r"[^A-Za-z0-9_]", "_", name)[:LONGEST_NAME]
    return f"{kind}/{f'_{harmless}' if is_device(harmless) else harmless}"


def storage_error(place: Path, error: OSError) -> StoreError:
    """Return a one-line error for a failed write of the store."""
    if is_full(error):
        return StoreError(
            f"{place}: no space left on the disk",
            "free some, or put the store elsewhere with --store; what was stored before is whole",
        )
    if is_exhausted(error):
        return StoreError(f"{place}: too many files are open", MORE_FILES)
    if is_in_use(error):
        return StoreError(f"{place}: open in another program", CLOSE_IT)
    if is_too_long(error):
        return StoreError(f"{place}: too long a path for Windows", SHORTER)
    reason = error.strerror or str(error)
    return StoreError(f"{place}: cannot be written ({reason})", "choose another place with --store")
