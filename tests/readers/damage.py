"""Truncations and byte flips of real files: rows or a CaptureError with an offset, nothing else.

``python -m tests.readers.damage perfmon_blg FILE.. --runs 100000`` is the long run; the tests make a
short one of the same.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import random
import time
from collections.abc import Iterator
from pathlib import Path

from agtrace.errors import CaptureError
from agtrace.readers.base import Reader, ReadOptions, Source
from tests.readers.memory import peak_bytes, reset_peak

SECONDS_EACH = 2.0
MEMORY_TIMES = 10
MEMORY_FLOOR = 16 << 20
"""What allocators keep beside: no file is charged for less."""


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Cut a file anywhere, or change some of its bytes; both at times."""
    copy = bytearray(data)
    kind = chance.randrange(4)
    if kind in (0, 3):
        del copy[chance.randrange(len(copy)) :]
    if kind and copy:
        for _ in range(chance.choice((1, 1, 1, 2, 8, 64))):
            copy[chance.randrange(len(copy))] = chance.choice((0, 0xFF, chance.randrange(256)))
    return bytes(copy)


def run(reader: Reader, data: bytes, name: str, runs: int, seed: int) -> dict[str, int]:
    """Read so many damaged copies; count what they gave. Raises AssertionError for anything else."""
    chance = random.Random(seed)
    found = {"rows": 0, "CaptureError": 0}
    # What is imported and cached once is not charged to a copy.
    with contextlib.suppress(CaptureError):
        for _batch in reader.read(Source.of_bytes(data, name), ReadOptions()):
            pass
    for number in range(runs):
        copy = damaged(data, chance)
        before = reset_peak()
        start = time.process_time()
        try:
            for _table, batch in reader.read(Source.of_bytes(copy, name), ReadOptions()):
                batch.validate()
            found["rows"] += 1
        except CaptureError as error:
            assert error.offset is not None or not copy, f"{name} {seed} {number}: no offset"
            found["CaptureError"] += 1
        except Exception as error:
            raise AssertionError(f"{name}, seed {seed}, run {number}: {error!r}") from error
        seconds = time.process_time() - start
        assert seconds < SECONDS_EACH, f"{name}, seed {seed}, run {number}: {seconds:.1f} s"
        grown = peak_bytes() - before
        allowed = max(MEMORY_TIMES * len(data), MEMORY_FLOOR)
        assert grown <= allowed, f"{name}, seed {seed}, run {number}: {grown} bytes of memory"
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reader", help="folder under agtrace/readers")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=100_000, help="in all (default 100,000)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    reader = importlib.import_module(f"agtrace.readers.{arguments.reader}").READER
    for place, each in enumerate(shares(arguments.runs, len(arguments.files))):
        file = arguments.files[place]
        print(file.name, run(reader, file.read_bytes(), file.name, each, arguments.seed))


def shares(runs: int, files: int) -> Iterator[int]:
    for place in range(files):
        yield runs // files + (place < runs % files)


if __name__ == "__main__":
    main()
