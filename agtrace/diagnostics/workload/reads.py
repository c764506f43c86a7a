"""Whether read-only routing moved any read: decided per host, from what each host executed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from agtrace.history.trials import BATCHES, BUILD, READS, Activity, Configuration, Hosts, Tested, Workload
from agtrace.thresholds import Thresholds

SHOWN, BASIC, NO_READS, ONE_SIDE, NO_ACTIVITY = "shown", "basic", "no reads", "one side", "no activity"


@dataclass(frozen=True)
class Share:
    """One host's part in a workload under one configuration.

    Parameters
    ----------
    share
        Of all hosts' batch requests, or of their disk reads where those were not captured.
    batches, disk_read
        Means over the trials: per second, bytes per second.
    """

    host: str
    configuration: Configuration
    share: float
    batches: float | None
    disk_read: float | None
    trials: int


@dataclass(frozen=True)
class Routing:
    """The routing of one workload, as far as captured."""

    workload: Workload
    verdict: str
    without: Configuration | None
    routed: Configuration
    counter: str
    shares: tuple[Share, ...]
    readers: tuple[str, ...]
    basic: str

    def share(self, configuration: Configuration | None) -> float:
        """Return the secondaries' share under a configuration."""
        own = (each for each in self.shares if each.configuration == configuration)
        return sum(each.share for each in own if each.host in self.readers)


def decide(workload: Workload, tested: Iterable[Tested], hosts: Hosts, limits: Thresholds) -> Routing | None:
    """Decide for one workload; None when no trial of it ran with routing, or it only writes."""
    if workload[1] == BUILD:
        return None
    rows = [(each.configuration, each.activities) for each in tested if each.trial.workload == workload]
    routed = next((c for c, _a in rows if c.routing), None)
    if routed is None:
        return None
    without = next((c for c, _a in rows if c.routing is False), None) or next(
        (c for c, _a in rows if not c.routing), None
    )
    shares: list[Share] = []
    counter = BATCHES
    for configuration in filter(None, (without, routed)):
        activities = [activity for c, activity in rows if c == configuration and activity]
        found, counter = _shares(configuration, activities)
        shares += found
    readers = _secondaries(hosts, shares, without or routed)
    made = Routing(workload, "", without, routed, counter, tuple(shares), readers, hosts.basic)
    return replace(made, verdict=_verdict(made, limits))


def _verdict(made: Routing, limits: Thresholds) -> str:
    if made.basic:
        return BASIC
    seen = {share.host for share in made.shares if share.configuration == made.routed}
    if not seen:
        return NO_ACTIVITY
    if len(seen) < 2:
        return ONE_SIDE
    moved = made.share(made.routed)
    before = made.share(made.without)
    # Monitoring runs on every replica: the share must be there, and be more than without routing.
    if moved >= limits.routed_share and moved - before >= limits.routed_share / 2:
        return SHOWN
    return NO_READS


def _shares(configuration: Configuration, trials: list[dict[str, Activity]]) -> tuple[list[Share], str]:
    hosts = sorted({host for activities in trials for host in activities})
    batches = {host: _mean([t[host].batches_per_s for t in trials if host in t]) for host in hosts}
    reads = {host: _mean([t[host].disk_read for t in trials if host in t]) for host in hosts}
    executed = all(value is not None for value in batches.values())
    chosen = batches if executed else reads
    total = sum(value or 0.0 for value in chosen.values())
    shares = [
        Share(host, configuration, value / total if total else 0.0, batches[host], reads[host], len(trials))
        for host, value in chosen.items()
        if value is not None
    ]
    return shares, BATCHES if executed else READS


def _secondaries(hosts: Hosts, shares: list[Share], at: Configuration) -> tuple[str, ...]:
    """Return the secondaries: those that received log, else all but the busiest without routing."""
    seen = sorted({share.host for share in shares})
    known = tuple(host for host in seen if host in hosts.secondaries)
    if known:
        return known
    first = [share for share in shares if share.configuration == at]
    busiest = max(first, key=lambda share: share.share, default=None)
    return tuple(host for host in seen if busiest is None or host != busiest.host)


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
