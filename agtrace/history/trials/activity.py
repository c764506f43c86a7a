"""Activity of each replica during each trial, and the targets of reads."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from agtrace.history.base import View
from agtrace.history.trials.configurations import Configuration
from agtrace.history.trials.trial import Trial
from agtrace.measure.usage import Usage, Window, moment, usage

READS, BATCHES = "disk_read", "batches"
WANTED = (READS, "disk_written", "disk_moved", BATCHES, "page_reads", "log_received", "cpu")


@dataclass(frozen=True)
class Activity:
    """Means over one trial on one host, by the names of the table's columns; None where it was not captured.

    Parameters
    ----------
    disk_read, disk_written, disk
        Bytes per second of all disks: read, written, both.
    page_reads
        Bytes per second that the buffer pool read from data files.
    batches_per_s
        Batch requests per second.
    log_received
        Log bytes per second that the host received as a secondary.
    cpu_percent
        Of all processors.
    samples
        Of the disks, or of what else there is.
    """

    disk_read: float | None = None
    disk_written: float | None = None
    disk: float | None = None
    page_reads: float | None = None
    batches_per_s: float | None = None
    log_received: float | None = None
    cpu_percent: float | None = None
    samples: int = 0


@dataclass(frozen=True)
class Tested:
    """A trial with its configuration and the activity of every host during it.

    Parameters
    ----------
    activities
        By host; empty if the trial's time is unknown or contains no sample.
    """

    trial: Trial
    configuration: Configuration
    activities: dict[str, Activity]


@dataclass(frozen=True)
class Hosts:
    """Activity of the hosts.

    Parameters
    ----------
    by_trial
        Activity by host, for each trial.
    basic
        Evidence that the availability group is a basic one; "" without any.
    """

    by_trial: list[dict[str, Activity]]
    basic: str
    secondaries: frozenset[str]

    @property
    def names(self) -> list[str]:
        """Every host with such counters."""
        return sorted({host for activities in self.by_trial for host in activities})


def read_hosts(view: View, trials: list[Trial], basic: str = "") -> Hosts:
    """Read the activity of every host during every trial.

    Parameters
    ----------
    basic
        What says that the group is a basic one, see `Hosts`.
    """
    windows = [
        Window(number, moment(trial.start_us), moment(trial.end_us))
        for number, trial in enumerate(trials)
        if trial.start_us is not None and trial.end_us is not None
    ]
    found: dict[tuple[int, str], dict[str, Usage]] = defaultdict(dict)
    for of in usage(view, windows, WANTED) if windows else []:
        found[of.window, of.host][of.resource] = of
    by_trial: list[dict[str, Activity]] = [{} for _ in trials]
    for (number, host), used in sorted(found.items()):
        by_trial[number][host] = _activity(used)
    return Hosts(by_trial, basic, _secondaries(by_trial))


def _activity(used: dict[str, Usage]) -> Activity:
    means = {resource: of.mean for resource, of in used.items()}
    read, written, moved = means.get(READS), means.get("disk_written"), means.get("disk_moved")
    if moved is None and read is not None and written is not None:
        moved = read + written
    return Activity(
        disk_read=read,
        disk_written=written,
        disk=moved,
        page_reads=means.get("page_reads"),
        batches_per_s=means.get(BATCHES),
        log_received=means.get("log_received"),
        cpu_percent=means.get("cpu"),
        samples=max(of.n for of in used.values()),
    )


def _secondaries(by_trial: list[dict[str, Activity]]) -> frozenset[str]:
    """Return the hosts that received log in more trials than not."""
    votes: dict[str, int] = {}
    for activities in by_trial:
        for host, activity in activities.items():
            if activity.log_received is not None:
                votes[host] = votes.get(host, 0) + (1 if activity.log_received > 0 else -1)
    return frozenset(host for host, vote in votes.items() if vote > 0)
