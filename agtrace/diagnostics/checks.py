"""The checks of a question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from agtrace.history import View
from agtrace.history.unused import hosts_with
from agtrace.measure.base import once_per_case
from agtrace.say import words
from agtrace.say.finding import Finding
from agtrace.say.said import Said
from agtrace.store.sql_files import beside

State = Literal["problem", "fine", "not-captured", "not-applicable"]
STATES: tuple[State, ...] = ("problem", "fine", "not-captured", "not-applicable")
PROBLEMS = ("notice", "warning", "critical")
ALIKE = 1.1
"""Times that differ by less than this factor are shown as the shorter one."""
FILE = "checked"
"""said/checked.toml of a question has a section for each of its checks: ``name``; ``fine``, the text if
nothing was found; ``missing``, what to capture; ``absent``, why it does not apply."""
LOGS = ("ERRORLOG", "AlwaysOn_health")
CLUSTER = ("cluster log", "event log")

_sql = beside(__file__)


@dataclass(frozen=True)
class Check:
    """A check of a question.

    Parameters
    ----------
    name
        Its section in said/checked.toml.
    answers
        Ids of the findings that report a problem.
    sources
        Sources of `coverage`, any of which shows that there is no problem.
    relations
        Relations, any row of which shows it.
    counters, topics
        Counters of perfmon, and topics of an ERRORLOG: hosts with these were watched.
    events
        Kinds of events of `timeline` that contradict "no problem": they may belong to another finding.
    is_optional
        Whether it does not apply if nothing about it was captured, since a case need not have it.
    """

    name: str
    answers: tuple[str, ...]
    sources: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    is_optional: bool = False


@dataclass(frozen=True)
class Checked:
    """The result of a check.

    Parameters
    ----------
    question, check
        The analysis, and the check's name in it.
    title
        Title of the check.
    state
        problem, fine, not-captured or not-applicable.
    text
        The problem, what was watched for how long, or what to capture.
    finding
        The worst finding that answers it, if there is a problem.
    """

    question: str
    check: str
    title: str
    state: State
    text: str
    finding: Finding | None = None


class Watched(NamedTuple):
    """A row of watched.sql."""

    host_id: str
    source: str
    seconds: float | None


class Occurred(NamedTuple):
    """A row of occurred.sql."""

    kind: str
    n: int
    first: datetime | None
    is_utc: bool


@once_per_case
def _occurred(view: View) -> list[Occurred]:
    return view.records(Occurred, _sql("occurred.sql"))


@once_per_case
def _watched(view: View) -> list[Watched]:
    return view.records(Watched, _sql("watched.sql"))


def results(
    question: str,
    checks: Iterable[Check],
    findings: Sequence[Finding],
    view: View,
    said: Said,
    *,
    is_missing: bool,
) -> list[Checked]:
    """Return the results of the checks of a question.

    Parameters
    ----------
    findings
        All findings of the case, the most severe first: other questions may also answer a check.
    said
        The texts of the question.
    is_missing
        Whether the question has no input.
    """
    return [_result(question, check, findings, view, said, is_missing=is_missing) for check in checks]


def _result(
    question: str, check: Check, findings: Sequence[Finding], view: View, said: Said, *, is_missing: bool
) -> Checked:
    def done(state: State, text: str, finding: Finding | None = None) -> Checked:
        return Checked(question, check.name, wording("name"), state, text, finding)

    def wording(field: str) -> str:
        return said.text(f"{FILE}.{check.name}.{field}", {})

    found = [each for each in findings if each.id in check.answers]
    if problems := [each for each in found if each.severity in PROBLEMS]:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        return done("problem", problems[0].title + more, problems[0])
    if found:
        return done("fine", found[0].title, found[0])
    if events := [row for row in _occurred(view) if row.kind in check.events]:
        return done("problem", words.capital(_events(events)))
    seen = Seen(frozenset(), "") if is_missing else _seen(check, view)
    if seen.hosts:
        return done("fine", f"{words.capital(wording('fine'))}: {seen.text}")
    if check.is_optional:
        return done("not-applicable", words.capital(wording("absent")))
    return done("not-captured", wording("missing"))


def _events(rows: Sequence[Occurred]) -> str:
    """Return how often which kinds of events occurred, the earliest first."""
    rows = sorted(rows, key=lambda row: (row.first is None, row.first))
    counts = words.listing([f"{row.kind.replace('_', ' ')} ({row.n:,})" for row in rows])
    first = rows[0].first
    if first is None:
        return counts
    return f"{counts}, first at {first:%Y-%m-%d %H:%M:%S}{' UTC' if rows[0].is_utc else ''}"


class Seen(NamedTuple):
    """The hosts watched without a problem, and a description of what was watched."""

    hosts: frozenset[str]
    text: str


def _seen(check: Check, view: View) -> Seen:
    hosts_of = {
        "perfmon": hosts_with(view, "counter", check.counters) if check.counters else (),
        "ERRORLOG": hosts_with(view, "topic", check.topics) if check.topics else (),
    }
    rows = [
        row
        for row in _watched(view)
        if row.source in check.sources or row.host_id in hosts_of.get(row.source, ())
    ]
    hosts = frozenset(row.host_id for row in rows)
    counts = {name: _count(view, name) for name in check.relations if view.has_rows(name)}
    parts = [_watch(rows, hosts)] if hosts else []
    parts += [words.count(n, name.replace("_", " ").removesuffix("s")) for name, n in counts.items()]
    return Seen(hosts or frozenset(counts), ", ".join(parts))


def _watch(rows: Sequence[Watched], hosts: frozenset[str]) -> str:
    """Return the hosts watched, by which source and for how long: the longest time of each, sorted."""
    longest = [
        max((row.seconds or 0.0 for row in rows if row.host_id == host), default=0.0) for host in hosts
    ]
    least, most = min(longest), max(longest)
    time = words.span(least) if most < ALIKE * least else f"{words.span(least)} to {words.span(most)}"
    sources = words.listing(sorted({row.source for row in rows}))
    return f"{words.listing(sorted(hosts), 3)} watched for {time} ({sources})"


def _count(view: View, relation: str) -> int:
    (row,) = view.rows(f'select count(*) as n from "{relation}"')
    return int(row["n"])
