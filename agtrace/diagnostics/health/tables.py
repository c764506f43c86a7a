"""The tables of the health of a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.figures import stays
from agtrace.diagnostics.health.stretches import stretches
from agtrace.diagnostics.health.told import Told
from agtrace.say import words

if TYPE_CHECKING:
    import pandas as pd

QUIET = frozenset({"node_online", "lease_begun", "startup_skipped", "database_connected", "flush_cache"})  # fmt: skip
"""Kinds of events that every start brings: they are in the relation, and not in the table."""


def failovers(told: Told) -> pd.DataFrame:
    """Give the failovers, one per row."""
    import pandas as pd

    rows = [
        (row["ag"], row["from_host"], row["to_host"], row["mode"], row["trigger"], row["cause"], row["start"],
         row["end"], row["seconds_without_primary"], row["confidence"])
        for row in told.failovers
    ]  # fmt: skip
    names = ["ag", "from", "to", "mode", "trigger", "cause", "start", "end", "seconds without a primary", "confidence"]  # fmt: skip
    return pd.DataFrame(rows, columns=names)


def events(told: Told) -> pd.DataFrame:
    """Give what happened, in order of time, with who tells of it."""
    import pandas as pd

    rows = [
        (row["time"], row["host_id"], row["ag"], row["database"], row["replica"], say.kind(row["kind"]), row["before"],
         row["after"], words.plain(row["text"], 160), words.listing(sorted(row["sources"] or [])))
        for row in told.events
        if row["kind"] not in QUIET
    ]  # fmt: skip
    names = ["time", "host", "ag", "database", "replica", "kind", "before", "after", "text", "told by"]  # fmt: skip
    return pd.DataFrame(rows, columns=names)


def roles(told: Told) -> pd.DataFrame:
    """Give who had which role, and for how long."""
    import pandas as pd

    rows = [
        (one.ag, one.host, one.role, one.start, one.end, (one.end - one.start).total_seconds())
        for one in stays(told)
    ]
    return pd.DataFrame(rows, columns=["ag", "host", "role", "start", "end", "seconds"])


def disconnects(told: Told) -> pd.DataFrame:
    """Give the times without a connection, as each end wrote them."""
    import pandas as pd

    rows = [
        (one.ag, one.host, one.replica, one.start, one.back["time"] if one.back else None, one.seconds)
        for one in stretches(told)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["ag", "host", "replica", "lost", "connected", "seconds"])
