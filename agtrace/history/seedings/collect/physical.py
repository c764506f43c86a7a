"""The copy as the events and the DMV of physical seeding tell it, one host at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa

from agtrace.history.base import View
from agtrace.history.seedings.operation import DMV, PROGRESS, XEL, Failure, State
from agtrace.history.seedings.parts import FAILED_PHASES, SUCCESS_PHASES, Copy
from agtrace.store.sql_files import beside
from agtrace.tables import kernels as pc

_sql = beside(__file__)

NEAR = timedelta(seconds=60)
"""How far a time in an event may lie from the event itself before it cannot be UTC."""


def copies(view: View) -> list[Copy]:
    """Give what each host's events and exports tell of each copy, in order of time."""
    sides = view.rows("select * from scratch.seeding_copies order by number")
    if not sides:
        return []
    phases: dict[int, list[State]] = defaultdict(list)
    for row in view.rows(_sql("phases.sql")):
        phases[row["number"]].append(State(row["time"], row["phase"]))
    faults: dict[int | None, list[dict[str, Any]]] = defaultdict(list)
    for row in view.rows(_sql("faults.sql")):
        faults[row["number"]].append(row)
    reports = slices(view.table(_sql("progress.sql")))
    found = [
        _copy(side, phases[number], faults[number], reports.get(number, PROGRESS.empty_table()))
        for number, side in ((side["number"], side) for side in sides)
    ]
    return _with_unnamed(found, faults[None])


def slices(table: pa.Table) -> dict[int, pa.Table]:
    """Cut reports that are ordered by ``number`` into `PROGRESS` tables, one per number."""
    counted = pc.value_counts(table["number"].combine_chunks())
    reports = table.drop_columns(["number"]).cast(PROGRESS)
    found, begin = {}, 0
    for entry in counted.to_pylist():
        found[entry["values"]] = reports.slice(begin, entry["counts"])
        begin += entry["counts"]
    return found


def _copy(side: dict[str, Any], phases: list[State], faults: list[dict[str, Any]], reports: pa.Table) -> Copy:
    last_phase = phases[-1].name if phases else ""
    ends = [s.time for s in phases if s.name in SUCCESS_PHASES | FAILED_PHASES]
    is_done = True if last_phase in SUCCESS_PHASES else None
    if last_phase in FAILED_PHASES or (faults and is_done is None):
        is_done = False
    end = _credible(side["ended"], side["first"], side["last"]) or (min(ends) if ends else None)
    if is_done is None and end is not None:
        is_done = True
    if is_done is False and end is None and faults:
        end = faults[0]["time"]
    return Copy(
        role=side["role"],
        host=side["host"],
        told_by=frozenset(
            name for name, told in ((XEL, side["is_traced"]), (DMV, side["is_exported"])) if told
        ),
        local_guid=side["local_guid"],
        remote_guid=side["remote_guid"],
        database=side["database"],
        remote=side["remote"],
        phases=tuple(phases),
        first=side["first"],
        last=side["last"],
        start=_start(side),
        end=end,
        is_done=is_done,
        transferred_bytes=side["transferred_bytes"],
        database_bytes=side["database_bytes"],
        disk_wait_ms=side["disk_wait_ms"],
        network_wait_ms=side["network_wait_ms"],
        is_compression_enabled=side["is_compression_enabled"],
        retries=side["retries"],
        failures=tuple(_failure(row) for row in faults),
        progress=reports,
        others_until=side["others_until"],
    )


def _start(side: dict[str, Any]) -> datetime | None:
    """Give the start: what the event states, unless the first event of the copy contradicts it."""
    stated, first = side["started"], side["first"]
    if side["has_beginning"] and (stated is None or abs(stated - first) > NEAR):
        return first
    if stated is None or stated > first + NEAR:
        return first
    return stated


def _credible(time: datetime | None, first: datetime, last: datetime) -> datetime | None:
    return time if time is not None and first - NEAR <= time <= last + NEAR else None


def _failure(row: dict[str, Any]) -> Failure:
    code = f"error {row['failure_code']}" if row["failure_code"] else ""
    text = ": ".join(part for part in (code, row["failure_message"] or "") if part)
    event = row["event"]
    said = f"sys.{event}" if event.startswith("dm_") else f"hadr_physical_seeding_{event}"
    where = f"{said} on {row['host_id'] or 'an unknown host'}"
    return Failure(None, text, row["time"], where)


def _with_unnamed(found: Sequence[Copy], faults: Sequence[dict[str, Any]]) -> list[Copy]:
    """Give a failure that names no copy to the one that ran on that host then, if only one did."""
    told: dict[int, list[Failure]] = defaultdict(list)
    for row in faults:
        ran = [
            place
            for place, copy in enumerate(found)
            if copy.host == row["host_id"] and copy.first - NEAR <= row["time"] <= copy.last + NEAR  # type: ignore[operator]
        ]
        if len(ran) == 1:
            told[ran[0]].append(_failure(row))
    return [
        replace(copy, failures=(*copy.failures, *told[place])) if place in told else copy
        for place, copy in enumerate(found)
    ]
