"""Log blocks with evidence removed one kind at a time: what is then right, wrong, or not reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

import agtrace
from agtrace.say.finding import Finding
from simulation.commits.model import HOPS, PRIMARY, REPLICA, Setting, Way
from simulation.samples.commit_cases import Story, files_of

SLOW_MS = {
    "capture": (4, 30), "compression": (6, 30), "send": (4, 30), "network": (8, 60), "receive": (4, 30),
    "decompression": (4, 30), "remote harden": (8, 60), "acknowledgement": (6, 30), "local harden": (20, 80),
}  # fmt: skip
"""Between which medians a hop that dominates is drawn."""
EVENTS = "AlwaysOn_Data_Movement"
KINDS = {
    "no AlwaysOn_health": ("AlwaysOn_health",),
    "no perfmon": ("perfmon",),
    "no ERRORLOG": ("ERRORLOG",),
    "no waits": ("PerfStats",),
    "no views": ("AlwaysOnDiagScript",),
    "events only": ("perfmon", "ERRORLOG", "PerfStats", "AlwaysOnDiagScript"),
    "no events": (EVENTS,),
    "no events of the primary": (f"{PRIMARY}/{EVENTS}",),
    "no events of the replica": (f"{REPLICA}/{EVENTS}",),
    "primary only": (f"{REPLICA}/",),
    "replica only": (f"{PRIMARY}/",),
}
"""What is removed, by parts of the paths."""
ALARMS = ("warning", "critical")
WAITS = ("commit.", "transport.commit_delay")
SHOWN_MS = 20.0
"""A commit that waits longer is reported from counters and waits alone."""


def dominant(way: Way, sides: tuple[str, ...]) -> str | None:
    """Return the hop that dominates in truth, as far as the captured sides can tell."""
    if PRIMARY not in sides:
        return None
    outlasts = np.maximum(way.times["flushed"] - way.times["ack_processed"], 0) / 1e3
    if outlasts.mean() > way.commit_ms.mean() / 2:
        return "local harden"
    means = {hop: way.hops[hop].mean() for hop in HOPS if hop != "local harden"}
    if REPLICA not in sides:
        means = {hop: means[hop] for hop in ("capture", "compression", "send")}
        means["remote"] = ((way.times["ack_received"] - way.times["sent"]) / 1e3).mean()
    return max(means, key=lambda hop: means[hop])


@dataclass
class Left:
    """What was found in what is left of a case."""

    removal: str
    way: Way
    sides: tuple[str, ...]
    """Hosts whose events are left."""
    has_delay: bool
    """Whether the primary's counters are left."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def named(self) -> list[tuple[str, float]]:
        """Hops that are said to dominate, each with its confidence."""
        return [
            (str(one.value), finding.confidence)
            for finding in self.findings
            if finding.id == "commit.hop"
            for one in finding.evidence
            if one.label == "dominant hop"
        ]

    @property
    def contradicted(self) -> list[tuple[str, float]]:
        """What the truth contradicts, each with its confidence."""
        truth = dominant(self.way, self.sides)
        found = [(f"{truth}, answered {hop}", sure) for hop, sure in self.named if hop != truth]
        # Nothing is wrong but that commits wait.
        alarms = [one for one in self.findings if one.severity in ALARMS and not one.id.startswith(WAITS)]
        return found + [(one.title, one.confidence) for one in alarms]

    @property
    def unreported(self) -> list[str]:
        """What the remaining files show and no finding reports."""
        truth = dominant(self.way, self.sides)
        if truth and not self.named:
            return [f"not named: {truth}"]
        is_long = float(np.mean(self.way.times["ack_processed"] - self.way.times["flushed"])) / 1e3 > SHOWN_MS
        ids = {finding.id for finding in self.findings}
        is_reported = any(one.startswith(WAITS) for one in ids)
        return ["commits wait long"] if is_long and self.has_delay and not is_reported else []


def draw(number: int, seed: int) -> tuple[dict[str, bytes], Way]:
    """Draw case ``number`` of a run: its files by path, and the way of its log blocks."""
    dice = Random(f"{seed}-{number}")
    slow = HOPS[number % len(HOPS)]
    hops, skew_ms = {slow: dice.uniform(*SLOW_MS[slow])}, dice.uniform(-5000, 5000)
    story = Story("", (), hops, skew_ms, slow)
    setting = Setting(
        blocks=dice.randint(150, 400),
        hops_ms=hops,
        spread=dice.uniform(0.05, 0.5),
        forward=dice.uniform(0.2, 0.8),
        apart_ms=dice.uniform(40, 400),
        skew_ms=skew_ms,
        lost=dice.choice((0, 0.01, 0.05)),
        compressed=slow == "compression" or dice.random() < 0.5,
    )
    return files_of(f"{seed}-{number}", story, setting, f"{seed}-{number}")


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files below a folder."""
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def answers(number: int, seed: int) -> Iterator[Left]:
    """Draw case ``number`` of a run, and ask without each kind of evidence."""
    files, way = draw(number, seed)
    for removal, parts in KINDS.items():
        left = {path: data for path, data in files.items() if not any(part in path for part in parts)}
        sides = tuple(
            host for host in (PRIMARY, REPLICA) if f"{host}/AlwaysOn_Data_Movement" in " ".join(left)
        )
        answer = Left(removal, way, sides, f"{PRIMARY}/perfmon.csv" in left)
        with TemporaryDirectory() as folder:
            write(Path(folder) / "case", left)
            with agtrace.open_case(Path(folder) / "case", store=Path(folder) / "store") as case:
                answer.findings = list(case.findings())
        yield answer
