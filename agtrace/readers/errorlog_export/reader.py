"""Rows of an exported error log as the lines of an ERRORLOG."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pyarrow as pa
from pyarrow import csv

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.errorlog.detect import head_text
from agtrace.readers.errorlog.reader import ErrorlogReader
from agtrace.readers.errorlog.topics import TOPICS
from agtrace.tables import kernels as pc

MAX_BYTES = 512 * 1024 * 1024
"""A larger export is refused: it is sorted in memory."""
_HEADER = re.compile(
    r"\ufeff?\s*\"?(?:LogDate\"?[,;\t]\"?ProcessInfo\"?[,;\t]\"?Text|Date\"?[,;\t]\"?Source\"?[,;\t]\"?Severity\"?"
    r"[,;\t]\"?(?:Category\"?[,;\t]\"?)?Message)\"?[^\n]{0,200}\n",
    re.IGNORECASE,
)
_HEAD = r"^Date\t+([^\n\r\t]{8,40})\r?\n\s*Log\t+%s[^\n]*\n\s*Source\t+([^\n\r]*)\r?\n\s*Message\r?\n"
_VIEWER = re.compile(_HEAD % "SQL Server", re.MULTILINE)
_ENTRY = re.compile(_HEAD % "", re.MULTILINE)
_ISO = r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})[ T](?P<t>\d{1,2}:\d{2}:\d{2}(?:\.\d{1,7})?)"
_OTHER = (
    r"(?P<a>\d{1,2})[./](?P<b>\d{1,2})[./](?P<y>\d{4}),? (?P<t>\d{1,2}:\d{2}:\d{2}(?:\.\d{1,7})?)"
    r"(?: (?P<half>[AP]M))?"
)


class ErrorlogExportReader:
    """Reads error logs that a tool saved as rows."""

    topics = TOPICS

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the header of sp_readerrorlog or of the Log File Viewer."""
        text, _encoding, _skip = head_text(head)
        found = _HEADER.match(text) or _VIEWER.search(text[:4096])
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
        table = _of_viewer(data) if _HEADER.match(data) is None else _of_rows(data, source.path)
        times, is_day_first = _times(table["date"])
        kept = pc.is_valid(times)
        if not pc.any(kept).as_py():
            raise CaptureError(source.path, "no row has a time", offset=skip, have=repr(text[:60]))
        lines = _lines(times.filter(kept), table.filter(kept))
        plain = Source.of_bytes(lines.encode(), source.path)
        yield from ErrorlogReader().read(
            plain, ReadOptions(block_bytes=options.block_bytes, encoding="utf-8")
        )
        dropped = len(kept) - (pc.sum(kept).as_py() or 0)
        if dropped:
            yield issue("bad_time", "rows whose date is none: not read", severity="data_loss", count=dropped)
        if is_day_first is None:
            yield issue(
                "date_order", "day and month of the dates look alike: read as month/day", severity="info"
            )


def _of_rows(data: str, path: str) -> pa.Table:
    """Return the columns date, source and text of a CSV or TSV."""
    header = data.split("\n", 1)[0]
    mark = next((each for each in "\t;," if each in header), ",")
    try:
        table = csv.read_csv(
            io.BytesIO(data.encode("utf-8", "replace")),
            parse_options=csv.ParseOptions(
                delimiter=mark, newlines_in_values=True, invalid_row_handler=lambda _row: "skip"
            ),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(_names(header, mark), pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid as error:
        raise CaptureError(path, f"not a table of log entries ({error})"[:300]) from error
    lower = {name.strip().lower(): name for name in table.column_names}
    chosen = [
        lower.get("logdate", lower.get("date", "")),
        lower.get("processinfo", lower.get("source", "")),
        lower.get("text", lower.get("message", "")),
    ]
    return table.select(chosen).rename_columns(["date", "source", "text"])


def _names(header: str, mark: str) -> list[str]:
    return [name.strip().strip('"') for name in header.rstrip("\r").split(mark)]


def _of_viewer(data: str) -> pa.Table:
    """Return the columns date, source and text of what the Log File Viewer saves as .log."""
    pieces = _ENTRY.split(data)
    columns = {"date": pieces[1::3], "source": pieces[2::3], "text": pieces[3::3]}
    return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})


def _times(dates: pa.ChunkedArray) -> tuple[pa.ChunkedArray, bool | None]:
    """Return the dates as ISO text, NULL where one is none; and whether the day stands first, if known."""
    iso = pc.extract_regex(dates, _ISO)
    other = pc.extract_regex(dates, _OTHER)
    first, second = (pc.cast(pc.struct_field(other, name), pa.int32()) for name in ("a", "b"))
    most = [pc.max(each).as_py() or 0 for each in (first, second)]
    is_day_first: bool | None = False
    if any(most):
        dotted = pc.any(pc.match_substring_regex(dates, r"^\s*\d{1,2}\.\d{1,2}\.\d{4}")).as_py()
        is_day_first = True if most[0] > 12 or dotted else False if most[1] > 12 else None
    day, month = (first, second) if is_day_first else (second, first)
    hours = pc.struct_field(other, "t")
    half = pc.struct_field(other, "half")
    plain = pc.binary_join_element_wise(
        pc.struct_field(other, "y"), _two(month), _two(day), pa.scalar("-", pa.string())
    )
    of_other = pc.binary_join_element_wise(plain, _24(hours, half), pa.scalar(" ", pa.string()))
    of_iso = pc.binary_join_element_wise(
        pc.binary_join_element_wise(
            pc.struct_field(iso, "y"),
            _two(pc.cast(pc.struct_field(iso, "m"), pa.int32())),
            _two(pc.cast(pc.struct_field(iso, "d"), pa.int32())),
            pa.scalar("-", pa.string()),
        ),
        pc.utf8_lpad(pc.struct_field(iso, "t"), 8, "0"),
        pa.scalar(" ", pa.string()),
    )
    return pc.coalesce(of_iso, of_other), is_day_first


def _two(numbers: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.utf8_lpad(pc.cast(numbers, pa.string()), 2, "0")


def _24(clock: pa.ChunkedArray, half: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return times of a day on the 24 hour clock."""
    padded = pc.utf8_lpad(clock, 8, "0")
    hour = pc.cast(pc.utf8_slice_codeunits(padded, 0, 2), pa.int32())
    is_late = pc.fill_null(pc.equal(pc.utf8_upper(half), "PM"), fill_value=False)
    is_early = pc.fill_null(pc.equal(pc.utf8_upper(half), "AM"), fill_value=False)
    at_twelve = pc.equal(hour, 12)
    moved = pc.if_else(
        pc.and_(is_late, pc.invert(at_twelve)),
        pc.add(hour, 12),
        pc.if_else(pc.and_(is_early, at_twelve), 0, hour),
    )
    return pc.binary_join_element_wise(
        _two(pc.cast(moved, pa.int32())), pc.utf8_slice_codeunits(padded, 2), pa.scalar("", pa.string())
    )


def _lines(times: pa.ChunkedArray, table: pa.Table) -> str:
    """Return the lines of an ERRORLOG, oldest first."""
    stamps = pc.if_else(
        pc.match_substring(times, "."), pc.utf8_slice_codeunits(times, 0, 22), _with(times, ".00")
    )
    source = pc.utf8_rpad(pc.coalesce(table["source"], pa.scalar("", pa.string())), 11, " ")
    text = pc.utf8_rtrim(table["text"], " \r\n\t")
    lines = pc.binary_join_element_wise(stamps, source, text, pa.scalar(" ", pa.string()))
    values = lines.to_pylist()
    first, last = times[0].as_py(), times[-1].as_py()
    return "\r\n".join(reversed(values) if first > last else values) + "\r\n"


def _with(times: pa.ChunkedArray, end: str) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(times, pa.scalar(end, pa.string()), pa.scalar("", pa.string()))


READING = ErrorlogExportReader()
