"""The reader: rowsets of fixed width as they come, tables of other layouts, facts, then the issues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.far_times import far_issue, far_rows
from agtrace.readers.query_results import routing, snapshots
from agtrace.readers.query_results.columns import SIGNS, is_view, time_column
from agtrace.readers.query_results.encoding import (
    BLOCK_BYTES,
    Encoding,
    encoding_of,
    saved_encoding,
    utf8_blocks,
)
from agtrace.readers.query_results.gathering import Gathered
from agtrace.readers.query_results.layouts import bare, batches, find, sqlcmd
from agtrace.readers.query_results.layouts.table import Notice, Table
from agtrace.readers.query_results.neighbours import TELLING
from agtrace.readers.query_results.seeding.columns import topics_of
from agtrace.readers.query_results.topics import TOPICS
from agtrace.readers.text import decode_text, offset_of_line
from agtrace.readers.written_times import local_times
from agtrace.tables import LOCAL_TIME

KIND = "query results"
DEFAULTS = ReadOptions()
MAX_WHOLE, MAX_WHOLE_FIXED = 64 << 20, 16 << 20
"""Larger texts are read block by block, as what sqlcmd writes; the second where the beginning looks so."""
_COLLECTORS = re.compile(
    r"AlwaysOnDiag|AGConfig_Info|_AlwaysOn\.OUT$|Perf_?Stats|MiscDiagInfo|MiscPssdiagInfo", re.I
)


def is_wanted(names: Sequence[str]) -> bool:
    """Return whether names of columns, as they compare, are those of a table that is read."""
    return is_view(names) or bool(topics_of(names)) or routing.header_of(names) is not None


class QueryResultReader:
    """Reads results of queries as tools show and save them."""

    topics = TOPICS
    asks = TELLING

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise rowsets by a header and its dashes, other tables by the names of their columns."""
        return Detection(KIND) if _holds(head, _COLLECTORS.search(name) is not None) else None

    def read(self, source: Source, options: ReadOptions = DEFAULTS) -> Iterator[Batch]:
        """Return heads and rows of all tables, then facts and issues.

        Raises
        ------
        CaptureError
            Nothing in the file is a table, and no script wrote it.
        """
        is_of_sqlcmd = sqlcmd.SIGNS.search(decode_text(source.head(), options.encoding)) is not None
        encoding = encoding_of(source, options) if is_of_sqlcmd else saved_encoding(source, options)
        gathered, far = Gathered(encoding.unit), _Far(encoding)
        counted = _Counted()
        blocks = counted.blocks(utf8_blocks(source, encoding, options.block_bytes or BLOCK_BYTES))
        found: list[Table] = []
        is_fixed, text = True, ""
        if source.size <= (MAX_WHOLE_FIXED if is_of_sqlcmd else MAX_WHOLE):
            text = b"".join(blocks).decode("utf-8", "replace")
            found = list(find.tables(text, is_wanted))
            is_fixed = not found or sqlcmd.SIGNS.search(text) is not None
            blocks = iter([_without(text, found).encode("utf-8", "replace")] if is_fixed else [])
        rowsets = sqlcmd.Rowsets(encoding)
        for heads, written, offsets in rowsets.read(blocks) if is_fixed else ():
            rows = snapshots.with_completion(written, text)
            gathered.see(heads, rows, offsets)
            far.see(rows, offsets)
            yield from _batches(heads, rows)
        undated = [(h.line, r.last_line) for h, r in found if time_column(h.names) is None]
        lines = snapshots.lines_at(text, (n for edges in undated for n in snapshots.numbers_near(*edges)))
        # Neither the text nor tables that were given are held any longer.
        text = ""
        found.reverse()
        while found:
            number, (header, records) = gathered.rowsets, found.pop()
            heads, times = batches.head_of(number, header), _times(lines, source.name, (header, records))
            rows = batches.rows_in(number, records, times)
            gathered.see(heads, rows, None)
            gathered.notices += records.notices
            far.see(rows, None)
            yield from _batches(heads, rows)
        is_empty = not gathered.rowsets and not rowsets.has_faults
        if is_empty and not _is_script(source, options):
            raise CaptureError(source.path, f"no {KIND} in it")
        yield from gathered.facts(counted.lines)
        yield from rowsets.issues()
        yield from _issues(gathered, source, options)
        if far.count:
            yield far_issue("rows", far.count, far.offset)
        if encoding.is_guess:
            message = (
                f"characters beyond ASCII are read in code page {encoding.name.removeprefix('cp')}: "
                "a guess by the look of its words, as the file names none"
            )
            yield issue("code_page_guessed", message, severity="info")


def _times(lines: Mapping[int, str], name: str, table: Table) -> pa.Array:
    """Return when each record was so: by its column, a line near the table, or the name of the file."""
    header, records = table
    if (place := time_column(header.names)) is not None:
        return local_times(records.columns[place]).local
    near = snapshots.time_near(lines, header.line, records.last_line)
    moment = near or snapshots.time_in_name(name)
    return pa.array([moment] * len(records.lines), LOCAL_TIME)


class _Counted:
    """Counts the lines of blocks as they go by."""

    def __init__(self) -> None:
        self.lines = 0

    def blocks(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        for block in blocks:
            self.lines += block.count(b"\n")
            yield block


class _Far:
    """Counts the rows dated where no time in UTC is."""

    def __init__(self, encoding: Encoding) -> None:
        self._unit = encoding.unit
        self.count = 0
        self.offset: int | None = None

    def see(self, rows: pa.RecordBatch, offsets: pa.Array | None) -> None:
        found = far_rows(rows["time_local"])
        if len(found) and self.offset is None and offsets is not None:
            self.offset = offsets[int(found[0])].as_py() * self._unit
        self.count += len(found)


def _batches(heads: pa.RecordBatch, rows: pa.RecordBatch) -> Iterator[Batch]:
    if heads.num_rows:
        yield "rowset_heads", heads
    if rows.num_rows:
        yield "rowset_rows", rows


def _without(text: str, found: Sequence[Table]) -> str:
    """Return a text with blanks in place of the tables that were found, each character where it was."""
    if not found:
        return text
    lines = text.split("\n")
    for header, records in found:
        for at in range(header.line - 1, min(max(records.last_line, header.line), len(lines))):
            lines[at] = " " * len(lines[at])
    return "\n".join(lines)


def _issues(gathered: Gathered, source: Source, options: ReadOptions) -> Iterator[Batch]:
    """Return one issue for each kind of fault, however often it was met."""
    groups: dict[tuple[str, str], list[Notice]] = {}
    for notice in gathered.notices:
        # Messages of one kind differ only after the comma, in text quoted from the file.
        groups.setdefault((notice.kind, notice.message.partition(",")[0]), []).append(notice)
    data = b""
    firsts = {min(notice.line for notice in group) for group in groups.values()} - {0}
    if firsts - gathered.offsets.keys():
        with source.open() as file:
            data = file.read()
    for (kind, _words), group in groups.items():
        first = min(group, key=lambda notice: notice.line)
        offset = gathered.offsets.get(first.line)
        if offset is None and first.line:
            offset = offset_of_line(data, first.line, options.encoding)
        yield issue(
            kind,
            f"line {first.line}: {first.message}" if first.line else first.message,
            severity=first.severity,
            offset=offset,
            count=len(group),
        )


def _is_script(source: Source, options: ReadOptions) -> bool:
    text = decode_text(source.head(), options.encoding)
    is_named = _COLLECTORS.search(source.name) is not None
    return is_named or not text.strip() or sqlcmd.STARTS.search(text) is not None


@lru_cache(4)
def _holds(head: bytes, is_named: bool) -> bool:
    text = decode_text(head)
    if "\0" in text or not text.strip():
        return False
    if sqlcmd.STARTS.search(text):
        return True
    found = sqlcmd.heads_of(text) if sqlcmd.SIGNS.search(text) else []
    # One column is easily the underlined title of another tool's text.
    if is_named or any(len(columns) > 1 or name for name, columns in found):
        return True
    if next(find.tables(text, is_wanted), None) is None:
        return False
    lower = text.lower().replace(" ", "_")
    return any(sign in lower for sign in SIGNS) or bare.header_of(text) is not None


READING = QueryResultReader()
