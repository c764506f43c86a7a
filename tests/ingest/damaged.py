"""Folders full of damaged captures, and every verb over them.

``python bench/damage.py 50000`` is the long run; the tests make a short one of the same. A folder
holds up to 500 damaged copies of the small captures of every reader, some of them in zip archives,
in folders of two hosts. Over each folder run ``ingest``, ``findings``, ``info`` of several captures
and ``convert`` of several; over one in `REPORT_EVERY` also ``report``, which is the slowest by far.
Whatever a folder holds, a verb ends with status 0 or 1, and no capture takes more than `SECONDS_EACH`
of processor time or `MEMORY_EACH` of memory in all.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import shutil
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from agtrace.cli import main
from agtrace.ingest import engine
from agtrace.ingest.job import Job, Outcome
from tests.readers.memory import peak_bytes, reset_peak
from tests.readers.small import Small, small_captures

FOLDER = 500
REPORT_EVERY = 20
LOOKED_AT = 5
"""Captures of a folder that ``info`` and ``convert`` are tried with."""
SECONDS_EACH = 5.0
MEMORY_EACH = 300 << 20
"""More than the process held before, which is 200 MB when nothing but ingest was imported."""
HOSTS = ("JBSAG1", "JBSAG3")
ENDINGS = (".csv", ".tsv", ".parquet")
_NUMBER = re.compile(rb"\d+")
_NUMBERS = (b"0", b"-1", b"99999999999999999999", b"4294967296", b"1e308", b"9999", b"NaN", b"1" * 400)


def damaged(data: bytes, others: list[Small], chance: random.Random) -> bytes:
    """Damage a capture in one way or two."""
    for _ in range(chance.choice((1, 1, 2))):
        data = chance.choice(_WAYS)(data or b"\0", others, chance)
    return data


def _flipped(data: bytes, _others: list[Small], chance: random.Random) -> bytes:
    copy = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8, 64))):
        copy[chance.randrange(len(copy))] = chance.choice((0, 0xFF, chance.randrange(256)))
    return bytes(copy)


def _cut(data: bytes, _others: list[Small], chance: random.Random) -> bytes:
    place = chance.randrange(len(data))
    return data[place:] if chance.randrange(4) == 0 else data[:place]


def _inserted(data: bytes, _others: list[Small], chance: random.Random) -> bytes:
    place = chance.randrange(len(data))
    piece = chance.choice(
        (chance.randbytes(chance.randrange(1, 200)), b"\n" * 500, b"\0" * 500, b'"' * 51, b" " * 2000)
    )
    return data[:place] + piece + data[place:]


def _blocks(data: bytes, _others: list[Small], chance: random.Random) -> bytes:
    """Repeat, drop or shuffle blocks, of bytes or of lines."""
    if chance.randrange(2):
        blocks = data.splitlines(keepends=True)
    else:
        size = chance.choice((16, 64, 512))
        blocks = [data[at : at + size] for at in range(0, len(data), size)]
    match chance.randrange(3):
        case 0:
            chance.shuffle(blocks)
        case 1:
            place = chance.randrange(len(blocks))
            blocks[place:place] = blocks[place : place + 3] * chance.choice((1, 5, 50))
        case _:
            del blocks[chance.randrange(len(blocks))]
    return b"".join(blocks)


def _spliced(data: bytes, others: list[Small], chance: random.Random) -> bytes:
    other = chance.choice(others).data
    return data[: chance.randrange(len(data))] + other[chance.randrange(len(other)) :]


def _renumbered(data: bytes, _others: list[Small], chance: random.Random) -> bytes:
    numbers = list(_NUMBER.finditer(data))
    for found in chance.sample(numbers, min(len(numbers), chance.choice((1, 2, 10)))):
        if len(data) == len(found.string):  # places hold until the first change of length
            data = data[: found.start()] + chance.choice(_NUMBERS) + data[found.end() :]
    return data


_WAYS: tuple[Callable[[bytes, list[Small], random.Random], bytes], ...] = (
    _flipped, _flipped, _cut, _inserted, _blocks, _spliced, _renumbered,
)  # fmt: skip


def fill(case: Path, count: int, chance: random.Random) -> list[Path]:
    """Put damaged captures into a folder; give their files."""
    every = list(small_captures())
    files = []
    for number in range(count):
        small = chance.choice(every)
        data = damaged(small.data, every, chance)
        folder = case / chance.choice(HOSTS)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{number:03d}-{small.name}"
        if chance.randrange(20) == 0:
            file = file.with_suffix(".zip")
            data = _zipped(small.name, data)
            if chance.randrange(2):
                data = damaged(data, every, chance)
        file.write_bytes(data)
        files.append(file)
    return files


def _zipped(name: str, data: bytes) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
        archive.writestr(f"copy/{name}", data[: len(data) // 2])
    return kept.getvalue()


@dataclass
class Tally:
    """What came of the folders."""

    inputs: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    largest: int = 0
    """Bytes that a capture took beyond what the process held before."""
    failures: list[str] = field(default_factory=list)


def run(count: int, seed: int, tally: Tally | None = None) -> Iterator[Tally]:
    """Make folders of damaged captures, run the verbs over each, and give the tally after each."""
    tally = tally or Tally()
    for number in range(-(-count // FOLDER)):
        chance = random.Random(f"{seed} {number}")
        with tempfile.TemporaryDirectory(prefix="damaged-") as scratch:
            case = Path(scratch) / "case"
            files = fill(case, min(FOLDER, count - tally.inputs), chance)
            _over(case, files, chance, tally, f"seed {seed}, folder {number}", number)
            tally.inputs += len(files)
            shutil.rmtree(case, ignore_errors=True)
        yield tally


def _over(
    case: Path, files: list[Path], chance: random.Random, tally: Tally, place: str, number: int
) -> None:
    with mock.patch.object(engine, "run", _measured(tally, place)):
        _verb(tally, place, "ingest", case, "--jobs", "1")
    _verb(tally, place, "findings", case)
    some = chance.sample(files, min(LOOKED_AT, len(files)))
    for file in some:
        _verb(tally, f"{place}, {file.name}", "info", file)
        out = file.parent.parent.parent / f"out{chance.choice(ENDINGS)}"
        _verb(tally, f"{place}, {file.name}", "convert", file, "-o", out, usage_allowed=True)
        if out.is_dir():
            shutil.rmtree(out)
        out.unlink(missing_ok=True)
    if number % REPORT_EVERY == REPORT_EVERY - 1:
        _verb(tally, place, "report", case)


def _verb(tally: Tally, place: str, *words: object, usage_allowed: bool = False) -> None:
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main([str(word) for word in words])
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        status = -1
        err.write(repr(error))
    tally.verbs[f"{words[0]} {status}"] += 1
    printed = out.getvalue() + err.getvalue()
    # convert: 2 where a capture is of a kind that the format of the output cannot hold.
    allowed = (0, 1, 2) if usage_allowed else (0, 1)
    if status not in allowed or "internal error" in printed or "please report" in printed:
        told = next((line for line in printed.splitlines() if "error" in line), printed)
        tally.failures.append(f"{place}: {words[0]} gave {status}: {told[-400:]}")


def _measured(tally: Tally, place: str) -> Callable[..., Outcome]:
    real = engine.run

    def run_one(job: Job, *more: object) -> Outcome:
        held = reset_peak()
        start = time.process_time()
        outcome = real(job, *more)
        seconds, peak = time.process_time() - start, peak_bytes() - held
        tally.slowest, tally.largest = max(tally.slowest, seconds), max(tally.largest, peak)
        tally.statuses[outcome.record.status] += 1
        name = f"{place}, {job.place.shown}"
        if seconds > SECONDS_EACH or peak > MEMORY_EACH:
            tally.failures.append(f"{name}: {seconds:.1f} s, {peak >> 20} MB")
        if "please report" in outcome.record.reason:
            tally.failures.append(f"{name}: {outcome.record.reason}")
        return outcome

    return run_one
