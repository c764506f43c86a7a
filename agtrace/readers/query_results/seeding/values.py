"""Values of one row, brought to the form that facts have."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field
from datetime import datetime

from agtrace.readers.query_results.seeding.columns import Column, ColumnKind
from agtrace.readers.written_times import Moment, is_ambiguous, parse

MAX_TEXT = 1000
"""Characters of a value that are kept."""

_GUID = re.compile(r"\{?([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\}?")
_BINARY_GUID = re.compile(r"0[xX]([0-9a-fA-F]{32})")
_INTEGER = re.compile(r"([+-]?\d{1,20})(?:[.,]0{1,2})?")
_HEX = re.compile(r"0[xX][0-9a-fA-F]{1,16}")
_DECIMAL = re.compile(r"(\d{1,15})(?:[.,](\d{1,6})\d*)?")
_BITS = {"1": "1", "true": "1", "yes": "1", "0": "0", "false": "0", "no": "0"} | {
    # A spreadsheet saves truth in the words of its user's language.
    **dict.fromkeys(("wahr", "vrai", "vero", "verdadero", "verdadeiro", "waar"), "1"),
    **dict.fromkeys(("falsch", "faux", "falso", "onwaar"), "0"),
}
_SHORTENED = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4} \d{1,2}:\d\d(?: [AaPp]\.?[Mm]\.?)?"  # without seconds
    r"|\d{1,3}:\d\d(?:[.,]\d)?"  # minutes and seconds alone
    r"|\d(?:[.,]\d{1,14})?[Ee]\+?\d{1,2}"
)
"""Times and numbers as a spreadsheet saves them: what it does not show is lost."""
_TIMES = (ColumnKind.TIME, ColumnKind.UTC)


class UnreadableError(ValueError):
    """A value is not of its column's kind."""


class OrderUnknownError(UnreadableError):
    """A time whose order of day and month is unknown."""


@dataclass
class Values:
    """The values of one row, by column, and those that could not be read.

    Parameters
    ----------
    told
        Column, key and value, without NULLs. The key differs from that of the column if a time turns out to
        be UTC, or not to be.
    time_local
        Local time of the snapshot, if the row has it.
    unreadable, unordered
        Values left out, with their columns: of the wrong type, or times whose order of day and month is
        unknown.
    typed
        Number of values of columns that allow only one type.
    is_shifted
        Whether a time was shifted by the client.
    """

    told: list[tuple[Column, str, str]] = field(default_factory=list)
    time_local: datetime | None = None
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    unordered: list[tuple[str, str]] = field(default_factory=list)
    typed: int = 0
    is_shifted: bool = False

    @property
    def is_damaged(self) -> bool:
        """Whether most typed values are invalid, because the cells are not under their names."""
        misplaced = [text for _key, text in self.unreadable if not is_shortened(text)]
        return 2 * len(misplaced) > self.typed

    def take(self, column: Column, text: str, days_first: bool | None) -> None:
        """Add the value of one cell."""
        if column.key == "failure_state" and not _is_number(text):
            # Common queries show failure_state_desc under this name.
            column = column._replace(key="failure_state_desc", kind=ColumnKind.TEXT)
        self.typed += column.strict and column.kind is not ColumnKind.TEXT
        try:
            if column.kind in _TIMES:
                self._take_time(column, text, days_first)
            else:
                self.told.append((column, column.key, _value(column, text)))
        except OrderUnknownError:
            self.unordered.append((column.key, text))
        except UnreadableError:
            if column.strict:
                self.unreadable.append((column.key, text))
            else:
                self.told.append((column, column.key, capped(text)))

    def _take_time(self, column: Column, text: str, days_first: bool | None) -> None:
        moment = parse(text, days_first)
        if moment is None:
            raise OrderUnknownError if is_ambiguous(text) else UnreadableError
        self.is_shifted |= moment.is_shifted
        key = column.key
        if column.is_local or (key == "sampled" and moment.offset):
            self.time_local = _local(moment)
        if key == "sampled" and moment.offset is not None:
            # An offset makes it an instant; a bare Z may be the habit of a driver.
            key = "sampled_utc" if moment.offset else key
        elif key.endswith("_utc") and moment.is_shifted:
            key = key.removesuffix("_utc")
        try:
            value = moment.in_utc().text + "Z" if key.endswith("_utc") else moment.text
        except OverflowError:
            raise UnreadableError from None
        self.told.append((column, key, value))


def is_null(text: str) -> bool:
    """Return whether a cell shows NULL, or nothing."""
    return not text or text in ("NULL", "null", "Null", "(null)", "DBNull")


def is_shortened(text: str) -> bool:
    """Return whether a spreadsheet seems to have shortened a time or a number."""
    return _SHORTENED.fullmatch(text) is not None


def capped(text: str) -> str:
    """Return a text short enough for the tables."""
    return text[:MAX_TEXT].encode("utf-8", "replace").decode("utf-8")


def is_readable(kind: ColumnKind, text: str) -> bool:
    """Return whether a text is a value of a kind, in the form of a grid."""
    if kind in _TIMES:
        return parse(text, None) is not None
    try:
        _value(Column(0, "", kind, True, ()), text)
    except UnreadableError:
        return False
    return True


def _local(moment: Moment) -> datetime:
    return moment.time.replace(microsecond=int(moment.fraction[:6].ljust(6, "0")))


def _is_number(text: str) -> bool:
    return _INTEGER.fullmatch(text) is not None or _HEX.fullmatch(text) is not None


def _value(column: Column, text: str) -> str:
    if column.factor != 1:
        return _scaled(text, column.factor)
    if column.kind is ColumnKind.INTEGER:
        return _integer(text)
    if column.kind is ColumnKind.BIT:
        if text.lower() not in _BITS:
            raise UnreadableError
        return _BITS[text.lower()]
    if column.kind is ColumnKind.GUID:
        return _guid(text)
    return capped(text)


def _integer(text: str) -> str:
    if match := _INTEGER.fullmatch(text):
        return str(int(match[1]))
    if _HEX.fullmatch(text):
        return str(int(text, 16))
    raise UnreadableError


def _scaled(text: str, factor: int) -> str:
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise UnreadableError
    digits = (match[2] or "").ljust(6, "0")
    return str(int(match[1] + digits) * factor // 1_000_000)


def _guid(text: str) -> str:
    if match := _GUID.fullmatch(text):
        return match[1].lower()
    if match := _BINARY_GUID.fullmatch(text):
        # A uniqueidentifier as binary has its first three parts in little endian order.
        return str(uuid.UUID(bytes_le=bytes.fromhex(match[1])))
    raise UnreadableError
