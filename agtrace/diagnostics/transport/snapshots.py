"""What a server's own outputs say of its replicas: states and queues of a moment, and waits for the send gate; never a trend."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from agtrace.diagnostics.transport.confidence import Ground
from agtrace.diagnostics.transport.narrative import window
from agtrace.history.streams.database_looks import Look, State
from agtrace.history.streams.gate_waits import GateWait
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

MOST = 10
"""Looks, or databases of a look, that are evidence each; the table holds all."""
BETWEEN = "Between looks nothing is known."
CAPTURE = (
    "Capture perfmon on the primary and on every replica at the same time, every 5 s, while log is "
    "generated, for 10 minutes or more: a queue that grows shows only over time."
)


def moment(look: Look) -> str:
    """Say when a look was."""
    if look.at is None:
        return "an unknown time"
    time = datetime.fromtimestamp(look.at, UTC)
    return words.moment(time.replace(tzinfo=None) if look.is_local else time)


def without_loss(looks: Sequence[Look]) -> list[Look]:
    """Give the looks at which a database was synchronised."""
    return [look for look in looks if look.synchronized]


def say_without_loss(looks: Sequence[Look]) -> str:
    """Say at which moments nothing would have been lost, and of how many databases; "" at none."""
    told = [
        f"{moment(look)} ({len(look.synchronized)} of "
        f"{words.count(len(look.states), 'database')} {'was' if len(look.states) == 1 else 'were'} SYNCHRONIZED)"
        for look in without_loss(looks)
    ]
    if not told:
        return ""
    return f"No loss of these at the moment of the look: {words.listing(told)}. {BETWEEN}"


def of_states(looks: Sequence[Look]) -> list[Evidence]:
    """Give how many databases were synchronised at each of the last looks."""
    return [
        Evidence(
            f"databases SYNCHRONIZED at {moment(look)}",
            len(look.synchronized),
            f"of {len(look.states)}",
            f"{words.plain(look.path)} of {look.host}",
        )
        for look in looks[-MOST:]
    ]


def of_queues(look: Look) -> list[Evidence]:
    """Give the queues of a look, all databases together and those of which most waits."""
    source = f"{words.plain(look.path)} of {look.host}"
    found = []
    for label, sizes in (
        ("log send queue", [state.send_queue for state in look.states]),
        ("redo queue", [state.redo_queue for state in look.states]),
    ):
        known = [size for size in sizes if size is not None]
        if known:
            about = f"{label} of {words.count(len(known), 'database')} at {moment(look)}"
            found.append(Evidence(about, sum(known), "KB", source))
    for state in _fullest(look):
        found += _of_state(state, moment(look))
    return found


def _fullest(look: Look) -> list[State]:
    told = [each for each in look.states if each.waiting or each.is_suspended]
    return sorted(told, key=lambda each: (not each.is_suspended, -each.waiting, each.database))[:MOST]


def _of_state(state: State, when: str) -> list[Evidence]:
    source = words.plain(state.source)
    values = (
        ("log send queue", state.send_queue, "KB"),
        ("log send rate, the server's own average", state.send_rate, "KB/s"),
        ("redo queue", state.redo_queue, "KB"),
        ("redo rate, the server's own average", state.redo_rate, "KB/s"),
        ("behind the primary", state.lag_s, "s"),
    )
    found = [
        Evidence(f"{state.database}: {label} at {when}", value, unit, source)
        for label, value, unit in values
        if value is not None
    ]
    if state.is_suspended:
        reason = state.suspend_reason or "suspended"
        label = f"{state.database}: data movement suspended at {when}"
        found.append(Evidence(label, reason, "", source))
    return found


def with_queues(finding: Finding, looks: Sequence[Look]) -> Finding:
    """Add the queues of the last look to a verdict, or to the want of one."""
    added = of_queues(looks[-1]) if looks else []
    return replace(finding, evidence=(*finding.evidence, *added))


def no_loss_of(looks: Sequence[Look]) -> Finding:
    """Say of which databases a failover would have lost nothing, at a look; at least one is there."""
    seen = without_loss(looks)
    last = seen[-1]
    n, total = len(last.synchronized), len(last.states)
    return Finding(
        "transport.rpo",
        "info",
        f"A failover to {words.plain(last.replica)} at {moment(last)} would have lost nothing of "
        f"{words.count(n, 'database') if n == total else f'{n} of {total} databases'}",
        f"{say_without_loss(looks)} What a failover at any other time loses cannot be told without "
        "counters over time.",
        _subject(last),
        _window(seen),
        tuple(of_states(looks)),
        CAPTURE,
        Ground.RPO_SYNCHRONIZED.confidence,
    )


def queues_of(looks: Sequence[Look], extra: Sequence[Evidence] = ()) -> Finding:
    """Say what waited of one replica at the last look, where no perfmon of it was captured.

    Parameters
    ----------
    looks
        Those at one replica of one group, at least one, in order of time.
    extra
        What else bears on its stream.
    """
    last, replica = looks[-1], words.plain(looks[-1].replica)
    told = [
        f"{words.count(len(looks), 'look')} at {words.plain(last.host or 'a server')}; the last one, of "
        f"{moment(last)}, shows {words.count(len(last.states), 'database')}."
    ]
    full = [each for each in _fullest(last) if each.waiting]
    if full:
        told.append(f"{_say_state(full[0])}.")
        others = sum(1 for each in last.states if each.waiting) - 1
        if others:
            told.append(f"Of {words.count(others, 'other')} as much or less waited.")
    else:
        told.append("Nothing waited to be sent or redone, as far as it shows queues.")
    stopped = [each for each in last.states if each.is_suspended]
    if stopped:
        listed = words.listing([words.plain(each.database) for each in stopped])
        told.append(f"Data movement of {listed} was suspended.")
    told.append(
        "One look shows a moment and no trend: whether a queue grows, and which hop would hold it back, "
        "stays open."
    )
    return Finding(
        "quality.not_captured",
        "warning" if stopped else "notice",
        f"No verdict on {replica}: its queues were looked at, not captured over time"
        if not stopped
        else f"Data movement to {replica} was suspended at {moment(last)}, and not captured over time",
        " ".join(told),
        _subject(last),
        _window(looks),
        (*of_queues(last), *extra) or tuple(of_states(looks)),
        CAPTURE,
    )


def _say_state(state: State) -> str:
    """Say what waits of a database: sizes, and the rates that the server gives beside them."""
    parts = []
    for size, rate, what in (
        (state.send_queue, state.send_rate, "to be sent"),
        (state.redo_queue, state.redo_rate, "to be redone"),
    ):
        if size is not None:
            beside = f" (the server's own rate: {rate:,} KB/s)" if rate is not None else ""
            parts.append(f"{size:,} KB {what}{beside}")
    return f"Of {words.plain(state.database)} waited {' and '.join(parts)}"


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
) -> list[Evidence]:
    """Give how long a server waited per second, by type of wait.

    Parameters
    ----------
    span
        Only intervals that lie within these seconds of UTC; None for all.
    """
    by_type: dict[str, list[GateWait]] = defaultdict(list)
    for each in waits:
        if each.host == host and (span is None or _is_within(each, span)):
            by_type[each.wait_type].append(each)
    found = []
    for wait_type, mine in by_type.items():
        seconds, tasks = sum(each.seconds for each in mine), sum(each.tasks for each in mine)
        per_second = sum(each.ms for each in mine) / seconds
        most = max(each.ms / each.seconds for each in mine)
        source = (
            f"wait statistics of {host}, {words.count(len(mine), 'interval')}, "
            f"{words.span(seconds)}, {words.count(tasks, 'wait')}"
        )
        label = f"{wait_type} on {host}, all replicas"
        found.append(Evidence(f"{label}, mean", float(f"{per_second:.4g}"), "ms/s", source))
        found.append(Evidence(f"{label}, most of an interval", float(f"{most:.4g}"), "ms/s", source))
    return found


def _is_within(wait: GateWait, span: tuple[float, float]) -> bool:
    return wait.end is not None and span[0] <= wait.end - wait.seconds and wait.end <= span[1]
