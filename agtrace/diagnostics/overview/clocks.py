"""The quality.* findings of clocks: apart, set back, or of an unknown time zone."""

from __future__ import annotations

from agtrace.diagnostics.overview.evidence import Rows, by_host, second, shown
from agtrace.measures import Measure
from agtrace.say.finding import window
from agtrace.say.said import Judged

SURE_PAIRS = 3
"""One pair of events does not shift a host: from so many on its clock is said to be apart."""

SKEW = Measure("skew_ms", "clock skew (median)", "ms")
SPREAD = Measure("spread_ms", "spread (middle half)", "ms")
WITHOUT_OFFSET = Measure("unknown", "{what} without an offset", "rows")
SET_BACK = Measure("back_s", "set back after {time}", "s")


def clock_skew(skew: Rows, threshold_ms: float) -> list[Judged]:
    """Judge pairs of hosts whose clocks differ by more than the threshold."""
    found = []
    for row in skew:
        if row["ms"] is None or abs(row["ms"]) <= threshold_ms:
            continue
        ahead, behind = (row["host_id"], row["other_host_id"])[:: 1 if row["ms"] > 0 else -1]
        source, is_sure = f"{row['method']}, n = {row['n']:,}", row["n"] >= SURE_PAIRS
        spread = row["spread_ms"] or 0
        found.append(
            Judged(
                said="clock.skew",
                id="quality.clock_skew",
                severity="notice",
                subject={"host": ahead, "other_host": behind},
                evidence=(SKEW(round(abs(row["ms"])), source), SPREAD(round(spread), source)),
                confidence=0.9 if is_sure else 0.6,
                facts={
                    "ahead": ahead, "behind": behind, "apart": abs(row["ms"]) / 1000, "spread": spread / 1000,
                    "n": row["n"], "is_sure": is_sure,
                },
            )
        )  # fmt: skip
    return found


def time_zone_unknown(unclocked: Rows) -> list[Judged]:
    """Judge the hosts whose captures stand in local time with no known offset from UTC."""
    found = []
    for host, rows in by_host(unclocked).items():
        first, last = min(row["first_local"] for row in rows), max(row["last_local"] for row in rows)
        found.append(
            Judged(
                said="clock.zone",
                id="quality.time_zone_unknown",
                severity="warning",
                subject={"host": host} if host else {},
                window=window(first, last, is_local=True),
                evidence=shown(
                    rows, lambda r: WITHOUT_OFFSET.about(what=r["what"])(r["unknown"], r["path"] or "")
                ),
                facts={
                    "host": host, "first": first, "last": last, "captures": len({row["path"] for row in rows}),
                    "unknown": sum(row["unknown"] for row in rows), "total": sum(row["total"] for row in rows),
                },
            )
        )  # fmt: skip
    return found


def set_back(steps: Rows) -> list[Judged]:
    """Judge the hosts whose clock went backwards while a perfmon log was written."""
    found = []
    for host, rows in by_host(steps).items():
        farthest = max(rows, key=lambda row: row["back_s"])
        found.append(
            Judged(
                said="clock.set_back",
                id="quality.clock_skew",
                severity="warning",
                subject={"host": host} if host else {},
                evidence=shown(
                    rows,
                    lambda r: SET_BACK.about(time=second(r["before"]))(round(r["back_s"], 3), r["path"] or ""),
                ),
                facts={
                    "host": host, "rows": len(rows), "back": farthest["back_s"], "before": farthest["before"],
                },
            )
        )  # fmt: skip
    return found
