"""Cases of groups with evidence removed one kind at a time: what is then right, wrong, or not reported.

A finding is right where the truth allows it without the removed evidence (`Case.acceptable`): an honest
``open`` as well. Nothing is reported of an entry where no finding names its group or host at its time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import agtrace
from agtrace.say.finding import Finding
from simulation.groups.answers import NEAR_S, Answer
from simulation.groups.draw import Case, Truth, draw
from simulation.groups.files import KINDS, Taken, write_group
from simulation.groups.journal import Said

SESSIONS = ("AlwaysOn_health", "system_health", "SQLDIAG")
NUMBERS = re.compile(r"^[\d\-]{10} [\d:.]{8,} +\S+ +Error: \d+, Severity: \d+, State: \d+\.\s*\r?\n", re.M)
AROUND = timedelta(seconds=75)
HOUR_S = 3600
LATE_S = 900.0
"""So late a host notes a failover at most that nothing else of the captures tells."""
DECISIVE = re.compile(
    r"in availability group '(\w+)' has changed from 'PRIMARY_NORMAL'"
    r"|lease between availability group '(\w+)' and the Windows Server Failover Cluster has expired"
    r"|local availability replica of availability group '(\w+)' is in a failed state"
    r"|error type: .* causing failure of the availability group '(\w+)'"
    r"|SQL Server is terminating"
)
FOLLOWS = re.compile(
    r"with primary database established for secondary database .* on the availability replica '([\w-]+)"
)


@dataclass(frozen=True)
class Removal:
    """What is left of a case.

    Parameters
    ----------
    until
        When the ERRORLOGs are cut, true seconds.
    has_numbers
        Whether the lines with the numbers of errors are there.
    """

    name: str
    taken: Taken
    until: float = inf
    has_numbers: bool = True


def removals(case: Case) -> Iterator[Removal]:
    """Return each kind of evidence that can be removed from a case."""
    flat, nodes = case.taken.flat, [node.name for node in case.life.group.nodes]
    logs = ("ERRORLOG",)

    def left(*without: str) -> Taken:
        return Taken(kinds=tuple(kind for kind in KINDS if kind not in without), flat=flat)

    yield Removal("no cluster log", left("cluster log"))
    yield Removal("no XEL", left(*SESSIONS))
    yield Removal("no numbers", left(), has_numbers=False)
    for name in nodes:
        yield Removal("one node", replace(left(), nodes=(name,)))
        yield Removal("one ERRORLOG", Taken((name,), logs, flat), has_numbers=False)
    if case.truths:
        yield Removal("cut after the event", left(), until=max(t.failover.end for t in case.truths) + 0.05)
        first = min(t.failover.start for t in case.truths)
        yield Removal("cut at the loss", Taken(kinds=logs, flat=flat), until=first + 0.2)


class Left(Answer):
    """What was found in what is left of a case."""

    removal: Removal

    def error(self, finding: Finding, truth: Truth, edge: str) -> float:
        """Return how far off a time is: logs alone do not tell that clocks were set by an hour."""
        off = super().error(finding, truth, edge)
        return (off + HOUR_S / 2) % HOUR_S - HOUR_S / 2 if self.is_hour_open else off

    def _apart(self, finding: Finding, truth: Truth) -> float:
        off = super()._apart(finding, truth)
        is_hour_off = abs(super().error(finding, truth, "end")) > HOUR_S / 2
        return inf if is_hour_off and self._is_other_way(finding, truth) else off

    @staticmethod
    def _is_other_way(finding: Finding, truth: Truth) -> bool:
        ends = (("from", truth.failover.source), ("to", truth.failover.target))
        return any(finding.subject[key] not in ("", true) for key, true in ends)

    @property
    def is_hour_open(self) -> bool:
        has_utc = {"AlwaysOn_health", "system_health"} & set(self.case.taken.kinds)
        return self.case.life.group.zone.step_at is not None and not has_utc

    def _covers(self, finding: Finding, truth: Truth) -> bool:
        one = truth.failover
        late = min(abs(self.error(finding, truth, edge)) for edge in ("start", "end"))
        is_same = (finding.subject["from"], finding.subject["to"]) == (one.source, one.target)
        return super()._covers(finding, truth) or (is_same and late <= LATE_S + NEAR_S)

    @property
    def contradicted(self) -> list[tuple[str, float]]:
        """What the truth contradicts, each with its confidence."""
        found = [(f"claimed: {f.title}", f.confidence) for f in self.claimed]
        found += [(f"cause of {t.scenario}: {f.subject['cause']}", f.confidence) for t, f in self.wrong]
        for truth in self.case.truths:
            told, one = self.of(truth), truth.failover
            allowed = self.case.acceptable(truth) | {one.trigger}
            if told and told.subject["cause"] == "open" and told.subject["trigger"] not in allowed:
                found.append((f"trigger of {truth.scenario}: {told.subject['trigger']}", told.confidence))
        # A forced statement is what it says where the demotion before it was not captured.
        found += [(m.text, m.sure) for m in self.misnamed if "mode forced, not planned" not in m.text]
        return found + [(one.text, one.sure) for one in self.beside if one.sure]

    @property
    def unreported(self) -> list[str]:
        """Entries that prove an event which no finding names."""
        found = [] if self.removal.until < inf else [f"missed: {truth.scenario}" for truth in self.missed]
        for life in self.case.lives:
            for name, journal in life.journals.items():
                if self.case.has(name, "ERRORLOG"):
                    said = sorted((s for run in journal.runs for s in run.said), key=lambda s: s.t)
                    found += self._of_host(name, [s for s in said if s.t <= self.removal.until])
        return found

    def _of_host(self, name: str, said: list[Said]) -> Iterator[str]:
        leader = ""
        for each in said:
            if (follows := FOLLOWS.search(each.text)) is not None:
                moved = [f for f in self.failovers if follows[1] in (f.subject["to"], f.subject["from"])]
                if leader not in ("", follows[1]) and not moved:
                    yield f"{name} follows {follows[1]} after {leader}"
                leader = follows[1]
            elif (match := DECISIVE.search(each.text)) is not None:
                ag = next((group for group in match.groups() if group), "")
                if not any(self._names(finding, each.t, ag, name) for finding in self.findings):
                    yield f"{name}: {each.text[:90]}"

    def _names(self, finding: Finding, t: float, ag: str, host: str) -> bool:
        if finding.id.startswith("quality.") or not finding.window:
            return False
        group = self.case.life.group
        at = group.utc(group.node(host), t).replace(tzinfo=UTC)
        ats = [at + timedelta(hours=hours) for hours in ((-1, 0, 1) if self.is_hour_open else (0,))]
        start, end = (datetime.fromisoformat(str(finding.window[edge])) for edge in ("start", "end"))
        names = {str(value).split("\\")[0] for value in finding.subject.values()}
        return bool({ag, host} & names) and any(start - AROUND <= one <= end + AROUND for one in ats)


def left(case: Case, removal: Removal) -> Left | None:
    """Write what is left of a case, and ask for all findings; None where no file is left."""
    truths = [truth for truth in case.truths if truth.failover.end <= removal.until]
    answer = Left(replace(case, taken=removal.taken, truths=truths))
    answer.removal = removal
    with TemporaryDirectory() as folder:
        root = Path(folder) / "case"
        root.mkdir()
        for kind in removal.taken.kinds:
            until = removal.until if kind == "ERRORLOG" else inf
            write_group(root, case.life, replace(removal.taken, kinds=(kind,), until=until))
        if not any(path.is_file() for path in root.rglob("*")):
            return None
        for path in root.rglob("*ERRORLOG*") if not removal.has_numbers else ():
            text = NUMBERS.sub("", path.read_bytes().decode("utf-16"))
            path.write_bytes(b"\xff\xfe" + text.encode("utf-16-le"))
        with agtrace.open_case(root, store=Path(folder) / "store") as opened:
            answer.findings = opened.findings()
    return answer


def answers(number: int, seed: int) -> Iterator[Left]:
    """Draw case ``number`` of a run, and ask without each kind of evidence."""
    case = draw(number, Random(f"{seed}-{number}"))
    found = (left(case, removal) for removal in removals(case))
    return (answer for answer in found if answer is not None)
