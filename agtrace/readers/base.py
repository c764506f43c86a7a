"""The interface of readers, and the types of their input."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Protocol, runtime_checkable

import pyarrow as pa

from agtrace.inputs import open_input
from agtrace.tables import ISSUES
from agtrace.tables.rows import array_of
from agtrace.tables.topics import Topic

HEAD_BYTES = 64 * 1024
"""Number of bytes of a file that ``detect`` gets."""

Batch = tuple[str, pa.RecordBatch]
"""Name of a content table (`agtrace.tables.CONTENT_TABLES`, or ``events/<name>``) and rows of it."""


@dataclass(frozen=True)
class Source:
    """The bytes of one capture: a file, a member of an archive, or memory.

    Parameters
    ----------
    path
        The capture as the user knows it, for messages and detection by name.
    size
        Size in bytes.
    open
        Opens the bytes for reading from the start.
    beside
        Returns the captures of the same folder whose names match what a reader asks for (`Asking`), for
        details that this one lacks. A capture that calls it is read again when those captures change, so call
        it only if needed.
    """

    path: str
    size: int
    open: Callable[[], BinaryIO]
    beside: Callable[[], tuple[Source, ...]] = tuple

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]

    @classmethod
    def of_path(cls, path: str | Path) -> Source:
        """Return the source of a file on disk."""
        file = Path(path)
        return cls(str(path), file.stat().st_size, lambda: open_input(file))

    @classmethod
    def of_bytes(cls, data: bytes, path: str = "memory") -> Source:
        """Return the source of bytes in memory."""
        return cls(path, len(data), lambda: io.BytesIO(data))

    def head(self) -> bytes:
        """Read the first `HEAD_BYTES` bytes."""
        with self.open() as file:
            return file.read(HEAD_BYTES)


@dataclass(frozen=True)
class Span:
    """A range of bytes of a capture, for the rows that begin in it.

    Parameters
    ----------
    begin, end
        Byte offsets, the end excluded; rows need not begin there.
    first_row
        Number of its first row: the total number of rows in the spans before it.
    """

    begin: int
    end: int
    first_row: int = 0


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading.

    Parameters
    ----------
    block_bytes
        Number of bytes that a reader reads at a time; None lets it choose. Never changes the result.
    encoding
        Overrides the detected character encoding of text captures.
    counters
        Case-insensitive globs over counter paths; only matching series are decoded. Empty: all.
    begin, end
        First and last time, both inclusive, in the capture's local time. A reader may, but need not, leave
        out rows of a perfmon log outside this range.
    series_first
        Yield all rows of ``counters`` before everything else, numbered in the order of the columns of a text
        log, even if this requires reading the capture twice.
    slab_cells
        Approximate number of values of a perfmon log in memory; None lets the reader choose. Never changes
        the rows, only their division into batches.
    span
        Only the rows of this span, for a reader that is `Divisible`; facts about the whole capture come with
        its first span. None: all.
    """

    block_bytes: int | None = None
    encoding: str | None = None
    counters: tuple[str, ...] = ()
    begin: datetime | None = None
    end: datetime | None = None
    series_first: bool = False
    slab_cells: int | None = None
    span: Span | None = None


@dataclass(frozen=True)
class Detection:
    """The detected format of a file.

    Parameters
    ----------
    kind
        Name of the kind of capture for users: "perfmon text log", "SQL Server ERRORLOG", ...
    readable
        False if the format is known but deliberately not read (for example SQL Agent logs).
    reason
        Why it is not read, or a note about it.
    """

    kind: str
    readable: bool = True
    reason: str = ""


@runtime_checkable
class Asking(Protocol):
    """A reader that uses other files of the same folder for details that a capture lacks."""

    asks: re.Pattern[str]
    """Searched for in the names of those files."""


@runtime_checkable
class Divisible(Protocol):
    """A reader whose captures can be read span by span, in parallel."""

    def rows_in(self, source: Source, options: ReadOptions) -> int | None:
        """Count the rows of ``options.span``, without decoding them.

        None if the contents of the span affect how the rest is read; the capture is then read as a whole.
        """


@runtime_checkable
class Reader(Protocol):
    """One input format. A folder ``agtrace/readers/<name>/`` defines it as ``READER``."""

    name: str
    version: int
    """Increase it with every change of the result; captures are then decoded again."""
    topics: tuple[Topic, ...]
    """Topics of its rows of ``messages`` and ``facts``."""

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Return how this reader recognises a file, from its first `HEAD_BYTES` bytes; None if it does not.

        The content decides; the name only breaks ties. Never raises.
        """

    def read(self, source: Source, options: ReadOptions = ...) -> Iterator[Batch]:
        """Decode a capture into record batches of content tables, in bounded memory.

        Faults that leave part of the capture readable become rows of ``issues``; the rows before them are
        yielded. ``counters`` and ``ticks`` precede the ``samples`` that use them; ``samples`` are sorted by
        (counter_no, tick) within each batch.

        Raises
        ------
        CaptureError
            The capture cannot be read at all.
        """


class Later:
    """A reader (`Reader`) whose module is imported when it first reads.

    Opening a case that was read before needs only the versions of its readers; importing the readers of logs
    would take as long as opening it.

    Parameters
    ----------
    name, version
        As in `Reader`.
    home
        The module whose ``READING`` is the actual reader.
    """

    def __init__(self, name: str, version: int, home: str) -> None:
        self.name, self.version, self._home = name, version, home

    @cached_property
    def _reading(self) -> Any:
        return importlib.import_module(self._home).READING

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Topics of its rows of ``messages`` and ``facts``."""
        topics: tuple[Topic, ...] = self._reading.topics
        return topics

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Return how this reader recognises a file; as in `Reader`."""
        found: Detection | None = self._reading.detect(head, name)
        return found

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:
        """Decode a capture; as in `Reader`."""
        batches: Iterator[Batch] = self._reading.read(source, options)
        return batches

    def __getattr__(self, name: str) -> Any:
        """Return an attribute that only some readers have, such as that of `Asking`."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._reading, name)


def issue(
    kind: str, message: str, *, severity: str = "warning", offset: int | None = None, count: int = 1
) -> Batch:
    """Return one fault as a batch of the issues table."""
    row: dict[str, object] = {"offset": offset, "severity": severity, "kind": kind}
    row |= {"message": message, "count": count}
    return rows("issues", ISSUES, [row])


def rows(table: str, schema: pa.Schema, values: list[dict[str, object]]) -> Batch:
    """Return a few rows, written out by hand, as a batch. Not for bulk data."""
    columns = [array_of([row.get(each.name) for row in values], each.type) for each in schema]
    return table, pa.RecordBatch.from_arrays(columns, schema=schema)
