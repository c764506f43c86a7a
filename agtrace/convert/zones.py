"""Several logs in one zone: how far the local time of each is from that of the log that sets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from agtrace.convert.base import Reading
from agtrace.errors import CaptureError
from agtrace.moments import microseconds
from agtrace.resolve.names import host_name
from agtrace.resolve.offsets import Offset, offset_at, offsets_within

MICROS_PER_MINUTE = 60_000_000
ALL = "*"
STATED = ("zone_name", "bias_minutes")
SET_BACK = -np.timedelta64(20 * 60, "s")
"""No correction of a clock, but the end of daylight saving, which is half an hour in places."""
HOUR = np.timedelta64(3600, "s")
TOLERANCE = np.timedelta64(130, "s")
ZERO = np.timedelta64(0, "s")


@dataclass
class Clock:
    """Time zone information of one log.

    Parameters
    ----------
    path
        The log.
    facts
        Facts from its header, by topic and key.
    offsets
        Local minus UTC in minutes, each with the first row that it applies to; as far as read.
    hosts
        Names of the hosts of its series.
    given
        Local minus UTC in minutes as stated by the user; used if the log does not state it.
    zone
        Time zone stated by the user; "" for a fixed offset.
    """

    path: str
    facts: dict[tuple[str, str], str]
    offsets: list[tuple[int, int]]
    hosts: frozenset[str] = frozenset()
    given: int | None = None
    zone: str = ""

    @property
    def stated(self) -> int | None:
        """Local minus UTC at the start of the log, in minutes; None if unknown."""
        for topic in ("pdh_header", "blg_header"):
            if (bias := self.facts.get((topic, "bias_minutes"))) is not None:
                return -int(bias)
        return self.given

    def with_offset(self, offsets: Mapping[str, Offset], first: np.datetime64 | None) -> Clock:
        """Return the same clock with the user's offsets of its hosts, as of the start of the log."""
        known = {name if name == ALL else host_name(name): each for name, each in offsets.items()}
        found = {known[host] for host in self.hosts if host in known}
        found |= {known[ALL]} if ALL in known and not found else set()
        if len(found) != 1 or first is None:
            return self
        (said,) = found
        moment = first.astype("datetime64[us]").item()
        return replace(self, given=offset_at(said, moment), zone=said if isinstance(said, str) else "")


@dataclass
class Zone:
    """The zone that merged rows are written in: that of the first log which states one.

    Local time of a log is moved by the difference of the offsets that both state, never by the name
    of a zone. A log that states none is taken to be in the zone that all others share.

    Parameters
    ----------
    clock
        The log that sets the zone.
    offset_minutes
        Local minus UTC; None where no log states it: then no time is moved.
    notes
        What was assumed or moved, a sentence each.
    is_asked
        The user named it.
    """

    clock: Clock
    offset_minutes: int | None
    notes: list[str] = field(default_factory=list)
    is_asked: bool = False

    @property
    def name(self) -> str:
        """Its name in notes."""
        if not self.is_asked or self.offset_minutes is None:
            return f"the zone of {self.clock.path}"
        sign, (hours, minutes) = "-" if self.offset_minutes < 0 else "+", divmod(abs(self.offset_minutes), 60)
        return f"UTC{sign}{hours}:{minutes:02d}" if self.offset_minutes else "UTC"

    @property
    def facts(self) -> dict[tuple[str, str], str]:
        """Header facts of the merged rows: those of the clock, with the requested zone."""
        if not self.is_asked:
            return self.clock.facts
        other = {key: value for key, value in self.clock.facts.items() if key[1] not in STATED}
        return other | {
            ("pdh_header", "zone_name"): "UTC" if not self.offset_minutes else "",
            ("pdh_header", "bias_minutes"): str(-(self.offset_minutes or 0)),
        }

    def moved(self, times: np.ndarray, ticks: np.ndarray, distances: Distances) -> np.ndarray:
        """Return local times (datetime64) of a log's rows in this zone, in microseconds since 1970."""
        micros = times.astype("datetime64[us]").astype(np.int64)
        clock = distances.clock
        if clock.stated is None or self.offset_minutes is None:
            return micros
        offsets, known = distances.of(times, ticks)
        for minutes in np.unique(offsets):
            self._note_move(clock, self.offset_minutes - int(minutes))
        if not known.all():
            self._note(f"{clock.path}: its clock was set inside the log; times after that may be an hour off")
        moved: np.ndarray = micros + (self.offset_minutes - offsets) * MICROS_PER_MINUTE
        return moved

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def _note_move(self, clock: Clock, minutes: int) -> None:
        if not minutes:
            return
        note = (
            f"{clock.path}: times moved by {minutes:+d} minutes, into {self.name}"
            if self.is_asked or clock.path != self.clock.path
            else f"{clock.path}: local time changed inside the log; times after that moved by "
            f"{minutes:+d} minutes, into the zone of its beginning"
        )
        self._note(note)


def common_zone(clocks: Sequence[Clock], tz: int | None = None) -> Zone:
    """Choose the zone of the merged rows.

    Parameters
    ----------
    tz
        Requested local minus UTC in minutes; None: that of the first log that states it.

    Raises
    ------
    CaptureError
        A log does not state its UTC offset, and it cannot be taken from other logs of its host.
    """
    stated = [clock for clock in clocks if clock.stated is not None]
    first = stated[0] if stated else clocks[0]
    zone = Zone(first, first.stated if tz is None else tz, is_asked=tz is not None)
    for clock in clocks:
        if clock.stated is not None or (not stated and tz is None and clock is zone.clock):
            continue
        beside = {other.stated for other in stated if other.hosts & clock.hosts}
        if tz is not None or (stated and beside != {zone.offset_minutes}):
            raise CaptureError(
                clock.path,
                "does not say how far its local time is from UTC"
                + (", and other logs do" if stated and tz is None else ""),
                hint=f"say it: --utc-offset {min(clock.hosts, default='HOST')}=-5:00; or convert it alone",
            )
        zone.notes.append(
            f"{clock.path}: does not say how far its local time is from UTC; taken to be in {zone.name}"
        )
    return zone


def clock_of(reading: Reading) -> Clock:
    """Return the clock that a log states for its local time."""
    return Clock(reading.path, reading.facts, reading.offsets)


class Distances:
    """UTC offset of the rows of a log, slab by slab.

    A text log states its offset once, for its first row. A step back of one hour is the end of daylight
    saving; a step forward of one hour is its start, or a gap. Any other step does not change the offset.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._last: np.datetime64 | None = None
        self._since = 2**63 - 1
        self._change = 0
        self._backs = 0
        self._is_known = True

    def of(self, times: np.ndarray, ticks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return minutes local minus UTC of consecutive rows, and which of them are known.

        Parameters
        ----------
        times, ticks
            Local times (datetime64) and numbers of the rows.
        """
        stated = self.clock.stated
        if stated is None or not len(times):
            return np.zeros(len(times), np.int64), np.zeros(len(times), bool)
        offsets = np.full(len(times), stated, np.int64)
        known = np.ones(len(times), bool)
        if self.clock.offsets:
            for tick, minutes in self.clock.offsets:
                offsets[ticks >= tick] = minutes
            return offsets, known
        micros = times.astype("datetime64[us]")
        first = micros[0] if self._last is None else self._last
        self._since = min(self._since, int(micros[0].astype(np.int64)))
        steps = np.diff(micros, prepend=first)
        self._last = micros[-1]
        if self.clock.zone:
            return self._in_zone(micros, steps)
        usual = np.median(steps[steps > ZERO]) if (steps > ZERO).any() else ZERO
        back = steps <= SET_BACK
        forward = np.abs(steps - usual - HOUR) <= TOLERANCE
        is_hour = np.abs(steps - usual + HOUR) <= TOLERANCE
        changes = np.cumsum(np.where(back & is_hour, -60, 0)) + self._change
        lost = np.cumsum((back & ~is_hour) | forward) > 0
        known &= ~lost & self._is_known
        self._change, self._is_known = int(changes[-1]), bool(known[-1])
        return offsets + changes, known

    def _in_zone(self, micros: np.ndarray, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        low, high = micros.min().item(), micros.max().item()
        ranges = offsets_within(self.clock.zone, low, high)
        backs = np.cumsum(steps <= SET_BACK) + self._backs
        self._backs = int(backs[-1])
        offsets = np.full(len(micros), ranges[0][2], np.int64)
        known = np.ones(len(micros), bool)
        for (since, until, minutes), (later, _end, other) in zip(
            ranges, [*ranges[1:], ranges[-1]], strict=True
        ):
            offsets[(micros >= np.datetime64(since, "us")) & (micros < np.datetime64(until, "us"))] = minutes
            twice = (micros >= np.datetime64(until, "us")) & (micros < np.datetime64(later, "us"))
            if other < minutes:
                # The hour occurs twice; the second time is after a step back.
                offsets[twice] = np.where(backs[twice] > 0, other, minutes)
                known[twice] &= (backs[twice] > 0) | (self._since < microseconds(until))
            else:
                offsets[twice], known[twice] = other, False
        return offsets, known

    def in_utc(self, times: np.ndarray, ticks: np.ndarray) -> np.ndarray:
        """Return local times of consecutive rows in UTC (datetime64); NaT where unknown."""
        offsets, known = self.of(times, ticks)
        moved = times.astype("datetime64[us]") - (offsets * MICROS_PER_MINUTE).astype("timedelta64[us]")
        moved[~known] = np.datetime64("NaT", "us")
        return np.asarray(moved)
