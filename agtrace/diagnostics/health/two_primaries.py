"""health.two_primaries: a group that two hosts held as its primary at once, and how long the old one was awake."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.told import Row, Told
from agtrace.history.coverage.watch import ROLE_SOURCES
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

PRIMARY = "PRIMARY_NORMAL"
LEAST_S = 1.0
"""What is left of skew once it was removed makes two primaries of any failover."""
LEAST_UNCOMPARED_S = 60.0
"""The same of two hosts whose clocks nobody compared."""
AWAKE_S = 1.0
QUIET_S = 30.0
"""A primary that wrote nothing for longer than this is not known to have been awake."""


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
    states: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in told.of("replica_state"):
        if row["ag"] and row["host_id"]:
            states[row["ag"], row["host_id"]].append(row)
    stops = sorted(told.of("stop_requested", "system_shutdown", "ready"), key=lambda row: row["time"])
    found = []
    for (ag, host), rows in sorted(states.items()):
        own = [row for row in stops if row["host_id"] == host]
        for entered, after in pairwise([*rows, None]):
            if entered is None or entered["after"] != PRIMARY:
                continue
            left = next(
                (row for row in own if row["time"] > entered["time"] and told.may_be_one(row, entered)), None
            )
            if after is not None and (left is None or after["time"] <= left["time"]):
                left = after
            if left is None:
                until = told.common(told.coverage.until(host, None, told.own(entered), ROLE_SOURCES), host)
                found.append(Reign(ag, host, entered["time"], until, entered, None))
            elif left["kind"] == "ready" or left["before"] == "NOT_AVAILABLE":
                # Who only starts again does not say until when it was primary.
                found.append(Reign(ag, host, entered["time"], entered["time"], entered, None))
            else:
                found.append(Reign(ag, host, entered["time"], left["time"], entered, left))
    return sorted(found, key=lambda one: (one.ag, one.start))


def overlaps(told: Told) -> Iterator[tuple[Reign, Reign, datetime, datetime]]:
    """Give the old and the new primary of each time in which a group had two."""
    last: dict[str, Reign] = {}
    for one in reigns(told):
        old = last.get(one.ag)
        if old is not None and old.host != one.host and old.left is not None:
            end = min(old.end, one.end)
            compared = told.knows_clock(old.host) and told.knows_clock(one.host)
            least = LEAST_S if compared else LEAST_UNCOMPARED_S
            if (end - one.start).total_seconds() >= least:
                yield old, one, one.start, end
        if old is None or one.end > old.end or old.host == one.host:
            last[one.ag] = one


def findings(told: Told) -> list[Finding]:
    """Give a finding for each time in which a group had two primaries."""
    return [_finding(told, *found) for found in overlaps(told)]


def _finding(told: Told, old: Reign, new: Reign, start: datetime, end: datetime) -> Finding:
    resigned = old.left or old.entered
    seconds = (end - start).total_seconds()
    asleep = sum(
        ((until - begin) for begin, until in told.still(old.host, start, end)), timedelta()
    ).total_seconds()
    unknown = _quiet(told, old.host, start, end) - asleep
    if unknown <= QUIET_S:
        unknown = 0.0
    awake = round(max(seconds - asleep - unknown, 0.0), 3)
    accepted = awake >= AWAKE_S
    group, first, second = (words.plain(name, 60) for name in (old.ag, old.host, new.host))
    running = (
        f"{first} was awake for {awake:.1f} s of it{' at least' if unknown else ''}"
        if accepted
        else f"whether {first} was awake is not shown"
        if unknown
        else f"{first} stood still all the while"
    )
    quiet = f" For {unknown:.1f} s of it nothing that was captured of {first} tells whether it was awake." if unknown else ""  # fmt: skip
    source = f"{told.sources(new.entered)}; {told.sources(resigned)}"
    return Finding(
        "health.two_primaries",
        "critical" if accepted or unknown else "notice",
        f"{group} had two primaries for {say.seconds(seconds)}: {running}",
        f"{second} was the primary of {group} from {say.told(told, new.entered)}, {first} held itself for it until "
        f"{say.told(told, resigned)}: {seconds:.1f} s. "
        + (
            f"{running if accepted else f'Whether {first} was awake is not shown'}: whoever was connected to it could have had writes accepted that the new primary never got. Whether it did "
            "is not shown by the roles."
            if accepted or unknown
            else f"{running}, and what is silent accepts no write: nothing written on it can be missing on the new one."
        )
        + quiet,
        subject={"ag": old.ag},
        window={"start": say.iso(start), "end": say.iso(end)},
        evidence=(
            Evidence("both primary", round(seconds, 3), "s", source),
            Evidence("both running", awake if accepted else round(awake, 1), "s", source),
            *((Evidence("both running, at most", round(awake + unknown, 3), "s", source),) if unknown else ()),
            Evidence(f"in place, on {second}", words.plain(new.entered["text"], 200), "", told.sources(new.entered)),
            Evidence(f"primary until then, on {first}", words.plain(resigned["text"], 200), "", told.sources(resigned)),
        ),
        recommendation=f"Were writes accepted on {first} then? The 'Hardened Lsn' that both logs give each database with its change of "
        f"role shows it: higher on {first} than on {second}, and what lies between is not on the new primary. Compare the data "
        "before the old one is resynchronised."
        if accepted or unknown
        else "Nothing to compare. Keep LeaseTimeout short enough that an old primary that wakes up resigns at once.",
        confidence=0.9 if told.knows_clock(old.host) and told.knows_clock(new.host) else 0.7,
    )  # fmt: skip


def _quiet(told: Told, host: str, start: datetime, end: datetime) -> float:
    """Give for how many seconds from the begin of a span on a host wrote nothing: all, where only its end is told."""
    first = next(
        (
            row["time"]
            for row in told.of_host.between(start, end, host)
            if any(witness["host_id"] == host for witness in row["witnesses"] or ())
        ),
        end,
    )
    return float((first - start).total_seconds())
