"""health.standstill: a host that stood still, for how long, of what, and who kept running."""

from __future__ import annotations

from datetime import datetime, timedelta

from agtrace.diagnostics.health.told import OPEN, Row, Told
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

BEFORE = timedelta(minutes=5)
"""How long before a standstill busy processors could be what it came of."""
WOKEN = timedelta(seconds=60)
"""So long after a standstill its host writes what was late because of it."""
PAUSED, SILENT, STEPPED = "machine paused", "SQL Server silent", "clock stepped"
SURE = {PAUSED: 0.9, SILENT: 0.85, STEPPED: 0.7, OPEN: 0.6}
"""How sure what stood still is: a tick count that stopped shows a pause, one that ran on shows silence."""
ALIKE_S = 1.0
"""Bounds that are less than this apart are one length."""
SHOWN_BUSY, SHOWN_WITNESSES = 3, 6

STOOD = Measure("seconds_low", "stood still", "s")
STOOD_AT_MOST = Measure("seconds_high", "stood still, at most", "s")
GAINED = Measure("clock_gained_s", "wall clock gained on the tick count", "s")
BUSY = Measure("processors_busy", "processors busy, {at}", "%")


def standstills(told: Told, limits: Thresholds) -> list[Judged]:
    """Judge each standstill, in order of time."""
    return [_standstill(row, told, limits) for row in told.standstills if _counts(row, limits)]


def _counts(row: Row, limits: Thresholds) -> bool:
    if row["kind"] == STEPPED:
        return abs(row["clock_gained_s"] or 0.0) >= limits.clock_step_s
    return bool(row["seconds_high"] >= limits.standstill_s)


def _standstill(row: Row, told: Told, limits: Thresholds) -> Judged:
    kind, gained, busy = row["kind"], row["clock_gained_s"], _busy(row, told)
    low, high = row["seconds_low"], row["seconds_high"]
    concerns = _concerns_group(row) and kind != STEPPED and not _belongs_to_failover(row, told)
    moved, least = abs(gained or 0.0), limits.clock_gained_s
    shares = [each["value"] or 0.0 for each in busy] if kind in (SILENT, OPEN) else []
    return Judged(
        said="standstill.clock_stepped" if kind == STEPPED else "standstill.stood_still",
        id="health.standstill",
        severity="warning" if concerns else "notice",
        subject={"host": row["host_id"]},
        window=window(row["start"], row["end"]),
        evidence=tuple(_evidence(row, busy, told)),
        confidence=SURE[kind],
        facts=row
        | {
            "host": row["host_id"],
            "gained": gained,
            "low": low,
            "high": high if high - low >= ALIKE_S else None,
            "ran_on": kind == SILENT and gained is not None and moved <= least,
            "jumped": kind == OPEN and (gained or 0.0) > least,
            "is_busy": bool(busy),
            "busy_low": min(shares, default=None),
            "busy_high": max(shares, default=None),
        },
    )


def _evidence(row: Row, busy: list[Row], told: Told) -> list[Measured]:
    source = told.source(row["witnesses"][0]) if row["witnesses"] else "system_health"
    found = [STOOD(row["seconds_low"], source), STOOD_AT_MOST(row["seconds_high"], source)]
    if row["clock_gained_s"] is not None:
        found.append(GAINED(row["clock_gained_s"], "AlwaysOn_health, tick counts of expired leases"))
    kept = words.listing(list(row["kept_running"] or []))
    found.append(quoted("kept running", kept or "nobody that was captured wrote meanwhile", source))
    for one in busy[-SHOWN_BUSY:]:
        found.append(BUSY.about(at=words.clock(one["time"]))(one["value"], told.sources(one)))
    return found + [told.entry(one) for one in row["witnesses"][:SHOWN_WITNESSES]]


def _busy(row: Row, told: Told) -> list[Row]:
    start = told.common(row["start"], row["host_id"])
    near = told.within(start - BEFORE, start + timedelta(seconds=1), "processors_busy")
    return [one for one in near if one["host_id"] == row["host_id"]]


def _concerns_group(row: Row) -> bool:
    """Tell whether a group lost something by it: a partner, a lease, its primary."""
    return any(one["kind"] != "late sample" for one in row["witnesses"])


def _belongs_to_failover(row: Row, told: Told) -> bool:
    """Tell whether a failover tells of it with its severity."""
    start, end = (told.common(row[edge], row["host_id"]) for edge in ("start", "end"))
    near = (one for one in told.incidents if one["failovers"] and one["start"] <= end and one["end"] >= start)
    return any(row["host_id"] in (one["hosts"] or ()) for one in near)


def stood_until(told: Told, host: str, moment: datetime) -> Row | None:
    """Give the standstill of a host that holds a moment of its own clock, or ended shortly before."""
    for row in told.standstills:
        stood = row["host_id"] == host and row["kind"] != STEPPED
        if stood and row["start"] <= moment <= row["end"] + WOKEN:
            return row
    return None
