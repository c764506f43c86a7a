"""Late samples that are standstills, with the kind and bounds of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from agtrace.resolve.names import host_name

Row = dict[str, Any]

PAUSED, SILENT, STEPPED, OPEN = "machine paused", "SQL Server silent", "clock stepped", "open"
EDGE = timedelta(seconds=1)
"""Entries this near a bound may come from the process that resumes first."""
TICK_S = 2.0
"""Wall clock and tick count that agree within this did not diverge; a synchronised clock drifts."""
SAME_S = 5.0
"""A sample is late by the gain of the wall clock over the tick count, within this."""
AWAKE = timedelta(seconds=60)
"""A host that was cut off during a standstill logs it this soon after it continues."""
LOSSES = ("connection_timeout", "database_disconnected", "node_removed", "node_left")
CUT_OFF = ("connection_timeout", "node_offline", "quorum_lost", "lease_expired")
LEAST_S = 10.0
"""Losses of others, or an expired lease, shorter than this do not make a late sample a standstill."""
SAMPLE = "sample"
"""Shows that another host ran, as opposed to its log entries."""
MOST_WITNESSES = 20


@dataclass(frozen=True)
class Late:
    """A sample that came late, and the one before it."""

    host_id: str
    sql_instance: str | None
    content_id: str
    before: datetime
    time: datetime
    source: str
    late_s: float
    pace_s: float
    """Usual distance of its samples: a healthy writer can be quiet for this long."""


def apart_from_restarts(late: Iterable[Late], restarts: Iterable[Row]) -> list[Late]:
    """Return the late samples that are not explained by the absence of their instance."""
    away: dict[str, list[Row]] = {}
    for row in restarts:
        away.setdefault(row["host_id"], []).append(row)
    return [
        one
        for one in late
        if not any(
            row["time"] <= one.time + AWAKE and row["until"] >= one.before - AWAKE
            for row in away.get(one.host_id, ())
        )
    ]


@dataclass(frozen=True)
class _Seen:
    """The circumstances of one late sample."""

    late: Late
    start: datetime
    end: datetime
    is_awake: bool
    """Whether the machine, if not the instance, wrote in that time."""
    gained_s: float | None
    run_out_s: float | None
    """How long the lease had been expired when logged at the end."""
    losses: tuple[Row, ...]
    kept: tuple[str, ...]
    is_watched: bool
    """Whether others that would log its loss wrote in that time."""
    after: tuple[Row, ...]

    @property
    def high_s(self) -> float:
        return (self.end - self.start).total_seconds()

    @property
    def is_paused(self) -> bool:
        return self.gained_s is not None and self.gained_s > TICK_S


def standstills(
    late: Sequence[Late], signs: Iterable[Row], noted: Iterable[Row], ticks: Sequence[Row]
) -> list[Row]:
    """Return the rows of the relation, in time order.

    Parameters
    ----------
    late
        Samples of what writes at a steady pace that came late, or before the one that they follow.
    signs
        Rows of signs.sql, by the place of a late sample.
    noted
        Rows of noted.sql and others.sql.
    ticks
        Rows of ticks.sql.
    """
    written: dict[int, tuple[list[datetime], list[datetime]]] = {}
    for row in signs:
        written.setdefault(row["place"], ([], []))[row["of_machine"]].append(row["time"])
    beside: dict[int, list[Row]] = {}
    for row in noted:
        beside.setdefault(row["place"], []).append(row)
    found: dict[tuple[str, datetime], Row] = {}
    for place, one in enumerate(late):
        if one.time < one.before:
            found.setdefault((one.host_id, one.before), _stepped_back(one))
            continue
        seen = _seen(one, *written.get(place, ([], [])), beside.get(place, []), ticks)
        if seen is not None and _is_long(seen):
            found.setdefault((one.host_id, seen.end), _row(seen))
    return sorted(found.values(), key=lambda row: (row["start"], row["host_id"]))


def _seen(
    late: Late, own: list[datetime], machine: list[datetime], noted: list[Row], ticks: Sequence[Row]
) -> _Seen | None:
    if late.source == "perfmon":
        own, machine = [*own, *machine], []
    times = sorted({late.before, *own, late.time})
    host = late.host_id
    start, end = _silence(
        times, late, [row["time"] for row in noted if row["host_id"] == host and row["kind"] in CUT_OFF]
    )
    meanwhile = [row for row in noted if start < row["time"] < end]
    losses = tuple(
        row
        for row in meanwhile
        if row["kind"] in LOSSES
        and row["witness"] != host
        and host
        in (row["host_id"] if row["kind"].startswith("node_") else None, host_name(row["replica"] or ""))
    )
    if late.source == "perfmon" and not losses:
        return None  # A paused collector looks the same.
    own_ticks = [row for row in ticks if row["host_id"] == host]
    gained = _gained(start, end, own_ticks)
    if gained is not None and gained > TICK_S and abs(gained - late.late_s) > SAME_S:
        gained = None  # It gained that at another moment.
    return _Seen(
        late,
        start,
        end,
        any(start + EDGE < at < end - EDGE for at in machine),
        gained,
        next((row["run_out_s"] for row in own_ticks if end - EDGE <= row["time"] <= end + EDGE), None),
        losses,
        tuple(sorted({row["witness"] for row in meanwhile if row["witness"] not in (None, host)})),
        any(row["kind"] != SAMPLE for row in meanwhile if row["witness"] not in (None, host)),
        tuple(
            row
            for row in noted
            if end <= row["time"] <= end + AWAKE and row["host_id"] == host and row["kind"] in CUT_OFF
        ),
    )


def _silence(times: list[datetime], late: Late, cut_off: list[datetime]) -> tuple[datetime, datetime]:
    """Return the silence between two signs of life: as long as its sample was late, ended by what it lost,
    else the longest.
    """
    pairs = list(pairwise(times))
    ended = [
        (start, end)
        for start, end in pairs
        if (end - start).total_seconds() >= late.late_s > 0 and any(abs(at - end) <= EDGE for at in cut_off)
    ]
    return max(ended or pairs, key=lambda pair: pair[1] - pair[0])


def _gained(start: datetime, end: datetime, ticks: list[Row]) -> float | None:
    """Return the wall clock's gain over the tick count between readings around a window."""
    before = [row for row in ticks if row["time"] <= start + EDGE]
    after = [row for row in ticks if row["time"] >= end - EDGE]
    if not before or not after or after[0]["tick_s"] <= before[-1]["tick_s"]:
        return None  # The count restarts with the machine.
    wall = (after[0]["time"] - before[-1]["time"]).total_seconds()
    return float(wall - (after[0]["tick_s"] - before[-1]["tick_s"]))


def _is_long(seen: _Seen) -> bool:
    """Return whether the gap exceeds its pace, or others or its lease show a long absence.

    A late sampler alone is not enough: its instance may be busy, and its partner lost through the network at
    the same time. After a standstill the host logs it itself.
    """
    is_noted = seen.is_paused or seen.after or seen.run_out_s is not None
    if not is_noted and seen.late.late_s < seen.late.pace_s:
        return False
    if seen.high_s >= seen.late.pace_s + max(seen.late.late_s, 0.0) / 2 or seen.is_paused:
        return True
    # It continues before its sample is due, and wrote nothing for the whole delay.
    is_cut_off = bool(seen.after) and seen.high_s >= seen.late.late_s
    return (bool(seen.losses) or is_cut_off or seen.run_out_s is not None) and _low(seen) >= LEAST_S


def _row(seen: _Seen) -> Row:
    kind = _kind(seen)
    high, start = seen.high_s, seen.start
    if kind in (PAUSED, STEPPED) and seen.gained_s is not None:
        # It continued at the latest when it wrote again, after a pause of the clock's gain: all of it, if its
        # sample is as late.
        low = high = seen.gained_s
        if abs(seen.gained_s - seen.late.late_s) > TICK_S:
            low, high = sorted((seen.gained_s, seen.late.late_s))
        start = max(start, seen.end - timedelta(seconds=high))
    else:
        low = _low(seen)
    return {
        "host_id": seen.late.host_id,
        "sql_instance": seen.late.sql_instance,
        "start": start,
        "end": seen.end,
        "seconds_low": round(low, 3),
        "seconds_high": round(high, 3),
        "kind": kind,
        "clock_gained_s": None if seen.gained_s is None else round(seen.gained_s, 3),
        "kept_running": list(seen.kept),
        "witnesses": _witnesses(seen),
    }


def _kind(seen: _Seen) -> str:
    if seen.is_paused:
        if seen.is_awake:
            return OPEN
        if seen.losses or seen.after:
            return PAUSED
        # Others wrote without losing the connection: only its clock jumped.
        return STEPPED if seen.is_watched else OPEN
    if seen.is_awake or seen.gained_s is not None:
        return SILENT
    return OPEN


def _low(seen: _Seen) -> float:
    """Return the least length of the standstill: since others lost it, or its lease expired."""
    known = [(seen.end - row["time"]).total_seconds() for row in seen.losses]
    if seen.run_out_s is not None:
        known.append(seen.run_out_s)
    return min(max(known, default=max(seen.late.late_s, 0.0)), seen.high_s)


def _witnesses(seen: _Seen) -> list[Row]:
    late, source = seen.late, seen.late.source
    own = {"host_id": late.host_id, "source": source, "content_id": late.content_id, "line": None}
    text = f"{source} wrote {late.late_s:.1f} s late"
    notes = sorted((*seen.losses, *seen.after), key=lambda row: row["time"])[:MOST_WITNESSES]
    return [
        own | {"time": late.time, "kind": "late sample", "text": text},
        *(
            {"time": row["time"], "host_id": row["witness"], "kind": row["kind"], "text": row["text"],
             "source": row["source"], "content_id": row["content_id"], "line": row["line"]}
            for row in notes
        ),
    ]  # fmt: skip


def _stepped_back(late: Late) -> Row:
    seconds = (late.time - late.before).total_seconds()
    text = f"the wall clock went back by {-seconds:.1f} s between two samples"
    witness = {"time": late.time, "host_id": late.host_id, "kind": "clock", "text": text,
    "source": late.source,
               "content_id": late.content_id, "line": None}  # fmt: skip
    return {
        "host_id": late.host_id, "sql_instance": late.sql_instance, "start": late.time, "end": late.before,
        "seconds_low": 0.0, "seconds_high": late.pace_s, "kind": STEPPED,
        "clock_gained_s": round(seconds - late.pace_s, 3),
        "kept_running": [], "witnesses": [witness],
    }  # fmt: skip
