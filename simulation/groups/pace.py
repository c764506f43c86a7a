"""What an instance writes at a steady pace: its processors each minute, the states of its components every
five.

One file per run of the process. The pace is of the instance's own ticks: while its machine is paused none
pass, and what was due while it was silent comes when it goes on.
"""

from __future__ import annotations

from collections.abc import Iterator

from simulation.groups.health import COMPONENTS, component
from simulation.groups.journal import Journal, Run, Timed
from simulation.groups.life import Life

MINUTE = "scheduler_monitor_system_health_ring_buffer_recorded"
PACE_S, COMPONENTS_S = 60.15, 300.2
"""As they are far apart in real files."""
FIRST_S, FIRST_COMPONENTS_S = 50.6, 0.9
"""After the start of the process."""
NEAR_S = 45.0


def keep_pace(life: Life, since: float, until: float) -> None:
    """Write what the health sessions keep of every run of every instance, and be silent where it was."""
    for journal in life.journals.values():
        for run in journal.runs:
            end = min(until, until if run.ended is None else run.ended)
            strained = [one for one in run.system if one[1] == MINUTE]
            run.system = [one for one in run.system if one[1] != MINUTE]
            for t in _beats(journal, max(run.start, since) + FIRST_S, PACE_S, end):
                _minute(life, journal, run, t, strained)
            for t in _beats(journal, max(run.start, since) + FIRST_COMPONENTS_S, COMPONENTS_S, end):
                for place, name in enumerate(COMPONENTS):
                    data = component(name, cpu=life.dice.randrange(9, 34))
                    journal.component(t + place / 1000, name, "clean", data, hosts_group=False, run=run)
            run.system.sort(key=lambda event: event[0])


def _beats(journal: Journal, first: float, pace: float, end: float) -> Iterator[float]:
    """Yield the times of entries at that pace."""
    due = first
    for one in sorted(journal.stills, key=lambda still: still.start):
        while due < min(one.start, end):
            yield due
            due += pace
        if one.is_paused:
            due += max(one.end - max(one.start, first), 0.0)
        elif due < one.end:
            due = max(due, one.end + 0.02)
    while due < end:
        yield due
        due += pace


def _minute(life: Life, journal: Journal, run: Run, t: float, strained: list[Timed]) -> None:
    """Write a sample of the processors: as busy as those that strain kept near it."""
    near = min(strained, key=lambda one: abs(one[0] - t), default=None)
    sql, idle = life.dice.randrange(5, 25), life.dice.randrange(60, 90)
    if near is not None and abs(near[0] - t) <= NEAR_S:
        sql, idle = near[2]["process_utilization"], near[2]["system_idle"]  # type: ignore[assignment]
    journal.processor(t, sql=sql, idle=idle, run=run)
