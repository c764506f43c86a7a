"""Lines of a cluster log to rows: where entries begin, and what stands in their first lines.

``00001a2c.000020b8::2026/02/28-22:10:41.004 ERR   [RES] SQL Server Availability Group <AG1>: ...``:
process and thread (hexadecimal), time, level, then the text; sections with events of a channel have
``[System] `` in front; copies made with a search tool number their lines. Source: output of
Get-ClusterLog, Windows Server 2016 and later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from agtrace.readers.calendar import days_us
from agtrace.readers.errorlog.blocks import PADDING
from agtrace.readers.line_entries import Entries, slices, texts, windows
from agtrace.tables import CLUSTER_LOG

_STAMP = np.frombuffer(b"0000/00/00-00:00:00.000 ", np.uint8)
_DIGITS = np.array([chr(c) == "0" for c in _STAMP])
STAMP_BYTES = len(_STAMP)
_IDS = len("00001a2c.000020b8::")
_LEVEL_BYTES = 8
_COMPONENT_BYTES = 34
_LEVELS = ("INFO", "WARN", "ERR", "DBG")
_COLON, _DOT, _BLANK, _OPEN, _CLOSE = 58, 46, 32, 91, 93
_PREFIX = re.compile(rb"\s*(?P<number>\d+)?\s*(?:\[(?P<channel>[^\]]{1,40})\]\s+)?")
LINES_AT_ONCE = 16 * 1024
"""Lines without a stamp in its usual place that are looked at together."""
_SECTION = re.compile(rb"\[=== (.{1,200}?) ===\]\s*")
_RESOURCE = r"^\[RES\] [^<:\[\n]{1,100}<(?P<resource>[^>\n]{1,260})>: "

_HEX = np.full(256, 255, np.uint8)
for _n, _c in enumerate(b"0123456789abcdef"):
    _HEX[_c] = _n
for _n, _c in enumerate(b"ABCDEF", 10):
    _HEX[_c] = _n
_KIND_OF = np.where(_HEX < 16, np.uint8(1), np.arange(256, dtype=np.uint8))
_KINDS = _KIND_OF[np.frombuffer(b"00001a2c.000020b8::", np.uint8)]


class Section(NamedTuple):
    """A title ``[=== Cluster ===]``."""

    name: str
    line: int


class Heads(NamedTuple):
    """Where the time stamps stand, line by line: -1 in lines that have none."""

    stamp: np.ndarray
    is_section: np.ndarray


def find_heads(data: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Give the lines that begin an entry or a section."""
    found = _heads(data, starts, ends)
    return np.flatnonzero((found.stamp >= 0) | found.is_section)


def _heads(data: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> Heads:
    stamp = np.full(len(starts), -1, np.int64)
    is_section = np.zeros(len(starts), bool)
    if not len(starts):
        return Heads(stamp, is_section)
    # The usual line begins with its ids; the others are asked one by one where the stamp is.
    at = starts + _IDS
    usual = (data[np.minimum(starts + _IDS - 1, len(data) - 1)] == _COLON) & (
        at + STAMP_BYTES <= ends
    )
    lines = np.flatnonzero(usual)
    lines = lines[_is_ids(data, starts[lines])]
    lines = lines[_is_stamp(data, at[lines])]
    stamp[lines] = at[lines]
    first = data[starts]
    others = np.flatnonzero((stamp < 0) & ((first == _OPEN) | (first == _BLANK) | _is_digit(first)))
    if len(others):
        _see_others(data, starts, ends, others, stamp, is_section)
    return Heads(stamp, is_section)


def _known_heads(data: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> Heads:
    """Give the same of lines that are known to begin an entry or a section: the usual ones are not tested again."""
    marks = data[starts + _IDS - 1] == _COLON
    marks &= (data[starts + _IDS - 2] == _COLON) & (data[starts + 8] == _DOT)
    usual = marks & (starts + _IDS + STAMP_BYTES <= ends) & (_HEX[data[starts]] < 16)
    stamp = np.where(usual, starts + _IDS, -1)
    is_section = np.zeros(len(starts), bool)
    others = np.flatnonzero(~usual)
    if len(others):
        _see_others(data, starts, ends, others, stamp, is_section)
    return Heads(stamp, is_section)


def _see_others(
    data: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    lines: np.ndarray,
    stamp: np.ndarray,
    is_section: np.ndarray,
) -> None:
    """Find stamps behind a channel or a number, and the titles of sections."""
    heads = windows(data, starts[lines], 5)
    titles = lines[(heads == np.frombuffer(b"[=== ", np.uint8)).all(axis=1)]
    for line in titles:
        text = data[starts[line] : min(ends[line], starts[line] + 256)].tobytes()
        is_section[line] = _SECTION.fullmatch(text) is not None
    for chunk in np.array_split(lines, len(lines) // LINES_AT_ONCE + 1):
        shown = windows(data, starts[chunk], PADDING)
        rows, columns = np.nonzero((shown[:, :-1] == _COLON) & (shown[:, 1:] == _COLON))
        for line, place in zip(chunk[rows], columns, strict=True):
            at = int(starts[line]) + int(place) + 2
            if stamp[line] >= 0 or place + 2 < _IDS or at + STAMP_BYTES > ends[line]:
                continue
            here = np.array([at])
            if _is_stamp(data, here)[0] and _is_ids(data, here - _IDS)[0]:
                before = data[starts[line] : at - _IDS].tobytes()
                if _PREFIX.fullmatch(before):
                    stamp[line] = at


def _is_digit(values: np.ndarray) -> np.ndarray:
    return (values - np.uint8(48)) <= 9


def _is_stamp(data: np.ndarray, at: np.ndarray) -> np.ndarray:
    off = windows(data, at, STAMP_BYTES) - _STAMP
    return np.asarray((off <= np.where(_DIGITS, 9, 0)).all(axis=1))


def _is_ids(data: np.ndarray, at: np.ndarray) -> np.ndarray:
    return np.asarray((_KIND_OF[windows(data, at, _IDS)] == _KINDS).all(axis=1))


class Rows(NamedTuple):
    """What a piece of the log holds."""

    batch: pa.RecordBatch
    """Rows of the table ``cluster_log``; time_written and time_local are equal."""
    sections: list[Section]
    entries_before: np.ndarray
    """How many of the rows stand in front of each section."""


def decode(entries: Entries, section: str | None) -> Rows:
    """Give the rows of whole entries.

    Parameters
    ----------
    section
        Title above the first of them.
    """
    data = entries.data
    found = _known_heads(data, entries.starts, entries.heads)
    titles = np.flatnonzero(found.is_section)
    rows = np.flatnonzero(found.stamp >= 0)
    names = [Section(_title(data, entries, int(at)), int(entries.lines[at])) for at in titles]
    before = np.searchsorted(rows, titles)
    of_row = np.searchsorted(titles, rows) - 1
    known: list[str | None] = [section, *(each.name for each in names)]
    stamp = found.stamp[rows]
    d = (windows(data, stamp, STAMP_BYTES) - np.uint8(48)).T.astype(np.int32)
    day, is_day = days_us(
        ((d[0] * 10 + d[1]) * 10 + d[2]) * 10 + d[3], d[5] * 10 + d[6], d[8] * 10 + d[9]
    )
    hour, minute, second = d[11] * 10 + d[12], d[14] * 10 + d[15], d[17] * 10 + d[18]
    milli = (d[20] * 10 + d[21]) * 10 + d[22]
    is_time = is_day & (hour < 24) & (minute < 60) & (second < 60)
    time = day + (((hour * 60 + minute) * 60 + second).astype(np.int64) * 1000 + milli) * 1000
    written = pa.array(time, mask=~is_time).cast(pa.timestamp("us"))
    ids = _HEX[windows(data, stamp - _IDS, _IDS)].astype(np.int64)
    process, thread = (_number(ids[:, a : a + 8]) for a in (0, 9))
    level, text_start = _levels(data, stamp + STAMP_BYTES, entries.ends[rows])
    text = texts(data, text_start, entries.ends[rows], entries.heads[rows])
    channel, numbered = _channels(data, entries.starts[rows], stamp - _IDS)
    if numbered.any():
        text = _without_numbers(text, numbered)
    batch = pa.RecordBatch.from_arrays(
        [
            pa.array(entries.lines[rows]),
            written,
            written,
            pa.array(known, pa.string()).take(pa.array(of_row + 1)),
            channel,
            pa.array(process),
            pa.array(thread),
            level,
            *_named(data, text, text_start),
            text,
        ],
        schema=CLUSTER_LOG,
    )
    return Rows(batch, names, before)


def _title(data: np.ndarray, entries: Entries, at: int) -> str:
    match = _SECTION.match(data[entries.starts[at] : entries.heads[at]].tobytes())
    return match[1].decode() if match else ""


def _number(digits: np.ndarray) -> np.ndarray:
    value = np.zeros(len(digits), np.int64)
    for column in range(digits.shape[1]):
        value = value * 16 + digits[:, column]
    return value


def _levels(data: np.ndarray, at: np.ndarray, ends: np.ndarray) -> tuple[pa.Array, np.ndarray]:
    """Give the level of each entry, NULL for an unknown word, and where its text begins."""
    shown = windows(data, at, _LEVEL_BYTES)
    code = np.full(len(at), len(_LEVELS))
    width = np.zeros(len(at), np.int64)
    for number, name in enumerate(_LEVELS):
        word = np.frombuffer(name.encode() + b" ", np.uint8)
        is_it = (shown[:, : len(word)] == word).all(axis=1)
        code[is_it], width[is_it] = number, len(name)
    blanks = (shown == _BLANK) & (np.arange(_LEVEL_BYTES) >= width[:, None])
    past = np.where(np.arange(_LEVEL_BYTES) < width[:, None], True, blanks)
    # The words are padded to five characters and a blank; a text may begin with blanks of its own.
    lead = np.minimum(past.argmin(axis=1), 6)
    lead[past.all(axis=1)] = 6
    start = np.minimum(at + np.where(width > 0, lead, 0), ends)
    names = pa.array([*_LEVELS, None], pa.string())
    return names.take(pa.array(code)), start


def _named(data: np.ndarray, text: pa.Array, start: np.ndarray) -> Iterator[pa.Array]:
    """Give the component of each entry (the word in brackets), and the resource it names."""
    shown = windows(data, start, _COMPONENT_BYTES)
    close = (shown == _CLOSE).argmax(axis=1)
    inside = np.arange(_COMPONENT_BYTES) < close[:, None]
    has = (shown[:, 0] == _OPEN) & (close > 1) & ~((shown <= _BLANK) & inside).any(axis=1)
    begin = np.where(has, start + 1, start)
    component = slices(data, begin, np.where(has, start + close, start), ~has)
    component = component.dictionary_encode().cast(pa.string())
    yield component
    named = pc.fill_null(pc.equal(component, "RES"), False).to_numpy(zero_copy_only=False)
    at = np.flatnonzero(named)
    found = pc.extract_regex(text.take(pa.array(at)), _RESOURCE)
    resource = pc.struct_field(found, "resource")
    places = np.zeros(len(named), np.int64)
    places[at] = np.arange(len(at))
    yield resource.take(pa.array(places, mask=~named))


def _channels(data: np.ndarray, starts: np.ndarray, ids: np.ndarray) -> tuple[pa.Array, np.ndarray]:
    """Give the channel in front of each entry, and which entries have a line number there."""
    numbered = np.zeros(len(starts), bool)
    channels: list[str | None] = [None] * len(starts)
    for row in np.flatnonzero(ids > starts):
        channel, has_number = _prefix(data[starts[row] : ids[row]].tobytes().lstrip())
        channels[row], numbered[row] = channel, has_number
    return pa.array(channels, pa.string()), numbered


@lru_cache(1000)
def _prefix(text: bytes) -> tuple[str | None, bool]:
    match = _PREFIX.fullmatch(text)
    if match is None:
        return None, False
    channel = match["channel"]
    return channel.decode(errors="replace") if channel else None, match["number"] is not None


def _without_numbers(text: pa.Array, numbered: np.ndarray) -> pa.Array:
    """Take the line numbers of a search tool off the continuation lines, too."""
    plain = pc.replace_substring_regex(text, r"\n[ \t]*\d+(?: |$|\n)", "\n")
    return pc.if_else(pa.array(numbered), pc.utf8_rtrim(plain, "\n"), text)
