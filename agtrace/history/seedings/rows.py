"""Seedings as the relations hold them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pyarrow as pa

from agtrace.history.base import View
from agtrace.history.seedings.operation import PROGRESS, SOURCE, TARGET, Failure, Operation, Side, State
from agtrace.tables import kernels as pc
from agtrace.tables.rows import no_rows
from agtrace.tables.seedings import SEEDINGS

Row = dict[str, Any]

AUTOMATIC, PHYSICAL = "automatic", "physical"
STATES = 'select seeding_id, role, layer, state, start, "end", seen_until from seeding_states'
_ENDS = (f"{SOURCE}_", f"{TARGET}_")
_OF_SIDE = [name.removeprefix(_ENDS[0]) for name in SEEDINGS.names if name.startswith(_ENDS[0])]
_OWN = [name for name in SEEDINGS.names if not name.startswith(_ENDS) and name != "seeding_id"]
"""The relation's own columns are what an operation holds, and those of its ends what a side does."""


def load(view: View) -> list[Operation]:
    """Give every seeding of a case in order of time, from its relations."""
    if not view.has_rows("seedings"):
        return []
    rows = view.rows("select * from seedings order by seeding_id")
    states: dict[tuple[int, str, str], list[State]] = defaultdict(list)
    for row in view.rows(STATES):
        key = row["seeding_id"], row["role"], row["layer"]
        states[key].append(State(row["start"], row["state"], row["end"], row["seen_until"]))
    progress = _slices(view.table("select * from seeding_progress"))
    return [_operation(row, states, progress) for row in rows]


def _slices(table: pa.Table) -> dict[tuple[int, str], pa.Table]:
    """Cut the reports into one table for each end; those of an end follow each other."""
    table = table.combine_chunks()
    reports = table.select(PROGRESS.names).cast(PROGRESS)
    found, begin = {}, 0
    is_source = pc.equal(table["role"], SOURCE).cast(pa.int64())
    ends = pc.add(pc.multiply(table["seeding_id"], 2), is_source)
    for entry in pc.value_counts(ends).to_pylist():
        number, role = divmod(entry["values"], 2)
        found[number, SOURCE if role else TARGET] = reports.slice(begin, entry["counts"])
        begin += entry["counts"]
    return found


def _operation(
    row: Row, states: dict[tuple[int, str, str], list[State]], progress: dict[tuple[int, str], pa.Table]
) -> Operation:
    number = row["seeding_id"]
    sides = {
        role: Side(
            role=role,
            states=tuple(states.get((number, role, AUTOMATIC), ())),
            phases=tuple(states.get((number, role, PHYSICAL), ())),
            progress=progress.get((number, role), no_rows(PROGRESS)),
            **{name: _value(name, row[f"{role}_{name}"]) for name in _OF_SIDE},
        )
        for role in (SOURCE, TARGET)
        if row[f"{role}_told_by"] is not None
    }
    return Operation(
        number=number,
        source=sides.get(SOURCE),
        target=sides.get(TARGET),
        **{name: _value(name, row[name]) for name in _OWN},
    )


def _value(name: str, cell: Any) -> Any:
    if isinstance(cell, list):
        return frozenset(cell) if name == "told_by" else tuple(map(_part, cell))
    return cell


def _part(item: Any) -> Any:
    return Failure(**item) if isinstance(item, dict) else item
