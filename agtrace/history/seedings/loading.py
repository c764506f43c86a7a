"""Seedings read from the relations."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from agtrace.history.base import View
from agtrace.history.seedings.operation import SOURCE, TARGET, Failure, Operation, Side, State
from agtrace.tables.seedings import SEEDINGS

Row = dict[str, Any]

AUTOMATIC, PHYSICAL = "automatic", "physical"
STATES = 'select seeding_id, role, layer, state, start, "end", seen_until from seeding_states'
_ENDS = (f"{SOURCE}_", f"{TARGET}_")
_OF_SIDE = [name.removeprefix(_ENDS[0]) for name in SEEDINGS.names if name.startswith(_ENDS[0])]
_OWN = [name for name in SEEDINGS.names if not name.startswith(_ENDS) and name != "seeding_id"]
"""The relation's own columns are those of an operation, those of its ends are of a side."""


def load_seedings(view: View) -> list[Operation]:
    """Return every seeding of a case in chronological order, from its relations."""
    if not view.has_rows("seedings"):
        return []
    rows = view.rows("select * from seedings order by seeding_id")
    states: dict[tuple[int, str, str], list[State]] = defaultdict(list)
    for row in view.rows(STATES):
        key = row["seeding_id"], row["role"], row["layer"]
        states[key].append(State(row["start"], row["state"], row["end"], row["seen_until"]))
    return [_operation(row, states) for row in rows]


def _operation(row: Row, states: dict[tuple[int, str, str], list[State]]) -> Operation:
    number = row["seeding_id"]
    sides = {
        role: Side(
            role=role,
            states=tuple(states.get((number, role, AUTOMATIC), ())),
            phases=tuple(states.get((number, role, PHYSICAL), ())),
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
