"""How far apart the clocks of hosts are, as the captures tell."""

from __future__ import annotations

from datetime import timedelta

from agtrace.history.base import View
from agtrace.history.seedings.clocks import Skews


def skews(view: View) -> Skews:
    """Read how far apart the clocks of the case are."""
    found: dict[tuple[str, str], timedelta] = {}
    rows = view.table("select host_id, other_host_id, ms from skew where ms is not null")
    for row in rows.to_pylist():
        ahead = timedelta(milliseconds=row["ms"])
        found[row["host_id"], row["other_host_id"]] = ahead
        found[row["other_host_id"], row["host_id"]] = -ahead
    return Skews(found)
