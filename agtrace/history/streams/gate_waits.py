"""How long a server waited with its send gate closed, from its wait statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agtrace.history.base import View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


@dataclass(frozen=True)
class GateWait:
    """One type of wait on one server over one interval; ``end`` in seconds of UTC, None where unknown."""

    host: str
    wait_type: str
    end: float | None
    seconds: float
    tasks: int
    ms: int


def read_gate_waits(view: View) -> list[GateWait]:
    """Read the waits for flow control of a case, interval by interval."""
    if not view.has_rows("waits"):
        return []
    rows: list[dict[str, Any]] = view.rows(_sql("gate_waits.sql"))
    return [
        GateWait(
            row["host_id"],
            row["wait_type"],
            row["end_s"],
            row["seconds"],
            row["waiting_tasks"],
            row["wait_ms"],
        )
        for row in rows
    ]
