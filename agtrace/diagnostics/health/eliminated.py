"""Causes of a lost connection ruled out at each end, by which evidence, and causes not observed; the network
comes last.

Source: "Troubleshooting intermittent connection time-outs between availability group replicas" of
Microsoft's documentation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.near import Near
from agtrace.diagnostics.health.rows import Timeline
from agtrace.measures import Measure, Measured, quoted
from agtrace.thresholds import Thresholds

NEAR = timedelta(seconds=60)
"""The cluster loses contact to the node this near a loss for the same reason."""
BEFORE = timedelta(seconds=120)
HEARTBEATS = ("heartbeats_missed", "udp_lost")
THREADS = ("workers_exhausted", "deadlocked_schedulers", "non_yielding")
WHATS = ("threads", "processors", "disks", "handshake")
SHOWN, LEFT, OPEN = "shown", "left", "open"
"""For the network: the cluster's heartbeats were lost too; it is the only cause left; others are left."""

PROCESSORS = Measure(
    "processors_highest", "processors of {host}, at most", "%", "within two minutes before the loss"
)
DISKS = Measure(
    "disk_highest_ms", "disk reads and writes of {host}, at most", "ms", "of samples near the loss"
)
TASKS = Measure("tasks_waiting", "tasks of {host} that waited for a worker", "tasks")
THREADPOOL = Measure("threadpool_ms", "longest wait for a worker on {host}", "ms")


@dataclass(frozen=True)
class Ruled:
    """A shortage at one end, shown or ruled out.

    Parameters
    ----------
    what
        threads, processors, disks or handshake.
    verdict
        shown, out (ruled out) or unseen.
    how
        The evidence: a key of the texts, "" if an event shows it.
    value
        The number it is based on, if any.
    """

    host: str
    what: str
    verdict: str
    how: str = ""
    value: float | None = None
    evidence: tuple[Measured, ...] = ()


def ruled(host: str, at: datetime, near: Near, history: GroupHistory, limits: Thresholds) -> Iterator[Ruled]:
    """Yield a verdict on each possible cause why one end did not answer."""
    has_log = any(one.first <= at <= one.last for one in history.coverage.of(host, None, ("ERRORLOG",)))
    yield _threads(host, at, near, history, has_log=has_log)
    yield _measured(host, at, "processors", near.processors, near.processors_by, history, limits)
    yield _disks(host, at, near, history, limits)
    yield _handshake(host, near, history, has_log=has_log)


def _strained(history: GroupHistory, host: str, at: datetime, *kinds: str) -> list[Timeline]:
    return [row for kind in kinds for row in history.kinds_of_host.between(at - BEFORE, at, kind, host)]


def _threads(host: str, at: datetime, near: Near, history: GroupHistory, *, has_log: bool) -> Ruled:
    shown = [history.entry(row) for row in _strained(history, host, at, *THREADS)[:1]]
    if near.tasks:
        shown.append(TASKS.about(host=host)(near.tasks, "sp_server_diagnostics"))
    if near.threadpool_ms:
        shown.append(THREADPOOL.about(host=host)(near.threadpool_ms, "system_health, THREADPOOL"))
    if shown:
        how = "waited" if near.tasks or near.threadpool_ms else ""
        return Ruled(host, "threads", "shown", how, evidence=tuple(shown))
    if near.tasks is not None:
        counted = TASKS.about(host=host)(0, "sp_server_diagnostics")
        return Ruled(host, "threads", "out", "tasks", evidence=(counted,))
    return Ruled(host, "threads", "out", "no_threads") if has_log else Ruled(host, "threads", "unseen")


def _measured(
    host: str,
    at: datetime,
    what: str,
    value: float | None,
    by: str,
    history: GroupHistory,
    limits: Thresholds,
) -> Ruled:
    if busy := _strained(history, host, at, "processors_busy"):
        return Ruled(host, what, "shown", value=busy[-1].value, evidence=(history.entry(busy[-1]),))
    if value is None:
        return Ruled(host, what, "unseen")
    verdict = "shown" if value >= limits.starved_processor_percent else "out"
    return Ruled(host, what, verdict, by, value, (PROCESSORS.about(host=host)(value, by),))


def _disks(host: str, at: datetime, near: Near, history: GroupHistory, limits: Thresholds) -> Ruled:
    if slow := _strained(history, host, at, "long_io"):
        return Ruled(host, "disks", "shown", value=slow[-1].value, evidence=(history.entry(slow[-1]),))
    if near.disk_ms is not None:
        verdict = "shown" if near.disk_ms >= 1000 * limits.slow_disk_s else "out"
        measured = DISKS.about(host=host)(near.disk_ms, "perfmon")
        return Ruled(host, "disks", verdict, "perfmon", near.disk_ms, (measured,))
    # Message 833 reports only I/O of 15 s and more: without one, shorter stalls are still possible.
    return Ruled(host, "disks", "unseen")


def _handshake(host: str, near: Near, history: GroupHistory, *, has_log: bool) -> Ruled:
    if near.error is not None:
        entry = quoted("error of the endpoint", near.error.text, history.source(near.error))
        return Ruled(host, "handshake", "shown", "error", evidence=(entry,))
    return Ruled(host, "handshake", "out", "no_error") if has_log else Ruled(host, "handshake", "unseen")


def network(
    history: GroupHistory, hosts: Sequence[str], at: datetime, found: Sequence[Ruled]
) -> tuple[str, list[Timeline]]:
    """Return the verdict on the network, and the evidence from the cluster's heartbeats."""
    missed = [
        row
        for row in history.within(at - NEAR, at + NEAR, *HEARTBEATS)
        if row.host_id in hosts or row.host_id is None
    ]
    if missed:
        return SHOWN, missed[:1]
    return (LEFT if all(one.verdict == "out" for one in found) else OPEN), []


def together(found: Iterable[Ruled]) -> list[dict[str, Any]]:
    """Return equal results of both ends merged, in order: hosts, sources and number."""
    hosts: dict[tuple[str, str, float | None], list[str]] = defaultdict(list)
    for one in sorted(found, key=lambda one: WHATS.index(one.what)):
        hosts[one.what, one.how, one.value].append(one.host)
    return [
        {"what": what, "how": how, "value": value, "hosts": own} for (what, how, value), own in hosts.items()
    ]
