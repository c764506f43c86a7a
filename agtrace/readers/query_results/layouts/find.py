"""All tables of a text, in whatever layout but the fixed width of sqlcmd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from agtrace.errors import CaptureError
from agtrace.readers.base import HEAD_BYTES, ReadOptions, Source
from agtrace.readers.query_results.layouts import bordered, html, objects, padded, properties, separated
from agtrace.readers.query_results.layouts.normal import normal
from agtrace.readers.query_results.layouts.table import Header, Notice, Records, Table, Wanted
from agtrace.readers.text import decode_text

MAX_BYTES = 64 << 20

WHOLE = (objects, html)
"""Layouts of a whole text."""
PARTS = (bordered, separated, padded, properties)
"""Layouts that stand in a text beside others."""


def tables(text: str, is_wanted: Wanted) -> Iterator[Table]:
    """Return the tables of a text whose columns are wanted, in the order of their lines."""
    if len(text) <= HEAD_BYTES and not any(map(is_wanted, _headers(text))):
        return
    for layout in WHOLE:
        if whole := list(layout.tables(text, is_wanted)):
            yield from map(normal, whole)
            return
    parts = [table for layout in PARTS for table in layout.tables(text, is_wanted)]
    found: list[Table] = []
    for header, records in sorted(parts, key=lambda table: table[0].line):
        # Lines already parsed by one layout do not form a table of another.
        if not found or header.line > found[-1][1].last_line:
            found.append(normal((header, records)))
    if found and not text.endswith("\n"):
        _note_open_end(*found[-1])
    yield from found


@lru_cache(4)
def _headers(text: str) -> tuple[Sequence[str], ...]:
    """Return the names of the columns of every header in a short text.

    Several readers look for tables of their own in the beginning of a file. Where none is wanted, all
    of them are offered the same headers.
    """
    offered: list[Sequence[str]] = []

    def refused(names: Sequence[str]) -> bool:
        offered.append(names)
        return False

    for layout in (*WHOLE, *PARTS):
        list(layout.tables(text, refused))
    return tuple(offered)


def _note_open_end(header: Header, records: Records) -> None:
    if not any(notice.kind in ("no_line_end", "truncated") for notice in records.notices):
        message = "the last line has no line end: should the file be cut, it may be"
        records.notices.append(Notice("no_line_end", message, records.last_line or header.line, "info"))


def read_text(source: Source, options: ReadOptions) -> str:
    """Read the whole text of a capture.

    Raises
    ------
    CaptureError
        The file is larger than `MAX_BYTES`.
    """
    if source.size > MAX_BYTES:
        raise CaptureError(
            source.path, "too large for a table of text", need=f"at most {MAX_BYTES} bytes", have=source.size
        )
    with source.open() as file:
        return decode_text(file.read(), options.encoding)
