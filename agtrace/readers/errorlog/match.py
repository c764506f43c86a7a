"""Finding known texts in a column, without looking at each row in Python.

Wordings of messages are found by `xelib.entries`. The first bytes of every text are encoded as a
dictionary for the texts of trace flags: each distinct beginning is looked up once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from xelib.entries import Wordings

from agtrace.tables import kernels as pc
from agtrace.tables.rows import text_column

PREFIX_BYTES = 8
"""How much of a text's beginning is looked at in one step."""


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
    ascii
        False when the text has letters beyond ASCII.
    """

    entry: Any
    language: str
    regex: str
    heads: tuple[bytes, ...]
    fragment: str = ""
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
        """Yield the codes of heads with this prefix, and their bytes."""
        for code in np.flatnonzero(self._table[heads.windows[:, 0], heads.windows[:, 1]]):
            yield int(code), heads.value(int(code))


@dataclass(frozen=True)
class Heads:
    """The first bytes of each text of a column: a code per row, and the bytes of each code."""

    codes: np.ndarray
    windows: np.ndarray

    def value(self, code: int) -> bytes:
        """Return the bytes of a code."""
        return self.windows[code].tobytes().rstrip(b"\0")

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
        self._wordings = Wordings([(p.regex, list(p.heads), p.fragment, p.ascii) for p in patterns])

    def find(self, texts: pa.Array) -> Iterator[Found]:
        """Find the patterns in a column of texts."""
        if not len(texts):
            return
        _valid, offsets, data = texts.buffers()
        ends = offsets[4 * texts.offset : 4 * (texts.offset + len(texts) + 1)]
        for number, rows, columns in self._wordings.find(
            ends.to_pybytes(), data.to_pybytes() if data else b""
        ):
            places = np.frombuffer(rows, np.int64)
            found = {name: text_column(column, len(places)) for name, column in columns}
            yield Found(self.patterns[number], places, found)

    def candidates(self, head: bytes) -> list[int]:
        """Return the numbers of the patterns that a text beginning with ``head`` can match."""
        return self._wordings.candidates(head)


def extract(texts: pa.Array, regex: str) -> tuple[np.ndarray, dict[str, pa.Array]]:
    """Match an RE2 pattern: which texts match, and the text of each named group (else empty)."""
    if "(?P<" not in regex:
        return pc.match_substring_regex(texts, regex).to_numpy(zero_copy_only=False), {}
    found = pc.extract_regex(texts, regex)
    hit = found.is_valid().to_numpy(zero_copy_only=False)
    return hit, {field.name: found.field(field.name) for field in found.type}
