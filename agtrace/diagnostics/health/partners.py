"""How long a group had no partner after a failover: its new primary ran alone."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.told import Row, Told
from agtrace.say.finding import Evidence

SLACK = timedelta(seconds=2)
LABEL = "time without a partner"


def alone(row: Row, told: Told, least_s: float) -> tuple[str, Evidence] | None:
    """Say how long the new primary of a failover was without a secondary, where it was for long.

    Parameters
    ----------
    row
        Row of failovers.
    least_s
        Shorter is what every failover takes.
    """
    host = row["to_host"]
    _, end = told.span(row)
    if not host or not told.coverage.of(host, None, ("ERRORLOG", "AlwaysOn_health")):
        return None
    back = next(
        (
            one
            for one in told.later("connected", end - SLACK)
            if (one["host_id"] == host or say.host_of(one["replica"] or "") == host)
            and one["ag"] in (None, row["ag"])
        ),
        None,
    )
    later = next(
        (
            one["time"]
            for one in told.kinds_of_host.since(end + SLACK, "replica_state", host)
            if one["ag"] == row["ag"]
        ),
        None,
    )
    stops = [
        one["time"]
        for kind in ("stop_requested", "system_shutdown")
        for one in islice(told.kinds_of_host.since(end, kind, host), 1)
    ]
    until = told.common(told.coverage.until(host, None, row["end"], ("ERRORLOG", "AlwaysOn_health")), host)
    until = min([until, *([later] if later else []), *stops])
    if back is not None and back["time"] <= until:
        seconds = (back["time"] - end).total_seconds()
        if seconds < least_s:
            return None
        return (
            f"It had no partner for {say.seconds(seconds)} after that, until {say.told(told, back, brief=True)}: what was committed "
            "meanwhile was on one host alone.",
            Evidence(LABEL, round(seconds, 3), "s", told.sources(back)),
        )
    seconds = (until - end).total_seconds()
    if seconds < least_s:
        return None
    return (
        f"It had no partner for {say.seconds(seconds)} at least: no connection is noted until then.",
        Evidence(f"{LABEL}, at least", round(seconds, 3), "s", "ERRORLOG, AlwaysOn_health"),
    )
