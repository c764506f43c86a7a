"""Extended Events files (.xel) of SQL Server 2012 and later: a thin layer over xelib.

docs/formats/xel.md describes the format.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import chain

import pyarrow as pa

from agtrace import threads
from agtrace.errors import CaptureError
from agtrace.readers.ahead import one_ahead
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.xel.backup_trace import EVENT as BACKUP_TRACE
from agtrace.readers.xel.backup_trace import BackupTrace
from agtrace.readers.xel.file_facts import FileFacts
from agtrace.readers.xel.topics import TOPICS

MAGIC = bytes.fromhex("5a37abef")
DEFAULTS = ReadOptions()


class XelReader:
    """Reads .xel files: a table ``events/<name>`` per event, facts about the file, faults as issues.

    Times are UTC. The texts of backup_restore_progress_trace also become rows of ``messages``,
    through the parser that reads the same texts in an ERRORLOG.
    """

    topics = TOPICS

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the file header (docs/formats/xel.md, section 1.1)."""
        return Detection("Extended Events file") if head.startswith(MAGIC) else None

    def read(self, source: Source, options: ReadOptions = DEFAULTS) -> Iterator[Batch]:
        """Decode all events, in batches of one definition each.

        Raises
        ------
        CaptureError
            The file is of another version than 10, or ends within its header.
        """
        from xelib.xel import FormatError, open_xel

        trace = BackupTrace()
        with source.open() as stream:
            try:
                file = open_xel(stream, positions=True, threads=threads.most())
                facts = FileFacts(source.name)
                with closing(one_ahead(file.groups(), source.size)) as groups:
                    for name, batch in chain.from_iterable(groups):
                        facts.see(name, batch)
                        yield f"events/{name}", batch
                        if name == BACKUP_TRACE:
                            yield from _messages(trace.feed(batch))
                yield from _messages(trace.finish())
                yield facts.batch(file)
                for each in file.faults:
                    where = {"offset": each.offset, "count": each.count}
                    yield issue(each.kind, each.message, severity=each.severity, **where)
            except FormatError as error:
                raise CaptureError(
                    source.path, error.what, offset=error.offset, need=error.need, have=error.have
                ) from error


def _messages(rows: pa.RecordBatch) -> Iterator[Batch]:
    if rows.num_rows:
        yield "messages", rows


READING = XelReader()
