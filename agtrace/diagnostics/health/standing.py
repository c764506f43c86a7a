"""health.standstill: a host that stood still, for how long, of what, and who kept running."""

from __future__ import annotations

from datetime import datetime, timedelta

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.told import Row, Told
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.thresholds import Thresholds

BEFORE = timedelta(minutes=5)
"""How long before a standstill busy processors could be what it came of."""
PAUSED, SILENT, STEPPED, OPEN = "machine paused", "SQL Server silent", "clock stepped", "open"
WHAT = {
    PAUSED: "its machine was paused",
    SILENT: "SQL Server was silent while its machine went on",
    STEPPED: "its clock was set",
    OPEN: "machine or SQL Server, the captures do not tell",
}
SURE = {PAUSED: 0.9, SILENT: 0.85, STEPPED: 0.7, OPEN: 0.6}
GAINED_S = 2.0


def findings(told: Told, limits: Thresholds) -> list[Finding]:
    """Give a finding for each standstill, in order of time."""
    return [_finding(row, told) for row in told.standstills if _counts(row, limits)]


def _counts(row: Row, limits: Thresholds) -> bool:
    if row["kind"] == STEPPED:
        return abs(row["clock_gained_s"] or 0.0) >= limits.clock_step_s
    return bool(row["seconds_high"] >= limits.standstill_s)


def length(row: Row) -> str:
    """Word how long a standstill lasted: "361.2 s", "206.5 to 240.4 s"."""
    low, high = row["seconds_low"], row["seconds_high"]
    return f"{low:.1f} s" if high - low < 1 else f"{low:.1f} to {high:.1f} s"


def _finding(row: Row, told: Told) -> Finding:
    host = words.plain(row["host_id"], 60)
    busy = _busy(row, told)
    concerns = _concerns_group(row)
    stepped = row["kind"] == STEPPED
    gained = row["clock_gained_s"]
    title = (
        f"The clock of {host} was set by {gained:+.1f} s at {say.moment(row['end'])}"
        if stepped
        else f"{host} stood still for {length(row)} until {say.moment(row['end'])}: {WHAT[row['kind']]}"
    )
    return Finding(
        "health.standstill",
        "warning" if concerns and not stepped and not _belongs_to_failover(row, told) else "notice",
        title,
        _narrative(row, busy),
        subject={"host": row["host_id"]},
        window={"start": say.iso(row["start"]), "end": say.iso(row["end"])},
        evidence=_evidence(row, busy, told),
        recommendation=_remedy(row, busy),
        confidence=SURE[row["kind"]],
    )


def _narrative(row: Row, busy: list[Row]) -> str:
    host, kind, gained = words.plain(row["host_id"], 60), row["kind"], row["clock_gained_s"]
    parts = [
        f"{host} gave no sign of life from {say.moment(row['start'])} to {say.moment(row['end'])}: what writes at a steady pace was "
        f"silent, and went on late. It stood still for {length(row)}."
    ]
    if kind == PAUSED:
        parts.append(
            f"Its wall clock gained {gained:.1f} s on its tick count meanwhile: the machine itself was paused (migrated, suspended, "
            "or restored by its hypervisor), not SQL Server alone."
        )
    elif kind == SILENT and gained is not None and abs(gained) <= GAINED_S:
        parts.append(
            "Its tick count ran on meanwhile: the machine was not paused, SQL Server alone was silent."
        )
    elif kind == SILENT:
        parts.append("Its machine wrote meanwhile: SQL Server alone was silent.")
    elif kind == STEPPED:
        parts = [
            f"The wall clock of {host} was set by {gained:+.1f} s: its tick count and other hosts went on as before."
        ]
    elif gained is not None and gained > GAINED_S:
        parts.append(
            f"Its wall clock gained {gained:.1f} s on its tick count: the machine was paused, or its clock was set forward."
        )
    else:
        parts.append("Whether its machine stood still or SQL Server alone is not shown.")
    if busy and kind in (SILENT, OPEN):
        low, high = (pick(one["value"] or 0.0 for one in busy) for pick in (min, max))
        parts.append(
            f"Its processors were {low:.0f} to {high:.0f} % busy before it: that they were starved to a standstill stays possible."
        )
    if row["kept_running"]:
        parts.append(f"{words.listing([words.plain(one, 60) for one in row['kept_running']])} kept running.")
    return " ".join(parts)


def _evidence(row: Row, busy: list[Row], told: Told) -> tuple[Evidence, ...]:
    source = told.source(row["witnesses"][0]) if row["witnesses"] else "system_health"
    found = [
        Evidence("stood still", row["seconds_low"], "s", source),
        Evidence("stood still, at most", row["seconds_high"], "s", source),
    ]
    if row["clock_gained_s"] is not None:
        found.append(Evidence("wall clock gained on the tick count", row["clock_gained_s"], "s", "AlwaysOn_health, tick counts of expired leases"))  # fmt: skip
    kept = words.listing([words.plain(one, 60) for one in row["kept_running"]])
    found.append(Evidence("kept running", kept or "nobody that was captured wrote meanwhile", "", source))
    found += [
        Evidence(f"processors busy, {say.clock(one['time'])}", one["value"], "%", told.sources(one))
        for one in busy[-3:]
    ]
    found += [
        Evidence(say.kind(one["kind"]), words.plain(one["text"], 200), "", told.source(one))
        for one in row["witnesses"][:6]
    ]
    return tuple(found)


def _remedy(row: Row, busy: list[Row]) -> str:
    if row["kind"] == PAUSED:
        return "Ask whoever runs the hypervisor for migrations, snapshots, backups and storage of this machine at that time."
    if row["kind"] == STEPPED:
        return "Look at the time service of the host (System event log, Kernel-General 1): a clock that is set moves leases and logs."
    if busy:
        return "Find what kept the processors busy then, and what held SQL Server: a dump, a debugger, a host without processors to give."
    return "Find what held SQL Server or its machine then: a dump, a debugger, a snapshot or migration of the machine, frozen storage."


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
    return any(
        one["failovers"]
        and one["start"] <= end
        and one["end"] >= start
        and row["host_id"] in (one["hosts"] or ())
        for one in told.incidents
    )


def stood_until(told: Told, host: str, moment: datetime) -> Row | None:
    """Give the standstill of a host that ended less than a minute before a moment of its own clock, or holds it."""
    for row in told.standstills:
        if (
            row["host_id"] == host
            and row["kind"] != STEPPED
            and row["start"] <= moment <= row["end"] + timedelta(seconds=60)
        ):
            return row
    return None
