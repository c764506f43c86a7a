"""Read one capture into one table, without a case."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.globs import named
from agtrace.readers import detect
from agtrace.readers.base import ReadOptions, Source
from agtrace.tables import CONTENT_TABLES, COUNTERS, ERRORLOG, SAMPLES, TICKS
from agtrace.tables import kernels as pc


def read_pdh(path: str | Path, counters: str | Iterable[str] = (), encoding: str | None = None) -> pa.Table:
    """Read a perfmon text log.

    Parameters
    ----------
    path
        A PDH-CSV or PDH-TSV file.
    counters
        Glob of counter paths to read, or several; empty reads all.
    encoding
        Overrides the guess.

    Returns
    -------
    pyarrow.Table
        One row per value: time (timestamp[us], local time of the host), host, object, instance,
        counter (canonical names where known, else as written) and value; sorted by time within series.

    Raises
    ------
    CaptureError
        It is not such a file, or cannot be read.
    CaseError
        ``counters`` are no names.
    """
    options = ReadOptions(counters=named(counters), encoding=encoding)
    return _values(_read(path, "pdh_text", "a perfmon text log", options))


def read_blg(
    path: str | Path,
    counters: str | Iterable[str] = (),
    begin: datetime | None = None,
    end: datetime | None = None,
) -> pa.Table:
    """Read a binary performance log.

    Parameters
    ----------
    path
        A .blg file.
    counters
        Glob of counter paths to read, or several; empty reads all.
    begin, end
        First and last local time to read, both included.

    Returns
    -------
    pyarrow.Table
        One row per value, cooked as Windows shows it: the columns of `read_pdh`.

    Raises
    ------
    CaptureError
        It is not such a file, or cannot be read.
    CaseError
        ``counters`` are no names.
    """
    options = ReadOptions(counters=named(counters), begin=begin, end=end)
    return _values(_read(path, "perfmon_blg", "a binary performance log", options))


def read_errorlog(path: str | Path) -> pa.Table:
    """Read an ERRORLOG.

    Returns
    -------
    pyarrow.Table
        One row per entry, in file order; the columns of `agtrace.tables.ERRORLOG`, times local.

    Raises
    ------
    CaptureError
        It is not such a file, or cannot be read.
    """
    return _read(path, "errorlog", "an ERRORLOG", ReadOptions()).get("errorlog", ERRORLOG.empty_table())


def read_xel(path: str | Path) -> dict[str, pa.Table]:
    """Read an Extended Events file.

    Returns
    -------
    dict of str to pyarrow.Table
        A table per event, by its name: ``_seq``, ``_time`` (UTC; NULL at the ends of the years 1 to
        9999 and beyond them), ``_ticks`` (100 ns since 1601, exact), the fields, then actions as
        ``action_<name>``.

    Raises
    ------
    CaptureError
        It is not such a file, or cannot be read.
    """
    from xelib.xel import FormatError, open_xel

    try:
        return open_xel(path).read()
    except FormatError as error:
        raise CaptureError(
            str(path), error.what, offset=error.offset, need=error.need, have=error.have
        ) from error
    except OSError as error:
        raise CaptureError(str(path), f"cannot be read ({error.strerror or error})") from error


def _read(path: str | Path, reader_name: str, what: str, options: ReadOptions) -> dict[str, pa.Table]:
    try:
        source = Source.of_path(path)
        found = detect(source.head(), source.name)
    except OSError as error:
        raise CaptureError(str(path), f"cannot be read ({error.strerror or error})") from error
    if found is None or found[0].name != reader_name:
        have = found[1].kind if found else "no known format"
        raise CaptureError(str(path), f"is not {what}", have=have, need=what)
    batches: dict[str, list[pa.RecordBatch]] = {}
    for table, batch in found[0].read(source, options):
        batches.setdefault(table, []).append(batch)
    return {
        table: pa.Table.from_batches(parts, schema=CONTENT_TABLES[table]) for table, parts in batches.items()
    }


def _values(tables: dict[str, pa.Table]) -> pa.Table:
    """Give one row per value, with its time and the names of its series."""
    series = tables.get("counters", COUNTERS.empty_table())
    ticks = tables.get("ticks", TICKS.empty_table())
    samples = tables.get("samples", SAMPLES.empty_table()).sort_by(
        [("counter_no", "ascending"), ("tick", "ascending")]
    )
    # counter_no and tick are dense: they are positions, and a join is a take.
    names = {
        "host": series["host"],
        "object": _first(series["object"], series["object_written"]),
        "instance": series["instance"],
        "counter": _first(series["counter"], series["counter_written"]),
    }
    columns = {"time": ticks["time_local"].take(samples["tick"])}
    columns |= {name: column.combine_chunks().take(samples["counter_no"]) for name, column in names.items()}
    return pa.table(columns | {"value": samples["value"]})


def _first(preferred: pa.ChunkedArray, otherwise: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.coalesce(preferred, otherwise)
