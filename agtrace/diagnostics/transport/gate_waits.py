"""How long a server waited with its send gate closed, from its wait statistics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from agtrace.diagnostics.base import View
from agtrace.say import words
from agtrace.say.finding import Evidence


@dataclass(frozen=True)
class GateWait:
    """One type of wait on one server over one interval; ``end`` in seconds of UTC, None where unknown."""

    host: str
    wait_type: str
    end: float | None
    seconds: float
    tasks: int
    ms: int


def read_gate_waits(view: View, sql: Callable[[str], str]) -> list[GateWait]:
    """Read the waits for flow control of a case, interval by interval."""
    if not view.has_rows("waits"):
        return []
    rows: list[dict[str, Any]] = view.rows(sql("gate_waits.sql"))
    return [
        GateWait(
            row["host_id"], row["wait_type"], row["end_s"], row["seconds"],
            row["waiting_tasks"], row["wait_ms"],
        )
        for row in rows
    ]  # fmt: skip


def of_host(waits: Iterable[GateWait], host: str, span: tuple[float, float] | None = None) -> list[Evidence]:
    """Give how long a server waited per second, by type of wait.

    Parameters
    ----------
    span
        Only intervals that lie within these seconds of UTC; None for all.
    """
    by_type: dict[str, list[GateWait]] = defaultdict(list)
    for each in waits:
        if each.host == host and (span is None or _is_within(each, span)):
            by_type[each.wait_type].append(each)
    found = []
    for wait_type, mine in by_type.items():
        seconds, tasks = sum(each.seconds for each in mine), sum(each.tasks for each in mine)
        per_second = sum(each.ms for each in mine) / seconds
        most = max(each.ms / each.seconds for each in mine)
        source = (
            f"wait statistics of {host}, {words.count(len(mine), 'interval')}, "
            f"{words.span(seconds)}, {words.count(tasks, 'wait')}"
        )
        label = f"{wait_type} on {host}, all replicas"
        found.append(Evidence(f"{label}, mean", float(f"{per_second:.4g}"), "ms/s", source))
        found.append(Evidence(f"{label}, most of an interval", float(f"{most:.4g}"), "ms/s", source))
    return found


def _is_within(wait: GateWait, span: tuple[float, float]) -> bool:
    return wait.end is not None and span[0] <= wait.end - wait.seconds and wait.end <= span[1]
