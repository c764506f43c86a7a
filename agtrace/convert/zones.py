"""Several logs in one zone: how far the local time of each is from that of the log that sets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from agtrace.convert.base import Reading
from agtrace.errors import CaptureError

MICROS_PER_MINUTE = 60_000_000


@dataclass
class Clock:
    """What one log says of its local time.

    Parameters
    ----------
    path
        The log.
    facts
        What its header states, by topic and key.
    offsets
        Local minus UTC in minutes, each with the row from which on it holds; as far as read.
    """

    path: str
    facts: dict[tuple[str, str], str]
    offsets: list[tuple[int, int]]

    @property
    def stated(self) -> int | None:
        """Local minus UTC where the log begins, in minutes; None where it does not say."""
        for topic in ("pdh_header", "blg_header"):
            if (bias := self.facts.get((topic, "bias_minutes"))) is not None:
                return -int(bias)
        return None


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
    """

    clock: Clock
    offset_minutes: int | None
    notes: list[str] = field(default_factory=list)

    def moved(self, times: np.ndarray, ticks: np.ndarray, clock: Clock) -> np.ndarray:
        """Give local times (datetime64) of rows of a log in this zone, in microseconds since 1970."""
        micros = times.astype("datetime64[us]").astype(np.int64)
        own = clock.stated
        if own is None or self.offset_minutes is None:
            return micros
        offsets = np.full(len(ticks), own)
        for tick, minutes in clock.offsets:
            offsets[ticks >= tick] = minutes
        for minutes in np.unique(offsets):
            self._note_move(clock, self.offset_minutes - int(minutes))
        moved: np.ndarray = micros + (self.offset_minutes - offsets) * MICROS_PER_MINUTE
        return moved

    def _note_move(self, clock: Clock, minutes: int) -> None:
        if not minutes:
            return
        note = (
            f"{clock.path}: times moved by {minutes:+d} minutes, into the zone of {self.clock.path}"
            if clock.path != self.clock.path
            else f"{clock.path}: local time changed inside the log; times after that moved by "
            f"{minutes:+d} minutes, into the zone of its beginning"
        )
        if note not in self.notes:
            self.notes.append(note)


def common_zone(clocks: Sequence[Clock]) -> Zone:
    """Choose the zone of the merged rows.

    Raises
    ------
    CaptureError
        A log does not say how far its local time is from UTC, and the others differ in that.
    """
    stated = [clock for clock in clocks if clock.stated is not None]
    zone = Zone(*((stated[0], stated[0].stated) if stated else (clocks[0], None)))
    different = {clock.stated for clock in stated}
    for clock in clocks:
        if clock.stated is not None or clock is zone.clock:
            continue
        if len(different) > 1:
            raise CaptureError(
                clock.path,
                "does not say how far its local time is from UTC, and the other logs differ in that",
                hint="convert it alone, or merge it with the logs of its own zone",
            )
        zone.notes.append(
            f"{clock.path}: does not say how far its local time is from UTC; "
            f"taken to be in the zone of {zone.clock.path}"
        )
    return zone


def clock_of(reading: Reading) -> Clock:
    """Give what a log says of its local time as it is read."""
    return Clock(reading.path, reading.facts, reading.offsets)
