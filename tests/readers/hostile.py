"""Hostile captures of any size, and what reading one costs.

``python -m tests.readers.hostile ping --mb 64`` reads, in a process of its own each, every hostile
capture of that size for one reader (or ``all``), and prints CPU seconds per megabyte and the most
memory; the tests read smaller ones.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from agtrace.errors import CaptureError
from agtrace.readers.base import ReadOptions, Source
from tests.readers.memory import peak_bytes, reset_peak
from tests.readers.small import Small, small_captures

UNITS: dict[str, bytes] = {
    "line ends": b"\n",
    "Windows line ends": b"\r\n",
    "lines of a blank": b" \n",
    "lines of a letter": b"a\n",
    "lines of blanks": b" " * 900 + b"\n",
    "one endless line": b"a",
    "endless blanks": b" ",
    "endless digits": b"7",
    "NUL bytes": b"\0",
    "bytes of no encoding": b"\xff\x81",
    "quotes never closed": b'"a,',
    "only quotes": b'"',
    "lists in lists": b"[",
    "objects in objects": b'{"a":',
    "empty objects": b"{},",
    "XML in XML": b"<a>",
    "commas": b",",
    "tabs and line ends": b"\t\t\t\n",
    "colons": b"a: " + b" b" * 400 + b"\n",
    "labels": b"a b c d : e\n",
    "equal signs": b"=1=1ms=<1ms TTL=1 ",
    "addresses": b"1.1.1.1 [1.1.1.1] 1:1:1:1: 32:\n",
    "dashes": b"-" * 50 + b"\n",
    "dashes and blanks": b"- " * 300 + b"\n",
    "brackets": b"(((((((\n",
    "backslashes": b"\\",
    "time stamps": b"2019-03-02 10:11:12.00 spid1 x\n",
    "half time stamps": b"2019-03-02 10:11:12.00\n",
    "letters beyond all planes": "\U0001f600\n".encode(),
}
"""What a hostile capture repeats."""


FIRST_BYTES = 64 * 1024

WIDE = ("pdh_text", "errorlog", "cluster_log", "event_log", "ag_topology")
"""Readers of texts that are written in UTF-16."""


class Hostile(NamedTuple):
    """A capture that is made of a head and of one piece, over and over."""

    name: str
    small: Small
    head: bytes
    unit: bytes

    def data(self, size: int) -> bytes:
        """Return at most so many bytes of it."""
        room = max(size - len(self.head), 0)
        return self.head[:size] + self.unit * (room // len(self.unit))


def hostile_captures(reader: str) -> Iterator[Hostile]:
    """Yield the hostile captures that a reader is tried with."""
    for small in small_captures():
        if small.reader != reader:
            continue
        data = small.data
        wide = b"\0" in data[:40] and reader in WIDE
        yield Hostile(f"{small.name}: over and over", small, data, data)
        lines = [line + b"\n" for line in data.split(b"\n")]
        heads = {"after half": data[: len(data) // 2], "after all": data}
        if small.reader not in ("xel", "perfmon_blg") and not wide:
            for number, line in enumerate(lines[:12]):
                if line.strip():
                    yield Hostile(f"{small.name}: line {number + 1}", small, data, line)
            heads["after its first lines"] = b"".join(lines[:4])
        for place, head in heads.items():
            for name, unit in UNITS.items():
                body = unit.decode("latin-1").encode("utf-16-le") if wide else unit
                yield Hostile(f"{small.name}: {name} {place}", small, head, body)


def read(reader: str, data: bytes, name: str) -> float:
    """Read a capture; give the CPU seconds. What may go wrong is a CaptureError."""
    chosen = importlib.import_module(f"agtrace.readers.{reader}").READER
    start = time.process_time()
    chosen.detect(data[:65536], name)
    with contextlib.suppress(CaptureError):
        for _table, batch in chosen.read(Source.of_bytes(data, name), ReadOptions()):
            batch.validate()
    return time.process_time() - start


class Cost(NamedTuple):
    """What reading took."""

    seconds: float
    peak_bytes: int
    grown_bytes: int
    """Of the most memory, what the reader did not need for the first of it."""


def cost(hostile: Hostile, size: int) -> Cost:
    """Read a hostile capture of a size, as one that lies on disk."""
    _read_stored(hostile, FIRST_BYTES)  # loads what is loaded once
    before, start = reset_peak(), time.process_time()
    _read_stored(hostile, size)
    seconds, peak = time.process_time() - start, peak_bytes()
    return Cost(seconds, peak, peak - before)


def _read_stored(hostile: Hostile, size: int) -> None:
    chosen = importlib.import_module(f"agtrace.readers.{hostile.small.reader}").READER
    whole = _Repeated(hostile.head, hostile.unit, size)
    with contextlib.suppress(CaptureError):
        source = Source(hostile.small.name, whole.size, whole.open)
        for _table, batch in chosen.read(source, ReadOptions()):
            batch.validate()


class _Repeated:
    """The bytes of a hostile capture, made as they are read."""

    def __init__(self, head: bytes, unit: bytes, size: int) -> None:
        self._head = head[:size]
        self._block = unit * max((1 << 16) // len(unit), 1)
        self.size = size

    def open(self) -> io.BufferedReader:
        return io.BufferedReader(_Stream(self._pieces()), 1 << 16)

    def _pieces(self) -> Iterator[bytes]:
        yield self._head
        left = self.size - len(self._head)
        while left > 0:
            piece = self._block[:left]
            yield piece
            left -= len(piece)


class _Stream(io.RawIOBase):
    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = piece
        taken = self._rest[: len(buffer)]
        self._rest = self._rest[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)


def apart(work: Callable[..., Cost], *arguments: object) -> Cost:
    """Do it in a process of its own, whose memory is its own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(work, arguments)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reader", help="folder under agtrace/readers, or all")
    parser.add_argument("--mb", type=int, default=64)
    parser.add_argument("--only", default="", help="part of a capture's name")
    arguments = parser.parse_args()
    readers = dict.fromkeys(small.reader for small in small_captures())
    for reader in readers if arguments.reader == "all" else [arguments.reader]:
        for hostile in hostile_captures(reader):
            if arguments.only in hostile.name:
                found = apart(cost, hostile, arguments.mb << 20)
                print(
                    f"{found.seconds / arguments.mb:7.3f} s/MB {found.peak_bytes >> 20:6} MB  "
                    f"{reader} {hostile.name}",
                    flush=True,
                )


if __name__ == "__main__":
    sys.exit(main())
