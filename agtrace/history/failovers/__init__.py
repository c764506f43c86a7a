"""Each change of a group's primary: from whom to whom, since when, why. No judgement: that is the diagnostics'."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from agtrace.history.base import Maker, View
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.tables.history import FAILOVERS


def make(view: View) -> dict[str, pa.Table]:
    """Tell the failovers of all groups, in order of time."""
    from agtrace.history.failovers.changes import changes
    from agtrace.history.failovers.event import Events, event
    from agtrace.history.failovers.moves import moves
    from agtrace.history.failovers.rows import row

    names = HostNames(view.rows(HOSTS))
    told = [event(found, names) for found in view.rows(_sql("events.sql"))]
    events = Events(told)
    states = defaultdict(list)
    clocks: dict[str, float] = {}
    for one in told:
        clocks.setdefault(one.host, one.skew_ms)
        if one.kind == "replica_state" and one.ag:
            states[one.ag].append(one)
    roles = {one["ag"] for one in view.rows(_sql("groups.sql"))}
    found: list[dict[str, Any]] = []
    for ag in sorted({*states, *roles}):
        seen = list(changes(ag, states[ag], events))
        seen += moves(ag, states[ag], seen, events)
        found += [row(change, events, clocks) for change in seen]
    found.sort(key=lambda one: (one["end"], one["ag"]))
    numbered = [{"failover_id": number, **one} for number, one in enumerate(found, start=1)]
    return {"failovers": pa.Table.from_pylist(numbered, schema=FAILOVERS)}


def _sql(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


MAKER = Maker(("failovers",), make)
