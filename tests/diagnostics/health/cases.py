"""What the relations would tell, as literals: rows of timeline and failovers for the health findings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from agtrace.diagnostics.health.analysis import SAID
from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.rows import (
    Connected,
    Failovers,
    FailoversReason,
    Incidents,
    Recovered,
    Restarts,
    Settings,
    Standstills,
    Timeline,
    TimelineWitness,
)
from agtrace.history.coverage import Coverage, Stretch
from agtrace.history.reference_clock import ReferenceClock
from agtrace.say.finding import Finding
from agtrace.say.said import Judged
from tests.diagnostics.asking import record

START = datetime(2024, 3, 5, 12, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def iso(seconds: float) -> str:
    return at(seconds).isoformat()


def findings(judge: Callable[..., list[Judged]], *given: Any) -> list[Finding]:
    """Return what is said of what a rule judges."""
    return SAID.findings(judge(*given))


def event(seconds: float, host: str, kind: str, source: str = "ERRORLOG", **more: Any) -> Timeline:
    """Return an event with one witness."""
    witness = TimelineWitness(source, host, f"log-{host}", 7)
    if isinstance(more.get("end"), int | float):
        more["end"] = at(more["end"])
    row = {"time": at(seconds), "host_id": host, "kind": kind, "text": "", "witnesses": [witness]}
    return record(Timeline, **row | {"sources": [source]} | more)


def failover(start: float | None, end: float, from_: str = "A", to: str = "B", **more: Any) -> Failovers:
    """Return a failover; of AG, automatic, because of a lease, unless said otherwise."""
    row = {
        "failover_id": 1, "ag": "AG", "from_host": from_, "to_host": to, "mode": "automatic",
        "trigger": "lease_expired", "cause": "lease_expired", "start": None if start is None else at(start),
        "end": at(end), "seconds_without_primary": None if start is None else end - start,
        "start_source": "state of the old primary", "confidence": 0.8, "reasons": [], "against": [],
        "is_distributed": False,
    }  # fmt: skip
    return record(Failovers, **row | more)


def reason(seconds: float, host: str, kind: str, text: str) -> FailoversReason:
    return FailoversReason(at(seconds), at(seconds), host, kind, text, "ERRORLOG", f"log-{host}", 9)


def restart(
    kind: str, asked: float | None, last_sign: float, gone: float, ready: float, **more: Any
) -> Restarts:
    """Return a row of the relation of restarts: of A, whose next start proves that it was gone."""
    row = {
        "host_id": "A", "sql_instance": "MSSQLSERVER", "kind": kind,
        "asked": None if asked is None else at(asked),
        "last_sign": at(last_sign), "last_sign_by": "ERRORLOG", "gone_by": at(gone),
        "gone_by_what": "next start",
        "missed_since": None, "missed_by": None, "started": at(gone), "ready": at(ready),
        "content_id": "log-A", "line": 40,
        "asked_content_id": None if asked is None else "log-A", "asked_line": None if asked is None else 30,
        "last_sign_content_id": "log-A",
    }  # fmt: skip
    return record(Restarts, **row | more)


def told(
    failovers: list[Failovers] = (),  # type: ignore[assignment]
    events: list[Timeline] = (),  # type: ignore[assignment]
    last: float = 7200,
    watched: dict[str, float] | None = None,
    **more: Any,
) -> GroupHistory:
    """Return what a case tells; its ERRORLOGs are called after their hosts.

    Parameters
    ----------
    last
        Until when the ERRORLOG of each host that something happened to goes.
    watched
        Until when that of others does, or of these.
    """
    paths = {f"log-{host}": f"{host}/ERRORLOG" for host in "ABCDE"}
    ordered = sorted(events, key=lambda row: row.time)
    ends = {row.host_id: last for row in events} | (watched or {})
    seen = [Stretch(host, "MSSQLSERVER", "ERRORLOG", at(-3600), at(until)) for host, until in ends.items()]
    skews = {row.host_id: row.skew_ms for row in events if row.skew_ms is not None}
    clock = ReferenceClock("A", {host: timedelta(milliseconds=ms) for host, ms in skews.items()})
    return GroupHistory(list(failovers), ordered, paths, coverage=Coverage(seen), clock=clock, **more)


def state(seconds, host, before, after, ag="AG"):
    return event(
        seconds, host, "replica_state", ag=ag, before=before, after=after, text=f"{before} to {after}"
    )


def watched(**hosts):
    return Coverage(Stretch(host, None, "ERRORLOG", at(0), at(until)) for host, until in hosts.items())


def still(host, start, end, kind="machine paused", **more):
    row = {
        "host_id": host,
        "sql_instance": None,
        "start": at(start),
        "end": at(end),
        "seconds_low": float(end - start),
        "seconds_high": float(end - start),
        "kind": kind,
        "clock_gained_s": None,
        "kept_running": [],
        "witnesses": [],
    }
    return record(Standstills, **row | more)


def incident(
    start: float, end: float, failovers: Any = (1,), hosts: Any = ("A", "B"), parts: Any = ()
) -> Incidents:
    """Return an incident with these failovers."""
    return record(
        Incidents, start=at(start), end=at(end), failovers=[*failovers], hosts=[*hosts], parts=[*parts]
    )


def recovery(start: float, end: float, host: str = "B", database: str = "Sales") -> Recovered:
    return Recovered(host, database, at(start), at(end), f"log-{host}", 12)


def look(seconds: float, host: str = "A", replica: str = "B") -> Connected:
    """Return a snapshot of a host to which a replica was connected."""
    return Connected(host, replica, at(seconds), "log-A", 4)


def setting(scope: str, item: str | None, name: str, value: str, host: str | None = "A") -> Settings:
    return Settings(scope, item, name, value, "log-A", 3, host)
