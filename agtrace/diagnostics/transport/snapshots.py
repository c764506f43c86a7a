"""A server's own outputs on its replicas: states and queues of a moment, waits for the send gate.

They never show a trend.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np

from agtrace.diagnostics.transport.confidence import Ground
from agtrace.diagnostics.transport.evidence import figure
from agtrace.diagnostics.transport.verdict import window
from agtrace.history.streams import GateWait, Look, State
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

MOST = 10
"""Most snapshots, or databases of a snapshot, each as evidence; the table has all."""

SYNCHRONIZED = Measure("synchronized", "databases SYNCHRONIZED at {moment}")
QUEUES = Measure("queues", "{queue} of {databases} at {moment}", "KB")
OF_STATE = (
    ("send_queue", Measure("send_queue_kb", "log send queue at {moment}", "KB")),
    ("send_rate", Measure("send_rate_kb_s", "log send rate, the server's own average at {moment}", "KB/s")),
    ("redo_queue", Measure("redo_queue_kb", "redo queue at {moment}", "KB")),
    ("redo_rate", Measure("redo_rate_kb_s", "redo rate, the server's own average at {moment}", "KB/s")),
    ("lag_s", Measure("lag_s", "behind the primary at {moment}", "s")),
)
GATE_WAIT = Measure("gate_wait", "{wait} on {host}, all replicas, mean", "ms/s")
GATE_WAIT_MOST = Measure("gate_wait_most", "{wait} on {host}, all replicas, most of an interval", "ms/s")


def moment(look: Look) -> str:
    """Return the time of a snapshot."""
    if look.at is None:
        return "an unknown time"
    time = datetime.fromtimestamp(look.at, UTC)
    return words.moment(time.replace(tzinfo=None) if look.is_local else time)


def without_loss(looks: Sequence[Look]) -> list[Look]:
    """Return the snapshots in which a database was synchronised."""
    return [look for look in looks if look.synchronized]


def synchronized_at(looks: Sequence[Look]) -> list[dict[str, object]]:
    """Return the times without possible data loss, and for how many of the databases."""
    return [
        {"moment": moment(look), "synchronized": len(look.synchronized), "n": len(look.states)}
        for look in without_loss(looks)
    ]


def of_states(looks: Sequence[Look]) -> list[Measured]:
    """Return how many databases were synchronised in each of the last snapshots."""
    return [
        SYNCHRONIZED.about(moment=moment(look)).of(f"of {len(look.states)}")(
            len(look.synchronized), _source(look)
        )
        for look in looks[-MOST:]
    ]


def of_queues(look: Look) -> list[Measured]:
    """Return the queues of a snapshot: all databases together, and those with the longest."""
    found = []
    for queue, sizes in (
        ("log send queue", [state.send_queue for state in look.states]),
        ("redo queue", [state.redo_queue for state in look.states]),
    ):
        known = [size for size in sizes if size is not None]
        if known:
            databases = words.count(len(known), "database")
            own = QUEUES.about(queue=queue, databases=databases, moment=moment(look))
            found.append(own(sum(known), _source(look)))
    for state in _fullest(look):
        found += _of_state(state, moment(look))
    return found


def _source(look: Look) -> str:
    return f"{words.plain(look.path)} of {look.host}"


def _fullest(look: Look) -> list[State]:
    told = [each for each in look.states if each.waiting or each.is_suspended]
    return sorted(told, key=lambda each: (not each.is_suspended, -each.waiting, each.database))[:MOST]


def _of_state(state: State, at: str) -> list[Measured]:
    found = [
        measure.about(moment=at)(value, state.source, state.database)
        for name, measure in OF_STATE
        if (value := getattr(state, name)) is not None
    ]
    if state.is_suspended:
        label = f"{state.database}: data movement suspended at {at}"
        found.append(quoted(label, state.suspend_reason or "suspended", state.source))
    return found


def replaced(looks: Sequence[Look]) -> dict[str, object] | None:
    """Return the last snapshot where perfmon of the replica replaces it; None without one."""
    if not looks:
        return None
    last = looks[-1]
    queues = {
        "to_send": [state.send_queue for state in last.states if state.send_queue is not None],
        "to_redo": [state.redo_queue for state in last.states if state.redo_queue is not None],
    }
    shown = {name: 1024 * sum(sizes) if sizes else None for name, sizes in queues.items()}
    return {"looks": len(looks), "moment": moment(last), **shown}


def no_loss_of(looks: Sequence[Look]) -> Judged:
    """Judge databases without data loss in a failover, as of a snapshot; there is at least one."""
    seen = without_loss(looks)
    last = seen[-1]
    return Judged(
        said="rpo.looked",
        id="transport.rpo",
        severity="info",
        subject=_subject(last),
        window=_window(seen),
        evidence=tuple(of_states(looks)),
        confidence=Ground.RPO_SYNCHRONIZED.confidence,
        facts={"replica": last.replica, "last": synchronized_at([last])[0], "looks": synchronized_at(looks)},
    )


def behind(looks: Sequence[Look], limits: Thresholds) -> list[Judged]:
    """Judge the lag of a replica in its last snapshot: log that has not arrived, and redo.

    Parameters
    ----------
    looks
        Snapshots of one replica of one group, at least one, in chronological order.
    """
    last = looks[-1]
    moving = [each for each in last.states if not each.is_suspended]
    unsent = {each: seconds for each in moving if (seconds := each.seconds_to_send or 0) >= limits.rpo_s}
    unredone = {each: seconds for each in moving if (seconds := each.seconds_to_redo or 0) >= limits.rto_s}
    return [
        _behind(looks, late, said)
        for said, late in (("rpo.behind", unsent), ("rto.behind", unredone))
        if late
    ]


def _behind(looks: Sequence[Look], late: Mapping[State, float], said: str) -> Judged:
    last, worst = looks[-1], max(late, key=lambda each: (late[each], each.database))
    return Judged(
        said=said,
        id=f"transport.{said.partition('.')[0]}",
        severity="warning",
        subject=_subject(last) | {"database": worst.database},
        window=_window(looks[-1:]),
        evidence=tuple(of_queues(last)),
        confidence=Ground.BEHIND_AT_LOOK.confidence,
        facts={
            "replica": last.replica, "database": worst.database, "seconds": late[worst],
            "moment": moment(last) if last.at is not None else "", "state": worst, "others": len(late) - 1,
        },
    )  # fmt: skip


def queues_of(looks: Sequence[Look], extra: Sequence[Measured] = ()) -> Judged:
    """Judge the queues of one replica in its last snapshot, if its perfmon was not captured.

    Parameters
    ----------
    looks
        Snapshots of one replica of one group, at least one, in chronological order.
    extra
        Further measurements of its stream.
    """
    last = looks[-1]
    full = [each for each in _fullest(last) if each.waiting]
    fullest = full[0] if full else None
    stopped = [each.database for each in last.states if each.is_suspended]
    waiting = {"to_send": fullest and fullest.send_queue, "to_redo": fullest and fullest.redo_queue}
    return Judged(
        said="not_captured.looked",
        id="quality.not_captured",
        severity="notice",
        subject=_subject(last),
        window=_window(looks),
        evidence=(*of_queues(last), *extra) or tuple(of_states(looks)),
        facts={
            "replica": last.replica,
            "host": last.host,
            "moment": moment(last),
            "suspended": stopped,
            "looks": len(looks),
            "n": len(last.states),
            "fullest": fullest,
            "waiting": [name for name, size in waiting.items() if size is not None],
            "others": sum(1 for each in last.states if each.waiting) - 1,
        },
    )


def _subject(look: Look) -> dict[str, str]:
    return {"replica": look.replica, "ag": look.ag}


def _window(looks: Sequence[Look]) -> dict[str, object]:
    timed = [look for look in looks if look.at is not None]
    # Local times do not compare with those of UTC: the window is that of the clock of most use.
    local = all(look.is_local for look in timed)
    times = sorted(look.at for look in timed if look.is_local == local and look.at is not None)
    return window(np.array(times), is_local=local)


def waits_of_host(
    waits: Iterable[GateWait], host: str, span: tuple[float, float] | None = None
) -> list[Measured]:
    """Return a server's waits per second with its send gate closed, by type of wait.

    Parameters
    ----------
    span
        Only intervals within this span, in seconds of UTC; None for all.
    """
    by_type: dict[str, list[GateWait]] = defaultdict(list)
    for each in waits:
        if each.host == host and (span is None or _is_within(each, span)):
            by_type[each.wait_type].append(each)
    found = []
    for wait_type, mine in by_type.items():
        seconds, tasks = sum(each.seconds for each in mine), sum(each.tasks for each in mine)
        source = (
            f"wait statistics of {host}, {words.count(len(mine), 'interval')}, "
            f"{words.span(seconds)}, {words.count(tasks, 'wait')}"
        )
        mean, most = sum(each.ms for each in mine) / seconds, max(each.ms / each.seconds for each in mine)
        for measure, value in ((GATE_WAIT, mean), (GATE_WAIT_MOST, most)):
            found.append(measure.about(wait=wait_type, host=host)(figure(value), source))
    return found


def _is_within(wait: GateWait, span: tuple[float, float]) -> bool:
    return wait.end is not None and span[0] <= wait.end - wait.seconds and wait.end <= span[1]
