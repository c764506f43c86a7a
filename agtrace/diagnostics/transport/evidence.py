"""The numbers behind a verdict, as evidence entries with unit and source."""

from __future__ import annotations

import numpy as np

from agtrace.diagnostics.transport.bounds import RULE
from agtrace.diagnostics.transport.kinds.sender import SEND_LIMITED
from agtrace.diagnostics.transport.kinds.stream import sent_per_log
from agtrace.diagnostics.transport.signs import LogWrite
from agtrace.diagnostics.transport.verdict import Verdict
from agtrace.history.streams.chain import Series
from agtrace.history.streams.network_facts import UNSCALED_WINDOW
from agtrace.measure import transport_counters as c
from agtrace.measure.gapped import slope, spread
from agtrace.measure.grid import Values
from agtrace.say import words
from agtrace.say.finding import Evidence


def figure(value: float) -> float:
    """Keep four significant digits: more would claim more than a sample of counters carries."""
    return float(f"{value:.4g}")


def rates(label: str, series: Series | None, rows: slice = slice(None)) -> list[Evidence]:
    """Give mean, median, 95th percentile and maximum of a series over some of its rows, with n."""
    if series is None:
        return []
    s = spread(series.values[rows])
    if s is None:
        return []
    source = f"{series.source}, n = {s.n}"
    return [
        Evidence(f"{label}, mean", figure(s.mean), series.unit, source),
        Evidence(f"{label}, p50", figure(s.p50), series.unit, source),
        Evidence(f"{label}, p95", figure(s.p95), series.unit, source),
        Evidence(f"{label}, max", figure(s.max), series.unit, source),
    ]


def queue(label: str, times: Values, series: Series | None, rows: slice) -> list[Evidence]:
    """Give the end, the maximum, the mean growth and the slope of a queue."""
    if series is None:
        return []
    values = series.values[rows]
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return []
    found = [
        Evidence(f"{label}, at the end", figure(values[known[-1]]), "B", series.source),
        Evidence(f"{label}, max", figure(np.nanmax(values)), "B", series.source),
    ]
    held = float(times[rows][known[-1]] - times[rows][known[0]])
    if held > 0:
        gained = float(values[known[-1]] - values[known[0]]) / held
        found.append(Evidence(f"{label}, mean growth", figure(gained), "B/s", series.source))
    fit = slope(times[rows], values)
    if fit is not None:
        interval = f"95 % interval {figure(fit.low):g} to {figure(fit.high):g}"
        source = f"{series.source}, least squares, {interval}, n = {fit.n}"
        found.append(Evidence(f"{label}, slope", figure(fit.value), "B/s", source))
    return found


def of_chain(verdict: Verdict) -> list[Evidence]:
    """Give the whole chain over the rows of a verdict, each side's own."""
    read, rows = verdict.chain, verdict.rows
    return [
        *rates("log flushed on the primary", read.flushed, verdict.primary_rows),
        *rates("log received", read.received, rows),
        *rates("log hardened", read.hardened, rows),
        *rates("log redone", read.redone, rows),
        *queue("log send queue", read.times, read.send_queue, rows),
        *queue("recovery queue", read.times, read.recovery_queue, rows),
    ]


def of_stream(verdict: Verdict) -> list[Evidence]:
    """Give what is counted per replica: bytes sent and received, flow control."""
    read = verdict.stream
    found = [
        *rates("sent to the replica", read.sent, verdict.primary_rows),
        *rates("sent to the transport", read.transport, verdict.primary_rows),
        *rates("received from the primary", read.wire, verdict.rows),
    ]
    ratio = sent_per_log(verdict)
    if ratio is not None and read.sent is not None:
        source = f"{read.sent.source} / {c.RECEIVED[1]}; {verdict.sending.counted.why}"
        unit = f"{read.sent.unit.removesuffix('/s')} per log B"
        found.append(Evidence("bytes sent per byte of log received", figure(ratio), unit, source))
    mode = verdict.sending.mode
    if mode is not None:
        label = f"commit mode of {verdict.link.replica}"
        found.append(Evidence(label, mode.mode, "", mode.why))
    for number, span in verdict.sending.flags:
        label, is_on = f"trace flag {number} on {span.host}", "on" if span.is_on else "off"
        found.append(Evidence(label, is_on, "", span.where))
    for label, series, unit in (
        ("flow control time, mean", read.flow_control_time, "ms/s"),
        ("resent messages, mean", read.resent, "1/s"),
    ):
        if series is not None and series.known_in(verdict.primary_rows):
            value = figure(series.mean_of(verdict.primary_rows))
            if value > 0 or series is read.flow_control_time:
                found.append(Evidence(label, value, unit, series.source))
    return found


def of_databases(verdict: Verdict) -> list[Evidence]:
    """Give one line of numbers per database where a verdict covers several."""
    if len(verdict.parts) < 2:
        return []
    found = []
    for part in verdict.parts:
        read = part.chain
        for label, series, rows in (
            ("log flushed on the primary, mean", read.flushed, verdict.primary_rows),
            ("log received, mean", read.received, verdict.rows),
            ("log redone, mean", read.redone, verdict.rows),
        ):
            if series is not None and series.known_in(rows):
                value, label = figure(series.mean_of(rows)), f"{part.database}: {label}"
                found.append(Evidence(label, value, series.unit, series.source))
        for label, end, series in (
            ("log send queue, at the end", read.queue_end, read.send_queue),
            ("recovery queue, at the end", read.recovery_end, read.recovery_queue),
        ):
            if end is not None and series is not None:
                found.append(Evidence(f"{part.database}: {label}", figure(end), "B", series.source))
    return found


def of_network(verdict: Verdict) -> list[Evidence]:
    """Give the facts about the path: TCP settings, copy, round trip, cards, the ceiling."""
    signs, link = verdict.signs, verdict.link
    found = []
    for name, level in ((link.replica, signs.tuning), (link.primary_name, signs.primary_tuning)):
        if level is not None:
            label = f"TCP receive window auto-tuning level on {name}"
            source = f"netsh interface tcp show global of {name}"
            found.append(Evidence(label, level, "", source))
    if signs.copy is not None:
        source = f"robocopy log, destination {link.replica}"
        found.append(Evidence("bulk copy to the replica", figure(signs.copy), "B/s", source))
    for name, speed in signs.other_copies.items():
        source = f"robocopy log, destination {name}"
        found.append(Evidence(f"bulk copy to {name}", figure(speed), "B/s", source))
    if signs.handshake is not None:
        seen = signs.handshake
        ports = f" to port {words.listing(list(seen.ports))}" if seen.ports else ""
        source = f"packet capture, {words.count(seen.n, 'handshake')}{ports}"
        scale = "negotiated" if seen.scaled else "not negotiated"
        found.append(Evidence("TCP window scaling in the handshake", scale, "", source))
    if signs.round_trip is not None:
        ms = figure(signs.round_trip * 1000)
        source = f"ping between {link.primary_name or 'the primary'} and {link.replica}"
        found.append(Evidence("round trip", ms, "ms", source))
    s, rate = signs.ceiling, signs.rate
    if s is not None and rate is not None and s.p50 > 0:
        label = "p95 / p50 of the stream while the queue was filled"
        found.append(Evidence(label, figure(s.p95 / s.p50), "", f"{rate.source}, n = {s.n}"))
    if s is not None and rate is not None and signs.round_trip is not None:
        candidates = {"the stream to the replica": s.p95} | signs.per_database
        for name, value in candidates.items():
            held = value * signs.round_trip
            label = f"rate x round trip of {name}, against an unscaled window of {UNSCALED_WINDOW} B"
            source = f"{rate.source} and ping"
            found.append(Evidence(label, figure(held / UNSCALED_WINDOW), "ratio", source))
    if signs.log_reads is not None and verdict.kind is SEND_LIMITED:
        source = f"{c.LOG_POOL_DISK_READS[0]}\\{c.LOG_POOL_DISK_READS[1]} on {link.primary_name}"
        found.append(Evidence("log read back from disk", figure(signs.log_reads), "1/s", source))
    if signs.lost is not None:
        share, source = figure(signs.lost.share), f"{signs.lost.source}, n = {signs.lost.n}"
        found.append(Evidence("segments sent again", share, "ratio", source))
    if verdict.kind.slow == "received":
        found += _of_bounds(verdict)
    if signs.processors is not None:
        used = signs.processors
        label = f"processors of {link.replica} in use, p50"
        source = f"{used.source}, n = {used.n}"
        found.append(Evidence(label, figure(used.percent), "%", source))
    for card in signs.cards:
        source = f"card {card.instance} of {card.host_id}, {words.bits(card.bandwidth)}, {words.wire_rate(card.bytes_per_s)}"
        found.append(Evidence(f"network card of {card.host_id} in use", figure(card.share), "ratio", source))
    return found


def _of_bounds(verdict: Verdict) -> list[Evidence]:
    """Give what an unscaled window, and the loss, would each let through."""
    bounds, signs = verdict.signs.bounds, verdict.signs
    found = []
    if bounds.window is not None:
        label = "what an unscaled window alone would carry"
        source = f"{UNSCALED_WINDOW:,} B in each round trip (ping)"
        found.append(Evidence(label, figure(bounds.window), "B/s", source))
    if bounds.loss is not None and signs.lost is not None:
        source = f"{RULE}; {signs.lost.source}, ping"
        found.append(Evidence("what loss alone would carry", figure(bounds.loss), "B/s", source))
    return found


def of_log_writes(*writes: LogWrite | None) -> list[Evidence]:
    """Give how long log writes take."""
    return [
        Evidence("log write, p50", figure(write.ms), "ms", f"{write.source}, n = {write.n}")
        for write in writes
        if write is not None
    ]
