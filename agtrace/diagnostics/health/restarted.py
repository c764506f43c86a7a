"""health.restart: instances that were started again, how they had ended, and between which bounds."""

from __future__ import annotations

from datetime import datetime, timedelta

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.told import Row, Told
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
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
    place = _place(row, told)
    times = [AWAY(at_most, place)] if kind in ASKED else [AT_MOST(at_most, place), AT_LEAST(at_least, place)]
    moved = _moved(row, told)
    ahead = (start - told.common(start, host)).total_seconds()
    subject = {"host": host, "kind": kind}
    if len(told.coverage.instances(host)) > 1:
        subject["instance"] = row["sql_instance"] or ""
    return Judged(
        said="restart",
        id="health.restart",
        severity=_severity(row, told),
        subject=subject,
        window={"start": say.iso(told.common(start, host)), "end": say.iso(told.common(ready, host))},
        evidence=(*times, *_entries(row, told), *([moved] if moved else [])),
        confidence=0.9 if kind in ASKED else 0.7 if kind == "died" else 0.5,
        facts={
            "kind": kind, "asked_for": ASKED, "server": _server(row, told), "platform": told.platforms.get(host, ""),
            "start": start, "gone": gone, "ready": ready, "at_most": at_most, "at_least": at_least,
            "gone_by": say.kind(row["gone_by_what"]), "last_sign_by": _by(row),
            "missed_by": row["missed_by"], "missed_since": row["missed_since"],
            "ahead": ahead if abs(ahead) >= CLOCKS_DIFFER_S else 0.0,
            "moved": moved.value if moved else "", "what": f"moved from node {moved.value}" if moved else "restarted",
        },
    )  # fmt: skip


def _moved(row: Row, told: Told) -> Measured | None:
    """Tell from which node to which a failover-cluster instance moved: its starts name another one than before."""
    own = [
        each
        for each in told.nodes
        if each["host_id"] == row["host_id"] and each["sql_instance"] == row["sql_instance"]
    ]
    begun = row["started"] - SLACK
    before = [each for each in own if each["time"] < begun]
    since = [each for each in own if begun <= each["time"] <= row["ready"] + SLACK]
    if not before or not since or before[-1]["node"] == since[0]["node"]:
        return None
    names = " to ".join(words.plain(each["node"], 60) for each in (before[-1], since[0]))
    return quoted("node", names, _line(since[0]["content_id"], since[0]["line"], told))


def _severity(row: Row, told: Told) -> str:
    """Give its severity: where the host has no replica of a group, none is concerned."""
    if row["host_id"] not in told.grouped:
        return "info"
    return "warning" if row["kind"] == "died" else "notice"


def _server(row: Row, told: Told) -> str:
    """Name the server: the host alone where it has one instance."""
    host = words.plain(row["host_id"], 60)
    several = len(told.coverage.instances(row["host_id"])) > 1
    return f"{host}\\{words.plain(row['sql_instance'], 40)}" if several else host


def _entries(row: Row, told: Told) -> list[Measured]:
    found = []
    if row["asked"] is not None:
        place = _line(row["asked_content_id"], row["asked_line"], told)
        found.append(quoted("asked to stop", say.moment(row["asked"]), place))
    if row["last_sign"] is not None:
        path = words.plain(told.paths.get(row["last_sign_content_id"] or "", ""), 120)
        source = f"{_by(row)}, {path}" if path else _by(row)
        found.append(quoted("last sign of life", say.moment(row["last_sign"]), source))
    gone = say.kind(row["gone_by_what"])
    found.append(quoted("gone at the latest", say.moment(row["gone_by"]), gone))
    if row["missed_by"]:
        found.append(
            quoted("missed by a partner", say.moment(row["missed_since"]), f"ERRORLOG of {words.plain(row['missed_by'], 60)}")
        )  # fmt: skip
    return found


def _by(row: Row) -> str:
    return words.plain(row["last_sign_by"] or "its ERRORLOG", 100)


def _place(row: Row, told: Told) -> str:
    return _line(row["content_id"], row["line"], told)


def _line(content: str | None, line: int | None, told: Told) -> str:
    path = words.plain(told.paths.get(content or "", ""), 120)
    return f"{path or 'ERRORLOG'} line {line}" if line is not None else path
