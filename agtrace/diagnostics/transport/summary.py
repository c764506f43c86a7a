"""The answer of the transport question as a whole: findings, what is missing, the opening words."""

from __future__ import annotations

from dataclasses import replace

from agtrace.diagnostics.transport import apart, costs, narrative
from agtrace.diagnostics.transport.commit import CommitDelay
from agtrace.diagnostics.transport.snapshots import (
    no_loss_of,
    queues_of,
    waits_of_host,
    with_queues,
    without_loss,
)
from agtrace.diagnostics.transport.study import LinkStudy, Study
from agtrace.diagnostics.transport.verdict import Verdict
from agtrace.history.roles.groups import Group
from agtrace.history.roles.role import UNKNOWN
from agtrace.history.streams.commit_modes import Mode
from agtrace.history.streams.database_looks import Look
from agtrace.history.streams.parts import IDLE, TOO_FEW, TOO_SHORT
from agtrace.measure import transport_counters as c
from agtrace.say import words
from agtrace.say.finding import SEVERITY_ORDER, Evidence, Finding

CAPTURE = (
    "Capture perfmon on the primary and on every replica at the same time, every 5 s, while log is "
    "generated, for 10 minutes or more."
)
NO_COUNTERS = (
    "No perfmon counters of the group were captured: looks at a server show how its replicas stood at "
    "single moments."
)
HOW = "docs/capture.md lists the counters to capture on every replica."


def findings(study: Study, links: list[LinkStudy], looks: list[Look]) -> list[Finding]:
    """Give every finding about some links of a case, and some looks at it."""
    found = _verdicts(study, links)
    for studied in links:
        looked = _looks_with(study, links, studied)
        costed = (
            costs.of_loss(studied.link, studied.losses, study.limits, looked),
            costs.of_redo_time(studied.link, studied.redo_times, studied.without_redo_time, study.limits),
        )
        found += [item for item in costed if item is not None]
    found += apart.of_apart([studied.link for studied in links])
    few = study.limits.min_samples
    found += [_no_link(group, few) for group in study.groups if not _has_link(study, group)]
    primaries = {studied.link.primary_name for studied in links}
    found += [
        costs.of_commit(delay, _modes(study, delay), study.limits)
        for delay in study.delays
        if delay.primary.name in primaries
    ]
    return found + of_looks(study, links, looks)


def _verdicts(study: Study, links: list[LinkStudy]) -> list[Finding]:
    """Give the verdicts on links, or why there is none; the last on a replica tells of its looks."""
    own: list[Finding] = []
    unjudged: list[Finding] = []
    last = {_key(studied.link.ag, studied.link.replica): studied for studied in links}
    for studied in links:
        told = [_with_waits(narrative.finding(verdict), verdict, study) for verdict in studied.verdicts]
        lacking = _unjudged(studied, study.limits.min_samples)
        for mine in (told, lacking):
            if mine and last[_key(studied.link.ag, studied.link.replica)] is studied:
                mine[-1] = with_queues(mine[-1], looks_at(study, studied.link.ag, studied.link.replica))
        own += told
        unjudged += lacking
    return narrative.with_windows(own) + unjudged


def _with_waits(finding: Finding, verdict: Verdict, study: Study) -> Finding:
    """Add the waits for flow control to a finding that speaks of the send gate."""
    primary = verdict.link.primary
    if primary is None or primary.is_local or verdict.stream.flow_control_time is None:
        return finding
    times = primary.times[verdict.link.primary_rows]
    span = (float(times[0]), float(times[-1]))
    waits = waits_of_host(study.known.gate_waits, primary.host_id, span)
    return replace(finding, evidence=(*finding.evidence, *waits))


def looks_at(study: Study, ag: str, replica: str) -> list[Look]:
    """Give the looks at a replica of a group, in order of time."""
    wanted = _key(ag, replica)
    return [look for look in study.known.looks if _key(look.ag, look.replica) == wanted]


def _key(ag: str, replica: str) -> tuple[str, str]:
    return ag.lower(), replica.lower()


def _looks_with(study: Study, links: list[LinkStudy], studied: LinkStudy) -> list[Look]:
    """Give the looks that a finding about data loss tells of: the last one on the replica does."""
    key = _key(studied.link.ag, studied.link.replica)
    mine = [s for s in links if s.losses and _key(s.link.ag, s.link.replica) == key]
    return looks_at(study, *key) if mine and mine[-1] is studied else []


def of_looks(study: Study, links: list[LinkStudy], looks: list[Look]) -> list[Finding]:
    """Give what looks say of replicas of which perfmon says nothing."""
    counted = {_key(s.link.ag, s.link.replica) for s in links}
    with_loss = {_key(s.link.ag, s.link.replica) for s in links if s.losses}
    found = []
    for key in dict.fromkeys(_key(look.ag, look.replica) for look in looks):
        mine = [look for look in looks if _key(look.ag, look.replica) == key]
        if key not in counted:
            hosts = dict.fromkeys(look.host for look in mine if look.is_of_primary)
            waits = [each for host in hosts for each in waits_of_host(study.known.gate_waits, host)]
            found.append(queues_of(mine, waits))
        if key not in with_loss and without_loss(mine):
            found.append(no_loss_of(mine))
    return found


def _modes(study: Study, delay: CommitDelay) -> dict[str, Mode]:
    """Give the commit modes that are known of the replicas that a commit may wait for."""
    known = {}
    for link in (studied.link for studied in study.links):
        if link.group is delay.group and link.primary is delay.primary:
            mode = study.known.modes.of(link, study.limits)
            if mode is not None and link.primary_rows == delay.rows:
                known[link.replica] = mode
    return known


def _unjudged(studied: LinkStudy, min_samples: int) -> list[Finding]:
    """Say why a replica has no verdict: silence would pass for health."""
    link, why = studied.link, _of_link(studied, min_samples)
    if studied.verdicts or not why:
        return []
    replica = words.plain(link.replica)
    idle = bool(studied.parts) and all(IDLE in part.states for part in studied.parts)
    source = f"perfmon of {replica}" if link.secondary else f"perfmon of {link.primary_name}"
    return [
        Finding(
            id="quality.not_captured",
            severity="info" if idle else "notice",
            title=f"No verdict on {replica}: the captures do not carry one",
            narrative=" ".join(why),
            subject={"replica": link.replica, "ag": link.ag},
            evidence=(Evidence("samples in this window", len(link.times), "", source),),
            recommendation=CAPTURE,
        )
    ]


def _has_link(study: Study, group: Group) -> bool:
    return any(studied.link.group is group for studied in study.links)


def _no_link(group: Group, min_samples: int) -> Finding:
    """Say why a group has no verdict at all."""
    name = words.plain(group.name or "the availability group")
    return Finding(
        id="quality.not_captured",
        severity="notice",
        title=f"No verdict on {name}: the captures do not carry one",
        narrative=f"{_no_stretch(name, min_samples)} {HOW}",
        subject={"ag": group.name} if group.name else {},
        evidence=tuple(
            Evidence("samples of its counters", len(node.times), "", f"perfmon of {node.name}")
            for node in group.nodes
        ),
        recommendation=CAPTURE,
    )


def _no_stretch(name: str, min_samples: int) -> str:
    return (
        f"{name}: no stretch of {min_samples} samples or more in which a primary and a secondary are known."
    )


def missing(study: Study) -> list[str]:
    """Say what it takes to answer at all; plain text."""
    if study.groups or study.known.looks:
        return []
    return [
        "No perfmon counters of an availability group were captured "
        f"({c.DATABASE_REPLICA} and {c.AVAILABILITY_REPLICA}). {HOW}"
    ]


def not_captured(study: Study, links: list[LinkStudy]) -> list[str]:
    """Say what stays open because it was not captured; plain text."""
    said = []
    for group in study.groups:
        cast = study.roles[group.ags]
        name = words.plain(group.name or "the availability group")
        for node in group.nodes:
            if all(role.role == UNKNOWN for role in cast[node.name]):
                said.append(
                    f"{words.plain(node.name)}: nothing tells its role in {name} (no log moved, no ERRORLOG)."
                )
        if not _has_link(study, group):
            said.append(f"{_no_stretch(name, study.limits.min_samples)} {HOW}")
    for studied in links:
        said += _of_link(studied, study.limits.min_samples)
    return list(dict.fromkeys(said))


def _of_link(studied: LinkStudy, min_samples: int) -> list[str]:
    link, said = studied.link, []
    replica = words.plain(link.replica)
    if link.secondary is None:
        said.append(
            f"{replica} was not captured: its queues, and the log received, hardened and redone there, "
            f"stay open. {HOW}"
        )
        return said
    if link.primary is None:
        who = words.plain(link.primary_name) if link.primary_name else "The primary"
        why = "was not captured while"
        if link.apart is not None and link.apart.shift is not None:
            why = "has another clock than the replica while"
        said.append(
            f"{who} {why} {replica} was its secondary: log flushed, bytes sent, flow "
            f"control and commit wait stay open. {HOW}"
        )
    few = [p.database for p in studied.parts if TOO_FEW in p.states]
    if few:
        listed = words.listing([words.plain(name) for name in few])
        said.append(
            f"{replica}: fewer than {min_samples} samples of Log Send Queue for {listed}; no verdict."
        )
    short = [p.database for p in studied.parts if TOO_SHORT in p.states]
    if short:
        listed = words.listing([words.plain(name) for name in short])
        said.append(
            f"{replica}: the log send queue of {listed} filled near the end of the window, for too short a "
            "time to judge; capture longer."
        )
    idle = [p.database for p in studied.parts if IDLE in p.states]
    if idle and len(idle) == len(studied.parts):
        said.append(f"{replica}: no log to judge by was generated in this window; no verdict.")
    if not studied.parts:
        said.append(f"{replica}: neither Log Send Queue nor Log Bytes Received/sec was captured. {HOW}")
    return said


def say(study: Study, links: list[LinkStudy], found: list[Finding]) -> str:
    """Give the answer in Markdown: the worst first, then one paragraph for each replica."""
    verdicts = [f for f in found if f.id not in ("transport.rpo", "transport.rto")]
    if not verdicts:
        return "The captures carry no verdict on the transport of log."
    opening = [_opening(study, links, verdicts)] if links else [NO_COUNTERS]
    worst = [f for f in verdicts if SEVERITY_ORDER.index(f.severity) >= 2]
    for f in worst[:3]:
        opening.append(f"**{words.md(f.title)}** (confidence {f.confidence:.0%}).")
    if not worst and links:
        opening.append("No replica falls behind.")
    remedies = list(dict.fromkeys(f.recommendation for f in worst if f.recommendation))
    if remedies:
        # The marks of code would be escaped with the names from captures around them.
        first = remedies[0].replace("`", "")
        opening.append(f"What to do first: {words.md(first, 600)}")
    healthy = [f.subject["replica"] for f in verdicts if f.id == "transport.healthy"]
    if healthy and worst:
        listed = words.listing([words.md(name) for name in dict.fromkeys(healthy)])
        opening.append(f"{listed} {'keeps' if len(set(healthy)) == 1 else 'keep'} up.")
    paragraphs = [" ".join(opening)]
    paragraphs += [f"- **{words.md(f.title)}** ({f.severity}). {words.md(f.narrative, 3000)}" for f in found]
    return "\n\n".join(paragraphs[:1]) + "\n\n" + "\n".join(paragraphs[1:])


def _opening(study: Study, links: list[LinkStudy], verdicts: list[Finding]) -> str:
    names = [words.md(group.name) for group in study.groups if group.name]
    primaries = list(dict.fromkeys(s.link.primary_name for s in links if s.link.primary_name))
    replicas = list(dict.fromkeys(s.link.replica for s in links))
    count = len({f.subject.get("replica") for f in verdicts if "replica" in f.subject})
    told = f"{words.count(count, 'replica')} judged of {len(replicas)}"
    told += f" in {words.listing(names)}" if names else ""
    if primaries:
        told += f"; primary {words.listing([words.md(name) for name in primaries])}"
    return told + "."


def say_missing(said: list[str]) -> str:
    """Give what was not captured as a Markdown list; "" when nothing is open."""
    return "\n".join(f"- {words.md(text, 600)}" for text in said)
