"""Where entries begin: the header rule, applied to all lines of a block at once."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from agtrace.readers.calendar import days_us
from agtrace.readers.errorlog.blocks import TextBlock

STAMP = np.frombuffer(b"0000-00-00 00:00:00.00", np.uint8)
DIGITS = np.array([chr(c) == "0" for c in STAMP])
SOURCE_WINDOW = 16
"""Bytes after the time stamp in which source and padding usually end."""

_SPACE, _TAB = 32, 9
_TAIL = re.compile(rb"[ \t]+([^ \t]+)[ \t]*")


@dataclass(frozen=True)
class Lines:
    """The physical lines of a block, and which of them are headers.

    Parameters
    ----------
    starts, ends
        Byte positions of every line in the block, its line end left out.
    header
        Numbers of the lines that match the header rule, ascending.
    time_us
        Time of each header, microseconds since 1970 in local time.
    source_start, source_end, message_start
        Byte positions in each header; the message ends with the line.
    """

    starts: np.ndarray
    ends: np.ndarray
    header: np.ndarray
    time_us: np.ndarray
    source_start: np.ndarray
    source_end: np.ndarray
    message_start: np.ndarray


def find_lines(block: TextBlock) -> Lines:
    """Split a block into lines and find the headers.

    A header is ``YYYY-MM-DD HH:MM:SS.ff``, blanks or tabs, a source without blanks, and the rest.
    Copies made by xp_readerrorlog carry three digits of the second.
    """
    data, size = block.data, block.size
    breaks = np.flatnonzero(data[:size] == 10)
    starts = np.concatenate([np.zeros(1, np.int64), breaks + 1])
    ends = np.concatenate([breaks, np.full(1, size)])
    if starts[-1] == size:
        starts, ends = starts[:-1], ends[:-1]
    if not len(starts):
        return _no_lines()
    ends = ends - ((ends > starts) & (data[ends - 1] == 13))
    long_enough = np.flatnonzero((ends - starts >= 24) & (data[starts] - np.uint8(48) <= 9))
    header, stamp_end, time_us = _stamps(data, starts, long_enough)
    source_start, source_end, message_start = _spans(data, stamp_end, ends[header])
    has_source = source_end > source_start
    if block.last and (source_end >= ends[header]).any():
        # A source cut short would belong to nobody, and part an error from its text.
        return _no_lines()
    if not has_source.all():
        header, time_us = header[has_source], time_us[has_source]
        source_start, source_end, message_start = (
            a[has_source] for a in (source_start, source_end, message_start)
        )
    return Lines(starts, ends, header, time_us, source_start, source_end, message_start)


def _no_lines() -> Lines:
    return Lines(*(np.zeros(0, np.int64) for _ in range(7)))


def _stamps(
    data: np.ndarray, starts: np.ndarray, candidates: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Keep the lines that begin with a time stamp; give where it ends and its value."""
    windows = np.lib.stride_tricks.sliding_window_view(data, 24)[starts[candidates]]
    off = windows[:, :22] - STAMP
    good = (off <= np.where(DIGITS, 9, 0)).all(axis=1)
    third = windows[:, 22] - np.uint8(48)
    has_third = third <= 9
    after = np.where(has_third, windows[:, 23], windows[:, 22])
    good &= (after == _SPACE) | (after == _TAB)
    if not good.all():
        candidates, off, third, has_third = (a[good] for a in (candidates, off, third, has_third))
    d = np.ascontiguousarray(off.T).astype(np.int32)
    day_us, known_day = days_us(
        (d[0] * 10 + d[1]) * 100 + d[2] * 10 + d[3], d[5] * 10 + d[6], d[8] * 10 + d[9]
    )
    hour, minute, second = d[11] * 10 + d[12], d[14] * 10 + d[15], d[17] * 10 + d[18]
    in_range = known_day & (hour < 24) & (minute < 60) & (second < 60)
    milli = d[20] * 100 + d[21] * 10 + np.where(has_third, third, 0)
    time_us = day_us + (((hour * 60 + minute) * 60 + second).astype(np.int64) * 1000 + milli) * 1000
    stamp_end = starts[candidates] + 22 + has_third
    if not in_range.all():
        candidates, stamp_end, time_us = (a[in_range] for a in (candidates, stamp_end, time_us))
    return candidates, stamp_end, time_us


def _spans(
    data: np.ndarray, stamp_end: np.ndarray, line_end: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find source and message behind the time stamp; an empty source means there is none."""
    windows = np.lib.stride_tricks.sliding_window_view(data, SOURCE_WINDOW)[stamp_end]
    column = np.arange(SOURCE_WINDOW)
    room = (line_end - stamp_end)[:, None]
    blank = ((windows == _SPACE) | (windows == _TAB)) & (column < room)
    start = (~blank).argmax(axis=1)
    stop = (blank | (column >= room)) & (column > start[:, None])
    end = stop.argmax(axis=1)
    rest = ~blank & (column >= end[:, None])
    message = rest.argmax(axis=1)
    empty = start >= line_end - stamp_end
    unfinished = ~empty & (~stop.any(axis=1) | ~rest.any(axis=1) | blank.all(axis=1))
    start, end, message = (a + stamp_end for a in (start, end, message))
    end[empty] = start[empty]
    for i in np.flatnonzero(unfinished):
        at = int(stamp_end[i])
        match = _TAIL.match(data[at : int(line_end[i])].tobytes())
        start[i], end[i], message[i] = (
            (at + match.start(1), at + match.end(1), at + match.end()) if match else (at, at, at)
        )
    return start, end, message
