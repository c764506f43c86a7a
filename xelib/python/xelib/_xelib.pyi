"""The compiled part of xelib."""

from collections.abc import Sequence
from typing import Literal, final

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
