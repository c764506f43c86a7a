"""The base of a conversion: the tables it accepts, the suffixes it writes, and its writer."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

import numpy as np

from agtrace.errors import CaptureError
from agtrace.readers import Batch, Reader, ReadOptions, Source
from agtrace.resolve.offsets import Offset

OFFSET_KEYS = ("utc_offset_from_tick", "utc_offset_minutes")
"""Facts of a binary log with a UTC offset, and the first row that it applies to."""


@dataclass(frozen=True)
class Selection:
    """The part of a capture to write.

    Parameters
    ----------
    begin, end
        First and last time, both inclusive, in the local time of the capture.
    every
        Keep every n-th record, starting with the first.
    counters
        Globs of counter paths; empty keeps all.
    utc_offsets
        UTC offsets of perfmon logs that do not state them, by host, ``"*"`` for all.
    tz
        UTC offset in minutes for local times of perfmon logs in the output; None: that of the first log.
    """

    begin: datetime | None = None
    end: datetime | None = None
    every: int = 1
    counters: tuple[str, ...] = ()
    utc_offsets: Mapping[str, Offset] = field(default_factory=dict)
    tz: int | None = None

    def asked(self) -> set[str]:
        """Name the options that narrow anything."""
        given = {
            "begin": self.begin is not None,
            "end": self.end is not None,
            "every": self.every != 1,
            "counters": bool(self.counters),
            "utc-offset": bool(self.utc_offsets),
            "tz": self.tz is not None,
        }
        return {name for name, is_given in given.items() if is_given}

    def within(self, times: np.ndarray) -> np.ndarray:
        """Return for each instant (datetime64) whether it is between start and end."""
        keep = np.ones(len(times), dtype=bool)
        if self.begin is not None:
            keep &= times >= np.datetime64(self.begin, "us")
        if self.end is not None:
            keep &= times <= np.datetime64(self.end, "us")
        return keep


@dataclass
class Reading:
    """A capture being read, which collects its facts and issues beside the rows that are written.

    Parameters
    ----------
    reader, source, options
        The reader, the capture, and the options for reading.
    facts
        Facts seen so far, by topic and key; the first value of each.
    issues
        Severity, message and count of each fault.
    offsets
        Local minus UTC in minutes, each with the first row of a binary log that it applies to.
    """

    reader: Reader
    source: Source
    options: ReadOptions
    facts: dict[tuple[str, str], str] = field(default_factory=dict)
    issues: list[tuple[str, str, int]] = field(default_factory=list)
    offsets: list[tuple[int, int]] = field(default_factory=list)

    @property
    def path(self) -> str:
        """Path of the capture, for messages."""
        return self.source.path

    def batches(self) -> Generator[Batch]:
        """Read the capture; collect facts and issues, and yield everything else."""
        for table, batch in self.reader.read(self.source, self.options):
            if table == "issues":
                kept = batch.select(["severity", "message", "count"])
                self.issues += [(r["severity"], r["message"], r["count"]) for r in kept.to_pylist()]
            elif table == "facts":
                stated: dict[str, int] = {}
                for row in batch.select(["topic", "key", "value"]).to_pylist():
                    self.facts.setdefault((row["topic"], row["key"]), row["value"])
                    if row["key"] in OFFSET_KEYS:
                        stated[row["key"]] = int(row["value"])
                    if len(stated) == len(OFFSET_KEYS):
                        self.offsets.append((stated[OFFSET_KEYS[0]], stated[OFFSET_KEYS[1]]))
                        stated = {}
            else:
                yield table, batch

    def again(self) -> Iterator[Batch]:
        """Read the capture again, without collecting facts and issues a second time."""
        facts, issues, offsets = dict(self.facts), list(self.issues), list(self.offsets)
        yield from self.batches()
        self.facts, self.issues, self.offsets = facts, issues, offsets

    def facts_of_head(self) -> dict[tuple[str, str], str]:
        """Return the facts in the first bytes, before the rows are read."""
        head = Source.of_bytes(self.source.head(), self.source.path)
        start = Reading(self.reader, head, self.options)
        # The head ends in the middle of the capture, so this error is not a fault of the capture.
        with contextlib.suppress(CaptureError):
            for _batch in start.batches():
                pass
        return start.facts


class Conversion(Protocol):
    """Writes captures with certain tables. A module that defines one names it ``CONVERSION``."""

    what: str
    """Noun for such captures in messages: "a perfmon log"."""
    readers: frozenset[str]
    """Readers of such captures, by which one without any record is known."""
    suffixes: tuple[str, ...]
    """Endings of files that it writes."""
    options: frozenset[str]
    """The options of `Selection` that mean something for it."""

    def claims(self, table: str) -> bool:
        """Return whether this conversion takes rows of this table."""

    def merged(self, readings: Sequence[Reading], selection: Selection) -> Reading:
        """Return several captures merged into one; their order resolves contradictions.

        Raises
        ------
        CaseError
            Such captures cannot be merged.
        CaptureError
            One of them cannot be read.
        """

    def write(
        self, batches: Iterator[Batch], target: Path, suffix: str, selection: Selection, reading: Reading
    ) -> int:
        """Write the claimed batches to ``target`` in the format of ``suffix``; return the number of rows.

        Memory is bounded. ``reading`` collects facts and issues while ``batches`` is consumed.
        """
