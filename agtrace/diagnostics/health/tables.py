"""The tables of the health of a group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.health.figures import stays
from agtrace.diagnostics.health.measures import WITHOUT_PRIMARY
from agtrace.diagnostics.health.told import Told, kind_of
from agtrace.history.disconnects import stretches
from agtrace.measures import Measure
from agtrace.say import words

if TYPE_CHECKING:
    import pandas as pd

QUIET = frozenset({"node_online", "lease_begun", "startup_skipped", "database_connected", "flush_cache"})  # fmt: skip
"""Kinds of events that every start brings: they are in the relation, and not in the table."""

AG, HOST, START, END = (Measure(name, name) for name in ("ag", "host", "start", "end"))
REPLICA, SECONDS = (
    Measure("replica", "replica"),
    Measure("seconds", "seconds", "s", "from its begin to its end"),
)
FAILOVERS = {
    "ag": AG, "from_host": Measure("from", "from", meaning="old primary"), "to_host": Measure("to", "to", meaning="new primary"),
    "mode": Measure("mode", "mode"), "trigger": Measure("trigger", "trigger", meaning="what made the cluster act"),
    "cause": Measure("cause", "cause", meaning="the root"), "start": START, "end": END,
    "seconds_without_primary": WITHOUT_PRIMARY, "confidence": Measure("confidence", "confidence", meaning="0 to 1"),
}  # fmt: skip
"""Columns of the relation, as the table has them."""
EVENTS = (
    Measure("time", "time"), HOST, AG, Measure("database", "database"), REPLICA, Measure("kind", "kind"),
    Measure("before", "before"), Measure("after", "after"), Measure("text", "text"),
    Measure("told by", "told by", meaning="kinds of captures that tell of it"),
)  # fmt: skip
ROLES = (AG, HOST, Measure("role", "role"), START, END, SECONDS)
DISCONNECTS = (AG, HOST, REPLICA, Measure("lost", "lost"), Measure("connected", "connected again"), SECONDS)
MEASURES = tuple(dict.fromkeys((*FAILOVERS.values(), *EVENTS, *ROLES, *DISCONNECTS)))


def failovers(told: Told) -> pd.DataFrame:
    """Give the failovers, one per row."""
    return _frame((tuple(row[name] for name in FAILOVERS) for row in told.failovers), FAILOVERS.values())


def events(told: Told) -> pd.DataFrame:
    """Give what happened, in order of time, with who tells of it."""
    rows = (
        (row["time"], row["host_id"], row["ag"], row["database"], row["replica"], kind_of(row["kind"]), row["before"],
         row["after"], words.plain(row["text"], 160), words.listing(sorted(row["sources"] or [])))
        for row in told.events
        if row["kind"] not in QUIET
    )  # fmt: skip
    return _frame(rows, EVENTS)


def roles(told: Told) -> pd.DataFrame:
    """Give who had which role, and for how long."""
    rows = ((one.ag, one.host, one.role, one.start, one.end, one.seconds) for one in stays(told))
    return _frame(rows, ROLES)


def disconnects(told: Told) -> pd.DataFrame:
    """Give the times without a connection, as each end wrote them."""
    found = stretches(told.events, told.stop)
    rows = ((one.ag, one.host, one.replica, one.start, one.end, one.seconds) for one in found)
    return _frame(rows, DISCONNECTS)


def _frame(rows: Iterable[tuple[Any, ...]], columns: Iterable[Measure]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows), columns=[each.name for each in columns])
