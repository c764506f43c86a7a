"""Puts drawn cases before the diagnostic and counts what it answers.

Run by ``bench/transport_cases.py`` for many cases and by the tests for a few. Only the findings
are looked at, as a user would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import agtrace
from agtrace.say.finding import Finding
from simulation.chains.captures import NAMES, write_captures
from simulation.chains.draw import CAUSES, HEALTHY, Drawn, draw

COSTS = ("transport.rpo", "transport.rto", "transport.commit_delay")
SURE = 0.7
ALARMS = ("warning", "critical")


@dataclass
class Answer:
    """What was found in a case, and what is right or wrong about it."""

    drawn: Drawn
    findings: list[Finding] = field(default_factory=list)

    @property
    def verdicts(self) -> list[Finding]:
        """What is said about the replica's stream."""
        return [
            f
            for f in self.findings
            if f.id.startswith("transport.") and f.id not in COSTS and f.subject.get("replica")
        ]

    @property
    def named(self) -> bool:
        """The cause is named, and nothing wrong beside it."""
        told = (f for f in self.verdicts if _short(f) == self.drawn.expected)
        return any(self.drawn.titled in f.title for f in told) and not self.wrong

    @property
    def wrong(self) -> list[Finding]:
        """Verdicts that the truth contradicts."""
        slow = self.drawn.is_slow
        return [
            f
            for f in self.verdicts
            if _short(f) not in self.drawn.acceptable
            and not (slow and _short(f) == HEALTHY and "database" in f.subject)
        ]

    @property
    def false_alarms(self) -> list[Finding]:
        """Alarms where nothing is wrong with the stream."""
        if self.drawn.is_slow:
            return []
        return [f for f in self.verdicts if _short(f) != HEALTHY and f.severity in ALARMS]

    @property
    def clock_told(self) -> bool | None:
        """Whether a clock that is off was told; None where none is."""
        shifts = [self.drawn.clocks[host].shift for host in "PS"]
        idle = self.drawn.cause == "idle"  # nothing tells who is primary
        if self.drawn.sides != "both" or shifts == [0.0, 0.0] or idle:
            return None
        about = [
            f
            for f in self.findings
            if f.id in ("quality.clock_skew", "quality.time_zone_unknown") or "same time" in f.title
        ]
        return any(name in f.title for f in about for name in NAMES.values())

    def line(self) -> str:
        """Return the case in a line."""
        d = self.drawn
        told = ", ".join(f"{_short(f)} {f.confidence:g} {f.severity}" for f in self.verdicts)
        shift = max((d.clocks[host].shift for host in "PS"), key=abs)
        clock = d.clock_state + (f" by {shift:,.0f} s" if shift else "")
        known = [f"{host} {level}" for host, level in d.tuning.items()]
        known += ["ping"] * d.ping + ["copy"] * (d.copy is not None)
        return (
            f"#{d.number} {d.cause} ({d.sides}, clocks {clock}, every {d.step} s; {', '.join(known)})"
            f"{'' if d.carried else ' not carried'}: {told or 'no verdict'}"
        )


def _short(finding: Finding) -> str:
    return finding.id.removeprefix("transport.")


def answer(number: int, seed: int, causes: Sequence[str] = tuple(CAUSES)) -> Answer:
    """Draw case ``number`` of a run, write it, and ask for findings."""
    dice = Random(f"{seed}-{number}")
    drawn = draw(number, dice, causes)
    with TemporaryDirectory() as folder:
        write_captures(Path(folder) / "case", drawn, dice)
        case = agtrace.open_case(Path(folder) / "case", store=Path(folder) / "store")
        found = [*case.transport.findings(), *case.overview.findings()]
    return Answer(drawn, found)


def answers(count: int, seed: int, causes: Sequence[str] = tuple(CAUSES)) -> Iterator[Answer]:
    """Return the answers to many cases."""
    return (answer(number, seed, causes) for number in range(count))


@dataclass
class Score:
    """What a run shows."""

    answers: list[Answer]

    @property
    def carried(self) -> list[Answer]:
        return [a for a in self.answers if a.drawn.carried]

    @property
    def named(self) -> list[Answer]:
        return [a for a in self.carried if a.named]

    @property
    def surely_wrong(self) -> list[Answer]:
        return [a for a in self.answers if any(f.confidence > SURE for f in a.wrong)]

    @property
    def false_alarms(self) -> list[Answer]:
        return [a for a in self.answers if a.false_alarms]

    @property
    def untold(self) -> list[Answer]:
        """Cases with a clock that is off of which nothing is said."""
        return [a for a in self.answers if a.clock_told is False]

    def table(self) -> str:
        """Return a confusion table: causes by answers, in carried cases and in others."""
        lines = []
        for carried in (True, False):
            counted = Counter(
                (a.drawn.cause, " + ".join(sorted({_short(f) for f in a.verdicts})) or "-")
                for a in self.answers
                if a.drawn.carried == carried
            )
            lines.append("carried by the captures" if carried else "not carried")
            for (cause, told), n in sorted(counted.items()):
                lines.append(f"  {cause:17} {told:44} {n:4}")
        return "\n".join(lines)
