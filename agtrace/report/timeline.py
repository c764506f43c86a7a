"""The timeline of a case, the same on every page: lanes by host and kind, marks, and the initial view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from agtrace.diagnostics.overview.captured import covered
from agtrace.diagnostics.overview.rows import Captures
from agtrace.history.coverage import ROLE_SOURCES, Coverage
from agtrace.history.reference_clock import ReferenceClock
from agtrace.history.unrelated import GroupSet, names_of
from agtrace.moments import microseconds, utc
from agtrace.say import words
from agtrace.say.event_marks import LOOKS, family
from agtrace.say.finding import Finding
from agtrace.say.headline import headline

MOST_EVENTS, MOST_FINDINGS, MOST_HOSTS = 1500, 40, 12
MOST_TEXT = 90
AROUND = timedelta(minutes=1)
"""Time before and after the headline's incident that is shown first."""
NARROW = 0.1
"""If the findings cover less than this share of the captures' time, only their time is shown as the whole."""
UNKNOWN = "host not known"
LANES = ("counters", "events", "logs")

SOURCES = {"counters": ("perfmon",), "availability_replica_state_change": ("AlwaysOn_health",)}
"""Sources of roles shown by evidence other than an ERRORLOG."""

Span = tuple[datetime, datetime]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Marked:
    """A finding with a time, and the link to it."""

    finding: Finding
    link: str


@dataclass(frozen=True)
class TimelineRows:
    """The rows of a timeline.

    Parameters
    ----------
    roles
        Rows of the relation ``roles``: ag, host_id, role, start, end, evidence.
    events
        Rows of the relation ``timeline``: time, host_id, kind, before, after, ag, replica, database,
        hosts (those whose files contain it).
    findings
        Findings with a window.
    clock
        The reference clock.
    coverage
        When each host was watched: nothing is drawn outside.
    sets
        Unrelated sets of groups.
    """

    captures: Sequence[Captures]
    roles: Sequence[Row]
    events: Sequence[Row]
    findings: Sequence[Marked]
    clock: ReferenceClock = field(default_factory=ReferenceClock)
    coverage: Coverage = field(default_factory=Coverage)
    sets: Sequence[GroupSet] = ()

    @property
    def timed(self) -> list[tuple[Captures, Span]]:
        """Captures that have a place in UTC."""
        every = [(row, covered(row)) for row in self.captures if not row.local_only]
        return [(row, (utc(span[0]), utc(span[1]))) for row, span in every if span is not None]

    @cached_property
    def first(self) -> Finding | None:
        """The finding that the case opens with."""
        return headline([mark.finding for mark in self.findings])

    @cached_property
    def hosts(self) -> list[str]:
        """Those of a lane each, the one that the headline is about first."""
        found = sorted({row.host or UNKNOWN for row, _span in self.timed})
        subject = self.first.subject if self.first else {}
        leading = [subject.get(key) for key in ("host", "from", "replica", "to")]
        place = {host: leading.index(host) if host in leading else len(leading) for host in found}
        ordered = sorted(found, key=lambda host: place[host])
        # The hosts of a group are adjacent, those of the headline's group first.
        groups = list(dict.fromkeys(self.groups.get(host, "") for host in ordered))
        return sorted(ordered, key=lambda host: groups.index(self.groups.get(host, "")))[:MOST_HOSTS]

    def stays(self, role: Row) -> list[list[Any]]:
        """Return the captured parts of a role: start, end, whether it is assumed."""
        sources = SOURCES.get(role["evidence"], ROLE_SOURCES)
        pieces = self.coverage.pieces(role["host_id"], role["start"], role["end"], sources)
        return [[ms(one.first), ms(one.last), one.is_assumed] for one in pieces]

    @cached_property
    def groups(self) -> dict[str, str]:
        """The groups of each host, as its roles and events name them, or its set of related groups."""
        if len(self.sets) > 1:
            named = zip(names_of(self.sets), self.sets, strict=True)
            return {host: name for name, one in named for host in one.hosts}
        found: dict[str, set[str]] = {}
        for row in (*self.roles, *self.events):
            if row["ag"] and row["host_id"]:
                found.setdefault(row["host_id"], set()).add(row["ag"])
        return {host: words.listing(sorted(names), 2) for host, names in found.items()}

    def lane(self, event: Row) -> str | None:
        """Return the host that an event is marked on: its own where watched, or one that captured it."""
        moment = utc(event["time"])
        for host in (event["host_id"], *(event["hosts"] or ())):
            if host and self.coverage.is_watched(host, moment):
                return str(host)
        return None

    @cached_property
    def shown(self) -> Sequence[Row]:
        """The events that are marked."""
        return chosen(self.events)

    @cached_property
    def windows(self) -> list[tuple[Marked, Span]]:
        """The findings that have a window in UTC."""
        return [(mark, span) for mark in self.findings if (span := window(mark.finding))]

    @cached_property
    def incident(self) -> Span | None:
        """The window of the headline."""
        return window(self.first) if self.first else None

    @cached_property
    def whole(self) -> Span:
        """The time of the case."""
        return _whole([span for _, span in self.timed], [span for _, span in self.windows])

    @property
    def opened(self) -> Span:
        """The part of the time that is shown first."""
        return _opened(self.incident, self.whole)

    @cached_property
    def moments(self) -> list[datetime]:
        """Return all moments marked in the timeline, the most important first, without duplicates."""
        leading = [self.incident[0]] if self.incident else []
        events = [utc(row["time"]) for row in self.shown]
        found = list(dict.fromkeys([*leading, *(span[0] for _, span in self.windows), *events]))
        return sorted(found, key=lambda moment: not self._of_first(moment))

    @property
    def about_first(self) -> int:
        """Return the number of moments, from the start, that belong to the headline's incident."""
        return sum(map(self._of_first, self.moments))

    def _of_first(self, moment: datetime) -> bool:
        span = self.incident
        return span is not None and span[0] - AROUND <= moment <= span[1] + AROUND


def drawn(told: TimelineRows) -> dict[str, Any] | None:
    """Return the drawing as JSON; None if nothing has a time in UTC.

    Returns
    -------
    dict
        ``hosts``, the host of the headline's cause first; ``groups``, the availability groups of each where
        there are several; ``whole`` and ``shown`` (ms since 1970 in UTC):
        the span of the case, and the part that is shown first; ``clock``, host of the reference clock;
        ``apart``, ms that each host's clock is ahead of it; ``spans``, ``roles``, ``marks`` by the place
        of their host; ``metrics``, none yet
        (`agtrace.report.metrics`); ``looks``, symbol and colour of each family that is marked; ``findings``.
    """
    timed, hosts = told.timed, told.hosts
    if not timed:
        return None
    place = {host: n for n, host in enumerate(hosts)}
    events = [(lane, row) for row in told.shown if (lane := told.lane(row)) in place]
    families = list(dict.fromkeys(family(row["kind"]) for _, row in events))
    groups = [told.groups.get(host, "") for host in hosts]
    return {
        "hosts": [words.plain(host, 40) for host in hosts],
        "groups": [words.plain(name, 60) for name in groups] if len(set(groups)) > 1 else [],
        "whole": _pair(told.whole),
        "shown": _pair(told.opened),
        "metrics": [],
        "lanes": LANES,
        "clock": words.plain(told.clock.host, 40),
        "apart": [told.clock.ahead.get(host, timedelta()) // timedelta(milliseconds=1) for host in hosts],
        "spans": [
            [place[host], LANES.index(lane), *_pair(span)]
            for host in hosts
            for lane in LANES
            for span in _united(_spans(timed, host, lane))
        ],
        "roles": [
            [place[row["host_id"]], str(row["role"]).lower(), *stay]
            for row in told.roles
            if row["role"] and row["host_id"] in place
            for stay in told.stays(row)
        ],
        "looks": {name: LOOKS[name] for name in LOOKS if name in families},
        "marks": [
            [place[lane], family(row["kind"]), microseconds(row["time"]), _text(row)] for lane, row in events
        ],
        "findings": [
            [*_pair(span), mark.finding.severity, words.plain(mark.finding.title, 200), mark.link]
            for mark, span in told.windows[:MOST_FINDINGS]
        ],
    }


def window(finding: Finding) -> Span | None:
    """Return the window of a finding in UTC; None if it has none, or no zone."""
    span = finding.span
    if span is None or span[0].tzinfo is None:
        return None
    start, end = span
    return start.astimezone(UTC), max(end, start).astimezone(UTC)


def chosen(events: Sequence[Row]) -> Sequence[Row]:
    """Return the events to mark: all, or if too many, rare families completely and the rest evenly."""
    if len(events) <= MOST_EVENTS:
        return events
    kept: list[Row] = []
    families: dict[str, list[Row]] = {}
    for row in events:
        families.setdefault(family(row["kind"]), []).append(row)
    left = MOST_EVENTS
    for n, rows in enumerate(sorted(families.values(), key=len)):
        step = max(-(-len(rows) // max(left // (len(families) - n), 1)), 1)
        kept += rows[::step]
        left = MOST_EVENTS - len(kept)
    return sorted(kept, key=lambda row: utc(row["time"]))


def _opened(span: Span | None, whole: Span) -> Span:
    if span is None:
        return whole
    margin = max(AROUND, (span[1] - span[0]) / 20)
    return max(span[0] - margin, whole[0]), min(span[1] + margin, whole[1])


def _whole(captures: Sequence[Span], windows: Sequence[Span]) -> Span:
    first, last = min(start for start, _end in captures), max(end for _start, end in captures)
    if windows:
        # Logs that go back for months would make a failover a dot at the edge.
        begin, end = min(w[0] for w in windows), max(w[1] for w in windows)
        margin = max((end - begin) / 4, timedelta(minutes=5))
        if (end - begin + 2 * margin) < NARROW * (last - first):
            first, last = max(first, begin - margin), min(last, end + margin)
    return first, max(last, first + timedelta(seconds=1))


def _spans(captures: Iterable[tuple[Captures, Span]], host: str, lane: str) -> list[Span]:
    return [span for row, span in captures if (row.host or UNKNOWN) == host and _lane(row.kind) == lane]


def _lane(kind: object) -> str:
    text = str(kind).lower()
    if "perfmon" in text or "counter" in text:
        return "counters"
    return "events" if "event" in text and "log" not in text else "logs"


def _united(spans: Iterable[Span]) -> list[Span]:
    """Return the spans with overlapping ones merged."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def _text(row: Row) -> str:
    said = str(row["kind"]).replace("_", " ")
    if row["before"] or row["after"]:
        said += f": {row['before'] or '?'} to {row['after'] or '?'}"
    about = next((row[name] for name in ("database", "replica", "ag") if row[name]), "")
    return words.plain(f"{said} ({about})" if about else said, MOST_TEXT)


def _pair(span: Span) -> list[int]:
    return [ms(each) for each in span]


def ms(moment: datetime) -> int:
    """Return an instant in ms since 1970."""
    return microseconds(moment) // 1000
