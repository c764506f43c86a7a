"""The words beside the picture of sent against received. Markdown: names are escaped here."""

from __future__ import annotations

from agtrace.diagnostics.transport import counting
from agtrace.diagnostics.transport import sent_received as hops
from agtrace.diagnostics.transport.counting import COMPRESSED
from agtrace.diagnostics.transport.sent_received import Hop, SentReceived, resent
from agtrace.history.streams.byte_units import LOG, WIRE
from agtrace.say import words
from agtrace.thresholds import Thresholds

WHOSE = {LOG: "log", WIRE: "wire", hops.ALL: "all traffic"}
DOUBTFUL = 0.1
"""Bytes sent and received in one unit that differ by more than this are not of one unit."""
KEPT_UP = 0.95
"""Log received of the log flushed, below which the words say where the rest is."""
UNACCOUNTED = 0.05
"""Share of the log flushed by which it may differ from log received plus growth of the queue."""


def percent(ratio: float) -> str:
    """Word a share: "77 %", "99.6 %" near the whole."""
    return words.number(float(f"{100 * ratio:.3g}"), "%")


def headline(found: list[SentReceived]) -> str:
    """Give the answer of the links to one replica in one line of plain text."""
    if len(found) != 1:
        return "; ".join(
            f"{each.link.replica} from {each.link.primary_name or 'unknown'}: {_arrived(each)}"
            for each in found
        )
    (one,) = found
    if one.comparison is not None and one.comparison.ratio is not None:
        told = f"{percent(one.comparison.ratio)} of the bytes sent were received"
    else:
        why = one.counted.brief if one.sent is not None and one.counted.brief else one.why_not
        told = f"sent and received do not compare ({why or 'nothing was sent'})"
    arrived = f"{_arrived(one)}, " if one.arrived is not None else ""
    return words.plain(f"{one.link.replica}: {arrived}{told}")


def _arrived(found: SentReceived) -> str:
    ratio = found.arrived.ratio if found.arrived is not None else None
    return "no comparison" if ratio is None else f"{percent(ratio)} of the log flushed arrived"


def say(found: list[SentReceived], limits: Thresholds) -> str:
    """Say per link what arrived of what was sent, and why numbers differ that need not agree."""
    told = [_one(each, limits) for each in found]
    told += [words.md(text, 1000) for text in _side_by_side(found)]
    return "\n".join(f"- {text}" for text in told)


def _side_by_side(found: list[SentReceived]) -> list[str]:
    """Say why one primary counts less than the log for one replica, and the log for another."""
    by_primary: dict[str, list[tuple[SentReceived, float]]] = {}
    for each in found:
        compared = each.sent_per_log
        if each.counted.unit == WIRE and compared is not None and compared.ratio:
            by_primary.setdefault(each.link.primary_name, []).append((each, 1 / compared.ratio))
    told = []
    for primary, ratios in by_primary.items():
        less = [(each, ratio) for each, ratio in ratios if 1 / ratio >= COMPRESSED]
        as_is = [(each, ratio) for each, ratio in ratios if 1 / ratio < COMPRESSED]
        if less and as_is:
            told.append(
                f"Per byte of log received {primary} counted {_counted(less)} and {_counted(as_is)} bytes as sent: "
                f"{counting.why(less[0][0].sending, less[0][1])} That to "
                f"{words.listing([each.link.replica for each, _ in as_is])} is not compressed, as to synchronous "
                "replicas. Both are right, and no byte is lost on the way."
            )
    return told


def _counted(found: list[tuple[SentReceived, float]]) -> str:
    return words.listing([f"{ratio:.2f} to {each.link.replica}" for each, ratio in found])


def _one(found: SentReceived, limits: Thresholds) -> str:
    link = found.link
    name = f"**{words.md(link.replica)}**"
    if link.primary_name:
        name += f" from {words.md(link.primary_name)}"
    if found.mode is not None:
        name += f" ({found.mode.mode} commit)"
    told = [f"{name}:"]
    told += [words.md(text, 400) for text in _facts(found, limits)]
    return " ".join(told)


def _facts(found: SentReceived, limits: Thresholds) -> list[str]:
    arrived, compared, told = found.arrived, found.comparison, []
    if arrived is not None and arrived.ratio is not None:
        told.append(
            f"{percent(arrived.ratio)} of the log flushed arrived ({_means(arrived.other, arrived.base)})."
        )
    if compared is not None and compared.ratio is not None:
        kind = WHOSE[compared.base.unit]
        told.append(
            f"Of the {kind} bytes sent {percent(compared.ratio)} were received "
            f"({_means(compared.other, compared.base)}), over {words.span(compared.shared.seconds)} "
            f"with samples of both sides, {percent(compared.share)} of the time."
        )
        told.append(f"{found.counted.why[0].upper()}{found.counted.why[1:]}.")
        if abs(compared.ratio - 1) > DOUBTFUL:
            told.append("Counted in one unit, the two should agree: the unit is in doubt.")
    elif found.why_not:
        told.append(f"Bytes sent and received do not compare: {found.why_not}.")
        told += _both(found)
    told += _left(found)
    told += _compression(found)
    told += counting.flags(found.sending)
    again = resent(found)
    if again is not None:
        told.append("No message was sent again." if again < 0.5 else
                    f"{words.count(round(again), 'message')} sent again.")  # fmt: skip
    skew = found.link.skew
    if found.link.aligned and skew is not None and abs(skew) * 1000 >= limits.skew_ms:
        told.append(f"The hosts' clocks are {words.span(abs(skew))} apart; that is taken out here.")
    return told


def _means(other: Hop, base: Hop) -> str:
    assert other.rate is not None
    assert base.rate is not None
    return f"{words.rate(other.rate.mean)} of {words.rate(base.rate.mean)}"


def _both(found: SentReceived) -> list[str]:
    """Show both sides by themselves where they do not compare."""
    shown = [found.sent, found.known(hops.WIRE_RECEIVED), found.known(hops.RECEIVED)]
    told = [
        f"{hop.name} {words.rate(hop.rate.mean)}"
        + (f" of {WHOSE[hop.unit]} bytes" if hop.unit in WHOSE else "")
        for hop in shown
        if hop is not None and hop.rate is not None
    ]
    return [f"On average: {', '.join(told)}."] if told else []


def _left(found: SentReceived) -> list[str]:
    """Say where the log is that was flushed and did not arrive: it must be in the send queue."""
    arrived, growth = found.arrived, found.queue_growth
    if arrived is None or arrived.ratio is None or arrived.ratio >= KEPT_UP or growth is None:
        return []
    flushed, received = arrived.shared.totals
    left = flushed - received
    if abs(left - growth) <= UNACCOUNTED * flushed:
        return [f"The other {words.size(left)} wait in its send queue, which grew by {words.size(growth)}."]  # fmt: skip
    return [
        f"The other {words.size(left)} do not show in its send queue, which changed by "
        f"{words.size(growth)}: it is stale, or the hosts' clocks are apart."
    ]


def _compression(found: SentReceived) -> list[str]:
    """Say how log bytes and wire bytes of the replica go together."""
    ratio = found.compression.ratio if found.compression is not None else None
    if ratio is None:
        return []
    if ratio < COMPRESSED:
        return [f"The stream is not compressed ({words.number(ratio)} bytes of log per byte received)."]
    told = f"The stream is compressed: {words.number(ratio)} bytes of log per byte on the wire"
    sent, received = found.sent, found.known(hops.RECEIVED)
    if sent and sent.unit == WIRE and sent.spread and received and received.spread:
        told += (
            f", so {words.rate(sent.spread.max)} sent and {words.rate(received.spread.max)} of log "
            "received, both at their peak, are the same stream"
        )
    return [f"{told}."]
