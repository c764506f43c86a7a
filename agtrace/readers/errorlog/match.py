"""Finding known texts in a column, without looking at each row in Python.

The first bytes of every text are encoded as a dictionary; each distinct beginning is looked up
once, and only texts that begin like a known one meet its pattern. Where several known texts begin
alike, the next bytes decide in the same way. Some messages begin with an
argument in some languages; all of these are written with letters beyond ASCII, so English logs
never try them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

PREFIX_BYTES = 8
"""How much of a text's beginning is looked at in one step."""

FEW = 3
"""Patterns that are tried at once rather than told apart first."""

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
        What the text begins with, in every spelling; empty when an argument stands there.
    fragment
        RE2 pattern of a literal piece, to find texts without a head.
    needs
        A piece of text that is always there, looked for first where several patterns are tried.
    ascii
        False when the text has letters beyond ASCII.
    """

    entry: Any
    language: str
    regex: str
    heads: tuple[bytes, ...]
    fragment: str = ""
    needs: str = ""
    ascii: bool = True


class Beginnings:
    """Which first two bytes a set of heads can have: most texts are told by these alone."""

    def __init__(self, heads: Iterable[bytes]) -> None:
        self._table = np.zeros((256, 256), bool)
        for head in heads:
            if len(head) > 1:
                self._table[head[0], head[1]] = True
            elif head:
                self._table[head[0]] = True

    def places(self, heads: Heads) -> Iterator[tuple[int, bytes]]:
        """Give the codes of heads that begin so, and their bytes."""
        for code in np.flatnonzero(self._table[heads.windows[:, 0], heads.windows[:, 1]]):
            yield int(code), heads.value(int(code))


@dataclass(frozen=True)
class Heads:
    """The first bytes of each text of a column: a code per row, and the bytes of each code."""

    codes: np.ndarray
    windows: np.ndarray

    def value(self, code: int) -> bytes:
        """Give the bytes of a code."""
        return self.windows[code].tobytes().rstrip(b"\0")

    @classmethod
    def of(cls, texts: pa.Array, skip: int = 0) -> Heads:
        """Encode the first `PREFIX_BYTES` bytes of every text, or those behind ``skip`` bytes."""
        offsets = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset :][: len(texts) + 1]
        starts, lengths = offsets[:-1].astype(np.int64), np.diff(offsets)
        if skip:
            starts, lengths = starts + np.minimum(skip, lengths), np.maximum(lengths - skip, 0)
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
        distinct = encoded.dictionary.to_numpy().view(np.uint8).reshape(-1, PREFIX_BYTES)
        return cls(encoded.indices.to_numpy(), distinct)


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
                self._by_head.setdefault(head[:PREFIX_BYTES], []).append(number)
        self.beginnings = Beginnings(self._by_head)
        self._headless = tuple(n for n, pattern in enumerate(patterns) if not pattern.heads)
        self._fragments = "|".join(sorted({patterns[n].fragment for n in self._headless}))
        self._known: tuple[dict[bytes, tuple[int, ...]], ...] = ({}, {})

    def find(self, texts: pa.Array, heads: Heads | None = None) -> Iterator[Found]:
        """Find the patterns in a column of texts."""
        if not len(texts):
            return
        heads = heads or Heads.of(texts)
        plain = _is_ascii(texts)
        candidates = {code: self.candidates(head, plain) for code, head in self.beginnings.places(heads)}
        for rows, numbers in _groups(heads, candidates):
            yield from self._told_apart(texts, rows, numbers, PREFIX_BYTES)
        if self._headless and not plain:
            foreign = np.flatnonzero(~pc.string_is_ascii(texts).to_numpy(zero_copy_only=False))
            hit = pc.match_substring_regex(texts.take(pa.array(foreign)), self._fragments)
            rows = foreign[hit.to_numpy(zero_copy_only=False)]
            yield from self._try(texts, rows, self._headless)

    def candidates(self, head: bytes, ascii_only: bool = False) -> tuple[int, ...]:
        """Give the numbers of the patterns that a text beginning with ``head`` can match."""
        known = self._known[ascii_only].get(head)
        if known is None:
            hits = {n for cut in range(1, len(head) + 1) for n in self._by_head.get(head[:cut], ())}
            known = tuple(n for n in sorted(hits) if self.patterns[n].ascii or not ascii_only)
            if len(self._known[ascii_only]) < CACHED_HEADS:
                self._known[ascii_only][head] = known
        return known

    def _told_apart(
        self, texts: pa.Array, rows: np.ndarray, numbers: tuple[int, ...], known: int
    ) -> Iterator[Found]:
        """Look at the next bytes of texts that begin alike, as long as these tell patterns apart."""
        if len(numbers) <= FEW or all(len(head) <= known for n in numbers for head in self.patterns[n].heads):
            yield from self._try(texts, rows, numbers)
            return
        heads = Heads.of(texts.take(pa.array(rows)), known)
        ahead = {
            n: tuple(head[known : known + PREFIX_BYTES] for head in self.patterns[n].heads) for n in numbers
        }
        told: Iterable[tuple[int, bytes]]
        if any(b"" in heads_ahead for heads_ahead in ahead.values()):
            told = ((code, heads.value(code)) for code in range(len(heads.windows)))
        else:
            told = Beginnings(head for more in ahead.values() for head in more).places(heads)
        candidates = {code: tuple(n for n in numbers if head.startswith(ahead[n])) for code, head in told}
        for some, left in _groups(heads, candidates):
            yield from self._told_apart(texts, rows[some], left, known + PREFIX_BYTES)

    def _try(self, texts: pa.Array, rows: np.ndarray, numbers: tuple[int, ...]) -> Iterator[Found]:
        """Try patterns in turn; what one of them takes, the next ones do not see."""
        texts = texts.take(pa.array(rows))
        for number in numbers:
            if not len(rows):
                return
            pattern = self.patterns[number]
            at, columns = _matching(texts, pattern, pattern.needs if len(numbers) > 1 else "")
            if not len(at):
                continue
            yield Found(pattern, rows[at], columns)
            left = np.ones(len(rows), bool)
            left[at] = False
            rows, texts = rows[left], texts.take(pa.array(np.flatnonzero(left)))


def _groups(
    heads: Heads, candidates: dict[int, tuple[int, ...]]
) -> Iterator[tuple[np.ndarray, tuple[int, ...]]]:
    """Give the rows that share the same candidates, where there are any."""
    groups: dict[tuple[int, ...], int] = {(): 0}
    of_head = np.zeros(len(heads.windows), np.int64)
    for code, numbers in candidates.items():
        of_head[code] = groups.setdefault(numbers, len(groups))
    of_row = of_head[heads.codes]
    rows = np.flatnonzero(of_row)
    rows = rows[np.argsort(of_row[rows], kind="stable")]
    ends = np.searchsorted(of_row[rows], np.arange(len(groups)), side="right")
    for numbers, group in groups.items():
        if numbers:
            yield rows[ends[group - 1] : ends[group]], numbers


def _matching(texts: pa.Array, pattern: Pattern, needs: str) -> tuple[np.ndarray, dict[str, pa.Array]]:
    """Give the places of the texts that match, and their fields."""
    places = np.arange(len(texts))
    if needs:
        places = np.flatnonzero(pc.match_substring(texts, needs).to_numpy(zero_copy_only=False))
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
