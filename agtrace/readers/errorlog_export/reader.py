"""Rows of an exported error log as the lines of an ERRORLOG."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.errorlog.detect import head_text
from agtrace.readers.errorlog.reader import ErrorlogReader
from agtrace.readers.errorlog.topics import TOPICS
from agtrace.readers.query_results.layouts import find
from agtrace.readers.written_times import local_times
from agtrace.tables import kernels as pc

MAX_BYTES = 512 * 1024 * 1024
"""A larger export is refused: it is sorted in memory."""
_FORMS = (
    {"logdate", "processinfo", "text"},
    {"date", "source", "severity", "message"},
    {"date", "source", "message"},
)
_COLUMNS = (("logdate", "date"), ("processinfo", "source"), ("text", "message"))
MOST_COLUMNS = 12
_HEAD = r"^Date\t+([^\n\r\t]{8,40})\r?\n\s*Log\t+%s[^\n]*\n\s*Source\t+([^\n\r]*)\r?\n\s*Message\r?\n"
_VIEWER = re.compile(_HEAD % "SQL Server", re.MULTILINE)
_ENTRY = re.compile(_HEAD % "", re.MULTILINE)


class ErrorlogExportReader:
    """Reads error logs that a tool saved as rows."""

    topics = TOPICS

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the header of sp_readerrorlog or of the Log File Viewer."""
        text, _encoding, _skip = head_text(head)
        found = _VIEWER.search(text[:4096]) or ("\0" not in text and next(find.tables(text, is_log), None))
        return Detection("SQL Server ERRORLOG") if found else None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Decode the rows as an ERRORLOG: errorlog, messages, facts, issues.

        Raises
        ------
        CaptureError
            The export is too large, or no row of it has a time.
        """
        if source.size > MAX_BYTES:
            raise CaptureError(
                source.path, "too large for an exported error log", need=f"at most {MAX_BYTES:,} bytes"
            )
        text, encoding, skip = head_text(source.head(), options.encoding)
        with source.open() as file:
            data = file.read()[skip:].decode(encoding, "replace").lstrip("\ufeff")
        is_of_viewer = _VIEWER.search(data[:4096]) is not None
        table, is_guess = _of_viewer(data) if is_of_viewer else _of_rows(data, source.path)
        times = local_times(table["date"].combine_chunks())
        kept = pc.is_valid(times.local)
        if not pc.any(kept).as_py():
            raise CaptureError(source.path, "no row has a time", offset=skip, have=repr(text[:60]))
        lines = _lines(times.local.filter(kept), table.filter(kept))
        plain = Source.of_bytes(lines.encode(), source.path)
        yield from ErrorlogReader().read(
            plain, ReadOptions(block_bytes=options.block_bytes, encoding="utf-8")
        )
        dropped = len(kept) - (pc.sum(kept).as_py() or 0)
        if dropped:
            yield issue("bad_time", "rows whose date is none: not read", severity="data_loss", count=dropped)
        if is_guess or times.is_guess:
            yield issue(
                "date_order", "day and month of the dates look alike: read as month/day", severity="info"
            )


def is_log(names: Sequence[str]) -> bool:
    """Return whether names of columns, as they compare, are those of an error log."""
    return any(form <= set(names) for form in _FORMS) and len(names) <= MOST_COLUMNS


def _of_rows(data: str, path: str) -> tuple[pa.Table, bool]:
    """Return the columns date, source and text of the tables of a text, and whether the dates are a guess."""
    parts, is_guess = [], False
    for header, records in find.tables(data, is_log):
        columns = dict(zip(reversed(header.names), reversed(records.columns), strict=True))
        is_guess |= any(notice.kind == "time_order_unknown" for notice in records.notices)
        chosen = [next(columns[name] for name in names if name in columns) for names in _COLUMNS]
        parts.append(pa.table(chosen, names=["date", "source", "text"]))
    if not parts:
        raise CaptureError(path, "not a table of log entries")
    return pa.concat_tables(parts), is_guess


def _of_viewer(data: str) -> tuple[pa.Table, bool]:
    """Return the columns date, source and text of what the Log File Viewer saves as .log."""
    pieces = _ENTRY.split(data)
    columns = {"date": pieces[1::3], "source": pieces[2::3], "text": pieces[3::3]}
    return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()}), False


def _lines(times: pa.Array, table: pa.Table) -> str:
    """Return the lines of an ERRORLOG, oldest first."""
    stamps = pc.utf8_slice_codeunits(pc.strftime(times, format="%Y-%m-%d %H:%M:%S"), 0, 22)
    source = pc.utf8_rpad(pc.coalesce(table["source"], pa.scalar("", pa.string())), 11, " ")
    text = pc.utf8_rtrim(pc.coalesce(table["text"], pa.scalar("", pa.string())), " \r\n\t")
    lines = pc.binary_join_element_wise(stamps, source, text, pa.scalar(" ", pa.string())).to_pylist()
    is_newest_first = times[0].as_py() > times[-1].as_py()
    return "\r\n".join(reversed(lines) if is_newest_first else lines) + "\r\n"


READING = ErrorlogExportReader()
