"""Rows by the clock of each host, put on the reference clock, and back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pyarrow as pa

from agtrace.history.base import Query
from agtrace.history.reference_clock import ReferenceClock
from agtrace.store.quoting import identifier, literal
from agtrace.tables import UTC_TIME


def by_reference(rows: pa.Table | Query, schema: pa.Schema, clock: ReferenceClock) -> pa.Table | Query:
    """Return rows of a relation with each UTC time reduced by the lead of the clock of ``host_id``."""
    hosts = [host for host, ahead in clock.ahead.items() if ahead]
    times = [field.name for field in schema if field.type == UTC_TIME]
    if not hosts or not times or (isinstance(rows, pa.Table) and not rows.num_rows):
        return rows
    if isinstance(rows, Query):
        # A join would lose the order of the rows.
        cases = " ".join(
            f"WHEN {literal(host)} THEN {clock.ahead[host] // timedelta(microseconds=1)}" for host in hosts
        )
        shifted = ", ".join(
            f"{name} - to_microseconds(CASE host_id {cases} ELSE 0 END) AS {name}"
            for name in map(identifier, times)
        )
        return replace(rows, sql=f"SELECT * REPLACE ({shifted}) FROM ({rows.sql})")
    offsets = {host: clock.ahead[host] // timedelta(microseconds=1) for host in hosts}
    ahead = np.array([offsets.get(host, 0) for host in rows["host_id"].to_pylist()], np.int64)
    for name in times:
        place = rows.schema.get_field_index(name)
        rows = rows.set_column(place, schema.field(name), _less(rows[name], ahead))
    return rows


def _less(times: pa.ChunkedArray, ahead: np.ndarray) -> pa.Array:
    """Return times less microseconds; Arrow's own subtraction would load all of its kernels."""
    array = times.combine_chunks()
    validity, data = array.buffers()
    moved = np.frombuffer(data, np.int64)[: array.offset + len(array)].copy()
    moved[array.offset :] -= ahead
    buffers = [validity, pa.py_buffer(moved)]
    return pa.Array.from_buffers(array.type, len(array), buffers, array.null_count, array.offset)


def by_host(relation: str) -> str:
    """Return the query of a relation with its times by the clock of each host, as captures have them."""
    return (
        f"select r.* replace (r.time + to_microseconds(coalesce(k.ahead_us, 0)) as time) from {relation} r "
        "left join reference_clock k using (host_id)"
    )
