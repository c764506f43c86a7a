"""The whole answer of the transport question: every verdict, the unknowns, and the facts of the pages.

The pages compare each hop of a link with the one before, and the paths with each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from agtrace.diagnostics.transport import apart, awaiting, costs
from agtrace.diagnostics.transport import sent_received as hops
from agtrace.diagnostics.transport.sent_received import Comparison, SentReceived
from agtrace.diagnostics.transport.snapshots import (
    behind,
    no_loss_of,
    of_queues,
    queues_of,
    replaced,
    waits_of_host,
    without_loss,
)
from agtrace.diagnostics.transport.study import LinkStudy, Study
from agtrace.diagnostics.transport.verdict import REDO_BLOCKED, Verdict
from agtrace.diagnostics.transport.verdict_facts import flags_on, judged
from agtrace.history.roles import UNKNOWN, Group
from agtrace.history.streams import IDLE, TOO_FEW, TOO_SHORT, USUAL, WIRE, Look, Path, Settings
from agtrace.measure import transport_counters as c
from agtrace.measures import Measure, Measured, quoted
from agtrace.say.finding import SEVERITY_ORDER, Finding
from agtrace.say.said import Judged, Said
from agtrace.say.wording import shortened
from agtrace.thresholds import Thresholds

SAID = Said(__package__ or "")
COSTS = ("transport.rpo", "transport.rto")
WORST = SEVERITY_ORDER.index("warning")
MOST_WORDS = 30
"""Longest part of the first remedy in a summary, in words; the finding has all of it."""
IN_WINDOW = Measure("samples", "samples in this window")
OF_GROUP = Measure("samples", "samples of its counters")

Open = tuple[str, dict[str, Any]]
"""An unanswered question: the name of its text, and the values used in it."""


def verdicts(study: Study, links: list[LinkStudy], looks: list[Look]) -> list[Judged]:
    """Return every verdict on some links of a case, and some snapshots of it."""
    found = _of_links(study, links)
    for studied in links:
        looked = _looks_with(study, links, studied)
        costed = (
            costs.of_loss(
                studied.link, studied.losses, study.limits, looked, awaiting.awaited(study, studied.link)
            ),
            costs.of_redo_time(
                studied.link, studied.redo_times, studied.without_redo_time, study.limits, study.recoveries
            ),
        )
        found += [item for item in costed if item is not None]
    found += apart.of_apart([studied.link for studied in links], study.limits)
    few = study.limits.min_samples
    found += [_no_link(group, few) for group in study.groups if not _has_link(study, group)]
    primaries = {studied.link.primary_name for studied in links}
    found += [
        costs.of_commit(delay, awaiting.modes(study, delay), study.limits, awaiting.queued(study, delay))
        for delay in study.delays
        if delay.primary.name in primaries
    ]
    return found + _of_looks(study, links, looks)


def _of_links(study: Study, links: list[LinkStudy]) -> list[Judged]:
    """Return the verdicts on links, or why one is missing; a replica's last covers its snapshots."""
    own: list[Judged] = []
    unjudged: list[Judged] = []
    last = {_key(studied.link.ag, studied.link.replica): studied for studied in links}
    with_verdict = {_key(studied.link.ag, studied.link.replica) for studied in links if studied.verdicts}
    for studied in links:
        told = [
            _blocked(_with(judged(verdict), _waits(verdict, study)), verdict, study)
            for verdict in studied.verdicts
        ]
        lacking = _unjudged(studied, study.limits.min_samples)
        for mine in (told, lacking):
            if mine and last[_key(studied.link.ag, studied.link.replica)] is studied:
                seen = looks_at(study, studied.link.ag, studied.link.replica)
                mine[-1] = _with(mine[-1], of_queues(seen[-1]) if seen else [])
                if mine is told and studied.link.secondary is not None:
                    mine[-1] = replace(mine[-1], facts={**mine[-1].facts, "weaker": replaced(seen)})
        own += told
        # One answer for a replica: a stretch that shows less takes nothing from one that was judged.
        if not _among(_key(studied.link.ag, studied.link.replica), with_verdict):
            unjudged += lacking
    return _among_others(own) + unjudged


def _with(one: Judged, more: Sequence[Measured]) -> Judged:
    return replace(one, evidence=(*one.evidence, *more))


def _waits(verdict: Verdict, study: Study) -> list[Measured]:
    """Return the flow control waits shown beside a verdict on the send gate."""
    primary = verdict.link.primary
    if primary is None or primary.is_local or verdict.stream.flow_control_time is None:
        return []
    times = primary.times[verdict.link.primary_rows]
    return waits_of_host(study.known.gate_waits, primary.host_id, (float(times[0]), float(times[-1])))


def _blocked(one: Judged, verdict: Verdict, study: Study) -> Judged:
    """Add the session that held the lock redo waited for longest, if a snapshot in that time shows it."""
    secondary, times = verdict.link.secondary, verdict.times
    if verdict.kind is not REDO_BLOCKED or secondary is None:
        return one
    seen = [
        row
        for row in study.blocked_redo
        if row.host_id == secondary.host_id
        and (row.at is None or (not secondary.is_local and times[0] <= row.at <= times[-1]))
    ]
    if not seen:
        return one
    longest = max(seen, key=lambda row: row.waited_s or -math.inf)
    whose = [each for each in (longest.program, longest.client) if each]
    told = [quoted("blocked by", ", ".join([f"session {longest.session_id}", *whose]), longest.place)]
    if longest.statement:
        told.append(quoted("its statement", longest.statement, longest.place))
    return replace(_with(one, told), facts={**one.facts, "blocker": longest._asdict()})


def _among_others(own: list[Judged]) -> list[Judged]:
    """Make verdicts that share a replica name their window and databases: each stands alone."""
    shared: dict[tuple[str, str], list[Judged]] = {}
    for each in own:
        shared.setdefault((each.subject.get("ag", ""), each.subject["replica"]), []).append(each)
    found = []
    for each in own:
        same = shared[each.subject.get("ag", ""), each.subject["replica"]]
        if len(same) > 1:
            days = {str(one.window[end])[:10] for one in same for end in ("start", "end")}
            ends = [str(each.window[end]).removesuffix("Z").replace("T", " ") for end in ("start", "end")]
            first, last = ends if len(days) > 1 else (end[11:] for end in ends)
            among = {"first": first, "last": last, "is_local": bool(each.window.get("local"))}
            among |= {"database": each.subject.get("database")}
            each = replace(each, facts={**each.facts, "among": among})
        found.append(each)
    return found


def looks_at(study: Study, ag: str, replica: str) -> list[Look]:
    """Return the snapshots of a replica of a group, in time order."""
    wanted = {_key(ag, replica)}
    return [look for look in study.known.looks if _among(_key(look.ag, look.replica), wanted)]


def _key(ag: str, replica: str) -> tuple[str, str]:
    return ag.lower(), replica.lower()


def _among(key: tuple[str, str], others: Iterable[tuple[str, str]]) -> bool:
    """Return whether a replica is among others; counters and looks may leave its group open."""
    return any(key[1] == replica and (not key[0] or not ag or key[0] == ag) for ag, replica in others)


def _looks_with(study: Study, links: list[LinkStudy], studied: LinkStudy) -> list[Look]:
    """Return the snapshots used by a verdict on data loss: the replica's last one has them."""
    key = _key(studied.link.ag, studied.link.replica)
    mine = [s for s in links if s.losses and _key(s.link.ag, s.link.replica) == key]
    return looks_at(study, *key) if mine and mine[-1] is studied else []


def _of_looks(study: Study, links: list[LinkStudy], looks: list[Look]) -> list[Judged]:
    """Return what snapshots show of replicas without perfmon data."""
    counted = {_key(s.link.ag, s.link.replica) for s in links}
    with_loss = {_key(s.link.ag, s.link.replica) for s in links if s.losses}
    found = []
    for key in dict.fromkeys(_key(look.ag, look.replica) for look in looks):
        mine = [look for look in looks if _key(look.ag, look.replica) == key]
        if not _among(key, counted):
            hosts = dict.fromkeys(look.host for look in mine if look.is_of_primary)
            waits = [each for host in hosts for each in waits_of_host(study.known.gate_waits, host)]
            found += behind(mine, study.limits) or _open(mine, waits)
        if not _among(key, with_loss) and without_loss(mine):
            found.append(no_loss_of(mine))
    return found


def _open(looks: list[Look], waits: list[Measured]) -> list[Judged]:
    """Judge the unknowns of a replica whose databases move; suspended ones have their own finding."""
    return [queues_of(looks, waits)] if any(not each.is_suspended for each in looks[-1].states) else []


def _unjudged(studied: LinkStudy, min_samples: int) -> list[Judged]:
    """Return why a replica has no verdict; silence would pass for health."""
    link, gaps = studied.link, _gaps(studied, min_samples)
    if studied.verdicts or not gaps:
        return []
    idle = bool(studied.parts) and all(IDLE in part.states for part in studied.parts)
    source = f"perfmon of {link.replica if link.secondary else link.primary_name}"
    return [
        Judged(
            said="not_captured.link",
            id="quality.not_captured",
            severity="info" if idle else "notice",
            subject={"replica": link.replica, "ag": link.ag},
            evidence=(IN_WINDOW(len(link.times), source),),
            facts=gaps[0][1] | {"gaps": [name for name, _facts in gaps]},
        )
    ]


def _has_link(study: Study, group: Group) -> bool:
    return any(studied.link.group is group for studied in study.links)


def _no_link(group: Group, min_samples: int) -> Judged:
    """Return why a group has no verdict at all."""
    return Judged(
        said="not_captured.group",
        id="quality.not_captured",
        severity="notice",
        subject={"ag": group.name} if group.name else {},
        evidence=tuple(OF_GROUP(len(node.times), f"perfmon of {node.name}") for node in group.nodes),
        facts={"group": _named(group), "min_samples": min_samples},
    )


def _named(group: Group) -> str:
    return group.name or "the availability group"


def missing(study: Study) -> list[Open]:
    """Return the missing input, if any."""
    if study.groups or study.known.looks:
        return []
    objects = {"database_replica": c.DATABASE_REPLICA, "availability_replica": c.AVAILABILITY_REPLICA}
    return [("open.nothing", objects)]


def not_captured(study: Study, links: list[LinkStudy]) -> list[Open]:
    """Return what is unknown because it was not captured."""
    found: list[Open] = []
    for group in study.groups:
        cast = study.roles[group.ags]
        facts = {"group": _named(group), "min_samples": study.limits.min_samples}
        for node in group.nodes:
            if all(role.role == UNKNOWN for role in cast[node.name]):
                found.append(("open.role", facts | {"node": node.name}))
        if not _has_link(study, group):
            found.append(("open.group", facts))
    return found + [gap for studied in links for gap in _gaps(studied, study.limits.min_samples)]


def _gaps(studied: LinkStudy, min_samples: int) -> list[Open]:
    """Return what was not captured, or not enough, of a link."""
    link, parts = studied.link, studied.parts
    few = [part.database for part in parts if TOO_FEW in part.states]
    short = [part.database for part in parts if TOO_SHORT in part.states]
    facts: dict[str, Any] = {
        "replica": link.replica,
        "primary": link.primary_name,
        "few": few,
        "short": short,
    }
    is_apart = link.apart is not None and link.apart.shift is not None
    facts |= {"min_samples": min_samples, "clocks_apart": is_apart}
    if link.secondary is None:
        return [("open.no_replica", facts)]
    holds = {
        "open.no_primary": link.primary is None,
        "open.few": bool(few),
        "open.short": bool(short),
        "open.idle": bool(parts) and all(IDLE in part.states for part in parts),
        "open.no_queue": not parts,
    }
    return [(name, facts) for name, is_open in holds.items() if is_open]


def answer(study: Study, links: list[LinkStudy], found: list[Finding]) -> dict[str, Any]:
    """Return the facts of the page: the worst first, then every finding."""
    told = [f for f in found if f.id not in COSTS]
    worst = [f for f in told if SEVERITY_ORDER.index(f.severity) >= WORST]
    remedies = [shortened(f.recommendation, MOST_WORDS)[0] for f in worst if f.recommendation]
    return {
        "found": found,
        "worst": worst[:3],
        "is_told": bool(told),
        "is_counted": bool(links),
        "judged": len({f.subject["replica"] for f in told if "replica" in f.subject}),
        "replicas": len({studied.link.replica for studied in links}),
        "groups": [group.name for group in study.groups if group.name],
        "primaries": list(dict.fromkeys(s.link.primary_name for s in links if s.link.primary_name)),
        # The marks of code would be escaped with the names from captures around them.
        "first": remedies[0].replace("`", "") if remedies else "",
        "healthy": list(dict.fromkeys(f.subject["replica"] for f in told if f.id == "transport.healthy")),
    }


def of_links(found: list[SentReceived], limits: Thresholds) -> dict[str, Any]:
    """Return received against sent, link by link, and a primary's counts for several."""
    links = [_of_link(each, limits) for each in found]
    return {"links": links, "side_by_side": _side_by_side(found, limits)}


def headline(found: list[SentReceived]) -> dict[str, Any]:
    """Return the answer of the links to one replica in a line."""
    (one,) = found if len(found) == 1 else (None,)
    brief = one.sending.counted.brief if one and one.sent is not None else ""
    return {"links": found, "compared": one and _ratio(one.comparison), "why": brief or (one and one.why_not)}


def _ratio(comparison: Comparison | None) -> float | None:
    return comparison.ratio if comparison is not None else None


def _of_link(found: SentReceived, limits: Thresholds) -> dict[str, Any]:
    link, per_byte, skew = found.link, _ratio(found.compression), found.link.skew
    again, compared = found.hops[hops.RESENT].rate, _ratio(found.comparison)
    off = abs(skew) if link.aligned and skew is not None else None
    sides = (found.sent, found.known(hops.WIRE_RECEIVED), found.known(hops.RECEIVED))
    return _sending(found) | {
        "replica": link.replica,
        "primary": link.primary_name,
        "why_not": found.why_not,
        "arrived": _arrived(found),
        "compared": found.comparison if compared is not None else None,
        "is_doubtful": compared is not None and abs(compared - 1) > limits.one_unit_share,
        "sides": [hop for hop in sides if hop is not None],
        "left": _left(found, limits),
        "log_per_byte": per_byte,
        "peaks": _peaks(found),
        "is_compressed": per_byte is not None and per_byte >= limits.compressed_ratio,
        "resent": None if again is None else round(again.total),
        "clocks_apart": off if off is not None and off * 1000 >= limits.skew_ms else None,
    }


def _sending(found: SentReceived) -> dict[str, Any]:
    """Return how the primary counts what it sends."""
    mode, counted = found.sending.mode, found.sending.counted
    return {"mode": mode and mode.mode, "counted_why": counted.why, "flags_on": flags_on(found.sending)}


class Arrived(NamedTuple):
    """How many bytes of log were flushed and received over the same samples, and the share received."""

    ratio: float
    seconds: float
    flushed: float
    received: float


def _arrived(found: SentReceived) -> Arrived | None:
    """Return what was flushed and what arrived of it, while every hop has samples."""
    ratio, passed = found.arrived_ratio, found.balance.passed
    if ratio is None:
        return None
    flushed, received = passed[hops.FLUSHED].total, passed[hops.RECEIVED].total
    assert flushed is not None
    assert received is not None
    return Arrived(ratio, found.balance.seconds, flushed, received)


def _left(found: SentReceived, limits: Thresholds) -> dict[str, Any] | None:
    """Return where the log is that was flushed and did not arrive: in the send queue, or what left it."""
    arrived, growth = _arrived(found), found.queue_growth
    if arrived is None or growth is None or limits.kept_up_share <= arrived.ratio <= 1 / limits.kept_up_share:
        return None
    left = arrived.flushed - arrived.received
    is_queued = abs(left - growth) <= limits.unaccounted_share * max(arrived.flushed, arrived.received)
    return {"bytes": left, "growth": growth, "is_queued": is_queued}


def _peaks(found: SentReceived) -> dict[str, float] | None:
    """Return the peaks of a compressed stream, which differ although the bytes are the same."""
    sent, received = found.sent, found.known(hops.RECEIVED)
    if sent is None or received is None or sent.unit != WIRE:
        return None
    assert sent.spread is not None
    assert received.spread is not None
    return {"sent": sent.spread.max, "received": received.spread.max}


def _side_by_side(found: list[SentReceived], limits: Thresholds) -> list[dict[str, Any]]:
    """Return the primaries that count less than the log for one replica, and the log for another."""
    by_primary: dict[str, list[tuple[SentReceived, float]]] = {}
    for each in found:
        ratio = _ratio(each.sent_per_log)
        if each.sending.counted.unit == WIRE and ratio:
            by_primary.setdefault(each.link.primary_name, []).append((each, 1 / ratio))
    told = []
    for primary, ratios in by_primary.items():
        less = [(each, ratio) for each, ratio in ratios if 1 / ratio >= limits.compressed_ratio]
        as_is = [(each, ratio) for each, ratio in ratios if 1 / ratio < limits.compressed_ratio]
        if less and as_is:
            about = {"sender": primary, "ratio": less[0][1], "less": less, "as_is": as_is}
            told.append(_sending(less[0][0]) | about)
    return told


def of_paths(found: list[Path], looks: list[Settings]) -> dict[str, Any]:
    """Return how the paths differ, and which TCP settings are odd."""
    odd: dict[tuple[str, str], list[str]] = {}
    for one in looks:
        for name in one.odd:
            odd.setdefault((name, one.values[name]), []).append(one.host or one.path)
    settings = [
        {"setting": name, "value": value, "hosts": list(dict.fromkeys(hosts)), "usual": USUAL.get(name, "")}
        for (name, value), hosts in odd.items()
    ]
    # Copies of several windows, the earliest first.
    copies = list(dict.fromkeys((p.link.replica, p.copy) for p in found if p.copy is not None))
    return {"copies": copies, "odd": settings, "is_usual": bool(looks) and not odd}
