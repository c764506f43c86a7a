"""Puts drawn lives of a group before the health diagnostic and counts what it answers.

Run by ``bench/failovers.py`` for many cases and by the tests for a few. Only the findings are looked
at, as a user would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import agtrace
from agtrace.say.finding import Finding
from simulation.groups import beside
from simulation.groups.beside import Wrong
from simulation.groups.draw import Case, Truth, draw
from simulation.groups.files import write_group

SURE = 0.7
NEAR_S = 20.0
"""How far the end that a finding names may be from the true one to be meant by it."""
EXACT_S = 2.0


@dataclass
class Answer:
    """What was found in a case, and what is right or wrong about it."""

    case: Case
    findings: list[Finding] = field(default_factory=list)

    @property
    def failovers(self) -> list[Finding]:
        return [f for f in self.findings if f.id == "health.failover"]

    def of(self, truth: Truth) -> Finding | None:
        """Return the finding about a failover: the one with the nearest end.

        Where nobody captured the new primary, the end that is told is the latest it can have: the
        failover lies in the window.
        """
        own = [f for f in self.failovers if f.subject["ag"] == truth.ag]
        near = [f for f in own if self._apart(f, truth) <= NEAR_S]
        if not near and not self.case.is_visible(truth):
            near = [f for f in own if self._covers(f, truth)]
        return min(near, key=lambda f: self._apart(f, truth), default=None)

    def _apart(self, finding: Finding, truth: Truth) -> float:
        return abs(self.error(finding, truth, "end"))

    def _covers(self, finding: Finding, truth: Truth) -> bool:
        from_to = (truth.failover.source, truth.failover.target)
        return (
            (finding.subject["from"], finding.subject["to"]) == from_to
            and self.error(finding, truth, "start") <= NEAR_S
            and self.error(finding, truth, "end") >= -NEAR_S
        )

    def error(self, finding: Finding, truth: Truth, edge: str) -> float:
        """Return how much later than in truth a window starts or ends, seconds.

        A window is told by the clock of the new primary.
        """
        told, group, one = (
            datetime.fromisoformat(finding.window[edge]),
            self.case.life.group,
            truth.failover,
        )
        true = group.utc(group.node(one.target), one.start if edge == "start" else one.end)
        return (told - true.replace(tzinfo=UTC)).total_seconds()

    @property
    def missed(self) -> list[Truth]:
        """Failovers that some file shows, and no finding tells."""
        return [t for t in self.case.truths if self.case.is_visible(t) and self.of(t) is None]

    @property
    def claimed(self) -> list[Finding]:
        """Findings of failovers that never happened."""
        meant = [self.of(truth) for truth in self.case.truths]
        return [f for f in self.failovers if not any(f is one for one in meant)]

    @property
    def wrong(self) -> list[tuple[Truth, Finding]]:
        """Causes that the truth contradicts."""
        found = []
        for truth in self.case.truths:
            finding = self.of(truth)
            if finding and finding.subject["cause"] not in self.case.acceptable(truth):
                found.append((truth, finding))
        return found

    @property
    def unnamed(self) -> list[tuple[Truth, Finding]]:
        """Causes that the captures carry, and that are not named."""
        found = []
        for truth in self.case.truths:
            finding = self.of(truth)
            named = {truth.failover.cause, *truth.also}
            if finding and self.case.carried(truth) and finding.subject["cause"] not in named:
                found.append((truth, finding))
        return found

    @property
    def inexact(self) -> list[str]:
        """Windows of failovers between two captured nodes that are off by more than two seconds."""
        found = []
        for truth in self.case.truths:
            finding, one = self.of(truth), truth.failover
            both = all(self.case.has(h, "ERRORLOG") for h in (one.source, one.target))
            for edge in ("start", "end") if finding and both else ():
                error = self.error(finding, truth, edge)
                if abs(error) > EXACT_S:
                    found.append(f"{truth.scenario}: {edge} {error:+.1f} s")
        return found

    @property
    def misnamed(self) -> list[Wrong]:
        """From, to and mode that are said and not so."""
        found = []
        for truth in self.case.truths:
            finding, one = self.of(truth), truth.failover
            if finding is None:
                continue
            for key, true in (("from", one.source), ("to", one.target), ("mode", one.mode)):
                if finding.subject[key] not in (true, "", "open"):
                    text = f"{truth.scenario}: {key} {finding.subject[key]}, not {true}"
                    found.append(Wrong(text, finding.confidence))
        return found

    @cached_property
    def beside(self) -> list[Wrong]:
        """What is wrong beside the failovers."""
        return beside.wrong(self.case, self.findings)

    @property
    def is_right(self) -> bool:
        """Whether every failover has its cause, none is missed and none claimed, and nothing else is
        wrong.
        """
        return not (self.missed or self.claimed or self.wrong or self.unnamed or self.misnamed or self.beside)

    @property
    def is_surely_wrong(self) -> bool:
        """Whether something that the truth contradicts is said as if it were sure."""
        told = [f.confidence for _, f in self.wrong]
        told += [one.sure for one in (*self.misnamed, *self.beside)]
        return any(sure > SURE for sure in told)

    def line(self) -> str:
        """Return the case and its answers in a line."""
        told = ", ".join(
            f"{f.subject['from']}->{f.subject['to']} {f.subject['mode']} "
            f"{f.subject['trigger']}/{f.subject['cause']} "
            f"{f.confidence:g}"
            for f in self.failovers
        )
        lines = [self.case.line, told or "no failover told"]
        lines += [f"missed: {t.ag} {t.scenario}" for t in self.missed]
        lines += [f"claimed: {f.title}, {f.window}" for f in self.claimed]
        lines += [f"not named: {t.ag} {t.scenario}: {f.subject['cause']}" for t, f in self.unnamed]
        lines += [f"wrong cause: {t.ag} {t.scenario}: {f.subject['cause']}" for t, f in self.wrong]
        lines += [f"{one.text} ({one.sure:g})" for one in (*self.misnamed, *self.beside)]
        return "\n      ".join(lines)


def answer(number: int, seed: int) -> Answer:
    """Draw case ``number`` of a run, write it, and ask for findings."""
    case = draw(number, Random(f"{seed}-{number}"))
    with TemporaryDirectory() as folder:
        write_group(Path(folder) / "case", case.life, case.taken)
        opened = agtrace.open_case(Path(folder) / "case", store=Path(folder) / "store")
        return Answer(case, list(opened.health.findings()))


def answers(count: int, seed: int, first: int = 0) -> Iterator[Answer]:
    """Return the answers to many cases; with another ``first`` one, other scenarios begin."""
    return (answer(number, seed) for number in range(first, first + count))


@dataclass
class Score:
    """What a run shows."""

    answers: list[Answer]

    @property
    def right(self) -> list[Answer]:
        return [a for a in self.answers if a.is_right]

    @property
    def surely_wrong(self) -> list[Answer]:
        return [a for a in self.answers if a.is_surely_wrong]

    @property
    def missed(self) -> list[Answer]:
        return [a for a in self.answers if a.missed]

    @property
    def claimed(self) -> list[Answer]:
        return [a for a in self.answers if a.claimed]

    def told_beside(self) -> str:
        """Return how much else of what happened is reported, and how often it is shown."""
        shown = sum(a.case.shows(one) for a in self.answers for one in a.case.stills)
        overlaps = sum(len(a.case.overlaps) for a in self.answers)
        told = Counter(f.id for a in self.answers for f in a.findings)
        return (
            f"standstills: {shown} that samples show, {told['health.standstill']} findings; two primaries: "
            f"{overlaps}, "
            f"{told['health.two_primaries']} findings; {told['health.disconnect']} lost connections told"
        )

    def table(self) -> str:
        """Return the answers per scenario, with and without evidence of its cause."""
        lines = []
        for carried in (True, False):
            counted: Counter[tuple[str, str]] = Counter()
            for a in self.answers:
                for truth in a.case.truths:
                    if a.case.carried(truth) == carried:
                        finding = a.of(truth)
                        told = finding.subject["cause"] if finding else "-"
                        counted[truth.scenario, told] += 1
            lines.append("carried by the captures" if carried else "not carried")
            lines += [f"  {what:44} {told:20} {n:4}" for (what, told), n in sorted(counted.items())]
        return "\n".join(lines)
