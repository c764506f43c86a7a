"""The compiled part of xelib."""

import os
from collections.abc import Sequence
from typing import Any, BinaryIO, Literal, final

@final
class PdhTextDecoder:
    """Decodes the rows after the header of a PDH text log.

    Parameters
    ----------
    cells
        Cells of a whole row, that of the time stamp included; other rows are torn.
    wanted
        Positions in the row, from 1 and ascending, of the cells to decode.
    separator
        One ASCII character.
    header
        The header line as it stands in the file, without its line end: when it comes again it is
        skipped, and any other header ends the log.
    encoding
        "bytes" for UTF-8 and every ANSI code page, or the byte order of UTF-16.
    threads
        How many threads decode a block, where it is large enough.
    first_row
        Number of the first row fed, where the rows before it are not.
    """

    def __new__(
        cls,
        cells: int,
        wanted: Sequence[int],
        *,
        separator: str = ",",
        header: bytes | None = None,
        encoding: Literal["bytes", "utf-16-le", "utf-16-be"] = "bytes",
        threads: int = 2,
        first_row: int = 0,
    ) -> PdhTextDecoder: ...
    def feed(self, block: bytes) -> int:
        """Decode the next bytes of the file; return how many cells are held for the next slab.

        Raises
        ------
        OverflowError
            The log has more than 2**31 - 1 rows.
        """

    def finish(self) -> None:
        """Decode what is left when the file ends without a line end."""

    def take(self) -> PdhSlab | None:
        """Return the rows held in long form and begin the next slab; None when there are none."""

    @property
    def stopped(self) -> bool:
        """True when nothing that follows can be part of this log."""

    def faults(self) -> dict[str, tuple[int, int]]:
        """Return what was met so far: by name, how many times and the byte offset of the first.

        Offsets count from the first byte fed. Names: ``torn_row`` (another number of cells, or an
        unclosed quote), ``bad_time``, ``no_date`` (the date was lost before the first good row),
        ``bad_value`` (neither number nor blank: absent), ``decimal_comma`` (read as a point),
        ``noise`` (messages of the collecting program), ``repeated_header``, ``other_header``,
        ``no_line_end`` (a last row that is whole but has no line end: kept).
        """

@final
class PdhSlab:
    """Consecutive rows of the log, in long form sorted by (counter_no, tick).

    Buffers hold native-endian numbers. Cells without a value are left out.
    """

    @property
    def first_tick(self) -> int:
        """Number of the first row, counted over the good rows of the log from 0."""

    @property
    def rows(self) -> int:
        """How many rows."""

    @property
    def values(self) -> int:
        """How many values."""

    @property
    def row_tick(self) -> bytes:
        """int32 per row: its number."""

    @property
    def row_time(self) -> bytes:
        """int64 per row: microseconds since 1970-01-01, local time of the log."""

    @property
    def counter_no(self) -> bytes:
        """int32 per value: position of its column among those wanted, from 0."""

    @property
    def tick(self) -> bytes:
        """int32 per value: number of its row."""

    @property
    def value(self) -> bytes:
        """float64 per value, always finite."""

def split_cells(line: str, separator: str, limit: int) -> list[str]:
    """Split a header line into its cells.

    Raises
    ------
    ValueError
        The line has more than ``limit`` cells.
    """

@final
class XelReader:
    """Reads an Extended Events file group by group of blocks; `xelib.open_xel` explains the arguments.

    Raises
    ------
    xelib.FormatError
        The file does not begin as one of version 10.
    OSError
        The file cannot be read.
    """

    def __new__(
        cls,
        source: str | os.PathLike[str] | BinaryIO,
        *,
        events: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        positions: bool = False,
        threads: int = 2,
        live: bool = False,
        resume: tuple[int, int] | None = None,
    ) -> XelReader: ...
    def next(self) -> list[XelBatch] | None:
        """Decode the next blocks; None at the end. The list is empty where nothing is wanted."""

    @property
    def guid(self) -> str:
        """Guid of the file."""

    @property
    def session_runs(self) -> list[str]:
        """Guids of the session starts met so far."""

    @property
    def position(self) -> tuple[int, int]:
        """Byte offset of the next block, and position in the file of its first event."""

    @property
    def generation(self) -> int:
        """Grows with the definitions met."""

    def faults(self) -> list[tuple[int, str, str, str, int]]:
        """Return (offset, kind, severity, message, count) of what was met so far, by offset."""

    def definitions(self) -> dict[str, Any]:
        """Return the events, actions and maps defined so far."""

@final
class XelBatch:
    """Consecutive events of one definition."""

    @property
    def generation(self) -> int:
        """Batches of one event and one generation have the same columns."""

    @property
    def event(self) -> int:
        """Object id of the event."""

    @property
    def rows(self) -> int:
        """How many events."""

    @property
    def columns(self) -> list[tuple[int, int, bytes | None, list[bytes]]]:
        """Per column: nulls, items of its lists, validity bits, Arrow's other buffers.

        A column of nulls has no buffers. Numbers are little-endian.
        """

    def about(self) -> tuple[str, str, str, str | None, str]:
        """Return (name, package, guid of the package, uuid, description) of the event."""

    def outputs(self) -> list[tuple[str, str, bool, bool, str, str | None, str, str]]:
        """Describe the columns after the leading ones.

        Each is (name, source, is an action, is a key, type, map, description, Arrow format).
        """

@final
class BlgDecoder:
    """Decodes a binary performance log.

    Parameters
    ----------
    counters
        Case-insensitive globs over counter paths; only matching series are decoded. Empty: all.
    begin, end
        First and last local time of the rows wanted, both included, in microseconds since
        1970-01-01. Rates of the first row are those of the whole log.
    values
        "cooked" for what Windows shows, "raw" for the two numbers of each sample, "none" when only
        names are wanted.
    order
        Numbers of the series in the order of their appearance, as another decoder found them with
        the same choices; each number below the length once. Empty: they are counted.
    """

    def __new__(
        cls,
        *,
        counters: Sequence[str] = (),
        begin: int | None = None,
        end: int | None = None,
        values: Literal["cooked", "raw", "none"] = "cooked",
        order: Sequence[int] = (),
    ) -> BlgDecoder: ...
    def feed(self, block: bytes) -> int:
        """Decode the next bytes of the file; return how many cells are held for the next slab.

        Raises
        ------
        FormatError
            The file is no event trace.
        """

    def begin_survey(self) -> None:
        """Take only names and the order of the buffers from what is fed, until `end_survey`."""

    def end_survey(self) -> list[int]:
        """Return the byte offsets of the buffers in the order of their times."""

    def feed_buffer(self, buffer: bytes, offset: int) -> int:
        """Decode one whole buffer that lies at ``offset``, as `feed` does."""

    def finish(self) -> None:
        """Decode what is left when the file has ended.

        Raises
        ------
        FormatError
            The trace holds no performance data, or nothing that names it.
        """

    def take(self) -> BlgSlab | None:
        """Return the rows held in long form and begin the next slab; None when there are none."""

    def take_series(self) -> list[tuple[str, int, str, int, int, tuple[int, int]]]:
        """Return the series that are new since the last call, in the order of their numbers.

        Each is (path, type code, type name, default scale as a power of ten, ticks per second of
        its clock, (catalogue item, counter of that item)).
        """

    @property
    def buffer_bytes(self) -> int:
        """Size of the buffers; 0 before the first bytes."""

    def header(self) -> dict[str, Any] | None:
        """Return what the header says, as `read_trace_header` does."""

    def offsets(self) -> list[tuple[int, int, int, str]]:
        """Return from which row on local time was how far from UTC, as the samples tell.

        Each is (tick, local time in microseconds, local minus UTC in minutes, "data_block" or
        "raw_counter").
        """

    def faults(self) -> dict[str, tuple[int, int]]:
        """Return what was met so far: by name, how many times and the byte offset of the first."""

@final
class BlgSlab:
    """Consecutive rows of the log, in long form sorted by (counter_no, tick).

    Buffers hold native-endian numbers. Series without a value are left out.
    """

    @property
    def first_tick(self) -> int:
        """Number of the first row, counted over the rows delivered from 0."""

    @property
    def rows(self) -> int:
        """How many rows."""

    @property
    def values(self) -> int:
        """How many values."""

    @property
    def row_tick(self) -> bytes:
        """int32 per row: its number."""

    @property
    def row_time(self) -> bytes:
        """int64 per row: microseconds since 1970-01-01, local time of the log."""

    @property
    def counter_no(self) -> bytes:
        """int32 per value: number of its series, in the order of `BlgDecoder.take_series`."""

    @property
    def tick(self) -> bytes:
        """int32 per value: number of its row."""

    @property
    def value(self) -> bytes:
        """float64 per value, always finite; int64 where raw values are wanted."""

    @property
    def second(self) -> bytes:
        """int64 per value: the second raw value; empty where values are cooked."""

def sniff_trace(head: bytes) -> Literal["performance log", "other trace", "no trace"]:
    """Tell a performance log from other event traces, by its first bytes."""

def read_trace_header(head: bytes) -> dict[str, Any] | None:
    """Return what the header of a trace says, from its first buffer; None where it is cut.

    Times are UTC in microseconds since 1970-01-01, None where the logger did not write them. Biases
    of the zone are UTC minus local time in minutes, its dates the eight fields of SYSTEMTIME.
    """

@final
class PdhRowWriter:
    """Writes rows as the lines of a PDH text log: every cell quoted, 17 digits, CR LF.

    Parameters
    ----------
    row_tick, row_time
        int32 number and int64 local time (microseconds since 1970-01-01) of each row, ascending.
    counter_no, tick, value
        int32, int32 and float64 of each value, sorted by (counter_no, tick). Values of other rows
        are passed over.
    width
        How many series there are; those without a value get one space.
    separator
        One ASCII character.

    Raises
    ------
    ValueError
        The values are not sorted, or name a series beyond ``width``.
    """

    def __new__(
        cls,
        row_tick: bytes,
        row_time: bytes,
        counter_no: bytes,
        tick: bytes,
        value: bytes,
        *,
        width: int,
        separator: str,
    ) -> PdhRowWriter: ...
    def read(self, size: int) -> bytes:
        """Return the next lines, about ``size`` bytes of them; nothing when all are written."""

@final
class RowsetDecoder:
    """Finds the rowsets of a text, as the lines of sqlcmd's outputs go by.

    Parameters
    ----------
    measure
        What offsets count: "bytes" of the UTF-8 that is fed, "units" of UTF-16 (characters of a
        single-byte code page), or "columns" of a console (bytes of an East Asian code page).
    offset
        What the first character is offset by.

    Raises
    ------
    ValueError
        ``measure`` is none of these.
    """

    def __new__(cls, *, measure: str = "bytes", offset: int = 0) -> RowsetDecoder: ...
    def feed(self, block: bytes) -> int:
        """Decode the next block of UTF-8; return about how many bytes are held."""

    def finish(self) -> None:
        """Tell that the text has ended."""

    def take(self) -> tuple[RowsetSlab, RowsetSlab]:
        """Return heads and rows of rowsets since they were taken last."""

    def faults(self) -> list[tuple[str, int, int, int, int, str]]:
        """Return what was met beside rowsets.

        Kind, number of a server's message or 0, how many, first line (from 1), its offset, and what
        it says: server_error, sqlcmd_error, script_error, row_limit, damaged_row, truncated,
        no_line_end, long_line.
        """

@final
class RowsetSlab:
    """Rows of rowsets, or their heads: columns in Arrow's memory layout."""

    @property
    def rows(self) -> int:
        """How many."""

    @property
    def rowset(self) -> bytes:
        """int32 each: number of the rowset in the text, from 0."""

    @property
    def row(self) -> bytes:
        """int32 each: number of the row in its rowset, from 0; 0 for heads."""

    @property
    def line(self) -> bytes:
        """int64 each: physical line, from 1; of a head that of its header."""

    @property
    def offset(self) -> bytes:
        """int64 each: where that line begins, in the decoder's measure."""

    @property
    def time(self) -> bytes:
        """int64 each: microseconds since 1970-01-01, local time of the server."""

    @property
    def time_valid(self) -> bytes:
        """Bitmap: whether the time is known."""

    @property
    def name_offsets(self) -> bytes:
        """int32: where names of rowsets begin; only heads have them, one each."""

    @property
    def name_bytes(self) -> bytes:
        """UTF-8 of the names."""

    @property
    def name_valid(self) -> bytes:
        """Bitmap: whether the rowset has a name."""

    @property
    def begins(self) -> bytes:
        """int32: where each list begins among the texts."""

    @property
    def texts(self) -> int:
        """How many texts."""

    @property
    def text_offsets(self) -> bytes:
        """int32: where texts begin."""

    @property
    def text_bytes(self) -> bytes:
        """UTF-8 of the texts, without blanks around them."""

    @property
    def text_valid(self) -> bytes:
        """Bitmap: false for NULL."""

KEPT_BYTES: int
KEPT_LINES: int
KEPT_LINE_BYTES: int
"""Bytes kept of an entry of a log of lines."""

@final
class ClusterLogDecoder:
    """Takes a cluster log apart into entries, block by block."""

    def __new__(cls) -> ClusterLogDecoder: ...
    def feed(self, block: bytes) -> None:
        """Decode the next block of UTF-8; it ends with a line end, the last one perhaps not."""

    def finish(self) -> None:
        """Tell that the log has ended."""

    def take(self) -> tuple[EntrySlab, list[tuple[str, int, int]], bytes, bytes]:
        """Return rows since they were taken last, and what else was seen.

        With them titles of sections (name, line, how many of the rows stand in front of it), a bitmap
        of the rows whose lines a search tool has numbered, and the rows (int64 each) that may be
        samples of a lease. Numbers: line, time (microseconds since 1970-01-01, as written), process,
        thread. Texts: section, channel, level, component, resource, text.
        """

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Lines; entries and sections; lines in front of the first; those of which not all is kept."""

@final
class ErrorlogDecoder:
    """Takes an ERRORLOG apart, block by block.

    Parameters
    ----------
    newest_first
        The text of an error stands above its number, as in exports of viewers.
    """

    def __new__(cls, *, newest_first: bool = False) -> ErrorlogDecoder: ...
    def feed(self, block: bytes, *, is_last: bool = False) -> int | None:
        """Decode the next block of UTF-8; it ends with a line end, the last one perhaps not.

        Of a last line that is cut in its time or source nothing is read. Returns where in the block
        the first entry of the log begins that is dated where no UTC can be given.
        """

    def part(self) -> None:
        """Pass a line that stands for missing ones.

        Nothing is joined across it, and the lines up to the next header belong to no entry.
        """

    def finish(self) -> None:
        """Tell that the log has ended."""

    def take(
        self, wordings: Wordings, trace: TraceParser
    ) -> tuple[EntrySlab, list[tuple[int, bytes, list[tuple[str, tuple[bytes, bytes, bytes]]]]]]:
        """Return rows since they were taken last; numbers of errors are joined with their texts.

        Numbers: line, time (microseconds since 1970-01-01, local time), spid, error, severity, state,
        continuation_lines. Texts: source, message. With them come the wordings found in the messages,
        as `Wordings.find` gives them; ``trace`` takes the rows.
        """

    @property
    def counts(self) -> dict[str, int]:
        """Whole entries so far.

        lines, entries (header lines), continuation_lines, error_pairs, empty_messages, orphans (lines
        in front of the first entry), capped (entries of which not all lines are kept), far (entries
        dated where no UTC can be given).
        """

@final
class EventListDecoder:
    """Takes a list or table of events apart, block by block.

    Parameters
    ----------
    layout
        "quoted": level, time, source, event_id, category and message in quotes that are not doubled;
        "table": columns of fixed width, the message behind them; "list": separated cells.
    columns
        What stands in each column of a table or list: date, clock, time, level, computer, event_id,
        source, category, user, message, record or log; None for what is not read.
    widths
        Characters of each column of a table, in front of the message.
    separator
        What separates the cells of a list.
    header_lines
        Lines that are passed over first.

    Raises
    ------
    ValueError
        One of these is none.
    """

    def __new__(
        cls,
        layout: str,
        *,
        columns: list[str | None] = ...,
        widths: list[int] = ...,
        separator: str = ",",
        header_lines: int = 0,
    ) -> EventListDecoder: ...
    def feed(self, block: bytes) -> None:
        """Decode the next block of UTF-8; it ends with a line end, the last one perhaps not."""

    def finish(self) -> None:
        """Tell that the log has ended."""

    def take(self) -> tuple[EntrySlab, int, bool, int | None, int | None]:
        """Return rows since they were taken last, and what else was seen.

        With them how many events were left out because their cells cannot be told apart; and of the
        times of day whether they have a word for the half of the day, their lowest and highest hour.
        Numbers: line, clock (microseconds since midnight), event_id, record. Texts: log, source,
        computer, category, user, message. Words: day, level.
        """

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Lines; events; lines in front of the first; events of which not all is kept."""

def utf8_of_utf16(text: bytes, end: int, *, big_endian: bool = False) -> tuple[bytes, int]:
    """Return UTF-16 up to a position as UTF-8, and how many characters were none and became U+FFFD."""

@final
class Wordings:
    """Known wordings, each a pattern of RE2, that are looked for together among texts.

    Parameters
    ----------
    wordings
        In the order in which they count: pattern; what a text begins with, in every spelling; for
        those that begin with an argument a pattern of a literal piece; and whether the wording has no
        letter beyond ASCII.

    Raises
    ------
    ValueError
        A piece is no pattern.
    """

    def __new__(cls, wordings: list[tuple[str, list[bytes], str, bool]]) -> Wordings: ...
    def candidates(self, head: bytes) -> list[int]:
        """Return the numbers of the wordings that a text with this beginning can be, ascending."""

    def find(
        self, offsets: bytes, data: bytes
    ) -> list[tuple[int, bytes, list[tuple[str, tuple[bytes, bytes, bytes]]]]]:
        """Return the wordings that were found: number, places (int64), a column for each named group.

        Offsets (int32, one more than there are texts) and UTF-8 are as Arrow has them, and so are
        the columns: offsets, UTF-8, and a bitmap of those that are not NULL.
        """

@final
class EvtxDecoder:
    """Decoder of a Windows event log in binary form; it works in bounded memory, without the GIL."""

    def __new__(cls) -> EvtxDecoder: ...
    def feed(self, block: bytes) -> tuple[int, int]:
        """Decode the next block, of any size; return how many events are held, and about how many bytes.

        Raises
        ------
        ValueError
            It does not begin as an event log.
        """

    def finish(self) -> None:
        """Tell that the log has ended.

        Raises
        ------
        ValueError
            It ended before its beginning did.
        """

    def take(self) -> EntrySlab:
        """Return events since they were taken last.

        Numbers: line (number of the record), time (microseconds since 1970-01-01, UTC), event_id, record.
        Texts: log, level (Error, Warning, Information), source, computer, category, user, message (the
        values that the event carries, ``name: value; ...``, or what its writer made of them).
        """

    @property
    def counts(self) -> dict[str, tuple[int, int | None]]:
        """What was met up to what was taken last: how often, and the offset of the first where it is known.

        unread (records that cannot be read, and chunks that do not begin as such), changed (chunks
        whose checksum is wrong), moved (records whose head has another time than their event).
        """

@final
class TraceParser:
    """Parser of the text of trace flags 3004, 3014 and 3213.

    Parameters
    ----------
    wordings
        Of the steps of backups and restores.
    phases
        What each wording is: name; topic, empty for what ends an operation without being a step of
        it; fields that it states; whether it needs an operation in front; whether it starts one, and
        whether it ends one.
    prefixes
        What lines with an operation in front begin with.
    keys
        Spellings of the keys of buffer configurations, in small letters without blanks, and their
        names.
    heads, title
        What their lines and their title begin with.
    """

    def __new__(
        cls,
        wordings: Wordings,
        phases: list[tuple[str, str, list[tuple[str, str]], bool, bool, bool]],
        *,
        prefixes: list[bytes],
        keys: list[tuple[str, str]],
        heads: list[bytes],
        title: bytes,
    ) -> TraceParser: ...
    def feed(
        self,
        line: bytes,
        time: bytes,
        source: tuple[bytes, bytes],
        message: tuple[bytes, bytes],
        operation: tuple[bytes, bytes] | None = None,
        database: tuple[bytes, bytes] | None = None,
    ) -> None:
        """Take the next lines: int64, the least of which stands for no time; offsets and UTF-8."""

    def finish(self) -> None:
        """Tell that the log has ended."""

    def take(self) -> tuple[EntrySlab, bytes, tuple[bytes, bytes, bytes], tuple[bytes, bytes, bytes]]:
        """Return the steps since they were taken last, then the buffer configurations that ended.

        Numbers: line, time. Texts: source, topic. With them come maps: offsets (int32), names and
        values.
        """

@final
class EntrySlab:
    """Rows of entries: columns in Arrow's memory layout, by name."""

    @property
    def rows(self) -> int:
        """How many."""

    @property
    def numbers(self) -> dict[str, tuple[bytes, bytes]]:
        """int64 each, and a bitmap of those that are not NULL."""

    @property
    def texts(self) -> dict[str, tuple[bytes, bytes, bytes]]:
        """int32 offsets, UTF-8, and a bitmap of those that are not NULL."""

    @property
    def words(self) -> dict[str, tuple[bytes, bytes, list[str]]]:
        """int32 each, a bitmap of those that are not NULL, and the texts that they number."""
