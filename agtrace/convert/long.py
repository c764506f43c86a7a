"""Values of perfmon logs in long form: one row per value, with the names of its series."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from agtrace.convert.base import Reading
from agtrace.convert.columns import Pieces, series_by_series
from agtrace.convert.slabs import Slab
from agtrace.convert.zones import Clock, Distances, clock_of
from agtrace.tables import COUNTERS, SAMPLES, TICKS, UTC_TIME, column
from agtrace.tables import kernels as pc

NAMES = ("host", "sql_instance", "object", "instance", "counter")
VALUES = pa.schema(
    [
        column("time", UTC_TIME, "sample time in UTC; NULL where the log does not tell its distance from it"),
        TICKS.field("time_local"),
        *(
            pa.field(name, pa.dictionary(pa.int32(), pa.string()), metadata=COUNTERS.field(name).metadata)
            for name in NAMES
        ),
        SAMPLES.field("value"),
    ]
)
"""One row per value, names canonical where they are known, else as written."""


def long_rows(series: pa.Table, rows: Iterator[Slab], reading: Reading) -> Iterator[pa.Table]:
    """Yield the values of a log, row by row."""
    names = names_of(series)
    distances: Distances | None = None
    for slab in rows:
        # A binary log states its distances as they are read.
        distances = distances or Distances(clock_of(reading))
        distances.clock = clock_of(reading)
        times = times_of(slab.times, slab.ticks, distances)
        for batch in slab.samples:
            place = pa.array(np.searchsorted(slab.ticks, batch["tick"].to_numpy()))
            yield values(times, place, names, batch["counter_no"], batch["value"])


def whole(tables: dict[str, pa.Table], pieces: Pieces, clock: Clock) -> pa.Table:
    """Return the values of a log by series, each ordered by time.

    Parameters
    ----------
    tables
        The other tables of the log: its series and the times of its rows.
    """
    series = tables.get("counters", COUNTERS.empty_table())
    ticks = tables.get("ticks", TICKS.empty_table())
    # counter_no and tick are dense: they are positions, and a join is a take.
    times = times_of(ticks["time_local"].to_numpy(), ticks["tick"].to_numpy(), Distances(clock))
    return series_by_series(pieces, times, names_of(series), VALUES)


def times_of(local: np.ndarray, ticks: np.ndarray, distances: Distances) -> dict[str, pa.Array]:
    """Return the times of a log's rows, in UTC and as written."""
    return {
        "time": pa.array(distances.in_utc(local, ticks)).cast(UTC_TIME),
        "time_local": pa.array(local, TICKS.field("time_local").type),
    }


def names_of(series: pa.Table) -> dict[str, pa.DictionaryArray]:
    """Return the names of series by kind of name, in series order."""
    written = {
        "host": series["host"],
        "sql_instance": series["sql_instance"],
        "object": pc.coalesce(series["object"], series["object_written"]),
        "instance": series["instance"],
        "counter": pc.coalesce(series["counter"], series["counter_written"]),
    }
    return {name: names.combine_chunks().dictionary_encode() for name, names in written.items()}


def values(
    times: dict[str, pa.Array],
    place: pa.Array | pa.ChunkedArray,
    names: dict[str, pa.DictionaryArray],
    series: pa.Array | pa.ChunkedArray,
    value: pa.Array | pa.ChunkedArray,
) -> pa.Table:
    """Put values, the times of their rows and the names of their series side by side."""
    columns = {
        **{name: column.take(place) for name, column in times.items()},
        **{name: column.take(series) for name, column in names.items()},
        "value": value,
    }
    return pa.Table.from_pydict(columns, schema=VALUES)
