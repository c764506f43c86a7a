"""Read captures into tables, without a case.

``time`` is always UTC, and NULL if a capture does not state its UTC offset; ``time_local`` is the local time
of the host that wrote it. A path may be a list of paths or a glob. It may also be a URL: ``file://``, or that
of a storage (``s3://``, ...) whose fsspec package is installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from agtrace.convert.base import Reading
from agtrace.convert.columns import Pieces
from agtrace.convert.event_log import EVENT, is_utc, with_time
from agtrace.convert.long import long_rows, whole
from agtrace.convert.slabs import SLAB_CELLS, slabs_of
from agtrace.convert.unmatched import Defined, check_counters
from agtrace.convert.zones import clock_of
from agtrace.errors import CaptureError
from agtrace.globs import named
from agtrace.readers import detect
from agtrace.readers.base import Batch, ReadOptions, Source
from agtrace.readers.located import Places, sources, unreadable
from agtrace.storage import is_url
from agtrace.tables import CONTENT_TABLES, COUNTERS

if TYPE_CHECKING:
    from xelib.xel import XelFile

SCHEMAS = CONTENT_TABLES | {"os_events": EVENT}
PERFMON = {"pdh_text": "a perfmon text log", "perfmon_blg": "a binary performance log"}


def read(path: Places) -> pa.Table | dict[str, pa.Table]:
    """Read captures of any format that agtrace knows.

    Parameters
    ----------
    path
        A capture, several of them or a glob; all of one format.

    Returns
    -------
    pyarrow.Table or dict of str to pyarrow.Table
        The result of the function for the format: `read_pdh`, `read_blg`, `read_errorlog`,
        `read_cluster_log`, `read_evtx` or `read_xel`. For other formats, a dict of tables by name
        (docs/store.md).

    Raises
    ------
    CaptureError
        A capture has an unknown format, or another format than the first, or cannot be read.
    """
    captures = sources(path)
    readings = [_reading(one, "", "") for one in captures]
    name = readings[0].reader.name
    for one in readings:
        if one.reader.name != name:
            other = f"is of another format than {captures[0].path}"
            raise CaptureError(one.path, other, have=one.reader.name, need=name)
    if name in PERFMON:
        return _perfmon(captures, name, ReadOptions())
    if name == "xel":
        return _all_events(captures, None, None)
    if name in _ENTRIES:
        return _entries(captures, name, *_ENTRIES[name])
    return _by_name((_tables(_all_of(one)) for one in readings), captures)


def read_pdh(path: Places, counters: str | Iterable[str] = (), encoding: str | None = None) -> pa.Table:
    """Read perfmon text logs.

    Parameters
    ----------
    path
        A PDH-CSV or PDH-TSV file, several of them or a glob.
    counters
        Counter name, glob of names or of paths, or several; empty reads all.
    encoding
        Overrides the detected encoding.

    Returns
    -------
    pyarrow.Table
        One row per value: ``time`` (UTC; NULL where the log does not state its UTC offset, and after its
        clock was set back), ``time_local`` (of the host), ``host``, ``sql_instance``, ``object``,
        ``instance``, ``counter`` (dictionary-encoded; canonical names where known, else as in the log) and
        ``value``; sorted by time within each series. With several logs also ``path``.

    Raises
    ------
    CaptureError
        A file is not a perfmon text log, or cannot be read.
    CaseError
        ``counters`` is not a name or a list of names, or one matches nothing; the message suggests the
        nearest.
    """
    options = ReadOptions(counters=named(counters), encoding=encoding)
    return _perfmon(sources(path), "pdh_text", options)


def read_blg(
    path: Places,
    counters: str | Iterable[str] = (),
    begin: datetime | None = None,
    end: datetime | None = None,
) -> pa.Table:
    """Read binary performance logs.

    Parameters
    ----------
    path
        A .blg file, several of them or a glob.
    counters
        Counter name, glob of names or of paths, or several; empty reads all.
    begin, end
        First and last local time to read, both inclusive.

    Returns
    -------
    pyarrow.Table
        One row per value, calculated as Windows shows it; the columns of `read_pdh`.

    Raises
    ------
    CaptureError
        A file is not a binary performance log, or cannot be read.
    CaseError
        ``counters`` is not a name or a list of names, or one matches nothing; the message suggests the
        nearest.
    """
    options = ReadOptions(counters=named(counters), begin=begin, end=end)
    return _perfmon(sources(path), "perfmon_blg", options)


def read_errorlog(path: Places) -> pa.Table:
    """Read SQL Server ERRORLOG files.

    Returns
    -------
    pyarrow.Table
        One row per entry, in file order: ``line``, ``time_local``, ``source``, ``spid``, ``error``,
        ``severity``, ``state``, ``message``; with several logs also ``path``.

    Raises
    ------
    CaptureError
        A file is not an ERRORLOG, or cannot be read.
    """
    return _entries(sources(path), "errorlog", *_ENTRIES["errorlog"])


def read_cluster_log(path: Places) -> pa.Table:
    """Read Windows cluster logs (Get-ClusterLog).

    Returns
    -------
    pyarrow.Table
        One row per entry, in file order: ``line``, ``time_local``, ``level``, ``component``, ``text`` and the
        other columns of docs/store.md; with several logs also ``path``.

    Raises
    ------
    CaptureError
        A file is not a cluster log, or cannot be read.
    """
    return _entries(sources(path), "cluster_log", *_ENTRIES["cluster_log"])


def read_evtx(path: Places) -> pa.Table:
    """Read Windows event logs: .evtx, and their exports as CSV, XML or text.

    Returns
    -------
    pyarrow.Table
        One row per event, in file order: ``line``, ``time`` (UTC, in an .evtx) or ``time_local`` (of the
        host, in an exported list; the other column is NULL), ``log``, ``level``, ``source``, ``event_id``,
        ``message`` and the other columns of docs/store.md; with several logs also ``path``.

    Raises
    ------
    CaptureError
        A file is not a Windows event log, or cannot be read.
    """
    return _entries(sources(path), "event_log", *_ENTRIES["event_log"])


def read_xel(
    path: Places, events: str | Iterable[str] | None = None, columns: str | Iterable[str] | None = None
) -> dict[str, pa.Table]:
    """Read Extended Events files.

    Parameters
    ----------
    path
        A .xel file, several of them or a glob.
    events
        Name of an event, or several; None reads all. Other events are skipped without decoding their values.
    columns
        Name of a column, or several; None reads all.

    Returns
    -------
    dict of str to pyarrow.Table
        A table per event, by its name: ``_seq``, ``_time`` (UTC; NULL at the ends of the years 1 to 9999 and
        beyond), ``_ticks`` (100 ns since 1601, exact), the fields, then the actions as ``action_<name>``;
        with several files also ``path``.

    Raises
    ------
    CaptureError
        A file is not an Extended Events file, or cannot be read.
    CaseError
        No file defines such an event or column; the message suggests the nearest.
    """
    captures = sources(path)
    return _all_events(captures, events, columns)


def iter_batches(
    path: Places,
    counters: str | Iterable[str] = (),
    events: str | Iterable[str] | None = None,
    columns: str | Iterable[str] | None = None,
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Read captures larger than memory, one batch at a time, in file order.

    Parameters
    ----------
    path
        A capture, several of them or a glob, of any format.
    counters
        For perfmon logs, as in `read_pdh`.
    events, columns
        For Extended Events, as in `read_xel`.

    Yields
    ------
    tuple of str and pyarrow.RecordBatch
        Name of the rows (``values`` for perfmon, the name of an event, else a table of docs/store.md), and at
        most about a million rows with the columns of the function for the format.

    Raises
    ------
    CaptureError
        A capture has an unknown format, or cannot be read.
    CaseError
        A name matched nothing; raised after all captures are read.
    """
    options = ReadOptions(counters=named(counters), series_first=True, slab_cells=SLAB_CELLS)
    readings = [_reading(one, "", "", options) for one in sources(path)]
    return _batches(readings, _names(events), _names(columns))


def _batches(
    readings: list[Reading], events: tuple[str, ...] | None, columns: tuple[str, ...] | None
) -> Iterator[tuple[str, pa.RecordBatch]]:
    defined = Defined(events, columns)
    series: list[pa.Table] = []
    for reading in readings:
        if reading.reader.name == "xel":
            with _xel(reading.source, events, columns) as file:
                yield from file
                defined.add(file.schemas)
        elif reading.reader.name in PERFMON:
            yield from (("values", batch) for batch in _long(reading, series))
        else:
            yield from _all_of(reading)
    defined.check()
    logs = [each for each in readings if each.reader.name in PERFMON]
    if logs:
        check_counters(logs[0].options.counters, series, logs)


def _long(reading: Reading, found: list[pa.Table]) -> Iterator[pa.RecordBatch]:
    batches = reading.batches()
    nothing = ("counters", pa.RecordBatch.from_pylist([], COUNTERS))
    series = pa.Table.from_batches([next(batches, nothing)[1]])
    found.append(series)
    for rows in long_rows(series, slabs_of(batches), reading):
        yield from rows.combine_chunks().to_batches()


def _perfmon(captures: list[Source], name: str, options: ReadOptions) -> pa.Table:
    found: list[pa.Table] = []
    logs: list[Reading] = []
    series: list[pa.Table] = []
    for one in captures:
        reading = _reading(one, name, PERFMON[name], options)
        logs.append(reading)
        # The UTC offset is known only after all its facts are read.
        pieces = Pieces()
        tables = _tables(_without_samples(reading.batches(), pieces))
        series.append(tables.get("counters", COUNTERS.empty_table()))
        found.append(whole(tables, pieces, clock_of(reading)))
    check_counters(options.counters, series, logs)
    return _united(found, captures, several=len(captures) > 1)


def _without_samples(batches: Iterator[Batch], pieces: Pieces) -> Iterator[Batch]:
    """Yield all batches but the values; these make up most of a log and are assembled as they come."""
    for table, batch in batches:
        if table == "samples":
            pieces.add(batch)
        else:
            yield table, batch


def _entries(captures: list[Source], name: str, what: str, table: str) -> pa.Table:
    schema = SCHEMAS[table]
    readings = [_reading(one, name, what) for one in captures]
    found = [_tables(_all_of(one)).get(table, schema.empty_table()) for one in readings]
    return _united(found, captures, several=len(captures) > 1)


_ENTRIES = {
    "errorlog": ("an ERRORLOG", "errorlog"),
    "cluster_log": ("a cluster log", "cluster_log"),
    "event_log": ("a Windows event log", "os_events"),
}
"""By reader: the noun for its captures in messages, and the table of their entries."""


def _all_events(
    captures: list[Source], events: str | Iterable[str] | None, columns: str | Iterable[str] | None
) -> dict[str, pa.Table]:
    wanted = _names(events), _names(columns)
    defined = Defined(*wanted)
    found = _by_name((_events(one, *wanted, defined) for one in captures), captures)
    defined.check()
    return found


def _events(
    source: Source, events: tuple[str, ...] | None, columns: tuple[str, ...] | None, defined: Defined
) -> dict[str, pa.Table]:
    with _xel(source, events, columns) as file:
        tables = file.read()
        defined.add(file.schemas)
        return tables


@contextmanager
def _xel(
    source: Source, events: tuple[str, ...] | None, columns: tuple[str, ...] | None
) -> Iterator[XelFile]:
    from xelib.xel import FormatError, open_xel

    path = source.path
    try:
        # With a path, the bytes are not copied into Python.
        with source.open() if is_url(path) else nullcontext(Path(path)) as place:
            yield open_xel(place, events=events, columns=columns)
    except FormatError as error:
        raise CaptureError(path, error.what, offset=error.offset, need=error.need, have=error.have) from error
    except OSError as error:
        raise unreadable(path, error) from error


def _names(asked: str | Iterable[str] | None) -> tuple[str, ...] | None:
    return None if asked is None else named(asked)


def _reading(source: Source, name: str, what: str, options: ReadOptions | None = None) -> Reading:
    """Open a capture with the named reader; an empty name accepts any known format."""
    path = source.path
    try:
        found = detect(source.head(), source.name)
    except OSError as error:
        raise unreadable(path, error) from error
    if found and not found[1].readable and name in ("", found[0].name):
        raise CaptureError(path, f"is not read ({found[1].reason})")
    if found is None and not name:
        raise CaptureError(path, "has no format that is read", hint="open_case opens folders and archives")
    if found is None or (name and found[0].name != name):
        have = found[1].kind if found else "no known format"
        raise CaptureError(path, f"is not {what}", have=have, need=what)
    return Reading(found[0], source, options or ReadOptions())


def _all_of(reading: Reading) -> Iterator[Batch]:
    """Yield all contents of a capture, including facts and faults."""
    for table, batch in reading.reader.read(reading.source, reading.options):
        yield table, with_time(batch, is_utc=is_utc(reading)) if table == "os_events" else batch


def _tables(batches: Iterator[Batch]) -> dict[str, pa.Table]:
    parts: dict[str, list[pa.RecordBatch]] = {}
    for table, batch in batches:
        parts.setdefault(table, []).append(batch)
    return {
        table: pa.Table.from_batches(found, schema=SCHEMAS.get(table, found[0].schema))
        for table, found in parts.items()
    }


def _by_name(found: Iterable[dict[str, pa.Table]], captures: list[Source]) -> dict[str, pa.Table]:
    parts: dict[str, list[tuple[pa.Table, Source]]] = {}
    for tables, source in zip(found, captures, strict=True):
        for name, table in tables.items():
            parts.setdefault(name, []).append((table, source))
    several = len(captures) > 1
    return {
        name: _united([table for table, _ in of_name], [source for _, source in of_name], several=several)
        for name, of_name in parts.items()
    }


def _united(found: list[pa.Table], captures: list[Source], *, several: bool) -> pa.Table:
    """Concatenate the tables of several captures, with a column for the path of each row's capture."""
    if not several:
        return found[0]
    there = {each for table in found for each in table.column_names}
    name = next(each for each in ("path", "_path", "__path") if each not in there)
    told = [
        table.append_column(name, pa.DictionaryArray.from_arrays(
            pa.array(np.zeros(table.num_rows, np.int32)), pa.array([source.path])
        ))
        for table, source in zip(_of_one_type(found), captures, strict=True)
    ]  # fmt: skip
    return pa.concat_tables(told, promote_options="default").unify_dictionaries()


def _of_one_type(found: list[pa.Table]) -> list[pa.Table]:
    """Return columns of one name cast to one type, as a case does: integers as decimals, else text."""
    types: dict[str, set[pa.DataType]] = {}
    for table in found:
        for field in table.schema:
            types.setdefault(field.name, set()).add(field.type)
    for name, of_name in types.items():
        if len(of_name) > 1:
            whole = all(map(pa.types.is_integer, of_name))
            common = pa.decimal128(20, 0) if whole else pa.string()
            found = [_cast(table, name, common) for table in found]
    return found


def _cast(table: pa.Table, name: str, kind: pa.DataType) -> pa.Table:
    place = table.schema.get_field_index(name)
    if place < 0:
        return table
    try:
        column = table[name].cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        texts = [None if value is None else str(value) for value in table[name].to_pylist()]
        column = pa.chunked_array([pa.array(texts, pa.string())])
    return table.set_column(place, pa.field(name, column.type), column)
