"""What the pages name: how each hop of a link compares with the one before, and how the paths differ."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.transport import sent_received as hops
from agtrace.diagnostics.transport.sent_received import Comparison, SentReceived
from agtrace.diagnostics.transport.verdict_facts import flags_on
from agtrace.history.streams.byte_units import LOG, WIRE
from agtrace.history.streams.paths import USUAL, Path, Settings
from agtrace.thresholds import Thresholds

WHOSE = {LOG: "log", WIRE: "wire", hops.ALL: "all traffic"}


def of_links(found: list[SentReceived], limits: Thresholds) -> dict[str, Any]:
    """Give what arrived of what was sent, link by link, and what one primary counted for several."""
    links = [_of_link(each, limits) for each in found]
    return {"links": links, "side_by_side": _side_by_side(found, limits)}


def headline(found: list[SentReceived]) -> dict[str, Any]:
    """Give the answer of the links to one replica in a line."""
    several = [
        {"replica": each.link.replica, "primary": each.link.primary_name, "arrived": _ratio(each.arrived)}
        for each in found
    ]
    (one,) = found if len(found) == 1 else (None,)
    why = (
        one.counted.brief
        if one and one.sent is not None and one.counted.brief
        else one.why_not
        if one
        else ""
    )
    return {"links": several, "compared": one and _ratio(one.comparison), "why": why}


def _ratio(comparison: Comparison | None) -> float | None:
    return comparison.ratio if comparison is not None else None


def _of_link(found: SentReceived, limits: Thresholds) -> dict[str, Any]:
    link, per_byte, skew = found.link, _ratio(found.compression), found.link.skew
    again = found.hops[hops.RESENT].rate
    is_off = link.aligned and skew is not None and abs(skew) * 1000 >= limits.skew_ms
    return {
        "replica": link.replica, "primary": link.primary_name, **_sending(found),
        "arrived": _compared(found.arrived), "compared": _of_sent(found.comparison, limits),
        "why_not": found.why_not, "sides": _sides(found), "left": _left(found, limits),
        "log_per_byte": per_byte, "is_compressed": per_byte is not None and per_byte >= limits.compressed_ratio,
        "peaks": _peaks(found), "resent": None if again is None else round(again.total),
        "clocks_apart": abs(skew) if is_off and skew is not None else None,
    }  # fmt: skip


def _sending(found: SentReceived) -> dict[str, Any]:
    """Give how the primary counts what it sends."""
    mode = found.mode.mode if found.mode is not None else None
    return {"mode": mode, "counted_why": found.counted.why, "flags_on": flags_on(found.sending)}


def _compared(comparison: Comparison | None) -> dict[str, Any] | None:
    """Give two hops that compare: their ratio, and the mean rate of both."""
    if comparison is None or comparison.ratio is None:
        return None
    one, other = comparison.base.rate, comparison.other.rate
    assert one is not None
    assert other is not None
    return {"ratio": comparison.ratio, "base": one.mean, "other": other.mean}


def _of_sent(comparison: Comparison | None, limits: Thresholds) -> dict[str, Any] | None:
    told = _compared(comparison)
    if told is None or comparison is None:
        return None
    return told | {
        "whose": WHOSE[comparison.base.unit],
        "seconds": comparison.shared.seconds,
        "share": comparison.share,
        "is_doubtful": abs(told["ratio"] - 1) > limits.one_unit_share,
    }


def _sides(found: SentReceived) -> list[dict[str, Any]]:
    """Give both sides by themselves, for where they do not compare."""
    shown = [found.sent, found.known(hops.WIRE_RECEIVED), found.known(hops.RECEIVED)]
    return [
        {"name": hop.name, "mean": hop.rate.mean, "whose": WHOSE.get(hop.unit, "")}
        for hop in shown
        if hop is not None and hop.rate is not None
    ]


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
    if (
        sent is None
        or sent.unit != WIRE
        or sent.spread is None
        or received is None
        or received.spread is None
    ):
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
            told.append(
                _sending(less[0][0])
                | {
                    "sender": primary,
                    "ratio": less[0][1],
                    "less": [(each.link.replica, ratio) for each, ratio in less],
                    "as_is": [(each.link.replica, ratio) for each, ratio in as_is],
                }
            )
    return told


def of_paths(found: list[Path], looks: list[Settings]) -> dict[str, Any]:
    """Give how the paths differ, and which TCP settings are odd."""
    odd: dict[tuple[str, str], list[str]] = {}
    for one in looks:
        for name in one.odd:
            odd.setdefault((name, one.values[name]), []).append(one.host or one.path)
    return {
        # Copies of several windows: what came first is told first.
        "copies": list(dict.fromkeys((p.link.replica, p.copy) for p in found if p.copy is not None)),
        "odd": [
            {
                "setting": name,
                "value": value,
                "hosts": list(dict.fromkeys(hosts)),
                "usual": USUAL.get(name, ""),
            }
            for (name, value), hosts in odd.items()
        ],
        "is_usual": bool(looks) and not odd,
    }
