"""What else is told of a life: who stood still, two primaries at once, lost connections, groups that moved
together.

Each function gives what is wrong as `Wrong`: a line, and how sure it was said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations

from agtrace.say.finding import Finding
from simulation.groups.draw import Case
from simulation.groups.journal import Still
from simulation.groups.life import Overlap

EXACT_S = 2.0
CLOCKS_S = 12.0
"""By how much the clocks of two nodes can differ that nobody compared."""
SURE_OVERLAP_S = 60.0
"""An overlap that is longer than what the clocks of two nodes can differ by must be told."""
ABOVE_NOTICE = ("warning", "critical")


@dataclass(frozen=True)
class Wrong:
    """Something that the truth contradicts; ``sure`` is 0 where nothing was said."""

    text: str
    sure: float = 0.0


def wrong(case: Case, findings: Sequence[Finding]) -> list[Wrong]:
    """Return all that is wrong beside the failovers."""
    return [
        *_standstills(case, findings),
        *_two_primaries(case, findings),
        *_disconnects(case, findings),
        *_together(case, findings),
        *_far(case, findings),
    ]


def _true(case: Case, host: str, t: float) -> datetime:
    group = case.life.group
    return group.utc(group.node(host), t).replace(tzinfo=UTC)


def _window(finding: Finding) -> tuple[datetime, datetime]:
    start, end = (datetime.fromisoformat(finding.window[edge]) for edge in ("start", "end"))
    return start, end


def _value(finding: Finding, label: str) -> float:
    return next(float(e.value) for e in finding.evidence if e.label == label)  # type: ignore[arg-type]


def _standstills(case: Case, findings: Sequence[Finding]) -> Iterator[Wrong]:
    told = [f for f in findings if f.id == "health.standstill"]
    meant: dict[int, Still] = {}
    for one in case.stills:
        start, end = _true(case, one.host, one.start), _true(case, one.host, one.end)
        own = [
            f for f in told if f.subject["host"] == one.host and _window(f)[0] < end and _window(f)[1] > start
        ]
        for finding in own:
            meant[id(finding)] = one
        if not own and case.shows(one):
            yield Wrong(f"{one.host} stood still for {one.end - one.start:.1f} s, and nothing tells it")
    for finding in told:
        if id(finding) not in meant:
            yield Wrong(f"claimed: {finding.title}", finding.confidence)
            continue
        one = meant[id(finding)]
        seconds = one.end - one.start
        low, high = _value(finding, "stood still"), _value(finding, "stood still, at most")
        if not low - EXACT_S <= seconds <= high + EXACT_S:
            yield Wrong(
                f"{one.host} stood still for {seconds:.1f} s, not {low:.1f} to {high:.1f} s",
                finding.confidence,
            )
        kind = ": machine paused" if one.is_paused else ": SQL Server hung"
        if kind not in finding.title and "is unknown" not in finding.title:
            yield Wrong(f"what stood still: {finding.title}", finding.confidence)


def _two_primaries(case: Case, findings: Sequence[Finding]) -> Iterator[Wrong]:
    told = [f for f in findings if f.id == "health.two_primaries"]
    meant: set[int] = set()
    for one in case.overlaps:
        ends = [_true(case, one.new, one.start), _true(case, one.old, one.end)]
        near = [
            f
            for f in told
            if f.subject["ag"] == one.ag and abs((_window(f)[0] - ends[0]).total_seconds()) <= CLOCKS_S
        ]
        meant |= {id(f) for f in near}
        seen = all(case.has(host, "ERRORLOG") for host in (one.old, one.new)) and not case.taken.flat
        if not near and seen and one.end - one.start > SURE_OVERLAP_S:
            yield Wrong(f"{one.ag} had two primaries for {one.end - one.start:.1f} s, and nothing tells it")
        for finding in near:
            yield from _overlap(case, one, finding)
    for finding in told:
        if id(finding) not in meant and not _is_all_but_none(case, finding):
            yield Wrong(f"claimed: {finding.title}", finding.confidence)


def _overlap(case: Case, one: Overlap, finding: Finding) -> Iterator[Wrong]:
    limit = EXACT_S if finding.confidence > 0.7 else CLOCKS_S
    both, awake = _value(finding, "both primary"), _value(finding, "both running")
    if abs(both - (one.end - one.start)) > limit:
        yield Wrong(
            f"{one.ag} had two primaries for {one.end - one.start:.1f} s, not {both:.1f} s",
            finding.confidence,
        )
    own = [s for s in case.stills if s.host == one.old and s.start <= one.end and s.end >= one.start]
    if one.awake is not None and all(case.shows(s) for s in own) and abs(awake - one.awake) > limit:
        yield Wrong(f"{one.old} was awake for {one.awake:.1f} s of it, not {awake:.1f} s", finding.confidence)


def _is_all_but_none(case: Case, finding: Finding) -> bool:
    """Return whether two nodes' unsynchronised clocks could produce the finding."""
    return finding.confidence <= 0.7 and _value(finding, "both primary") <= CLOCKS_S


def _disconnects(case: Case, findings: Sequence[Finding]) -> Iterator[Wrong]:
    told = [f for f in findings if f.id == "health.disconnect"]
    of_pair: dict[tuple[str, ...], list[Finding]] = defaultdict(list)
    for f in told:
        pair = sorted((f.subject["host"], f.subject["replica"].split("\\")[0]))
        of_pair[(f.subject["ag"], f.subject.get("database", ""), *pair)].append(f)
    for pair, own in of_pair.items():
        for a, b in combinations(own, 2):
            (first, until), (other, end) = _window(a), _window(b)
            if first < end and other < until:
                yield Wrong(f"counted twice, {pair}: {a.title}; {b.title}", min(a.confidence, b.confidence))
    whole = case.taken.nodes is None and case.has(
        case.life.group.nodes[0].name, "ERRORLOG", "AlwaysOn_health"
    )
    for f in told:
        about = next((what for what in _explained(case, f)), "")
        if whole and about and "explains it" in f.narrative:
            yield Wrong(f"explained by nothing, and it was {about}: {f.title}", f.confidence)


def _explained(case: Case, finding: Finding) -> Iterator[str]:
    """Yield what a lost connection belongs to."""
    at = _window(finding)[0]
    hosts = {finding.subject["host"], finding.subject["replica"].split("\\")[0]}
    for truth in case.truths:
        one = truth.failover
        start, end = (_true(case, one.target, t) for t in (one.start, one.end))
        if (
            truth.ag == finding.subject["ag"]
            and (at - start).total_seconds() > -30
            and (at - end).total_seconds() < 30
        ):
            yield truth.scenario
    for still in case.stills:
        since, until = (_true(case, still.host, t) for t in (still.start, still.end))
        if (
            still.host in hosts
            and case.shows(still)
            and (at - since).total_seconds() > -5
            and (at - until).total_seconds() < 15
        ):
            yield f"{still.host} that stood still"


def _together(case: Case, findings: Sequence[Finding]) -> Iterator[Wrong]:
    of_move: dict[int, list[Finding]] = defaultdict(list)
    for truth in case.truths:
        end = _true(case, truth.failover.target, truth.failover.end)
        for f in findings:
            if (
                truth.together
                and f.id == "health.failover"
                and f.subject["ag"] == truth.ag
                and abs((_window(f)[1] - end).total_seconds()) < 20
            ):
                of_move[truth.together].append(f)
    for number, told in of_move.items():
        heavy = [f for f in told if f.severity in ABOVE_NOTICE]
        if len(heavy) > 1:
            yield Wrong(
                f"{len(heavy)} findings above notice for what moved together ({number}): {heavy[1].title}",
                0.5,
            )
        names = {f.subject["ag"] for f in told}
        if heavy and not all(name in heavy[0].title or name in heavy[0].narrative for name in names):
            yield Wrong(f"not every group is named that moved together: {heavy[0].title}", 0.5)


def _far(case: Case, findings: Sequence[Finding]) -> Iterator[Wrong]:
    """The replicas of a distributed group are groups, and no hosts."""
    for f in findings:
        hosts = {f.subject.get(key) for key in ("host", "from", "to")}
        if hosts & set(case.life.group.distributed):
            yield Wrong(f"a group taken for a host: {f.title}", f.confidence)
