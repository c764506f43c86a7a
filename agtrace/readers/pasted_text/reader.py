"""The reader: finds recognisable parts of a text, and passes each to its own reader."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.readers.base import HEAD_BYTES, Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.cluster_log.reader import ClusterLogReader
from agtrace.readers.errorlog.reader import ErrorlogReader
from agtrace.readers.pasted_text.entries import CLUSTER_LOG, ERRORLOG, Log, has_entries, lines_of, log_in
from agtrace.readers.query_results.layouts import find
from agtrace.readers.query_results.reader import QueryResultReader, is_wanted
from agtrace.readers.text import decode_text

KIND = "log lines in other text"
MAX_BYTES = 16 << 20
DEFAULTS = ReadOptions()
UTF8 = ReadOptions(encoding="utf-8")
_LOGS = ((ERRORLOG, ErrorlogReader()), (CLUSTER_LOG, ClusterLogReader()))
_TABLES = QueryResultReader()


class PastedTextReader:
    """Reads log lines and tables inside other text, or with prefixes."""

    topics = ()

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise a line that is an entry of a log once its prefixes are off."""
        return Detection(KIND) if _holds(head) else None

    def read(self, source: Source, options: ReadOptions = DEFAULTS) -> Iterator[Batch]:
        """Return what the readers of logs and of query results read, with the lines of this text.

        Raises
        ------
        CaptureError
            The text is too large, or no entry is in it.
        """
        if source.size > MAX_BYTES:
            raise CaptureError(
                source.path, f"too large for {KIND}", need=f"at most {MAX_BYTES} bytes", have=source.size
            )
        with source.open() as file:
            text = decode_text(file.read(), options.encoding)
        lines = lines_of(text)
        logs = [(log_in(lines, pattern), reader) for pattern, reader in _LOGS]
        if not any(log.lines for log, _reader in logs):
            if text.strip():
                raise CaptureError(source.path, f"no {KIND} in it")
            return
        taken = set[int]()
        for log, reader in logs:
            if log.lines:
                taken |= log.taken
                yield from _read(log, reader, source)
        rest = "\n".join("" if number in taken else line for number, line in enumerate(lines, 1))
        is_table = _TABLES.detect(rest.encode()[:HEAD_BYTES], source.name) is not None
        if is_table or next(find.tables(rest, is_wanted), None):
            yield from _TABLES.read(
                Source.of_bytes(rest.encode(), source.path), ReadOptions(encoding="utf-8")
            )
        elif rest.strip():
            others = sum(1 for line in rest.split("\n") if line.strip())
            yield issue(
                "other_text",
                "lines that are no entry of a log and no table: not read",
                severity="info",
                count=others,
            )


def _read(log: Log, reader: ErrorlogReader | ClusterLogReader, source: Source) -> Iterator[Batch]:
    """Read the entries of one kind of log; line numbers of their rows refer to the whole text."""
    numbers = [
        number + at
        for text, number in zip(log.lines, log.numbers, strict=True)
        for at in range(text.count("\n") + 1)
    ]
    own = np.array([*numbers, numbers[-1]], np.int64)
    data = "\n".join(log.lines) + "\n"
    for table, batch in reader.read(
        Source.of_bytes(data.encode(), source.path), ReadOptions(encoding="utf-8")
    ):
        yield table, _with_lines(batch, own)


def _with_lines(batch: pa.RecordBatch, own: np.ndarray) -> pa.RecordBatch:
    for name in ("line", "operation_line"):
        if name in batch.schema.names:
            place = batch.schema.get_field_index(name)
            column = batch.column(place)
            at = np.clip(
                column.fill_null(1).to_numpy(zero_copy_only=False).astype(np.int64) - 1, 0, len(own) - 1
            )
            mask = column.is_null().to_numpy(zero_copy_only=False)
            lines = pa.array(own[at], pa.int64(), mask=mask).cast(column.type)
            batch = batch.set_column(place, batch.schema.field(place), lines)
    return batch


@lru_cache(4)
def _holds(head: bytes) -> bool:
    text = decode_text(head)
    return "\0" not in text and any(has_entries(text, pattern) for pattern, _reader in _LOGS)


READING = PastedTextReader()
