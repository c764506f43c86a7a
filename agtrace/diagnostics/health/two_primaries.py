"""health.two_primaries: two hosts held a group as its primary at once; how long the old one was awake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from agtrace.diagnostics.health.measures import ONE_END, SEEN
from agtrace.diagnostics.health.told import Row, Told
from agtrace.measures import Measure
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

PRIMARY = "PRIMARY_NORMAL"

BOTH_PRIMARY = Measure("both_primary_s", "both primary", "s")
BOTH_RUNNING = Measure("both_running_s", "both running", "s", "the part of it in which the old one was awake")


@dataclass(frozen=True)
class Reign:
    """A time in which a replica was primary by its own words, on the common clock."""

    ag: str
    host: str
    start: datetime
    end: datetime
    entered: Row
    left: Row | None
    """Its own word that it was primary no more; None where the captures end before."""


def reigns(told: Told) -> list[Reign]:
    """Give who was primary from when to when, where its own log tells both."""
    stops = sorted(told.of("stop_requested", "system_shutdown", "ready"), key=lambda row: row["time"])
    found = []
    for (ag, host), rows in told.states.items():
        own = [row for row in stops if row["host_id"] == host]
        for entered, after in pairwise([*rows, None]):
            if entered is None or entered["after"] != PRIMARY:
                continue
            later = (row for row in own if row["time"] > entered["time"] and told.may_be_one(row, entered))
            left = next(later, None)
            if after is not None and (left is None or after["time"] <= left["time"]):
                left = after
            # Who only starts again does not say until when it was primary.
            says = left is not None and left["kind"] != "ready" and left["before"] != "NOT_AVAILABLE"
            end = left["time"] if left else told.watched_until(host, entered["time"])
            end = end if says or left is None else entered["time"]
            found.append(Reign(ag, host, entered["time"], end, entered, left if says else None))
    return sorted(found, key=lambda one: (one.ag, one.start))


def overlaps(told: Told, limits: Thresholds) -> Iterator[tuple[Reign, Reign, datetime, datetime]]:
    """Give the old and the new primary of each time in which a group had two."""
    last: dict[str, Reign] = {}
    for one in reigns(told):
        old = last.get(one.ag)
        if old is not None and old.host != one.host and old.left is not None:
            end = min(old.end, one.end)
            compared = told.knows_clock(old.host) and told.knows_clock(one.host)
            least = limits.two_primaries_s if compared else limits.two_primaries_uncompared_s
            if (end - one.start).total_seconds() >= least:
                yield old, one, one.start, end
        if old is None or one.end > old.end or old.host == one.host:
            last[one.ag] = one


def two_primaries(told: Told, limits: Thresholds) -> list[Judged]:
    """Judge each time in which a group had two primaries."""
    return [_overlap(told, limits, *found) for found in overlaps(told, limits)]


def _overlap(
    told: Told, limits: Thresholds, old: Reign, new: Reign, start: datetime, end: datetime
) -> Judged:
    resigned = old.left or old.entered
    seconds = (end - start).total_seconds()
    stills = told.still(old.host, start, end)
    asleep = sum((until - begin for begin, until in stills), timedelta()).total_seconds()
    unknown = _quiet(told, old.host, start, end) - asleep
    if unknown <= limits.primary_quiet_s:
        unknown = 0.0
    awake = round(max(seconds - asleep - unknown, 0.0), 3)
    is_awake = awake >= limits.primary_awake_s
    source = f"{told.sources(new.entered)}; {told.sources(resigned)}"
    return Judged(
        said="two_primaries",
        id="health.two_primaries",
        severity="critical" if is_awake or unknown else "notice",
        subject={"ag": old.ag},
        window=window(start, end),
        evidence=(
            BOTH_PRIMARY(round(seconds, 3), source),
            BOTH_RUNNING(awake if is_awake else round(awake, 1), source),
            *([BOTH_RUNNING.stat("at most")(round(awake + unknown, 3), source)] if unknown else []),
            told.entry(new.entered, f"in place, on {new.host}"),
            told.entry(resigned, f"primary until then, on {old.host}"),
        ),
        confidence=SEEN if told.knows_clock(old.host) and told.knows_clock(new.host) else ONE_END,
        facts={
            "group": old.ag, "old": old.host, "new": new.host, "seconds": seconds, "unknown": unknown,
            "awake": awake if is_awake else 0.0, "entered": new.entered | {"own": told.own(new.entered)},
            "resigned": resigned | {"own": told.own(resigned)},
        },
    )  # fmt: skip


def _quiet(told: Told, host: str, start: datetime, end: datetime) -> float:
    """Give for how many seconds of a span, from its begin on, a host wrote nothing."""
    rows = told.of_host.between(start, end, host)
    own = (row["time"] for row in rows if any(one["host_id"] == host for one in row["witnesses"] or ()))
    return float((next(own, end) - start).total_seconds())
