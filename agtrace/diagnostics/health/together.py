"""Groups that move together: the failovers of one incident, between the same hosts, of which one carries the severity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from agtrace.diagnostics.health.told import Row, Told

NEAR = timedelta(seconds=120)
"""So far apart the groups of one instance come online after one thing happened to it."""


def leads(failovers: Sequence[Row], told: Told) -> dict[int, tuple[Row, ...]]:
    """Give the failovers that moved together by the id of each of them, the one that leads first.

    The worst leads: not planned before planned, then the longest. A group that fails over twice in one incident
    moves with the others each time.
    """
    of_incident: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in failovers:
        incident = told.incident_of.get(row["failover_id"])
        key = (incident["incident_id"] if incident else None, row["from_host"], row["to_host"])
        of_incident[key].append(row)
    found: dict[int, tuple[Row, ...]] = {}
    for (incident_id, *_), rows in of_incident.items():
        if incident_id is None:
            continue
        for run in _runs(rows):
            if len(run) > 1:
                first = sorted(run, key=lambda row: (row["mode"] == "planned", -(row["seconds_without_primary"] or 0.0), row["ag"]))  # fmt: skip
                found |= {row["failover_id"]: tuple(first) for row in run}
    return found


def _runs(rows: Sequence[Row]) -> list[list[Row]]:
    """Cut failovers into runs in which each group moves once, near the others."""
    runs: list[list[Row]] = []
    for row in sorted(rows, key=lambda one: one["end"]):
        last = runs[-1] if runs else None
        if last and row["end"] - last[0]["end"] <= NEAR and row["ag"] not in {one["ag"] for one in last}:
            last.append(row)
        else:
            runs.append([row])
    return runs
