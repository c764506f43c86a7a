"""Which hop holds back a stream whose send queue fills: by elimination.

Flow control is a gate, not a cause: it closes when the replica acknowledges late. Possible reasons are
checked in turn: slow log writes there, busy processors there, a saturated network card, and otherwise the
network. The gate itself is the cause only if all of these are ruled out and a fast copy shows that the
network is free.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from agtrace.diagnostics.transport.confidence import (
    BOTH_FIT,
    CLOSE_BOUNDS,
    LOSS_OPEN,
    LOSS_UNSEEN,
    NOT_ELIMINATED,
    ONE_SIDE,
    TUNING_ON,
    TUNING_UNKNOWN,
    UNALIGNED,
    Ground,
)
from agtrace.diagnostics.transport.signs import is_idle, is_saturated, is_slow
from agtrace.diagnostics.transport.verdict import (
    FLOW_CONTROL,
    FULL_CARD,
    LOG_DISK_SLOW,
    LOSSY_PATH,
    NETWORK_LIMITED,
    PROCESSORS_BUSY,
    SEND_LIMITED,
    WINDOW_LIMITED,
    Verdict,
    VerdictKind,
)
from agtrace.history.streams import OFF, UNSCALED_WINDOW, Settings
from agtrace.measures import quoted
from agtrace.say.said import Judged

WINDOW_SIGNS = {2: Ground.WINDOW_TWO_SIGNS, 3: Ground.WINDOW_THREE_SIGNS}
"""By the number of signs; any other number means all of them."""


Cause = tuple[VerdictKind, float]
"""The limiting hop, and its confidence (`agtrace.diagnostics.transport.confidence`)."""


def cause(seen: Verdict) -> Cause:
    """Return the limiting hop before the log is hardened on the replica, while the queue was filled."""
    signs, link, limits = seen.signs, seen.link, seen.signs.limits
    away = UNALIGNED if link.primary is not None and not link.aligned else 0.0
    one_side = ONE_SIDE if link.primary is None else 0.0
    gate = seen.gate
    named = _on_the_replica(seen, away)
    if named is not None:
        return named
    if signs.card_full:
        return FULL_CARD, Ground.FULL_CARD.lowered(away)
    if signs.copy_fast and not signs.loss_binds:
        if gate is not None and gate >= limits.flow_control_ms_per_s:
            innocent = 0.0 if _is_innocent(seen) else NOT_ELIMINATED
            return FLOW_CONTROL, Ground.GATE_NETWORK_FREE.lowered(innocent, away)
        ground = Ground.SENDER_READS_LOG if signs.reads_log else Ground.SENDER
        # Without the primary's side the gate may as well be closed.
        unseen = 2 * ONE_SIDE if gate is None else 0.0
        return SEND_LIMITED, ground.lowered(unseen, away)
    if signs.is_window:
        both = BOTH_FIT if len(signs.fits) > 1 else 0.0
        shown = signs.tuning_off or signs.is_unscaled
        open_ = LOSS_OPEN if signs.lost is None and not shown else 0.0
        against = TUNING_ON if signs.tuning_on else 0.0
        ground = WINDOW_SIGNS.get(len(signs.window), Ground.WINDOW_FOUR_SIGNS)
        sure = ground.lowered(both, open_, against, one_side, away)
        if signs.tuning is None and not signs.is_unscaled:
            sure = min(sure, TUNING_UNKNOWN)
        if signs.bounds_close:
            sure = min(sure, CLOSE_BOUNDS)
        elif signs.loss_unseen or (signs.round_trip is None and signs.bounds.share is None):
            sure = min(sure, LOSS_UNSEEN)
        return WINDOW_LIMITED, sure
    closed = gate is not None and gate >= limits.flow_control_ms_per_s
    unknown = NOT_ELIMINATED if closed and not _is_innocent(seen) else 0.0
    if signs.loss_binds:
        sure = Ground.NETWORK_ONE_SIGN.lowered(one_side, away)
        if signs.bounds_close:
            sure = min(sure, CLOSE_BOUNDS)
        return LOSSY_PATH, sure
    if signs.copy_slow or signs.in_window:
        sure = Ground.NETWORK_ONE_SIGN.lowered(unknown, one_side, away)
    elif link.primary is None:
        sure = Ground.NETWORK_SECONDARY_ONLY.lowered(unknown, away)
    else:
        sure = Ground.NETWORK_BOTH_SIDES.lowered(unknown, away)
    return NETWORK_LIMITED, sure


def _on_the_replica(seen: Verdict, away: float) -> Cause | None:
    """Return the replica's log disk or processors if they make it late."""
    signs, write, gate, limits = seen.signs, seen.secondary_write, seen.gate, seen.signs.limits
    slow = write is not None and is_slow(write, seen.primary_write, limits)
    is_off = signs.tuning_off or signs.is_unscaled
    if write is not None and slow and not is_idle(write, limits) and not signs.copy_slow:
        # A disk that is busy all the time outweighs a rate that fits a window by chance.
        by_chance = is_saturated(write, limits) and not is_off
        if not signs.in_window or by_chance:
            ground = Ground.LOG_WRITES if write.is_log else Ground.DISK_ONLY
            return LOG_DISK_SLOW, ground.lowered(away)
    is_window = is_off and (signs.in_window or signs.copy_slow)
    late = gate is None or gate >= limits.flow_control_ms_per_s
    if signs.processors_busy and late and not signs.copy_slow and not is_window:
        unseen = ONE_SIDE if gate is None else 0.0
        return PROCESSORS_BUSY, Ground.PROCESSORS.lowered(unseen, away)
    return None


def _is_innocent(seen: Verdict) -> bool:
    """Return whether log writes and processors of the replica were captured (and are not slow)."""
    return seen.secondary_write is not None and seen.signs.processors is not None


ID = "transport.auto_tuning_off"
SHOWN = 0.9
"""Confidence if the host itself reports it; later changes are unknown."""


def auto_tuning_off(looks: Iterable[Settings]) -> list[Judged]:
    """Judge each host whose every snapshot shows auto-tuning off; and each file of an unknown host."""
    found = []
    levels = sorted(
        (one.host, "" if one.host else one.path, one.values["autotuning_level"], one.path)
        for one in looks
        if one.values.get("autotuning_level")
    )
    for (host, file), own in groupby(levels, key=lambda level: level[:2]):
        shown = [(level, path) for *_, level, path in own]
        if all(level.lower().replace(" ", "") in OFF for level, _ in shown):
            found.append(_off(host, file, shown))
    return found


def _off(host: str, file: str, shown: list[tuple[str, str]]) -> Judged:
    label = f"TCP receive window auto-tuning level on {host or 'an unknown host'}"
    return Judged(
        said="auto_tuning",
        id=ID,
        severity="notice",
        subject={"host": host} if host else {},
        confidence=SHOWN,
        evidence=tuple(quoted(label, level, path) for level, path in shown),
        facts={
            "host": host,
            "file": file,
            "level": shown[0][0],
            "window_bytes": UNSCALED_WINDOW,
            "scale": {"hosts": [host or "that host"], "system": "Windows", "is_unsure": False},
        },
    )
