"""Finding known texts in a column, without looking at each row in Python.

The first bytes of every text are encoded as a dictionary; each distinct beginning is looked up
once, and only texts that begin like a known one meet its pattern. Some messages begin with an
argument in some languages; all of these are written with letters beyond ASCII, so English logs
never try them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

PREFIX_BYTES = 8
"""How much of a text's beginning decides which patterns are tried on it."""

CACHED_HEADS = 100_000


@dataclass(frozen=True)
class Pattern:
    """One wording of one text.

    Parameters
    ----------
    entry
        What the text means.
    language
        Language of the wording.
    regex
        RE2 pattern with a named group per field.
    heads
        What the text begins with, at most `PREFIX_BYTES` each; empty when an argument stands there.
    fragment
        RE2 pattern of a literal piece, to find texts without a head.
    needs
        A piece of text that is always there, looked for first where the head is short.
    """

    entry: Any
    language: str
    regex: str
    heads: tuple[bytes, ...]
    fragment: str = ""
    needs: str = ""


@dataclass(frozen=True)
class Heads:
    """The first bytes of each text of a column: a code per row, and the bytes of each code."""

    codes: np.ndarray
    values: list[bytes]

    @classmethod
    def of(cls, texts: pa.Array) -> Heads:
        """Encode the first `PREFIX_BYTES` bytes of every text."""
        offsets = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset :][: len(texts) + 1]
        starts, lengths = offsets[:-1].astype(np.int64), np.diff(offsets)
        data = np.frombuffer(texts.buffers()[2] or b"", np.uint8)
        near_end = max(len(data) - PREFIX_BYTES, 0)
        tail = np.concatenate([data[near_end:], np.zeros(2 * PREFIX_BYTES, np.uint8)])
        windows = np.empty((len(texts), PREFIX_BYTES), np.uint8)
        inside = starts < near_end
        view = np.lib.stride_tricks.sliding_window_view
        if near_end:
            windows[inside] = view(data, PREFIX_BYTES)[starts[inside]]
        windows[~inside] = view(tail, PREFIX_BYTES)[starts[~inside] - near_end]
        short = np.flatnonzero(lengths < PREFIX_BYTES)
        windows[short] *= np.arange(PREFIX_BYTES) < lengths[short][:, None]
        encoded = pa.array(windows.view(np.uint64).ravel()).dictionary_encode()
        values = [head.tobytes().rstrip(b"\0") for head in encoded.dictionary.to_numpy()]
        return cls(encoded.indices.to_numpy(), values)


@dataclass(frozen=True)
class Found:
    """Texts of one pattern: their places in the column, and a column of text per field."""

    pattern: Pattern
    rows: np.ndarray
    columns: dict[str, pa.Array]


class PatternSet:
    """Patterns that are looked for together; of several that match, the first one counts."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        self.patterns = patterns
        self._by_head: dict[bytes, list[int]] = {}
        for number, pattern in enumerate(patterns):
            for head in pattern.heads:
                self._by_head.setdefault(head, []).append(number)
        self._headless = tuple(n for n, pattern in enumerate(patterns) if not pattern.heads)
        self._fragments = "|".join(sorted({patterns[n].fragment for n in self._headless}))
        self._known: dict[bytes, tuple[int, ...]] = {}

    def find(self, texts: pa.Array, heads: Heads | None = None) -> Iterator[Found]:
        """Find the patterns in a column of texts."""
        if not len(texts):
            return
        heads = heads or Heads.of(texts)
        groups: dict[tuple[int, ...], int] = {(): 0}
        group_of_head = np.array(
            [groups.setdefault(self.candidates(head), len(groups)) for head in heads.values]
        )
        group_of_row = group_of_head[heads.codes]
        for numbers, group in groups.items():
            if numbers:
                yield from self._try(texts, np.flatnonzero(group_of_row == group), numbers)
        if self._headless and not _is_ascii(texts):
            foreign = np.flatnonzero(~pc.string_is_ascii(texts).to_numpy(zero_copy_only=False))
            hit = pc.match_substring_regex(texts.take(pa.array(foreign)), self._fragments)
            rows = foreign[hit.to_numpy(zero_copy_only=False)]
            yield from self._try(texts, rows, self._headless)

    def candidates(self, head: bytes) -> tuple[int, ...]:
        """Give the numbers of the patterns that a text beginning with ``head`` can match."""
        known = self._known.get(head)
        if known is None:
            hits = {n for cut in range(1, len(head) + 1) for n in self._by_head.get(head[:cut], ())}
            known = tuple(sorted(hits))
            if len(self._known) < CACHED_HEADS:
                self._known[head] = known
        return known

    def _try(self, texts: pa.Array, rows: np.ndarray, numbers: tuple[int, ...]) -> Iterator[Found]:
        """Try patterns in turn; what one of them takes, the next ones do not see."""
        texts = texts.take(pa.array(rows))
        for number in numbers:
            if not len(rows):
                return
            pattern = self.patterns[number]
            at, columns = _matching(texts, pattern)
            if not len(at):
                continue
            yield Found(pattern, rows[at], columns)
            left = np.ones(len(rows), bool)
            left[at] = False
            rows, texts = rows[left], texts.take(pa.array(np.flatnonzero(left)))


def _matching(texts: pa.Array, pattern: Pattern) -> tuple[np.ndarray, dict[str, pa.Array]]:
    """Give the places of the texts that match, and their fields."""
    places = np.arange(len(texts))
    if pattern.needs:
        places = np.flatnonzero(
            pc.match_substring(texts, pattern.needs).to_numpy(zero_copy_only=False)
        )
        texts = texts.take(pa.array(places))
    if not len(places):
        return places, {}
    hit, columns = extract(texts, pattern.regex)
    chosen = pa.array(np.flatnonzero(hit))
    return places[hit], {name: column.take(chosen) for name, column in columns.items()}


def extract(texts: pa.Array, regex: str) -> tuple[np.ndarray, dict[str, pa.Array]]:
    """Match an RE2 pattern: which texts match, and the text of each named group (else empty)."""
    if "(?P<" not in regex:
        return pc.match_substring_regex(texts, regex).to_numpy(zero_copy_only=False), {}
    found = pc.extract_regex(texts, regex)
    hit = found.is_valid().to_numpy(zero_copy_only=False)
    return hit, {field.name: found.field(field.name) for field in found.type}


def _is_ascii(texts: pa.Array) -> bool:
    data = np.frombuffer(texts.buffers()[2] or b"", np.uint8)
    return not len(data) or int(data.max()) < 128
