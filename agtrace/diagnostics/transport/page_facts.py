"""What the pages name: how each hop of a link compares with the one before, and how the paths differ."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.transport import sent_received as hops
from agtrace.diagnostics.transport.sent_received import Comparison, SentReceived
from agtrace.diagnostics.transport.verdict_facts import flags_on
from agtrace.history.streams.byte_units import WIRE
from agtrace.history.streams.paths import USUAL, Path, Settings
from agtrace.thresholds import Thresholds


def of_links(found: list[SentReceived], limits: Thresholds) -> dict[str, Any]:
    """Give what arrived of what was sent, link by link, and what one primary counted for several."""
    links = [_of_link(each, limits) for each in found]
    return {"links": links, "side_by_side": _side_by_side(found, limits)}


def headline(found: list[SentReceived]) -> dict[str, Any]:
    """Give the answer of the links to one replica in a line."""
    (one,) = found if len(found) == 1 else (None,)
    brief = one.counted.brief if one and one.sent is not None else ""
    return {"links": found, "compared": one and _ratio(one.comparison), "why": brief or (one and one.why_not)}


def _ratio(comparison: Comparison | None) -> float | None:
    return comparison.ratio if comparison is not None else None


def _of_link(found: SentReceived, limits: Thresholds) -> dict[str, Any]:
    link, per_byte, skew = found.link, _ratio(found.compression), found.link.skew
    again, compared = found.hops[hops.RESENT].rate, _ratio(found.comparison)
    is_off = link.aligned and skew is not None and abs(skew) * 1000 >= limits.skew_ms
    sides = (found.sent, found.known(hops.WIRE_RECEIVED), found.known(hops.RECEIVED))
    return _sending(found) | {
        "replica": link.replica, "primary": link.primary_name, "why_not": found.why_not,
        "arrived": found.arrived if _ratio(found.arrived) is not None else None,
        "compared": found.comparison if compared is not None else None,
        "is_doubtful": compared is not None and abs(compared - 1) > limits.one_unit_share,
        "sides": [hop for hop in sides if hop is not None and hop.rate is not None],
        "left": _left(found, limits), "log_per_byte": per_byte, "peaks": _peaks(found),
        "is_compressed": per_byte is not None and per_byte >= limits.compressed_ratio,
        "resent": None if again is None else round(again.total),
        "clocks_apart": abs(skew) if is_off and skew is not None else None,
    }  # fmt: skip


def _sending(found: SentReceived) -> dict[str, Any]:
    """Give how the primary counts what it sends."""
    mode = found.mode.mode if found.mode is not None else None
    return {"mode": mode, "counted_why": found.counted.why, "flags_on": flags_on(found.sending)}


def _left(found: SentReceived, limits: Thresholds) -> dict[str, Any] | None:
    """Give where the log is that was flushed and did not arrive: it must be in the send queue."""
    arrived, growth = found.arrived, found.queue_growth
    if arrived is None or arrived.ratio is None or arrived.ratio >= limits.kept_up_share or growth is None:
        return None
    flushed, received = arrived.shared.totals
    left = flushed - received
    is_queued = abs(left - growth) <= limits.unaccounted_share * flushed
    return {"bytes": left, "growth": growth, "is_queued": is_queued}


def _peaks(found: SentReceived) -> dict[str, float] | None:
    """Give the peaks of a compressed stream, which differ although they are of the same bytes."""
    sent, received = found.sent, found.known(hops.RECEIVED)
    if sent is None or sent.unit != WIRE or sent.spread is None:
        return None
    if received is None or received.spread is None:
        return None
    return {"sent": sent.spread.max, "received": received.spread.max}


def _side_by_side(found: list[SentReceived], limits: Thresholds) -> list[dict[str, Any]]:
    """Give the primaries that count less than the log for one replica, and the log for another."""
    by_primary: dict[str, list[tuple[SentReceived, float]]] = {}
    for each in found:
        ratio = _ratio(each.sent_per_log)
        if each.counted.unit == WIRE and ratio:
            by_primary.setdefault(each.link.primary_name, []).append((each, 1 / ratio))
    told = []
    for primary, ratios in by_primary.items():
        less = [(each, ratio) for each, ratio in ratios if 1 / ratio >= limits.compressed_ratio]
        as_is = [(each, ratio) for each, ratio in ratios if 1 / ratio < limits.compressed_ratio]
        if less and as_is:
            about = {"sender": primary, "ratio": less[0][1], "less": less, "as_is": as_is}
            told.append(_sending(less[0][0]) | about)
    return told


def of_paths(found: list[Path], looks: list[Settings]) -> dict[str, Any]:
    """Give how the paths differ, and which TCP settings are odd."""
    odd: dict[tuple[str, str], list[str]] = {}
    for one in looks:
        for name in one.odd:
            odd.setdefault((name, one.values[name]), []).append(one.host or one.path)
    settings = [
        {"setting": name, "value": value, "hosts": list(dict.fromkeys(hosts)), "usual": USUAL.get(name, "")}
        for (name, value), hosts in odd.items()
    ]
    # Copies of several windows: what came first is told first.
    copies = list(dict.fromkeys((p.link.replica, p.copy) for p in found if p.copy is not None))
    return {"copies": copies, "odd": settings, "is_usual": bool(looks) and not odd}
