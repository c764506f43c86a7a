"""The tables of the health of a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agtrace.diagnostics.health.figures import stays
from agtrace.diagnostics.health.group_history import GroupHistory, kind_of
from agtrace.diagnostics.health.measures import WITHOUT_PRIMARY
from agtrace.diagnostics.health.readiness import (
    ASKED,
    BEHIND,
    FORCED,
    ITSELF,
    NOT,
    REDO,
    SYNCHRONISED_DATABASES,
    UNKNOWN,
    UNSENT,
    Ready,
    facts_of,
)
from agtrace.history.disconnects import stretches
from agtrace.measures import Measure, frame
from agtrace.say import words

if TYPE_CHECKING:
    import pandas as pd

    from agtrace.say.said import Said

QUIET = frozenset({"node_online", "lease_begun", "startup_skipped", "database_connected", "flush_cache"})
"""Kinds of events that every start brings: they are in the relation, and not in the table."""

AG, HOST, START, END = map(Measure, ("ag", "host", "start", "end"))
REPLICA = Measure("replica")
SECONDS = Measure("seconds", "seconds", "s", "from its begin to its end")
FAILOVERS = {
    "ag": AG,
    "from_host": Measure("from", meaning="old primary"),
    "to_host": Measure("to", meaning="new primary"),
    "mode": Measure("mode"),
    "trigger": Measure("trigger", meaning="what made the cluster act"),
    "cause": Measure("cause", meaning="the root"),
    "start": START,
    "end": END,
    "seconds_without_primary": WITHOUT_PRIMARY,
    "confidence": Measure("confidence", meaning="0 to 1"),
}
"""Columns of the relation, as the table has them."""
EVENTS = (
    *(Measure("time"), HOST, AG, Measure("database"), REPLICA),
    *map(Measure, ("kind", "before", "after", "text")),
    Measure("told by", meaning="kinds of captures that tell of it"),
)
ROLES = (AG, HOST, Measure("role"), START, END, SECONDS)
DISCONNECTS = (AG, HOST, REPLICA, Measure("lost"), Measure("connected", "connected again"), SECONDS)
WAYS = {"": "", ITSELF: "by itself", ASKED: "when asked", FORCED: "by force", NOT: "no", UNKNOWN: "not shown"}
"""How a replica would take over, as the table has it."""
READINESS = (
    *(AG, REPLICA, Measure("as of", meaning="when it was looked at"), Measure("role")),
    *(Measure("availability mode"), Measure("failover mode"), Measure("connected")),
    *(
        Measure("databases", "databases", "databases"),
        SYNCHRONISED_DATABASES,
        Measure("takes over"),
        Measure("forbidden by"),
        UNSENT,
        BEHIND,
        REDO,
    ),
)
MEASURES = tuple(dict.fromkeys((*FAILOVERS.values(), *EVENTS, *ROLES, *DISCONNECTS, *READINESS)))


def failovers(history: GroupHistory) -> pd.DataFrame:
    """Return the failovers, one per row."""
    return frame(
        FAILOVERS.values(), (tuple(getattr(row, name) for name in FAILOVERS) for row in history.failovers)
    )


def events(history: GroupHistory) -> pd.DataFrame:
    """Return all events in chronological order, with their sources."""
    rows = []
    for row in (each for each in history.events if each.kind not in QUIET):
        text, sources = words.plain(row.text, 160), words.listing(sorted(row.sources))
        named = {"host": row.host_id, "kind": kind_of(row.kind), "text": text, "told by": sources}
        rows.append({**row._asdict(), **named})
    return frame(EVENTS, rows)


def roles(history: GroupHistory) -> pd.DataFrame:
    """Return the roles of replicas with their durations."""
    return frame(
        ROLES, ((one.ag, one.host, one.role, one.start, one.end, one.seconds) for one in stays(history))
    )


def disconnects(history: GroupHistory) -> pd.DataFrame:
    """Return the times without a connection, as each end wrote them."""
    found = stretches(history.events, history.stop)
    rows = ((one.ag, one.host, one.replica, one.start, one.end, one.seconds) for one in found)
    return frame(DISCONNECTS, rows)


def readiness(found: Sequence[Ready], said: Said) -> pd.DataFrame:
    """Return each replica as of its last snapshot: how it could take over, the obstacles, the cost."""
    rows = []
    for one in found:
        row, facts = one.standing.row, facts_of(one)
        why = words.listing([said.text(f"readiness.{kind}", facts) for kind in facts["kinds"]])
        modes = (one.standing.mode("availability_mode"), one.standing.mode("failover_mode"))
        databases = len(one.standing.databases)
        stood = (row.role, *modes, row.connected_state, databases, one.synchronised)
        costs = (one.unsent_kb, one.behind_s, one.redo_s)
        named = (one.standing.ag, one.standing.replica, one.standing.at)
        rows.append((*named, *stood, WAYS[one.how], why, *costs))
    return frame(READINESS, rows)
