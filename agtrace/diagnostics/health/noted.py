"""Warnings of servers without consequences so far: one finding per kind and host.

health.quorum, health.memory, health.workers, health.logins, health.files, health.spn and health.dump are
based on messages (`KINDS`), health.components on states of sp_server_diagnostics, health.waits on the waits
in system_health.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter

from agtrace.diagnostics.health.group_history import NOT_KNOWN, GroupHistory
from agtrace.diagnostics.health.measures import COUNTED, ENTRIES, SEEN
from agtrace.diagnostics.health.rows import Noted, Timeline, Waits
from agtrace.measure.platforms import likely
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

SHOWN, SHOWN_WAITS, SHOWN_STATES = 3, 5, 10
"""Texts shown by a finding, the most frequent; the longest waits; the worst states."""
NEAR_END = timedelta(hours=1)
"""Rare messages are reported if the log ends this soon after: they may be why it was sent."""
AROUND = timedelta(minutes=2)
"""Messages this near a failover or restart belong to it."""
LOCKS, MEMORY = "LCK_M_", "RESOURCE_SEMAPHORE"
BLOCKING = (LOCKS, MEMORY, "THREADPOOL")
"""Waits of requests for each other, for memory or for a worker."""

LONGEST = Measure("longest_s", "longest {wait}, n = {n:,}", "s", "of the waits of one type")


@dataclass(frozen=True)
class MessageKind:
    """A kind of message that becomes a finding on its host.

    Parameters
    ----------
    id, kind
        Of the finding; the kind tells apart what shares an id, and names its words.
    severity
        Where the host has a replica of a group; without one it is info.
    numbers
        Of sys.messages.
    heads
        What texts without a number begin with; English in every language.
    is_told
        What was written within a failover or restart, which has its own finding, is a part of that.
    least
        Name of the threshold that the busiest hour has to reach. Below it what a log ends with is an info; ""
        where one message is enough.
    """

    id: str
    kind: str
    severity: str
    numbers: tuple[int, ...] = ()
    heads: tuple[str, ...] = ()
    is_told: bool = False
    least: str = ""


SPN = "The SQL Server Network Interface library could not register the Service Principal Name"
NO_MEMORY = ("There is insufficient system memory", "There is insufficient memory available")
NOT_OPENED = ("FCB::Open failed: ", "Unable to open the physical file ")
KINDS = (
    MessageKind("health.quorum", "replica_failed", "warning", (41005, 41143, 41144, 41161), is_told=True),
    MessageKind("health.quorum", "node_offline", "warning", (41048, 41049), is_told=True),
    MessageKind("health.quorum", "not_notified", "notice", (41022,), is_told=True),
    MessageKind("health.memory", "paged_out", "warning", (17890,), least="paged_out_per_hour"),
    MessageKind("health.memory", "out_of_memory", "warning", (701, 802), NO_MEMORY),
    MessageKind("health.workers", "not_started", "warning", (35217,), ("The thread pool for Always",)),
    MessageKind("health.logins", "failed", "notice", (18456,), least="login_failures_per_hour"),
    MessageKind("health.files", "not_opened", "warning", (5120, 17204, 17207), NOT_OPENED),
    MessageKind("health.spn", "not_registered", "notice", heads=(SPN,)),
    MessageKind("health.dump", "written", "warning", heads=("***Stack Dump being sent to",)),
)


NOT_UNIQUE = "0x21c7"
"""Windows error: another account has the service principal name."""
DUPLICATE = MessageKind("health.spn", "spn_duplicate", "warning")
_NAME = re.compile(r"\[\s*(?P<name>\w{1,60}/[\w.:-]{1,300})\s*\]")


def parameters(history: GroupHistory) -> dict[str, object]:
    """Return the parameters of noted.sql: numbers, beginnings of texts, spans that other findings report."""
    spans = explained(history)
    return {
        "kinds": [one.kind for one in KINDS for _ in one.numbers],
        "numbers": [number for one in KINDS for number in one.numbers],
        "head_kinds": [one.kind for one in KINDS for _ in one.heads],
        "heads": [head for one in KINDS for head in one.heads],
        **{name: [span[n] for span in spans] for n, name in enumerate(("hosts", "starts", "ends"))},
        "shown": SHOWN,
        "left_out": [one.kind for one in KINDS if one.is_told],
    }


def explained(history: GroupHistory) -> list[tuple[str, datetime, datetime]]:
    """Return the failovers and restarts of a host reported by other findings."""
    found = []
    for row in history.failovers:
        start, end = history.span(row)
        for host in {row.from_host, row.to_host}:
            if host:
                found.append((host, start - AROUND, end + AROUND))
    for restart in history.restarts:
        first = restart.asked or restart.last_sign or restart.ready
        found.append((restart.host_id, first - AROUND, restart.ready + AROUND))
    return found


def noted(
    history: GroupHistory, rows: Iterable[Noted], waits: Iterable[Waits], limits: Thresholds
) -> list[Judged]:
    """Judge each kind and host.

    Parameters
    ----------
    rows, waits
        Rows of noted.sql and waits.sql.
    """
    of_kind = {one.kind: one for one in KINDS}
    found = [_noted(of_kind[row.kind], row, history, limits) for row in rows]
    waited = [_waited(host, list(own), history) for host, own in groupby(waits, key=attrgetter("host_id"))]
    return [*(one for one in found if one is not None), *_components(history), *waited]


def _noted(kind: MessageKind, row: Noted, history: GroupHistory, limits: Thresholds) -> Judged | None:
    is_rare = bool(kind.least) and row.busiest < getattr(limits, kind.least)
    host = row.host_id
    if is_rare and not row.is_local:
        logged = history.coverage.of(host, None, ("ERRORLOG",))
        if any(one.first <= row.last <= one.last - NEAR_END for one in logged):
            return None
    names: list[str] = []
    if kind.kind == "not_registered" and any(NOT_UNIQUE in one.text for one in row.texts):
        kind = DUPLICATE
        names = [found["name"] for one in row.texts if (found := _NAME.search(one.text))]
    ends = (row.first, row.last)
    first, last = (end.replace(tzinfo=None) for end in ends) if row.is_local else ends
    texts = ((one, history.place(one.content_id, one.line, row.source)) for one in row.texts)
    shown = (quoted(f"its text, {one.n:,} x", one.text, place) for one, place in texts)
    return Judged(
        said=f"noted.{kind.kind}",
        id=kind.id,
        severity="info" if is_rare else history.graded(kind.severity, host),
        subject=({"host": host} if host else {}) | {"kind": kind.kind},
        window=window(first, last, is_local=row.is_local),
        evidence=(ENTRIES(row.n, f"{row.source} of {host or NOT_KNOWN}"), *shown),
        confidence=COUNTED,
        facts=row._asdict()
        | {"kind": kind.kind, "names": names}
        | {"host": host or NOT_KNOWN, "platform": likely(history.platforms, host)}
        | {"busiest": row.busiest if row.n > row.busiest else 0, "first": first, "last": last},
    )


def _components(history: GroupHistory) -> list[Judged]:
    spans: dict[str, list[tuple[datetime, datetime]]] = defaultdict(list)
    for host, start, end in explained(history):
        spans[host].append((start, end))
    of_host: dict[str, list[Timeline]] = defaultdict(list)
    for row in history.of("component_state"):
        near = any(start <= row.time <= end for start, end in spans[row.host_id or ""])
        if row.host_id and not near:
            of_host[row.host_id].append(row)
    return [_not_clean(host, rows, history) for host, rows in sorted(of_host.items())]


def _not_clean(host: str, rows: Sequence[Timeline], history: GroupHistory) -> Judged:
    first: dict[tuple[str, str], Timeline] = {}
    for row in rows:
        first.setdefault((_component(row), row.after or ""), row)
    states = Counter((_component(row), row.after or "") for row in rows)
    ordered = sorted(states, key=lambda key: (key[1] != "error", -states[key], key))
    worst = "warning" if any(state == "error" for _, state in states) else "notice"
    return Judged(
        said="components",
        id="health.components",
        severity=history.graded(worst, host),
        subject={"host": host},
        window=window(rows[0].time, rows[-1].time),
        evidence=tuple(
            Measure(component, f"{component}: {state}", "changes")(
                states[component, state], history.sources(first[component, state])
            )
            for component, state in ordered[:SHOWN_STATES]
        ),
        confidence=SEEN,
        facts={
            "host": host,
            "first": rows[0].time,
            "last": rows[-1].time,
            "shown": SHOWN,
            "states": [(*key, states[key]) for key in ordered],
            "components": sorted({name for name, _ in ordered}),
        },
    )


def _component(row: Timeline) -> str:
    return str(row.text or "").removeprefix("component ").rpartition(": ")[0] or "a component"


def _waited(host: str, rows: Sequence[Waits], history: GroupHistory) -> Judged:
    name, types = host or NOT_KNOWN, [str(row.wait_type) for row in rows]
    blocking = [each for each in types if each.startswith(BLOCKING)]
    first, last = min(row.first for row in rows), max(row.last for row in rows)
    return Judged(
        said="waits",
        id="health.waits",
        severity=history.graded("notice" if blocking else "info", host),
        subject={"host": host} if host else {},
        window=window(first, last),
        evidence=tuple(_longest(row, name, history) for row in rows[:SHOWN_WAITS]),
        confidence=SEEN,
        facts={
            "host": name,
            "first": first,
            "last": last,
            "others": len(blocking) < len(types),
            "waits": [row._asdict() | {"longest": row.longest_ms / 1000} for row in rows[:SHOWN_WAITS]],
            "locks": any(each.startswith(LOCKS) for each in types),
            "memory": any(each.startswith(MEMORY) for each in types),
        },
    )


def _longest(row: Waits, name: str, history: GroupHistory) -> Measured:
    place, at = history.place(row.content_id, None), words.instant(row.peak)
    longest = LONGEST.about(wait=row.wait_type, n=row.n)
    return longest(row.longest_ms / 1000, f"system_health of {name}, {place}, at {at}")
