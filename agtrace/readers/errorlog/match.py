"""Finding the messages of the catalogue among entries, without looking at each one in Python.

The first bytes of every message are encoded as a dictionary; each distinct beginning is looked up
once, and only the messages that begin like a known one meet its pattern. Messages that begin with
an argument are all written with letters beyond ASCII, so English logs never try them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from agtrace.readers.errorlog.templates import (
    PREFIX_BYTES,
    Pattern,
    literal_pattern,
    patterns,
    patterns_by_head,
)


@dataclass(frozen=True)
class Found:
    """Messages of one pattern: their places in the batch, and a column of text per field."""

    pattern: Pattern
    rows: np.ndarray
    columns: dict[str, pa.Array]


def find_messages(messages: pa.Array) -> Iterator[Found]:
    """Find the messages of the catalogue in a column of texts."""
    if not len(messages):
        return
    codes, heads = heads_of(messages)
    groups: dict[tuple[int, ...], int] = {(): 0}
    group_of_head = np.array([groups.setdefault(_candidates(h), len(groups)) for h in heads])
    group_of_row = group_of_head[codes]
    for numbers, group in groups.items():
        if numbers:
            yield from _try(messages, np.flatnonzero(group_of_row == group), numbers)
    data = np.frombuffer(messages.buffers()[2] or b"", np.uint8)
    if len(data) and data.max() > 127:
        numbers, fragments = _headless()
        foreign = np.flatnonzero(~pc.string_is_ascii(messages).to_numpy(zero_copy_only=False))
        hit = pc.match_substring_regex(messages.take(pa.array(foreign)), fragments)
        yield from _try(messages, foreign[hit.to_numpy(zero_copy_only=False)], numbers)


def heads_of(messages: pa.Array) -> tuple[np.ndarray, list[bytes]]:
    """Encode the first bytes of every message: a code per message, and what each code stands for."""
    offsets = np.frombuffer(messages.buffers()[1], np.int32)[messages.offset :][: len(messages) + 1]
    starts, lengths = offsets[:-1].astype(np.int64), np.diff(offsets)
    data = np.frombuffer(messages.buffers()[2] or b"", np.uint8)
    near_end = max(len(data) - PREFIX_BYTES, 0)
    tail = np.concatenate([data[near_end:], np.zeros(2 * PREFIX_BYTES, np.uint8)])
    windows = np.empty((len(messages), PREFIX_BYTES), np.uint8)
    inside = starts < near_end
    view = np.lib.stride_tricks.sliding_window_view
    if len(data) >= PREFIX_BYTES:
        windows[inside] = view(data, PREFIX_BYTES)[starts[inside]]
    windows[~inside] = view(tail, PREFIX_BYTES)[starts[~inside] - near_end]
    short = np.flatnonzero(lengths < PREFIX_BYTES)
    windows[short] *= np.arange(PREFIX_BYTES) < lengths[short][:, None]
    encoded = pa.array(windows.view(np.uint64).ravel()).dictionary_encode()
    heads = [head.tobytes().rstrip(b"\0") for head in encoded.dictionary.to_numpy()]
    return encoded.indices.to_numpy(), heads


@lru_cache(maxsize=65536)
def _candidates(head: bytes) -> tuple[int, ...]:
    """Give the numbers of the patterns that a message beginning with ``head`` can match."""
    table = patterns_by_head()
    return tuple(sorted({n for cut in range(1, len(head) + 1) for n in table.get(head[:cut], ())}))


@cache
def _headless() -> tuple[tuple[int, ...], str]:
    """Give the patterns that begin with an argument, and one RE2 pattern that finds any of them."""
    numbers = tuple(n for n, pattern in enumerate(patterns()) if not pattern.heads)
    return numbers, "|".join(sorted({literal_pattern(patterns()[n].fragment) for n in numbers}))


def _try(messages: pa.Array, rows: np.ndarray, numbers: tuple[int, ...]) -> Iterator[Found]:
    """Try patterns in turn; what one of them takes, the next ones do not see."""
    texts = messages.take(pa.array(rows))
    for number in numbers:
        if not len(rows):
            return
        pattern = patterns()[number]
        hit, columns = _extract(texts, pattern)
        if not hit.any():
            continue
        at = pa.array(np.flatnonzero(hit))
        yield Found(pattern, rows[hit], {name: col.take(at) for name, col in columns.items()})
        rows, texts = rows[~hit], texts.take(pa.array(np.flatnonzero(~hit)))


def _extract(texts: pa.Array, pattern: Pattern) -> tuple[np.ndarray, dict[str, pa.Array]]:
    if "(?P<" not in pattern.regex:
        return pc.match_substring_regex(texts, pattern.regex).to_numpy(zero_copy_only=False), {}
    found = pc.extract_regex(texts, pattern.regex)
    hit = found.is_valid().to_numpy(zero_copy_only=False)
    return hit, {field.name: found.field(field.name) for field in found.type}
