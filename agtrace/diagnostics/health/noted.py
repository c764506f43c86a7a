"""What servers noted that led to nothing yet: one finding for each kind and host.

health.quorum, health.memory, health.logins, health.files, health.spn and health.dump rest on messages (`kinds`),
health.components on states of sp_server_diagnostics, health.waits on the waits that system_health keeps.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.kinds import LEFT_OUT, LOWER, NOTED, Noted
from agtrace.diagnostics.health.told import Row, Told
from agtrace.measure.platforms import likely
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.thresholds import Thresholds

SHOWN = 3
"""Texts that a finding shows, those that were written most."""
AROUND = timedelta(minutes=2)
"""So near a failover or restart what a host noted is part of that."""
LOWERED = {"warning": "notice", "notice": "info", "info": "info"}
BLOCKING = ("LCK_M_", "RESOURCE_SEMAPHORE", "THREADPOOL")
"""Waits of requests for each other, for memory or for a worker: they stand still until somebody gives it free."""
COMPONENTS = {
    "system": "spinlocks, threads that do not yield, dumps or access violations",
    "resource": "memory: the system or SQL Server itself noted that it is low",
    "query_processing": "tasks that waited long for a worker or for each other",
    "io_subsystem": "reads or writes that took long",
}
"""What speaks of a component that is not clean."""


def parameters(told: Told) -> dict[str, object]:
    """Give what noted.sql asks for: numbers and beginnings of texts, and when something else was told of a host."""
    numbers = [(one.kind, number) for one in NOTED for number in one.numbers]
    heads = [(one.kind, head) for one in NOTED for head in one.heads]
    spans = explained(told)
    return {
        "kinds": [kind for kind, _ in numbers], "numbers": [number for _, number in numbers],
        "head_kinds": [kind for kind, _ in heads], "heads": [head for _, head in heads],
        "hosts": [host for host, _, _ in spans], "starts": [start for _, start, _ in spans],
        "ends": [end for _, _, end in spans], "shown": SHOWN,
        "left_out": [one.kind for one in NOTED if one.explained == LEFT_OUT],
    }  # fmt: skip


def explained(told: Told) -> list[tuple[str, datetime, datetime]]:
    """Give when a host failed over or restarted, as other findings tell it, by its own clock."""
    found = []
    for row in told.failovers:
        if row["end"] is None:
            continue
        start, end = told.span(row)
        for host in {row["from_host"], row["to_host"]} - {"", None}:
            shift = start - told.common(start, host)
            found.append((host, start + shift - AROUND, end + shift + AROUND))
    for row in told.restarts:
        first = row["asked"] or row["last_sign"] or row["ready"]
        found.append((row["host_id"], first - AROUND, row["ready"] + AROUND))
    return found


def findings(told: Told, rows: Iterable[Row], waits: Iterable[Row], limits: Thresholds) -> list[Finding]:
    """Give a finding for each kind and host.

    Parameters
    ----------
    rows, waits
        Rows of noted.sql and waits.sql.
    """
    of_kind = {one.kind: one for one in NOTED}
    found = [_noted(of_kind[row["kind"]], row, told, limits) for row in rows]
    return [one for one in (*found, *_components(told), *_waits(waits, told)) if one is not None]


def _noted(noted: Noted, row: Row, told: Told, limits: Thresholds) -> Finding | None:
    least = getattr(limits, noted.least) if noted.least else 1
    is_explained = row["explained"] == row["n"]
    if row["busiest"] < least:
        return None
    n = row["n"]
    severity = _severity(noted.severity, row["host_id"], told)
    host, times = say.host(row["host_id"]), "once" if n == 1 else words.count(n, "time")
    span = _span(row)
    texts = "; ".join(f"{each['n']:,} x {words.plain(each['text'], 160)}" for each in row["texts"])
    hour = f", at most {row['busiest']:,} in an hour" if row["n"] > row["busiest"] else ""
    near = " All of it lies around a failover or restart that is told by itself." if is_explained else ""
    return Finding(
        noted.id,
        LOWERED[severity] if is_explained and noted.explained == LOWER else severity,
        noted.title.format(host=host, times=times, entries=words.count(n, "entry", "entries")),
        f"{host} wrote so {times} {span}{hour}: {texts}.{near} {noted.says}".rstrip(),
        subject={**_subject(row["host_id"]), "kind": noted.kind},
        window=_window(row),
        evidence=(
            Evidence("entries", n, "entries", f"{row['source']} of {host}"),
            *(Evidence(f"its text, {each['n']:,} x", words.plain(each["text"], 200), "", _place(row, each, told)) for each in row["texts"]),
        ),
        recommendation=noted.remedy(likely(told.platforms, row["host_id"])),
        confidence=0.95,
    )  # fmt: skip


def _components(told: Told) -> list[Finding]:
    spans: dict[str, list[tuple[datetime, datetime]]] = defaultdict(list)
    for host, start, end in explained(told):
        spans[host].append((told.common(start, host), told.common(end, host)))
    of_host: dict[str, list[Row]] = defaultdict(list)
    for row in told.of("component_state"):
        near = any(start <= row["time"] <= end for start, end in spans[row["host_id"]])
        if row["host_id"] and not near:
            of_host[row["host_id"]].append(row)
    return [_not_clean(host, rows, told) for host, rows in sorted(of_host.items())]


def _not_clean(host: str, rows: Sequence[Row], told: Told) -> Finding:
    name = words.plain(host, 60)
    states = Counter((_component(row), row["after"]) for row in rows)
    worst = "warning" if any(state == "error" for _, state in states) else "notice"
    first: dict[tuple[str, str], Row] = {}
    for row in rows:
        first.setdefault((_component(row), row["after"]), row)
    ordered = sorted(states, key=lambda key: (key[1] != "error", -states[key], key))
    listed = [f"{words.plain(component, 60)}: {words.plain(state, 20)}, {words.count(states[component, state], 'time')}" for component, state in ordered]  # fmt: skip
    meant = "; ".join(
        f"{each}: {COMPONENTS[each]}" for each in sorted({c for c, _ in ordered} & COMPONENTS.keys())
    )
    return Finding(
        "health.components",
        _severity(worst, host, told),
        f"Components of {name} were not clean: {'; '.join(listed[:SHOWN])}",
        f"sp_server_diagnostics of {name} told so from {say.moment(rows[0]['time'])} to {say.moment(rows[-1]['time'])}; no failover or "
        f"restart that is told lies within two minutes of it. What each speaks of: {meant or 'the state of a database or group'}.",
        subject={"host": host},
        window={"start": say.iso(rows[0]["time"]), "end": say.iso(rows[-1]["time"])},
        evidence=tuple(
            Evidence(f"{words.plain(key[0], 60)}: {words.plain(key[1], 20)}", states[key], "changes", told.sources(first[key]))
            for key in ordered[:10]
        ),
        recommendation="Read the component's data in system_health or the SQLDIAG files for those moments: it names what was short.",
        confidence=0.9,
    )  # fmt: skip


def _component(row: Row) -> str:
    return str(row["text"] or "").removeprefix("component ").rpartition(": ")[0] or "a component"


def _waits(rows: Iterable[Row], told: Told) -> list[Finding]:
    of_host: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        of_host[row["host_id"]].append(row)
    return [_waited(host, found, told) for host, found in sorted(of_host.items())]


def _waited(host: str, rows: Sequence[Row], told: Told) -> Finding:
    name, longest = say.host(host), rows[0]
    blocking = [row for row in rows if str(row["wait_type"]).startswith(BLOCKING)]
    listed = "; ".join(
        f"{words.plain(row['wait_type'], 60)} {words.count(row['n'], 'time')}, at most {say.seconds(row['longest_ms'] / 1000)}"
        for row in rows[:5]
    )
    first, last = min(row["first"] for row in rows), max(row["last"] for row in rows)
    advice = []
    if any(str(row["wait_type"]).startswith("LCK_M_") for row in blocking):
        advice.append(
            "Locks: find what held them (blocked process report, the open transaction of that time)."
        )
    if any(str(row["wait_type"]).startswith("RESOURCE_SEMAPHORE") for row in blocking):
        advice.append(
            "RESOURCE_SEMAPHORE: requests waited for memory; find the statements with the largest grants."
        )
    if len(blocking) < len(rows):
        advice.append("The others: look at storage and network of the host for those moments.")
    return Finding(
        "health.waits",
        _severity("notice" if blocking else "info", host, told),
        f"Requests on {name} waited long: {words.plain(longest['wait_type'], 60)} for {say.seconds(longest['longest_ms'] / 1000)}",
        f"The session system_health of {name} kept from {say.moment(first)} to {say.moment(last)}: {listed}.",
        subject=_subject(host),
        window={"start": say.iso(first), "end": say.iso(last)},
        evidence=tuple(
            Evidence(f"longest {words.plain(row['wait_type'], 60)}, n = {row['n']:,}", row["longest_ms"] / 1000, "s",
                     f"system_health of {name}, {words.plain(told.paths.get(row['content_id'], ''), 120)}, at {say.moment(row['peak'])}")
            for row in rows[:5]
        ),
        recommendation=" ".join(advice),
        confidence=0.9,
    )  # fmt: skip


def _subject(host: str) -> dict[str, str]:
    return {"host": host} if host else {}


def _severity(severity: str, host: str, told: Told) -> str:
    """Lower what happened to a host without a group to an info."""
    return severity if host in told.grouped else "info"


def _span(row: Row) -> str:
    moment: Callable[[datetime], str] = _local if row["is_local"] else say.moment
    if row["first"] == row["last"]:
        return f"at {moment(row['first'])}"
    return f"from {moment(row['first'])} to {moment(row['last'])}"


def _local(time: datetime) -> str:
    return f"{say.moment(time).removesuffix(' UTC')} local time"


def _window(row: Row) -> dict[str, object]:
    if not row["is_local"]:
        return {"start": say.iso(row["first"]), "end": say.iso(row["last"])}
    start, end = (row[name].replace(tzinfo=None).isoformat() for name in ("first", "last"))
    return {"start": start, "end": end, "local": True}


def _place(row: Row, text: Row, told: Told) -> str:
    path = words.plain(told.paths.get(text["content_id"], ""), 120)
    return f"{path or row['source']} line {text['line']}"
