"""Rows by the clock of each host, put on the reference clock, and back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pyarrow as pa

from agtrace.history.base import Query
from agtrace.history.reference_clock import ReferenceClock
from agtrace.store.quoting import identifier, literal
from agtrace.tables import UTC_TIME


def by_reference(rows: pa.Table | Query, schema: pa.Schema, clock: ReferenceClock) -> pa.Table | Query:
    """Return rows of a relation with each UTC time less what the clock of ``host_id`` is ahead."""
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
    import pyarrow.compute as pc

    ahead = pa.array([*(clock.ahead[host] for host in hosts), timedelta()], pa.duration("us"))
    places = pc.fill_null(pc.index_in(rows["host_id"], pa.array(hosts)), len(hosts))
    for name in times:
        moved = pc.subtract(rows[name], ahead.take(pa.chunked_array(places).combine_chunks()))
        rows = rows.set_column(rows.schema.get_field_index(name), schema.field(name), moved)
    return rows


def by_host(relation: str) -> str:
    """Return the query of a relation with its times by the clock of each host, as captures have them."""
    return (
        f"select r.* replace (r.time + to_microseconds(coalesce(k.ahead_us, 0)) as time) from {relation} r "
        "left join reference_clock k using (host_id)"
    )
