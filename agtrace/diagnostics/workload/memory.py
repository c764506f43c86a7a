"""How much memory SQL Server was allowed during the tests: the first suspect where more is read than needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agtrace.diagnostics.base import View
from agtrace.history.trials.trial import Trial, moments
from agtrace.measure import processors
from agtrace.measure.processors import Start
from agtrace.measure.usage import moment
from agtrace.say import words
from agtrace.say.finding import Evidence

UNLIMITED = 2_147_483_647
"""The default of max server memory, in MB."""


@dataclass(frozen=True)
class Stretch:
    """Max server memory of a host over a stretch of time.

    Parameters
    ----------
    mb
        What it was, in MB.
    start, end
        UTC; None where nothing bounds it.
    source
        What says so.
    """

    host: str
    mb: int
    start: datetime | None
    end: datetime | None
    source: str

    def shares(self, start: datetime, end: datetime) -> bool:
        """Say whether any of it lies between two moments."""
        return (self.start is None or self.start < end) and (self.end is None or self.end > start)


@dataclass(frozen=True)
class Memory:
    """What is known of the memory of all hosts; ``starts`` by host tell what was installed."""

    stretches: tuple[Stretch, ...]
    starts: Mapping[str, tuple[Start, ...]]

    def during(self, trials: Sequence[Trial]) -> dict[str, list[Stretch]]:
        """Give the stretches in which some of these tests ran, by host."""
        found: dict[str, list[Stretch]] = {}
        for stretch in self.stretches:
            if any(
                stretch.shares(moment(trial.start_us), moment(trial.end_us))
                for trial in trials
                if trial.start_us is not None and trial.end_us is not None
            ):
                found.setdefault(stretch.host, []).append(stretch)
        return found


def read_memory(view: View, sql: Callable[[str], str]) -> Memory:
    """Read the setting and the memory of every host; stretches whose times are not known are left out."""
    stretches = [
        Stretch(
            row["host_id"],
            int(row["value"]),
            row["start"],
            row["end"],
            f"{row['what']}, {row['path']}, line {row['line']}",
        )
        for row in view.rows(sql("memory.sql"))
    ]
    return Memory(tuple(stretches), processors.starts(view))


def megabytes(mb: int) -> str:
    """Word a setting."""
    return "not limited" if mb >= UNLIMITED else f"{mb:,} MB"


def say(memory: Memory, trials: Sequence[Trial]) -> str:
    """Say what max server memory was during some tests, one sentence."""
    found = memory.during(trials)
    if not found:
        return (
            "What max server memory was during these tests was not captured: the ERRORLOG tells of a change "
            "(message 15457), sys.configurations of the value in use."
        )
    told = []
    for host, stretches in sorted(found.items()):
        values = list(dict.fromkeys(stretch.mb for stretch in stretches))
        text = f"{' and then '.join(map(megabytes, values))} on {words.plain(host)}"
        if installed := processors.installed(memory.starts.get(host, ()), moments(trials)):
            text += f" (of {' and then '.join(f'{mb:,}' for mb in installed)} MB of RAM)"
        told.append(text)
    changed = any(len({s.mb for s in stretches}) > 1 for stretches in found.values())
    after = " It changed between these tests: they do not compare." if changed else ""
    return f"Max server memory was {words.listing(told)} during these tests.{after}"


def evidence(memory: Memory, trials: Sequence[Trial]) -> list[Evidence]:
    """Give the settings in force during some tests."""
    return [
        Evidence(f"max server memory of {words.plain(host)}", s.mb, "MB", words.plain(s.source))
        for host, stretches in sorted(memory.during(trials).items())
        for s in stretches
    ]
