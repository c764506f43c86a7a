"""Transport cases with evidence removed one kind at a time: what is then right, wrong, or not reported.

A verdict is right where the truth allows it without the removed evidence (`Drawn.acceptable`). Without
counters nothing about the stream is shown, and only a setting of TCP can be reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import agtrace
from simulation.chains.answers import ALARMS, Answer
from simulation.chains.captures import write_captures
from simulation.chains.draw import BOTH, PRIMARY_ONLY, REPLICA_ONLY, Drawn, draw


@dataclass
class Left(Answer):
    """What was found in what is left of a case."""

    removal: str = ""
    has_counters: bool = True

    @property
    def contradicted(self) -> list[tuple[str, float]]:
        """What the truth contradicts, each with its confidence."""
        if self.has_counters:
            is_unnamed = self.drawn.carried and not self.named
            unnamed = [(f"not named: {self.drawn.cause}", 0.0)] if is_unnamed else []
            return [*((f.title, f.confidence) for f in self.wrong), *unnamed]
        return [(f.title, f.confidence) for f in self.verdicts if f.severity in ALARMS]

    @property
    def unreported(self) -> list[str]:
        """What the remaining files show and no finding reports."""
        if self.has_counters:
            return ["no verdict"] if self.drawn.carried and not self.verdicts else []
        is_off = self.drawn.tuning.get("S") == "disabled"
        is_reported = any("tuning" in f"{f.title} {f.narrative}".lower() for f in self.findings)
        return ["auto-tuning is off"] if is_off and not is_reported else []


def removals(drawn: Drawn) -> Iterator[tuple[str, Drawn]]:
    """Return what is left of a case without each kind of evidence."""
    yield "no perfmon", drawn
    if drawn.sides == BOTH:
        yield "primary only", replace(drawn, sides=PRIMARY_ONLY)
        yield "replica only", replace(drawn, sides=REPLICA_ONLY)
    if drawn.tuning:
        yield "no netsh", replace(drawn, tuning={})
    if drawn.ping:
        yield "no ping", replace(drawn, ping=False)
    if drawn.copy is not None:
        yield "no copy", replace(drawn, copy=None)
    if drawn.tuning or drawn.ping or drawn.copy is not None:
        yield "perfmon only", replace(drawn, tuning={}, ping=False, copy=None)
    if drawn.loss_counters:
        yield "no TCP counters", replace(drawn, loss_counters=False)
    if drawn.processor_counters:
        yield "no processor counters", replace(drawn, processor_counters=False)


def answers(number: int, seed: int) -> Iterator[Left]:
    """Draw case ``number`` of a run, and ask without each kind of evidence.

    A case of which no file is left has no answer.
    """
    for removal, drawn in removals(draw(number, Random(f"{seed}-{number}"))):
        answer = Left(drawn, removal=removal, has_counters=removal != "no perfmon")
        with TemporaryDirectory() as folder:
            root = Path(folder) / "case"
            write_captures(root, drawn, Random(f"{seed}-{number}-captures"))
            for path in root.rglob("*.csv") if not answer.has_counters else ():
                path.unlink()
            if any(path.is_file() for path in root.rglob("*")):
                with agtrace.open_case(root, store=Path(folder) / "store") as case:
                    answer.findings = list(case.findings())
                yield answer
