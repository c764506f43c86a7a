"""What clients experienced of a failover: each part of the outage with its duration."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from agtrace.diagnostics.health import story
from agtrace.diagnostics.health.told import Row, Told
from agtrace.measures import Measure
from agtrace.say.said import Judged

FROZEN = Measure("frozen_s", "primary frozen before", "s", "it did not run, or its reads and writes stalled")
NOT_AVAILABLE = Measure(
    "not_available_s", "databases not available after", "s", "after the new primary was in place"
)
LEAST_S = 0.001


def completed(judged: Judged, row: Row, told: Told) -> Judged:
    """Return a failover with the parts of its outage."""
    parts = experience(judged, row, told)
    source = "parts of the outage"
    measured = [
        measure(round(parts[name], 3), source)
        for measure, name in ((FROZEN, "frozen"), (NOT_AVAILABLE, "databases"))
        if parts[name]
    ]
    first, *others = judged.evidence
    return replace(judged, evidence=(first, *measured, *others), facts={**judged.facts, "experience": parts})


def experience(judged: Judged, row: Row, told: Told) -> dict[str, Any]:
    """Return the parts of an outage in seconds; None where the captures do not show one.

    Returns
    -------
    dict
        ``frozen`` before the role was lost, ``frozen_by`` files or standstill, ``is_bound`` (at most);
        ``role``, the time without a primary in the logs, and ``within``, of which the old one did not run;
        ``databases`` until the ``last`` of ``n`` was available after that, ``by`` recovery or role;
        ``total``; ``held``, the old primary where its own log has the role for all of ``role``.
    """
    at, back = told.span(row)
    host, role = row["from_host"] or "", row["seconds_without_primary"]
    stall = story.stall_of(row, told, at)
    frozen = (at - stall["since"]).total_seconds() if stall else 0.0
    within = sum((until - begin for begin, until in told.still(host, at, back)), timedelta()).total_seconds()
    databases = _databases(judged, back)
    seconds = [frozen, role, databases["databases"] or 0.0]
    doubled = judged.facts["doubled"]
    return {
        "frozen": frozen,
        "frozen_by": stall["by"] if stall else "",
        "is_bound": bool(stall and stall["is_bound"]),
        "within": within,
        "role": role,
        **databases,
        "total": None if role is None else round(sum(seconds), 3),
        "held": doubled["old"] if doubled and role and role >= LEAST_S else None,
    }


def _databases(judged: Judged, back: Any) -> dict[str, Any]:
    """Return when the last database was available: after its recovery, or else when it took its role."""
    facts = judged.facts
    if available := facts["available"]:
        seconds, by = (available["end"] - back).total_seconds(), "recovery"
        return {"databases": seconds, "n": available["n"], "last": available["database"], "by": by}
    if facts["databases"]:
        last = facts["last"]["database"]
        return {"databases": facts["late"], "n": facts["databases"], "last": last, "by": "role"}
    return {"databases": None, "n": 0, "last": None, "by": ""}
