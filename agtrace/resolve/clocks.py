"""The UTC offsets of a capture's local time, by span.

A bias number is trusted, the name of a time zone never (docs/formats/pdh_text.md, section 2;
docs/formats/errorlog.md, section 2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agtrace.moments import certain
from agtrace.readers.far_times import END, FIRST
from agtrace.resolve.offsets import Offset, offsets_within
from agtrace.store import CommitRecord, Fact, Summary

FALL_BACK_S = -3600
HOUR_MIN = 60
STEP_TOLERANCE_S = 130
SIBLING_DAYS = 45
"""Beyond this a sibling's offset may belong to the other half of the year."""


@dataclass(frozen=True)
class Stretch:
    """A span of one content's local time with one UTC offset.

    Parameters
    ----------
    local_from, local_to
        Bounds in local time, the end exclusive.
    tick_from, tick_to
        The same bounds in rows, for perfmon: local times repeat when clocks are set back.
    offset_minutes
        Local minus UTC, in minutes.
    """

    local_from: datetime
    local_to: datetime
    offset_minutes: int
    source: str
    confidence: float
    tick_from: int | None = None
    tick_to: int | None = None


@dataclass(frozen=True)
class StatedOffset:
    """An offset that a capture of a host states, and when."""

    at: datetime
    offset_minutes: int
    source: str


UTC_FACTS = frozenset({("xel_file", "utc"), ("event_log", "utc")})
"""State that a content's times are UTC; they say nothing about the local time of its host."""

_SOURCES = {
    "startup": "ERRORLOG UTC adjustment",
    "pdh_header": "bias in the header",
    "blg_header": "UTC offset that the binary log states",
    "server_property": "UTCOffset_in_Hours of the server's properties",
    "collection": "a rowset with the time both in local time and in UTC",
    "cluster_log": "time zone offset in the cluster log",
}
_OFFSETS = {("blg_header", "utc_offset_minutes"), ("cluster_log", "utc_offset_minutes")}
"""Facts whose value is local time minus UTC."""
_STATED_AT_END = {"cluster_log"}
"""How it was when they were collected."""
START = FIRST


UTC_BY_FORMAT = "UTC by the format"
"""Source of a clock that says nothing about the local time of its host."""


def states_utc(record: CommitRecord) -> bool:
    """Return whether a content's times are UTC by its format."""
    return any((fact.topic, fact.key) in UTC_FACTS for fact in record.summary.facts)


def stated_offsets(record: CommitRecord) -> list[StatedOffset]:
    """Return the offsets that a content states itself."""
    summary = record.summary
    found = []
    for fact in summary.facts:
        at_end = fact.topic in _STATED_AT_END
        at = fact.time_local or (summary.last_local if at_end else summary.first_local)
        minutes = _minutes(fact)
        if at and minutes is not None:
            source = _SOURCES[fact.topic]
            found.append(StatedOffset(certain(at), minutes, source))
            if at_end and (hour := _repeated_hour(summary)) is not None:
                found += [
                    StatedOffset(hour[0], minutes + HOUR_MIN, source),
                    StatedOffset(hour[1], minutes, source),
                ]
    return found


def _minutes(fact: Fact) -> int | None:
    try:
        if (fact.topic, fact.key) == ("startup", "utc_adjustment_minutes"):
            minutes = int(fact.value)
        elif (fact.topic, fact.key) == ("pdh_header", "bias_minutes"):
            minutes = -int(fact.value)
        elif (fact.topic, fact.key) in _OFFSETS:
            minutes = int(fact.value)
        elif (fact.topic, fact.key) == ("server_property", "UTCOffset_in_Hours"):
            minutes = round(float(fact.value) * HOUR_MIN)
        elif (fact.topic, fact.key) == ("collection", "utc_offset_minutes"):
            minutes = int(fact.value)
        else:
            return None
    except (ValueError, OverflowError):
        return None
    return minutes if abs(minutes) <= 14 * 60 else None


def stretches(record: CommitRecord, siblings: list[StatedOffset], override: Offset | None) -> list[Stretch]:
    """Resolve the offsets of one content.

    Parameters
    ----------
    record
        The content.
    siblings
        Offsets that other captures of the same host state.
    override
        Offset or zone given by the user for this host, for what is otherwise unknown.

    Returns
    -------
    list of Stretch
        Empty when no offset is known: local times then stay local.
    """
    summary = record.summary
    if (span := summary.span) is None:
        return []
    first, last = span
    if states_utc(record):
        return [Stretch(START, END, 0, UTC_BY_FORMAT, 1.0)]
    if measured := _measured(summary):
        return measured
    own = sorted(stated_offsets(record), key=lambda known: known.at)
    if own and "ticks" not in record.tables:
        if (hour := _repeated_hour(summary)) is not None:
            return _around(hour, own[-1])
        at_end = any(fact.topic in _STATED_AT_END for fact in summary.facts)
        inside = [known for known in siblings if first <= known.at <= last] if at_end else []
        if {known.offset_minutes for known in inside} - {own[-1].offset_minutes}:
            # The clock changed while it was written; it says how it was at its end.
            return _between([*inside, *own])
        return _by_restarts(own)
    if own:
        base = Stretch(START, END, own[0].offset_minutes, own[0].source, 1.0, 0, None)
    else:
        base_known = _nearest(siblings, first, last)
        if base_known:
            known, confidence = base_known
            source = f"sibling capture of the host: {known.source}"
            base = Stretch(START, END, known.offset_minutes, source, confidence, 0, None)
        elif override is not None:
            given = [
                Stretch(since, until, minutes, "given by the user", 0.9)
                for since, until, minutes in offsets_within(override, first, last)
            ]
            if len(given) > 1:
                return _by_zone(given, record, first, last)
            base = replace(given[0], tick_from=0)
        elif "ticks" not in record.tables:
            return _between(siblings)
        else:
            return []
    return _split_at_steps(base, record, siblings)


def _by_zone(given: list[Stretch], record: CommitRecord, first: datetime, last: datetime) -> list[Stretch]:
    """Return the periods of a zone: row by row from clock steps, else by local time, no hour repeated."""
    met = [one for one in given if one.local_from <= last and first < one.local_to] or given[:1]
    if "ticks" not in record.tables or first < met[0].local_from:
        return given
    base = replace(met[0], local_from=START, local_to=END, tick_from=0)
    told = [StatedOffset(one.local_from, one.offset_minutes, one.source) for one in met]
    stepped = _split_at_steps(base, record, told)
    is_told = [one.offset_minutes for one in stepped] == [one.offset_minutes for one in met]
    return stepped if is_told else given


def _measured(summary: Summary) -> list[Stretch]:
    """Return the periods of a binary log whose samples show the row of an offset change."""
    stated: dict[int, dict[str, str]] = {}
    for fact in summary.facts:
        if fact.topic == "blg_header" and fact.key.startswith("utc_offset_"):
            values = stated.setdefault(fact.item, {"at": fact.time_local or ""})
            values[fact.key.removeprefix("utc_offset_")] = fact.value
    if len(stated) < 2:
        # A single one may have been stated by the zone's rule: steps of the clock count then.
        return []
    before = {tick: text for tick, text, _after in summary.steps}
    found: list[Stretch] = []
    for _item, values in sorted(stated.items()):
        at, tick = certain(values["at"]), int(values["from_tick"])
        if found:
            last = certain(before[tick]) if tick in before else at
            found[-1] = replace(found[-1], local_to=last + timedelta(microseconds=1), tick_to=tick)
        source = f"UTC offset that the binary log states: {values['source']}"
        begin = at if found else START
        found.append(Stretch(begin, END, int(values["minutes"]), source, 1.0, tick, None))
    return found


def _by_restarts(own: list[StatedOffset]) -> list[Stretch]:
    found = []
    for number, known in enumerate(own):
        begin = START if number == 0 else known.at
        end = own[number + 1].at if number + 1 < len(own) else END
        if begin < end:
            found.append(Stretch(begin, end, known.offset_minutes, known.source, 0.95))
    return found


def _repeated_hour(summary: Summary) -> tuple[datetime, datetime] | None:
    """Return the first and last local time that a log may have twice; None unless it is one hour."""
    times: dict[str, list[datetime]] = {"first": [], "last": []}
    for fact in summary.facts:
        if fact.topic == "repeated_hour" and fact.time_local:
            times[fact.key].append(certain(fact.time_local))
    if not times["first"] or not times["last"]:
        return None
    begin, end = min(times["first"]), max(times["last"])
    return (begin, end) if end - begin <= timedelta(hours=1, seconds=5) else None


def _around(hour: tuple[datetime, datetime], known: StatedOffset) -> list[Stretch]:
    """Return the periods before and after a repeated hour: within it, nothing is known."""
    begin, end = hour
    source = f"{known.source}; daylight saving: an hour of local times repeats"
    before = known.offset_minutes + HOUR_MIN
    behind = end + timedelta(microseconds=1)
    return [
        Stretch(START, begin, before, source, 0.9),
        Stretch(behind, END, known.offset_minutes, source, 0.9),
    ]


def _between(siblings: list[StatedOffset]) -> list[Stretch]:
    """Return the periods over which the siblings of a log agree on both sides.

    A log of several months spans a change of daylight saving, somewhere between two siblings that differ;
    between these, the offset is unknown.
    """
    runs: list[list[StatedOffset]] = []
    for known in sorted(siblings, key=lambda known: known.at):
        if runs and runs[-1][-1].offset_minutes == known.offset_minutes:
            runs[-1].append(known)
        else:
            runs.append([known])
    found = []
    for number, run in enumerate(runs):
        begin = START if number == 0 else run[0].at
        end = END if number == len(runs) - 1 else run[-1].at
        if begin < end:
            source = f"sibling capture of the host: {run[0].source}"
            found.append(Stretch(begin, end, run[0].offset_minutes, source, 0.8))
    return found


def _nearest(
    siblings: list[StatedOffset], first: datetime, last: datetime
) -> tuple[StatedOffset, float] | None:
    """Choose the sibling's offset that is nearest in time; a tie between two offsets decides nothing."""

    def distance(known: StatedOffset) -> timedelta:
        # An ERRORLOG states its offset at start-up, before what it covers.
        return max(first - known.at, known.at - last, timedelta(0))

    near = sorted(siblings, key=distance)
    if not near:
        return None
    best = near[0]
    if distance(best) > timedelta(days=SIBLING_DAYS) and len({k.offset_minutes for k in near}) > 1:
        return None
    rivals = {k.offset_minutes for k in near if distance(k) == distance(best)}
    if len(rivals) > 1:
        return None
    close = distance(best) <= timedelta(days=SIBLING_DAYS)
    return best, 0.9 if close else 0.6


def _split_at_steps(base: Stretch, record: CommitRecord, siblings: list[StatedOffset]) -> list[Stretch]:
    interval = record.summary.interval_s or 0.0
    found = [base]
    for tick, before_text, after_text in record.summary.steps:
        before, after = certain(before_text), certain(after_text)
        jump = (after - before).total_seconds() - interval
        current = found[-1]
        if abs(jump - FALL_BACK_S) <= STEP_TOLERANCE_S:
            change = -HOUR_MIN
            why = "clock set back at a step of -3,600 s"
        elif abs(jump + FALL_BACK_S) <= STEP_TOLERANCE_S and any(
            known.offset_minutes == current.offset_minutes + HOUR_MIN and known.at >= before
            for known in siblings
        ):
            change = HOUR_MIN
            why = "clock set forward at a step of 3,600 s, confirmed by a later ERRORLOG"
        else:
            continue
        found[-1] = Stretch(
            current.local_from,
            before + timedelta(microseconds=1),
            current.offset_minutes,
            current.source,
            current.confidence,
            current.tick_from,
            tick,
        )
        found.append(
            Stretch(
                after,
                END,
                current.offset_minutes + change,
                f"{current.source}; {why}",
                current.confidence * 0.9,
                tick,
                None,
            )
        )
    return found
