"""health.failover: each failover with its chain, what shows it and what speaks against it."""

from __future__ import annotations

from datetime import timedelta

from agtrace.diagnostics.health import partners
from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.together import leads
from agtrace.diagnostics.health.told import Row, Told
from agtrace.measure.platforms import likely
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.say.words import count
from agtrace.thresholds import Thresholds

WITHOUT = "time without a primary"
MOST = 12
"""Entries of the evidence beside the time: the first, and those of each host."""
SHOWN = 5
"""Entries that the narrative cites: the first of a kind."""
MOST_PARTS = 10
"""Entries of its incident that the evidence holds beside its own."""
AROUND = timedelta(seconds=60)
"""How far from a failover an entry may be that names a host of it."""
ROLES = ("replica_state", "database_role", "restart", "lease_expired", "stop_requested", "system_shutdown")  # fmt: skip


def findings(told: Told, limits: Thresholds) -> list[Finding]:
    """Give a finding for each failover, in order of time; of groups that moved together one carries the severity."""
    with_end = [row for row in told.failovers if row["end"] is not None]
    together = leads(with_end, told)
    return [_finding(row, told, limits, together.get(row["failover_id"], ())) for row in with_end]


def _finding(row: Row, told: Told, limits: Thresholds, others: tuple[Row, ...]) -> Finding:
    """Give the finding of a failover.

    Parameters
    ----------
    others
        The failovers that moved with it, it among them: the first of them leads.
    """
    start = row["start"] if row["start"] is not None else row["end"]
    without = Evidence(WITHOUT, row["seconds_without_primary"], "s", _start_source(row))
    alone = partners.alone(row, told, limits.no_primary_s)
    is_led = bool(others) and others[0] is not row
    grade = severity(row, limits)
    text = narrative(row, told)
    if others:
        names = words.listing([words.plain(one["ag"], 60) for one in others], len(others))
        text += f" {count(len(others), 'group')} moved together: {names}."
    return Finding(
        "health.failover",
        "notice" if is_led and grade in ("warning", "critical") else grade,
        title(row, others if others and not is_led else ()),
        f"{text} {alone[0]}" if alone else text,
        subject={
            "ag": row["ag"],
            "from": row["from_host"] or "",
            "to": row["to_host"] or "",
            "mode": row["mode"],
            "trigger": row["trigger"],
            "cause": row["cause"],
        },
        window={"start": say.iso(start), "end": say.iso(row["end"])},
        evidence=(without, *((alone[1],) if alone else ()), *_entries(row, told), *_parts(row, told)),
        recommendation=_remedy(row, told),
        confidence=row["confidence"] or 0.0,
    )


def severity(row: Row, limits: Thresholds) -> str:
    """Say how bad it was: by who wanted it, and by how long the group was away."""
    seconds = row["seconds_without_primary"] or 0.0
    if row["mode"] == "planned":
        return "notice" if seconds >= limits.failover_long_s else "info"
    if (row["mode"], row["trigger"]) == (say.OPEN, "ddl_failover"):
        # Somebody wanted it; whether it could lose data is not shown.
        return "warning" if seconds >= limits.failover_long_s else "notice"
    return "critical" if seconds >= limits.failover_long_s or row["mode"] == "forced" else "warning"


def title(row: Row, together: tuple[Row, ...] = ()) -> str:
    """Give a line that stands alone: what happened, and its cause where that is sure."""
    away = row["seconds_without_primary"]
    length = f", {say.seconds(away)} without a primary" if away is not None else ""
    names = words.listing([words.plain(one["ag"], 60) for one in together or (row,)], len(together) or 1)
    happened = f"{names}: {say.MODES[row['mode']]} {say.route(row['from_host'], row['to_host'])}{length}"
    return f"{happened}: {why(row)}"


def why(row: Row) -> str:
    """Word the cause as sure as it is: below `say.SURE` it is likely, or open."""
    text = _cause(row)
    if row["cause"] == say.OPEN or (row["confidence"] or 0.0) >= say.SURE or text == say.EITHER:
        return text
    return f"likely, {text}, and not sure"


def _cause(row: Row) -> str:
    if row["cause"] == "standstill":
        still = next((one for one in row["reasons"] or [] if one["kind"] == "standstill"), None)
        if still is not None:
            return f"the primary {words.plain(still['text'], 120)}"
    return say.cause(row["cause"], row["mode"])


def chain(row: Row) -> str:
    """Word how one thing led to the next: root cause, trigger, failover."""
    links = [why(row)]
    if row["trigger"] != row["cause"]:
        links.append(say.trigger(row["trigger"]))
    links.append(f"failover {say.route(row['from_host'], row['to_host'])}")
    return " -> ".join(links)


def narrative(row: Row, told: Told) -> str:
    """Tell a failover as a short story, with its witnesses and what speaks against the cause."""
    group = words.plain(row["ag"], 60)
    lost, back = say.moment(row["start"]), say.moment(row["end"])
    parts = [f"{say.sentence(chain(row))}"]
    away = row["seconds_without_primary"]
    if row["start"] is not None and away is not None:
        parts.append(
            f"{group} had no primary from {lost} until {back}: {say.seconds(away)}; the begin is {_start_source(row)}."
        )
    elif row["start"] is not None:
        parts.append(
            f"{say.host(row['from_host'])} had lost the role of the primary of {group} by {lost} ({_start_source(row)}), and the group "
            f"had one again by {back} at the latest."
        )
    else:
        parts.append(f"{group} had a primary again at {back}; when it lost the one before was not captured.")
    parts += _usable(row, told)
    reasons = row["reasons"] or []
    if reasons:
        first = _varied(reasons)[:SHOWN]
        shown = "; ".join(
            f"{say.both(one.get('own_time') or one['time'], one['time'])} {say.host(one['host_id'])}: {words.plain(one['text'], 120)}"
            for one in first
        )
        more = (
            f" (and {count(len(reasons) - len(first), 'entry', 'entries')} more)"
            if len(reasons) > len(first)
            else ""
        )
        parts.append(f"What shows it: {shown}{more}.")
    against = [words.plain(text, 200) for text in row["against"] or []]
    if against:
        parts.append(f"Against it, or unexplained: {'; '.join(against)}.")
    if say.OPEN in (row["trigger"], row["cause"]):
        parts.append("The captures do not decide more than that.")
    return " ".join(parts)


def _usable(row: Row, told: Told) -> list[str]:
    """Say when the databases could be used again, where the log tells their roles."""
    _, end = told.span(row)
    seen = [
        event
        for event in told.kinds_of_host.between(
            end, end + timedelta(minutes=30), "database_role", row["to_host"]
        )
        if event["after"] == "PRIMARY"
    ]
    first: dict[str, Row] = {}
    for event in seen:
        first.setdefault(event["database"] or "", event)
    if not first:
        return []
    last = max(event["time"] for event in first.values())
    late = max((last - end).total_seconds(), 0.0)
    name = count(len(first), "database")
    return [f"{name} took the role of the primary, the last one {say.seconds(late)} after the group."]


def _start_source(row: Row) -> str:
    return words.plain(row["start_source"], 120) if row["start_source"] else "what was seen first"


def _entries(row: Row, told: Told) -> list[Evidence]:
    """Give the entries that a failover rests on, one of each captured host of it at least."""
    reasons = _varied(row["reasons"] or [])[:MOST]
    found = [
        Evidence(say.kind(one["kind"]), words.plain(one["text"], 200), "", told.source(one))
        for one in reasons
    ]
    shown = {one["host_id"] for one in reasons}
    for host in dict.fromkeys((row["from_host"], row["to_host"])):
        event = _nearest(row, told, host) if host and host not in shown else None
        if event is not None:
            label = f"{say.kind(event['kind'])} on {words.plain(host, 60)}"
            text = words.plain(event["text"], 200)
            found.append(Evidence(label, text, "", told.sources(event)))
    return found


def _varied(reasons: list[Row]) -> list[Row]:
    """Give the first entry of each kind and host in order of time, then the others."""
    first: dict[tuple[str, str | None], Row] = {}
    for one in reasons:
        first.setdefault((one["kind"], one["host_id"]), one)
    kept = list(first.values())
    return kept + [one for one in reasons if not any(one is each for each in kept)]


def _nearest(row: Row, told: Told, host: str) -> Row | None:
    """Give the entry of a host that is nearest to a failover: of its roles as a rule."""
    start, end = told.span(row)
    own = told.of_host.between(start - AROUND, end + AROUND, host)
    edge = end if host == row["to_host"] else start

    def apart(event: Row) -> tuple[int, float]:
        kind = event["kind"]
        rank = ROLES.index(kind) if kind in ROLES else len(ROLES)
        return rank, abs((event["time"] - edge).total_seconds())

    return min(own, key=apart, default=None)


def _parts(row: Row, told: Told) -> list[Evidence]:
    """Give what else belongs to its incident: of each kind and host the first, that its own entries do not show."""
    incident = told.incident_of.get(row["failover_id"])
    if incident is None:
        return []
    shown = {(one["kind"], one["host_id"]) for one in row["reasons"] or []}
    first: dict[tuple[str, str | None], Row] = {}
    for part in incident["parts"] or []:
        key = (part["kind"], part["host_id"])
        if part["kind"] != "failover" and key not in shown:
            first.setdefault(key, part)
    return [
        Evidence(
            f"{say.kind(part['kind'])}, {say.clock(part['time'])}",
            words.plain(part["text"], 200),
            "",
            told.source(part),
        )
        for part in list(first.values())[:MOST_PARTS]
    ]


def _remedy(row: Row, told: Told) -> str:
    """Say what to do, and what to add of what was really not captured."""
    platform = likely(told.platforms, row["from_host"] or row["to_host"])
    text, cause = say.remedy(row["cause"], row["mode"], platform), row["cause"]
    is_sure = (row["confidence"] or 0.0) >= say.SURE
    more = say.MORE.get(cause) or (None if is_sure else say.TO_BE_SURE)
    hosts = [host for host in dict.fromkeys((row["from_host"], row["to_host"])) if host]
    lacking = told.lacking(hosts) if more else ""
    return f"{text} {more[0].upper()}{more[1:]} {lacking}." if more and lacking else text
