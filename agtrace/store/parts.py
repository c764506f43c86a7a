"""Parts: the Parquet files of one decoded content, written once and never changed."""

from __future__ import annotations

import errno
import re
import shutil
import uuid
from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.parquet as pq

from agtrace.errors import StoreError
from agtrace.store.records import PartFile

ROW_GROUP_ROWS = 256 * 1024
"""Small enough that one counter of thousands is found by row-group statistics."""

_ENCODINGS = {
    # Measured on perfmon text: 1.5 bytes a cell against 3.8 with the defaults.
    "samples": {"counter_no": "DELTA_BINARY_PACKED", "tick": "DELTA_BINARY_PACKED"},
    "ticks": {"tick": "DELTA_BINARY_PACKED", "time_local": "DELTA_BINARY_PACKED"},
}


class PartWriter:
    """Writes batches of content tables into a new part; an abandoned part is removed.

    Parameters
    ----------
    parts
        The store's ``parts`` folder.
    content_id
        Goes in front of every row.
    label
        Reader and version, for the eye.
    """

    def __init__(self, parts: Path, content_id: str, label: str) -> None:
        self.name = f"{content_id}-{label}-{uuid.uuid4().hex[:8]}"
        self.folder = parts / self.name
        self.content_id = content_id
        self.rows: dict[str, int] = {}
        self.files: dict[str, list[PartFile]] = {}
        self._writers: dict[tuple[str, pa.Schema], pq.ParquetWriter] = {}

    def write(self, table: str, batch: pa.RecordBatch) -> None:
        """Append a batch.

        Raises
        ------
        StoreError
            The disk is full, or the folder cannot be written.
        """
        if not batch.num_rows:
            return
        try:
            writer = self._writers.get((table, batch.schema)) or self._open(table, batch.schema)
            rows = self._with_content(batch, writer.schema)
            writer.write_batch(rows, row_group_size=ROW_GROUP_ROWS)
        except OSError as error:
            raise storage_error(self.folder, error) from error
        self.rows[table] = self.rows.get(table, 0) + batch.num_rows

    def _open(self, table: str, schema: pa.Schema) -> pq.ParquetWriter:
        # Two packages may define an event of one name differently: each definition has its file.
        files = self.files.setdefault(table, [])
        name = f"{file_stem(table)}{f'~{len(files) + 1}' if files else ''}.parquet"
        columns = {field.name: str(field.type) for field in schema} if "/" in table else {}
        files.append(PartFile(name, columns))
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        encodings = _ENCODINGS.get(table, {})
        content = pa.field("content_id", pa.dictionary(pa.int8(), pa.string()), nullable=False)
        full = pa.schema([content, *schema])
        writer = pq.ParquetWriter(
            path,
            full,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in full.names if name not in encodings],
            column_encoding=encodings or None,
            # Series are found by row group; statistics of values would only cost time.
            write_statistics=["content_id", "counter_no"] if table == "samples" else True,
        )
        self._writers[table, schema] = writer
        return writer

    def _with_content(self, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
        content = pa.DictionaryArray.from_arrays(
            _zeros(batch.num_rows), pa.array([self.content_id])
        )
        return pa.RecordBatch.from_arrays([content, *batch.columns], schema=schema)

    def __enter__(self) -> PartWriter:
        try:
            self.folder.mkdir(parents=True)
        except OSError as error:
            raise storage_error(self.folder, error) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            for writer in self._writers.values():
                writer.close()
        except OSError as failure:
            if error is None:
                shutil.rmtree(self.folder, ignore_errors=True)
                raise storage_error(self.folder, failure) from failure
        if error is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def _zeros(count: int) -> pa.Array:
    return pa.Array.from_buffers(pa.int8(), count, [None, pa.py_buffer(bytes(count))])


def file_stem(table: str) -> str:
    """Give the file name of a table; an event's name comes from a capture and is made harmless."""
    if "/" not in table:
        return table
    kind, name = table.split("/", 1)
    return f"{kind}/{re.sub(r'[^A-Za-z0-9_]', '_', name)[:120]}"


def storage_error(place: Path, error: OSError) -> StoreError:
    """Say in one line why the store could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return StoreError(
            f"{place}: no space left on the disk",
            "free some, or put the store elsewhere with --store; what was stored before is whole",
        )
    reason = error.strerror or str(error)
    return StoreError(f"{place}: cannot be written ({reason})", "choose another place with --store")
