"""health.logins, not_copied: logins that are missing on an instance that has just become a primary."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.measures import COUNTED, ENTRIES
from agtrace.diagnostics.health.rows import Logins
from agtrace.measures import quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged

SHOWN = 5


def not_copied(history: GroupHistory, rows: Iterable[Logins]) -> list[Judged]:
    """Judge the logins of each host.

    Parameters
    ----------
    rows
        Rows of logins.sql.
    """
    return [_judged(host, list(own), history) for host, own in groupby(rows, key=attrgetter("host_id"))]


def _judged(host: str, rows: list[Logins], history: GroupHistory) -> Judged:
    first, last = min(row.first for row in rows), max(row.last for row in rows)
    examples = [row.example for row in rows[:SHOWN]]
    place = [history.place(one.content_id, one.line, f"ERRORLOG of {host}") for one in examples]
    return Judged(
        said="logins",
        id="health.logins",
        severity="warning",
        subject={"host": host, "kind": "not_copied"},
        window=window(first, last),
        evidence=(
            ENTRIES(sum(row.n for row in rows), f"ERRORLOG of {host}"),
            *(quoted("failed login", one.text, at) for one, at in zip(examples, place, strict=True)),
        ),
        confidence=COUNTED,
        facts={
            "host": host,
            "ag": rows[0].ag or "",
            "since": max(row.since for row in rows),
            "first": first,
            "last": last,
            "n": sum(row.n for row in rows),
            "logins": [row.login or "a login" for row in rows[:SHOWN]],
            "text": examples[0].text,
        },
    )


def without_rare(noted: Iterable[Judged], found: Iterable[Judged]) -> list[Judged]:
    """Return findings without rare failed logins on hosts with a reported missing login."""
    hosts = {one.subject.get("host") for one in found}
    return [
        one
        for one in noted
        if not (one.said == "noted.failed" and one.severity == "info" and one.subject.get("host") in hosts)
    ]
