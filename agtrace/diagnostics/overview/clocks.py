"""The quality.* findings of clocks: apart, set back, or of an unknown time zone."""

from __future__ import annotations

from agtrace.diagnostics.overview.evidence import Rows, by_host, clock, plain, shown
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding


def clock_skew(skew: Rows, threshold_ms: float) -> list[Finding]:
    """Name pairs of hosts whose clocks differ by more than the threshold."""
    found = []
    for row in skew:
        if row["ms"] is None or abs(row["ms"]) <= threshold_ms:
            continue
        ahead, behind = row["host_id"], row["other_host_id"]
        if row["ms"] < 0:
            ahead, behind = behind, ahead
        apart = words.span(abs(row["ms"]) / 1000)
        source = f"{row['method']}, n = {row['n']:,}"
        found.append(
            Finding(
                id="quality.clock_skew",
                severity="notice",
                title=f"The clock of {ahead} is {apart} ahead of {behind}"
                if row["n"] >= 3
                else f"The clock of {ahead} seems {apart} ahead of {behind}, by {words.count(row['n'], 'pair')} of events",
                narrative=(
                    f"{words.count(row['n'], 'pair')} of events that both hosts logged lie {apart} apart "
                    f"(middle half within {words.span((row['spread_ms'] or 0) / 1000)}). Times of the two "
                    "hosts are shown as written; only analyses that say so correct for it."
                ),
                subject={"host": ahead, "other_host": behind},
                evidence=(
                    Evidence("clock skew (median)", round(abs(row["ms"])), "ms", source),
                    Evidence("spread (middle half)", round(row["spread_ms"] or 0), "ms", source),
                ),
                recommendation="Check time synchronisation (w32tm /query /status) on both hosts.",
                confidence=0.9 if row["n"] >= 3 else 0.6,
            )
        )
    return found


def time_zone_unknown(unclocked: Rows) -> list[Finding]:
    """Name the hosts whose captures stand in local time with no known offset from UTC."""
    found = []
    for host, rows in by_host(unclocked).items():
        unknown, total = sum(r["unknown"] for r in rows), sum(r["total"] for r in rows)
        part = "" if unknown == total else "partly "
        whose = host or "captures of an unknown host"
        first, last = min(r["first_local"] for r in rows), max(r["last_local"] for r in rows)
        files = words.count(len({r["path"] for r in rows}), "capture")
        option = f"--utc-offset {host}=H:MM" if host else "--utc-offset H:MM"
        found.append(
            Finding(
                id="quality.time_zone_unknown",
                severity="warning",
                title=f"The time zone of {whose} is {part}unknown",
                narrative=(
                    f"{unknown:,} of {total:,} rows in {files} from {words.moment(first)} to "
                    f"{words.moment(last)} carry no offset from UTC, and no other capture of the host "
                    "tells it. They stay in local time; with other hosts they are compared by averages at most."
                ),
                subject={"host": host} if host else {},
                window={"start": first.isoformat(), "end": last.isoformat(), "local": True},
                evidence=shown(
                    rows,
                    lambda r: Evidence(
                        f"{r['what']} without an offset", r["unknown"], "rows", plain(r["path"])
                    ),
                ),
                recommendation=(
                    "Add an ERRORLOG of the host (its start-up states the UTC adjustment), or give the "
                    f"offset with `{option}`."
                ),
            )
        )
    return found


def set_back(steps: Rows) -> list[Finding]:
    """Name the hosts whose clock went backwards while a perfmon log was written."""
    found = []
    for host, rows in by_host(steps).items():
        farthest = max(rows, key=lambda row: row["back_s"])
        back = words.span(farthest["back_s"])
        whose = f"the clock of {host}" if host else "the clock of an unknown host"
        found.append(
            Finding(
                id="quality.clock_skew",
                severity="warning",
                title=f"{whose[0].upper()}{whose[1:]} was set back by {back} during the capture",
                narrative=(
                    f"{words.count(len(rows), 'row')} of perfmon "
                    f"{'stands' if len(rows) == 1 else 'stand'} before the row written earlier; farthest "
                    f"back goes the one after {words.moment(farthest['before'])}, by {back}. Two stretches "
                    "then claim the same time, and averages mix them: a verdict over such a window is weak."
                ),
                subject={"host": host} if host else {},
                evidence=shown(
                    rows,
                    lambda r: Evidence(
                        f"set back after {clock(r['before'])}", round(r["back_s"], 3), "s", plain(r["path"])
                    ),
                ),
                recommendation=(
                    "Check time synchronisation (w32tm /query /status) on the host, and judge the time "
                    "before and after by itself: `agtrace report -p start=... -p end=...`."
                ),
            )
        )
    return found
