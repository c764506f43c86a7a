"""Convert captures to other formats on any operating system, like relog.

Each module of this package that defines ``CONVERSION`` converts the captures whose reader yields the tables
that it claims, whatever format they were read from.
"""

from __future__ import annotations

import importlib
import itertools
import os
import pkgutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from agtrace import interrupts, moving
from agtrace.convert.base import Conversion, Reading, Selection
from agtrace.convert.slabs import SLAB_CELLS
from agtrace.errors import AgtraceError, CaptureError, CaseError, NotRegularError
from agtrace.readers import Batch, Reader, ReadOptions, Source, detect

__all__ = ["Converted", "Selection", "convert"]


@dataclass(frozen=True)
class Converted:
    """Result of a conversion.

    Parameters
    ----------
    rows
        Records written: rows of a text log, values of a Parquet file, entries of an ERRORLOG.
    issues
        Severity, message and count of each fault found while reading; the message begins with the
        path of the capture.
    """

    rows: int
    issues: list[tuple[str, str, int]] = field(default_factory=list)


@cache
def conversions() -> tuple[Conversion, ...]:
    """Return every conversion."""
    modules = (importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__))
    return tuple(module.CONVERSION for module in modules if hasattr(module, "CONVERSION"))


def convert(
    path: str | Path | Sequence[str | Path],
    out: str | Path,
    selection: Selection | None = None,
    *,
    encoding: str | None = None,
    force: bool = False,
) -> Converted:
    """Convert a capture to the format given by the suffix of ``out``.

    The output file is written completely or not at all.

    Parameters
    ----------
    path
        The capture. Several performance logs are merged by time: the rows of all logs, with the series of all
        as columns. Times are converted to the time zone of the first log that states one; times in
        ``selection`` are in that zone, too. Rows with the same time stamp become one row; if two logs have a
        value for a cell, that of the first log is written. Several Extended Events files are concatenated in
        the order of their start.
    out
        The file to write.
    selection
        The part to write; default everything.
    encoding
        Overrides the detected encoding of a text capture.
    force
        Overwrite ``out`` if it exists.

    Raises
    ------
    CaseError
        The capture cannot be converted to this format, captures cannot be merged, or ``out`` exists.
    CaptureError
        The capture cannot be read.
    OSError
        ``out`` cannot be written.
    """
    target, selection = Path(out), selection or Selection()
    paths = [path] if isinstance(path, (str, Path)) else list(path)
    if not paths:
        raise CaseError("nothing to convert", "name a capture")
    if selection.begin and selection.end and selection.begin > selection.end:
        raise CaseError(f"{selection.begin} to {selection.end}: ends before it begins")
    sources, issues = _sources(paths)
    if target.is_dir():
        raise CaseError(f"{target}: is a folder", "name the file to write")
    if target.exists() and not force:
        raise CaseError(f"{target}: exists already", "give another name, or --force to overwrite it")
    if target.exists() and any(target.samefile(one) for one in paths):
        raise CaseError(f"{target}: is the capture itself", "give another name")
    if not target.parent.is_dir():
        raise CaseError(f"{target.parent}: no such folder", "make it first")
    options = ReadOptions(
        encoding=encoding,
        counters=selection.counters,
        begin=selection.begin,
        end=selection.end,
        series_first=True,
        slab_cells=SLAB_CELLS,
    )
    suffix = target.suffix.lower()
    if len(sources) == 1 and not (selection.utc_offsets or selection.tz is not None):
        reading = Reading(_reader(sources[0]), sources[0], options)
        conversion, batches = _choose(reading, reading.batches())
        _check(conversion, reading.path, suffix, selection)
    else:
        conversion, reading = _together(sources, options, suffix, selection)
        batches = reading.batches()
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")

    def discard() -> None:
        moving.remove(temporary)

    try:
        with interrupts.stopped_by(discard):
            rows = conversion.write(batches, temporary, suffix, selection, reading)
            interrupts.check()
            moving.replace(temporary, target)
    finally:
        discard()
    named = f"{reading.path}: " if len(sources) == 1 else ""
    issues += [(s, named + message, n) for s, message, n in reading.issues]
    if not rows and (selection.begin or selection.end):
        issues.append(("warning", f"{target}: no record is between --begin and --end", 1))
    elif not rows:
        empty = f"{reading.path}: holds no record, and so does {target.name}"
        issues.append(("warning", empty, 1))
    return Converted(rows, issues)


def _together(
    sources: list[Source], options: ReadOptions, suffix: str, selection: Selection
) -> tuple[Conversion, Reading]:
    readings = [Reading(_reader(source), source, options) for source in sources]
    chosen: list[Conversion] = []
    for reading in readings:
        # A small slab is enough to see the tables of a capture.
        start = replace(options, series_first=False, slab_cells=1, begin=None, end=None)
        first = replace(reading, options=start, facts={}, issues=[])
        with closing(first.batches()) as batches:
            conversion = _choose(first, batches)[0]
        _check(conversion, reading.path, suffix, selection)
        if chosen and conversion is not chosen[0]:
            raise CaseError(
                f"{reading.path}: {conversion.what} cannot be merged with {chosen[0].what}",
                "convert each kind alone",
            )
        chosen.append(conversion)
    return chosen[0], chosen[0].merged(readings, selection)


def _sources(paths: Sequence[str | Path]) -> tuple[list[Source], list[tuple[str, str, int]]]:
    """Open the captures, each of them once, and report those that were named twice."""
    sources: dict[Path, Source] = {}
    again = []
    for path in paths:
        source, real = _source(path), Path(path).resolve()
        if real in sources:
            again.append(("warning", f"{path}: is named twice, and read once", 1))
        sources.setdefault(real, source)
    return list(sources.values()), again


def _source(path: str | Path) -> Source:
    try:
        source = Source.of_path(path)
        if Path(path).is_dir():
            raise CaseError(f"{path}: is a folder", "name a capture; 'agtrace ingest' takes folders")
        source.open().close()
    except FileNotFoundError as error:
        raise CaseError(f"{path}: no such file") from error
    except NotRegularError as error:
        raise CaseError(f"{path}: {error.strerror}", "name a capture") from error
    if not source.size:
        raise CaptureError(str(path), "is empty (0 bytes)")
    return source


def _reader(source: Source) -> Reader:
    found = detect(source.head(), source.name)
    if found is None:
        raise CaptureError(source.path, "is of no format that agtrace knows")
    reader, hit = found
    if not hit.readable:
        reason = f" ({hit.reason})" if hit.reason else ""
        raise CaptureError(source.path, f"is recognised as {hit.kind} and not read{reason}")
    return reader


def _choose(reading: Reading, batches: Iterator[Batch]) -> tuple[Conversion, Iterator[Batch]]:
    """Find the conversion by the first batch that one claims; nothing read is lost.

    A complete capture without records is converted by the name of its reader, into an empty file.
    """
    passed: list[Batch] = []
    for batch in batches:
        passed.append(batch)
        for conversion in conversions():
            if conversion.claims(batch[0]):
                return conversion, itertools.chain(passed, batches)
    is_damaged = any(severity != "info" for severity, _message, _n in reading.issues)
    for conversion in conversions():
        if reading.reader.name in conversion.readers and not is_damaged:
            return conversion, iter(passed)
    kinds = "; ".join(f"{c.what} to {' '.join(c.suffixes)}" for c in conversions())
    raise AgtraceError(f"{reading.path}: holds nothing to convert", f"possible: {kinds}")


def _check(conversion: Conversion, path: str, suffix: str, selection: Selection) -> None:
    if suffix not in conversion.suffixes:
        wanted = suffix or "a file without ending"
        possible = ", ".join(conversion.suffixes)
        raise CaseError(f"{path}: {conversion.what} cannot be written as {wanted}", f"possible: {possible}")
    if surplus := sorted(selection.asked() - conversion.options):
        raise CaseError(f"{path}: --{surplus[0]} means nothing for {conversion.what}", "leave it out")
