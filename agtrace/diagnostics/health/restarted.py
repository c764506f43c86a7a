"""health.restart: instances that were started again, how they had ended, and between which bounds."""

from __future__ import annotations

from datetime import datetime, timedelta

from agtrace.diagnostics.health.measures import BOUNDED, ONE_END, SEEN
from agtrace.diagnostics.health.told import OPEN, Row, Told, kind_of
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged

ASKED = ("stopped", "shutdown")
SLACK = timedelta(seconds=5)
"""So near its first entry a start names its node at the earliest, and its last one at the latest."""
CLOCKS_DIFFER_S = 0.1
"""From so much on a clock is said to differ from the others'."""

AWAY = Measure("away_s", "time away", "s", "from the request to stop until clients could connect again")
AT_MOST = Measure(
    "away_at_most_s", "time away, at most", "s", "from the last sign of life until clients could connect"
)
AT_LEAST = Measure(
    "away_at_least_s", "time away, at least", "s", "from the first proof that it had ended until then"
)


def restarts(told: Told) -> list[Judged]:
    """Judge each restart of an instance."""
    return [_restart(row, told) for row in told.restarts]


def _restart(row: Row, told: Told) -> Judged:
    kind, host = row["kind"], row["host_id"]
    ready, gone = row["ready"], row["gone_by"]
    start: datetime = row["asked"] or row["last_sign"] or gone
    at_most, at_least = (ready - start).total_seconds(), (ready - gone).total_seconds()
    place = told.place(row["content_id"], row["line"], "ERRORLOG")
    several = len(told.coverage.instances(host)) > 1
    times = [AWAY(at_most, place)] if kind in ASKED else [AT_MOST(at_most, place), AT_LEAST(at_least, place)]
    moved = _moved(row, told)
    ahead = (start - told.common(start, host)).total_seconds()
    subject = {"host": host, "kind": kind}
    if several:
        subject["instance"] = row["sql_instance"] or ""
    return Judged(
        said="restart",
        id="health.restart",
        severity=told.graded("warning" if kind == "died" else "notice", host),
        subject=subject,
        window=window(told.common(start, host), told.common(ready, host)),
        evidence=(*times, *_entries(row, told), *([moved] if moved else [])),
        confidence=SEEN if kind in ASKED else BOUNDED if kind == OPEN else ONE_END,
        facts={
            "kind": kind, "asked_for": ASKED, "server": f"{host}\\{row['sql_instance']}" if several else host,
            "platform": told.platforms.get(host, ""), "start": start, "gone": gone, "ready": ready, "at_most": at_most, "at_least": at_least,
            "gone_by": kind_of(row["gone_by_what"]), "last_sign_by": _by(row),
            "missed_by": row["missed_by"], "missed_since": row["missed_since"],
            "ahead": ahead if abs(ahead) >= CLOCKS_DIFFER_S else 0.0,
            "moved": moved.value if moved else "", "what": f"moved from node {moved.value}" if moved else "restarted",
        },
    )  # fmt: skip


def _moved(row: Row, told: Told) -> Measured | None:
    """Tell from which node to which a failover-cluster instance moved: its starts name another one than before."""
    instance = (row["host_id"], row["sql_instance"])
    own = [each for each in told.nodes if (each["host_id"], each["sql_instance"]) == instance]
    begun = row["started"] - SLACK
    before = [each for each in own if each["time"] < begun]
    since = [each for each in own if begun <= each["time"] <= row["ready"] + SLACK]
    if not before or not since or before[-1]["node"] == since[0]["node"]:
        return None
    place = told.place(since[0]["content_id"], since[0]["line"], "ERRORLOG")
    return quoted("node", f"{before[-1]['node']} to {since[0]['node']}", place)


def _entries(row: Row, told: Told) -> list[Measured]:
    found = []
    if row["asked"] is not None:
        place = told.place(row["asked_content_id"], row["asked_line"], "ERRORLOG")
        found.append(quoted("asked to stop", words.instant(row["asked"]), place))
    if row["last_sign"] is not None:
        path = told.place(row["last_sign_content_id"], None)
        source = f"{_by(row)}, {path}" if path else _by(row)
        found.append(quoted("last sign of life", words.instant(row["last_sign"]), source))
    found.append(quoted("gone at the latest", words.instant(row["gone_by"]), kind_of(row["gone_by_what"])))
    if row["missed_by"]:
        source = f"ERRORLOG of {row['missed_by']}"
        found.append(quoted("missed by a partner", words.instant(row["missed_since"]), source))
    return found


def _by(row: Row) -> str:
    return row["last_sign_by"] or "its ERRORLOG"
