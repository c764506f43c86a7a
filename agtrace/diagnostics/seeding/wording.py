"""How seedings, ends, states and amounts are worded. Plain text."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from agtrace.diagnostics.seeding.limits import DISK, NETWORK, Waits
from agtrace.history.seedings.operation import SOURCE, TARGET, Operation, Side, State
from agtrace.measure.usage import CoreLoads
from agtrace.say import words

UNKNOWN = "a database of unknown name"
MOST = 30
"""Entries of a list in the text; what is beyond is in the tables."""
SHORTEST_S = 0.5
"""States shorter than this are not listed in a sentence."""


def database(operation: Operation) -> str:
    """Name the database, by its guid where nothing else is known."""
    if operation.database:
        return words.plain(operation.database, 60)
    return f"database {operation.database_guid}" if operation.database_guid else UNKNOWN


def end(operation: Operation, role: str) -> str:
    """Name an end: its host, what the other end calls it, or its role."""
    own, other = operation.source, operation.target
    if role == TARGET:
        own, other = other, own
    name = (own.host if own else None) or (other.remote if other else None)
    return words.plain(name, 60) if name else f"the {role}"


def named_end(operation: Operation, role: str) -> str:
    """Name an end with its role: "AGDS1 (source)", or "the source" where no name is known."""
    name = end(operation, role)
    return name if name == f"the {role}" else f"{name} ({role})"


def sentence(text: str) -> str:
    """Make a phrase a sentence."""
    return f"{text[0].upper()}{text[1:]}."


def percent(share: float) -> str:
    """Word a share: "12 %"."""
    return f"{share * 100:.0f} %"


def route(operation: Operation) -> str:
    """Word the direction: "A -> B"."""
    return f"{end(operation, SOURCE)} -> {end(operation, TARGET)}"


def seeding(operation: Operation) -> str:
    """Name an operation: "GestionCom, A -> B at 13:32:06 UTC"."""
    begun = operation.start or operation.copy_start
    when = f" at {begun.astimezone(UTC):%H:%M:%S} UTC" if begun is not None else ""
    return f"{pair(operation)}{when}"


def pair(operation: Operation) -> str:
    """Name a database and the direction: "GestionCom, A -> B"."""
    return f"{database(operation)}, {route(operation)}"


def subject(operation: Operation) -> dict[str, str]:
    """Give what a finding about an operation is about."""
    found = {
        "database": operation.database,
        "ag": operation.ag,
        "source": end(operation, SOURCE),
        "target": end(operation, TARGET),
    }
    return {key: value for key, value in found.items() if value}


def window(start: datetime | None, stop: datetime | None) -> dict[str, Any]:
    """Give a finding's window in UTC."""
    first = start or stop
    if first is None:
        return {}
    return {"start": _iso(first), "end": _iso(stop or first)}


def _iso(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="seconds").removesuffix("+00:00") + "Z"


def between(start: datetime | None, stop: datetime | None) -> str:
    """Word a stretch of time: "2016-08-12 10:00:00 to 10:08:00 UTC"."""
    if start is None and stop is None:
        return "at a time that was not captured"
    if start is None or stop is None:
        return f"from {words.moment(start)}" if start else f"until {words.moment(stop)}"
    a, b = start.astimezone(UTC), stop.astimezone(UTC)
    last = f"{b:%H:%M:%S} UTC" if a.date() == b.date() else words.moment(b)
    return f"{a:%Y-%m-%d %H:%M:%S} to {last}"


def ran(operation: Operation) -> str:
    """Word when a seeding ran, as written where the zone of these times is not known."""
    written = _written(operation)
    if written is None:
        return between(operation.start, operation.end)
    begun, ended = (words.moment(time).removesuffix(" local time") for time in written)
    return f"{begun} to {ended}, in a time zone that is not known"


def _written(operation: Operation) -> tuple[datetime, datetime] | None:
    """Give start and completion as exported, where their zone is not known and nothing else tells."""
    if operation.start is not None or operation.end is not None:
        return None
    for side in operation.sides:
        if side.start_written and side.end_written and side.end_written >= side.start_written:
            return side.start_written, side.end_written
    return None


def spread(loads: CoreLoads, even: float) -> str:
    """Word the load of a host's cores: "A 8 cores at 12 to 95 %, unevenly: ..."; n counts samples."""
    low, high = min(loads.means.values()), loads.means[loads.busiest]
    text = f"{words.plain(loads.host)} {len(loads.means)} cores at {low:.0f} to {high:.0f} % (n = {loads.n})"
    if loads.evenness >= even:
        return f"{text}, evenly"
    return (
        f"{text}, unevenly: the busiest is core {words.plain(loads.busiest, 20)}, and all together work as much as "
        f"{len(loads.means) * loads.evenness:.1f} cores as busy as that one"
    )


def phases(operation: Operation) -> str:
    """Word how long each state lasted, on the end that tells most; "" where none was captured."""
    told = []
    for side in operation.sides:
        listed = _summed(side.states)
        if listed:
            told.append(f"{end(operation, side.role)}: {', '.join(listed)}")
    return "; ".join(told)


def _summed(found: Iterable[State]) -> list[str]:
    seconds: dict[str, float] = {}
    for each in found:
        if each.seconds is not None:
            seconds[each.name] = seconds.get(each.name, 0.0) + each.seconds
    return [f"{words.plain(n, 40)} {words.span(s)}" for n, s in seconds.items() if s >= SHORTEST_S]


def is_whole(operation: Operation) -> bool:
    """Say whether more than the copy itself was seen: the request before it, what came after it."""
    if _written(operation):
        return True
    own = (operation.start, operation.end)
    return own != (operation.copy_start, operation.copy_end)


def lasted(operation: Operation) -> float | None:
    """Give the seconds from the first request to the last state.

    Of a view's export whose zone is not known the two times still tell how long it took.
    """
    if operation.start is None or operation.end is None:
        written = _written(operation)
        return (written[1] - written[0]).total_seconds() if written else None
    return (operation.end - operation.start).total_seconds()


def waits(of: Waits, operation: Operation) -> str:
    """Word the waits of one end: "AGDS1 (source) 12 % disk, 88 % network, together 30 % of the copy"."""
    return (
        f"{named_end(operation, of.role)} {percent(of.share)} disk, {percent(1 - of.share)} network, "
        f"together {percent(of.of_copy)} of the copy's time"
    )


def limit(of: tuple[str, str], operation: Operation) -> str:
    """Word a limit with the host's name."""
    kind, role = of
    if kind == NETWORK:
        return f"the network between {end(operation, SOURCE)} and {end(operation, TARGET)}"
    what = "reading from" if role == SOURCE else "writing to"
    return f"{what} the {DISK} of {end(operation, role)}"


def host_of(side: Side | None) -> str:
    """Name the host of an end for a source of evidence."""
    return words.plain(side.host) if side is not None and side.host else "unknown host"


def bullets(told: list[str]) -> str:
    """Give a list; of a very long one, which the tables hold, the beginning."""
    lines = [f"- {text}" for text in told[:MOST]]
    if len(told) > MOST:
        lines.append(f"- and {len(told) - MOST:,} more, which the tables list")
    return "\n".join(lines)
