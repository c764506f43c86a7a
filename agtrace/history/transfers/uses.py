"""Resource use of the hosts of a run while its data moved, in total and per byte of the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agtrace.history.base import View
from agtrace.history.transfers.run import GIVEN, Run, Step
from agtrace.measure.usage import Usage, Window
from agtrace.measure.usage import usage as measure_usage

SENT, RECEIVED, READ, WRITTEN, CPU = "network_sent", "network_received", "disk_read", "disk_written", "cpu"
BYTES = (SENT, RECEIVED, READ, WRITTEN)
LOG_RECEIVED, SEND_QUEUE = "log_received", "send_queue"
OF_STREAM = (LOG_RECEIVED, SEND_QUEUE)
"""Log received by the replicas of a group, and log in the send queue: only for labelled windows."""
SHOWN = (CPU, *BYTES, "disk_read_ms", "disk_write_ms", "disk_busy", "backup_restore", "redo", *OF_STREAM)
NAMES = {
    CPU: "CPU", SENT: "network sent", RECEIVED: "network received", READ: "disk reads",
    WRITTEN: "disk writes", "disk_read_ms": "time of a disk read", "disk_write_ms": "time of a disk write",
    "disk_busy": "busiest disk", "backup_restore": "backup and restore throughput", "redo": "redo",
    LOG_RECEIVED: "log received", SEND_QUEUE: "log send queue",
}  # fmt: skip
CORES = "cores"
"""The factor: the number of cores of the hosts."""
STEP, MOVED, WHOLE = 1000, 998, 999
"""Windows are numbered run x STEP + index of the step, + MOVED for all steps in which data moves."""


@dataclass(frozen=True)
class Use:
    """Use of one resource of one host in a run, or in one of its steps.

    Parameters
    ----------
    step
        None: all steps in which data moved.
    usage
        Use in that time.
    seconds
        Duration of these steps.
    is_whole
        Whether it covers the run from start to end, including waits; ``step`` is then None.
    """

    run: Run
    step: Step | None
    usage: Usage
    seconds: float
    is_whole: bool = False

    @property
    def total(self) -> float | None:
        """Return the bytes moved: mean rate times duration; None if it is not a byte rate."""
        return self.usage.mean * self.seconds if self.usage.resource in BYTES else None

    @property
    def per_byte(self) -> float | None:
        """Bytes moved per byte of the database; of CPU core-seconds per GB of it."""
        size = self.run.database_bytes
        if not size:
            return None
        if self.usage.resource == CPU:
            return self.usage.core_seconds_per_gb(size)
        return None if self.total is None else self.total / size


class Uses(tuple[Use, ...]):
    """Resource use of all runs, looked up by run."""

    @cached_property
    def _by_run(self) -> dict[int, list[Use]]:
        found: dict[int, list[Use]] = {}
        for use in self:
            found.setdefault(use.run.number, []).append(use)
        return found

    def of(self, run: Run) -> list[Use]:
        """Return what was measured of one run."""
        return self._by_run.get(run.number, [])


def measure_uses(view: View, runs: Sequence[Run]) -> Uses:
    """Read what was captured of the hosts of each run; all hosts for a labelled window."""
    windows = [window for run in runs for window in _windows(run)]
    if not windows:
        return Uses()
    by_number = {run.number: run for run in runs}
    found = []
    for usage in measure_usage(view, windows, SHOWN):
        number, place = divmod(usage.window, STEP)
        run = by_number[number]
        if not concerns(run, usage.host) or (usage.resource in OF_STREAM and run.method != GIVEN):
            continue
        if place == WHOLE:
            found.append(Use(run, None, usage, run.seconds, is_whole=True))
            continue
        step = None if place == MOVED else run.steps[place]
        found.append(Use(run, step, usage, run.moving_seconds if step is None else step.seconds))
    return Uses(found)


def _windows(run: Run) -> list[Window]:
    first = run.number * STEP
    found = [Window(first + MOVED, s.start, s.end, run.database) for s in run.moving if s.seconds > 0]
    if run.method != GIVEN:
        found.append(Window(first + WHOLE, run.start, run.end, run.database))
    if len(run.moving) > 1:
        found += [
            Window(first + place, step.start, step.end, run.database)
            for place, step in enumerate(run.steps[:MOVED])
            if step in run.moving and step.seconds > 0
        ]
    return found


def concerns(run: Run, host: str) -> bool:
    """Return whether a host takes part in a run: every one does in a labelled window."""
    return run.method == GIVEN or host in (run.source, run.target)


def with_cores(runs: Sequence[Run], uses: Uses) -> list[Run]:
    """Add the hosts' cores as a factor of the runs, if the same hosts had more in some of them.

    Runs on machines of different size do not repeat one configuration.
    """
    known = {run.number: _cores(run, uses) for run in runs}
    counts: dict[str, set[int]] = {}
    for own in known.values():
        for host, count in own.items():
            counts.setdefault(host, set()).add(count)
    changed = {host for host, seen in counts.items() if len(seen) > 1}
    found = []
    for run in runs:
        told = [known[run.number].get(host) for host in (run.source, run.target) if host in changed]
        shown = dict.fromkeys(str(count) for count in told if count is not None)
        factors = (*run.factors, (CORES, " and ".join(shown))) if shown else run.factors
        found.append(replace(run, factors=factors))
    return found


def _cores(run: Run, uses: Uses) -> dict[str, int]:
    own = [use.usage for use in uses.of(run) if use.step is None and not use.is_whole]
    return {usage.host: usage.cores.count for usage in own if usage.cores is not None}


def of_run(uses: Uses, run: Run, host: str | None, resource: str, *, whole: bool = False) -> Use | None:
    """Pick what a resource of a host did while a run's data moved (or in all of it); None where unseen."""
    return next(
        (
            use
            for use in uses.of(run)
            if use.step is None
            and use.is_whole == whole
            and (use.usage.host, use.usage.resource) == (host, resource)
        ),
        None,
    )


def covered(uses: Uses, run: Run, host: str, resource: str) -> float:
    """Return the share of the time with moving data that samples of a resource cover."""
    own = [u for u in uses.of(run) if (u.usage.host, u.usage.resource) == (host, resource)]
    return next((u.usage.covered for u in own if u.step is None and not u.is_whole), 0.0)
