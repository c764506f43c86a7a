"""Which findings of a case exclude each other, and which of them ask for what the case contains."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import NamedTuple

from agtrace.case import Case
from agtrace.moments import iso
from agtrace.say.finding import Finding

FIRST, LAST = datetime(1, 1, 1), datetime(9999, 12, 31)
LIMITS = ("_limited", ".suspended", ".flow_control", ".redo_blocked")
STEPS = timedelta(seconds=2)
"""Ends of windows are written to the second, and events of two hosts differ by this much."""


class Statement(NamedTuple):
    """One answer: which question, about whom, in which window, and which finding gives it."""

    question: str
    about: tuple[str, ...]
    answer: str
    start: datetime
    end: datetime
    title: str


def excluding(findings: Sequence[Finding]) -> list[str]:
    """Return the pairs of findings that give different answers to one question in overlapping windows."""
    statements = [one for finding in findings for one in _statements(finding)]
    return [
        f"{one.question} of {' '.join(one.about)}: {one.answer} ({one.title}); {other.answer} ({other.title})"
        for one, other in combinations(statements, 2)
        if one.question == other.question
        and _meet(one.about, other.about)
        and one.answer != other.answer
        and one.start < other.end
        and other.start < one.end
    ]


def _meet(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two subjects are one; an empty part is not known."""
    return all(not a or not b or a == b for a, b in zip(one, other, strict=True))


def _statements(finding: Finding) -> Iterator[Statement]:
    for question in QUESTIONS:
        for about, answer in question(finding):
            start, end = _window(finding)
            # A moment of one question is still one.
            yield Statement(question.__name__, about, answer, start, max(end, start + STEPS), finding.title)


def _window(finding: Finding) -> tuple[datetime, datetime]:
    found = [iso(finding.window.get(edge)) for edge in ("start", "end")]
    start, end = (None if at is None else at.replace(tzinfo=None) for at in found)
    return start or FIRST, end or LAST - STEPS


def _named(finding: Finding, *keys: str) -> tuple[str, ...]:
    return tuple(str(finding.subject.get(key, "")).lower() for key in keys)


Answers = Iterator[tuple[tuple[str, ...], str]]


def keeps_up(finding: Finding) -> Answers:
    """Return whether a replica keeps up with the log."""
    about = _named(finding, "ag", "replica", "database")
    if finding.id == "transport.healthy":
        yield about, "keeps up"
    elif finding.id == "quality.not_captured" and about[1]:
        yield about, "unknown"
    elif finding.id.startswith("transport.") and finding.id.endswith(LIMITS):
        yield about, "is behind"


def lost_log(finding: Finding) -> Answers:
    """Return whether a failover would lose log."""
    if finding.id == "transport.rpo":
        yield _named(finding, "ag", "replica", "database"), finding.title


def redo_time(finding: Finding) -> Answers:
    """Return how long redo would take."""
    if finding.id == "transport.rto":
        yield _named(finding, "ag", "replica", "database"), finding.title


def cause(finding: Finding) -> Answers:
    """Return why a group changed its primary."""
    if finding.id == "health.failover":
        yield _named(finding, "ag"), " ".join(_named(finding, "from", "to", "mode", "trigger", "cause"))


def named_cause(finding: Finding) -> Answers:
    """Return whether the cause of a failover is known: its subject and its title say the same."""
    if finding.id == "health.failover" and finding.subject["mode"] != "planned":
        about = (*_named(finding, "ag", "from", "to"), finding.window["start"])
        yield about, "unknown" if finding.subject["cause"] == "open" else "known"
        yield about, "unknown" if "cause unknown" in finding.title else "known"


def fails_over(finding: Finding) -> Answers:
    """Return whether a group failed over at an outage."""
    answers = {"health.failover": "failed over", "health.not_failed_over": "did not fail over"}
    if finding.id in answers:
        yield _named(finding, "ag"), answers[finding.id]


def has_primary(finding: Finding) -> Answers:
    """Return whether a group has a primary."""
    answers = {"health.two_primaries": "two", "health.no_primary": "none", "health.role": "one"}
    if finding.id in answers and "ag" in finding.subject:
        yield _named(finding, "ag"), answers[finding.id]


def is_connected(finding: Finding) -> Answers:
    """Return whether a replica is connected to another."""
    if finding.id == "health.disconnect":
        yield _named(finding, "ag", "host", "replica", "database"), finding.title


def role(finding: Finding) -> Answers:
    """Return the role of a replica."""
    if finding.id.startswith("transport.") and finding.subject.get("replica"):
        yield _named(finding, "ag", "replica"), "secondary"
    if finding.id.startswith("transport.") and finding.subject.get("primary"):
        yield _named(finding, "ag", "primary"), "primary"
    if finding.id == "health.role" and "ag" in finding.subject:
        yield _named(finding, "ag", "host"), "primary"


QUESTIONS: tuple[Callable[[Finding], Answers], ...] = (
    keeps_up, lost_log, redo_time, cause, named_cause, fails_over, has_primary, is_connected, role,
)  # fmt: skip


ROLES = """
select lower(coalesce(ag, '')) as ag, lower(host_id) as host, role,
       coalesce(start, '-infinity'::timestamptz) as start, coalesce("end", 'infinity'::timestamptz) as "end"
from roles where role is not null and (start is not null or start_local is null)
"""
TWO_ROLES = f"""
with r as ({ROLES}) select a.host, a.ag, a.role, b.role as other from r a join r b using (host, ag)
where a.role < b.role and a.start < b.end and b.start < a.end
"""
ONLY_ROLE = f"""
with r as ({ROLES}) select host, any_value(role) as role from r
where role in ('PRIMARY', 'SECONDARY') group by host
having count(distinct role) = 1 and count(distinct ag) = 1
"""


def excluded_by_roles(case: Case, findings: Sequence[Finding]) -> list[str]:
    """Return the roles that exclude each other, and findings on a secondary that is always the primary."""
    found = [f"{r['host']} is {r['role']} and {r['other']} of {r['ag']}" for r in case.view.rows(TWO_ROLES)]
    always = {row["host"]: row["role"] for row in case.view.rows(ONLY_ROLE)}
    for finding in findings:
        (host,) = _named(finding, "replica")
        if finding.id.startswith("transport.") and always.get(host) == "PRIMARY":
            found.append(f"{host} is the primary at all times: {finding.title}")
    return found


CAPTURED = """
select distinct lower(host_id) as host, source as kind, first, last from coverage
where host_id is not null and source <> 'ERRORLOG'
union all
select distinct lower(host_id), 'log', first, last from coverage where source = 'ERRORLOG'
union all
select distinct lower(host_id), kind, null, null from captures
where host_id is not null and status = 'ingested'
"""
COUNTERS = """
select distinct lower(host_id) as host from counters where object like 'SQLServer:%' or object like 'MSSQL$%'
"""
KINDS = {
    "perfmon log": "perfmon",
    "ERRORLOG": "SQL Server ERRORLOG",
    "TCP settings": "TCP settings (netsh)",
    "cluster log": "cluster log",
    "session AlwaysOn_health": "AlwaysOn_health",
}
NOT_CAPTURED = re.compile(r"^(.+) of (\S+) not captured$")
WAS_NOT = re.compile(r"\b([\w\\.-]+) was not captured")
ADD = re.compile(
    r"(ERRORLOG \(and the one before it\)|session AlwaysOn_health|cluster log \(Get-ClusterLog\))"
    r" of ([\w\\.-]+)"
)
ENTRIES_BEFORE = re.compile(r"Add the entries of (\S+) before (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC")


def asked_in_vain(case: Case, findings: Sequence[Finding], stories: Sequence[str] = ()) -> list[str]:
    """Return what findings and stories ask for although the case contains it."""
    rows = case.view.rows(CAPTURED)
    has = {(row["host"], row["kind"]) for row in rows}
    counted = {row["host"] for row in case.view.rows(COUNTERS)}
    since = {row["host"]: row["first"] for row in rows if row["kind"] == "log"}
    texts = [text for f in findings for text in (f.title, f.narrative, f.recommendation)]
    asked = []
    for text in (*texts, *stories):
        if found := NOT_CAPTURED.match(text):
            # A title begins with a capital letter, whatever it names.
            kinds = re.split(", | and ", f"{found[1][0].lower()}{found[1][1:]}, {found[1]}")
            asked += [(found[2], kind) for kind in dict.fromkeys(kinds)]
        asked += [(host, kind.partition(" (")[0]) for kind, host in ADD.findall(text)]
    found = [f"{kind} of {host}" for host, kind in asked if (host.lower(), KINDS.get(kind, kind)) in has]
    for text in (*texts, *stories):
        found += [f"{host} was captured: {text}" for host in WAS_NOT.findall(text) if host.lower() in counted]
        for host, at in ENTRIES_BEFORE.findall(text):
            first = since.get(host.lower())
            if first is not None and first.replace(tzinfo=None) + STEPS < datetime.fromisoformat(at):
                found.append(f"entries of {host} before {at} are there: {text}")
    return found


def faults(case: Case) -> list[str]:
    """Return everything of a case that excludes something else, or that is asked for in vain."""
    findings = case.findings()
    stories = [one.ask for one in case.health.incidents().told] if not case.health.missing() else []
    return [*excluding(findings), *excluded_by_roles(case, findings), *asked_in_vain(case, findings, stories)]
