"""The SQL Server ERRORLOG: entries, start-up facts and the messages that say what happened.

docs/formats/errorlog.md describes the format.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pyarrow as pa
from xelib.entries import KEPT_LINE_BYTES, KEPT_LINES

from agtrace.errors import CaptureError
from agtrace.readers.ahead import one_ahead
from agtrace.readers.base import HEAD_BYTES, Batch, Detection, ReadOptions, Source, issue, rows
from agtrace.readers.errorlog.catalogue import STARTUP, TRACE_FLAG
from agtrace.readers.errorlog.detect import head_text, is_errorlog, is_mixed, is_newest_first
from agtrace.readers.errorlog.entries import Entries
from agtrace.readers.errorlog.messages import message_rows, trace_messages
from agtrace.readers.errorlog.own_replica import OwnReplica
from agtrace.readers.errorlog.pieces import Piece, Pieces
from agtrace.readers.errorlog.startup import MAX_FACTS, StartupFacts
from agtrace.readers.errorlog.topics import TOPICS
from agtrace.readers.far_times import far_issue
from agtrace.readers.text_blocks import Filling, LogText
from agtrace.tables import FACTS
from agtrace.tables import kernels as pc


class ErrorlogReader:
    """Reads ERRORLOG files and copies of them made by xp_readerrorlog."""

    topics = TOPICS

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the header rule in the first line, whatever the file is called."""
        text, _encoding, _skip = head_text(head)
        is_whole = len(head) < HEAD_BYTES
        is_log = is_errorlog(text) and not (is_whole and is_mixed(text))
        return Detection("SQL Server ERRORLOG") if is_log else None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Decode a log block by block: errorlog, messages, facts, issues.

        Raises
        ------
        CaptureError
            No line of the file is an entry.
        """
        head = source.head()
        text, encoding, skip = head_text(head, options.encoding)
        newest_first = is_newest_first(text)
        log = LogText(source, options, encoding, skip)
        entries = Entries(newest_first=newest_first, encoding=encoding)
        startup = StartupFacts()
        replica = OwnReplica()
        pieces = Pieces(log, Filling(options), entries, encoding)
        with closing(one_ahead(iter(pieces), source.size)) as ahead:
            for piece in ahead:
                if isinstance(piece, Piece):
                    yield from _tables(piece, startup, replica)
                elif piece.num_rows:
                    yield "messages", trace_messages(piece)
        counts = entries.counts
        if counts["lines"] and not counts["entries"]:
            first = text.lstrip("\ufeff\r\n").split("\n", 1)[0][:60].rstrip()
            raise CaptureError(
                source.path,
                "no line is an ERRORLOG entry",
                offset=skip,
                need="'YYYY-MM-DD HH:MM:SS.ff source text'",
                have=repr(first),
            )
        if counts["lines"]:
            facts = startup.rows() + replica.rows() + _file_facts(counts, encoding)
            facts += [fact for item, gap in enumerate(pieces.gaps) for fact in gap.facts(item)]
            yield rows("facts", FACTS, facts)
        if newest_first:
            yield issue(
                "reversed_order",
                "newest entry first: an export, read in the order of the file",
                severity="info",
            )
        yield from log.faults
        if startup.left_out:
            yield issue(
                "too_many_facts",
                f"start-up messages and trace flags beyond the first {MAX_FACTS:,}",
                severity="data_loss",
                count=startup.left_out,
            )
        yield from (gap.issue() for gap in pieces.gaps)
        yield from _faults(counts, entries.first_far)
        yield from log.undecodable()


def _tables(piece: Piece, startup: StartupFacts, replica: OwnReplica) -> Iterator[Batch]:
    """Yield the rows of entries and of the messages found in them."""
    batch = piece.entries
    yield "errorlog", batch
    said = []
    for found in piece.found:
        if found.pattern.entry.topic in (STARTUP, TRACE_FLAG):
            startup.add(batch, found)
        else:
            replica.add(batch, found)
            said.append(message_rows(batch, found))
    startup.end_block()
    said.append(trace_messages(piece.trace))
    messages = pa.concat_batches(said)
    if messages.num_rows:
        yield "messages", messages.take(pc.sort_indices(messages["line"]))


def _file_facts(counts: dict[str, int], encoding: str) -> list[dict[str, object]]:
    """Return what was counted in the whole file, in the terms of the format."""
    keys = ("entries", "continuation_lines", "error_pairs", "empty_messages")
    values = {**{key: counts[key] for key in keys}, "encoding": encoding}
    return [
        {"topic": "errorlog_file", "item": 0, "key": key, "value": str(value)}
        for key, value in values.items()
    ]


def _faults(counts: dict[str, int], first_far: int | None) -> Iterator[Batch]:
    """Yield the faults that are counted over the whole file."""
    if counts["orphans"]:
        yield issue(
            "lines_before_first_entry", "lines before the first entry belong to none", count=counts["orphans"]
        )
    if counts["far"]:
        yield far_issue("entries", counts["far"], first_far)
    if counts["capped"]:
        yield issue(
            "continuation_capped",
            f"entries with more than {KEPT_LINES} lines or {KEPT_LINE_BYTES} bytes: the rest of their text "
            "is not kept",
            severity="info",
            count=counts["capped"],
        )


READING = ErrorlogReader()
