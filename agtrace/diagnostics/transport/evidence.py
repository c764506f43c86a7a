"""The measures of a verdict on a link: each defined once, with the values it is based on."""

from __future__ import annotations

import numpy as np

from agtrace.diagnostics.transport.signs import LogWrite
from agtrace.diagnostics.transport.verdict import SEND_LIMITED, Verdict, mended
from agtrace.history.streams import LOG, RULE, UNSCALED_WINDOW, Series
from agtrace.measure import transport_counters as c
from agtrace.measure.gapped import slope, spread
from agtrace.measure.grid import Values
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words

FLUSHED = Measure("flushed", "log flushed on the primary", LOG)
RECEIVED = Measure("received", "log received", LOG)
HARDENED = Measure("hardened", "log hardened", LOG)
REDONE = Measure("redone", "log redone", LOG)
SEND_QUEUE = Measure("send_queue", "log send queue", "B")
RECOVERY_QUEUE = Measure("recovery_queue", "recovery queue", "B")
SENT = Measure("sent", "sent to the replica", meaning="whose bytes depends on the version of SQL Server")
TRANSPORT = Measure("transport", "sent to the transport", meaning=SENT.meaning)
WIRE = Measure("wire", "received from the primary")
SENT_PER_LOG = Measure("sent_per_log", "bytes sent per byte of log received")
FLOW_CONTROL = Measure("flow_control", "flow control time, mean", "ms/s")
RESENT = Measure("resent", "resent messages, mean", "1/s")
REDO_BLOCKED = Measure("redo_blocked", "redo blocked", "1/s")
COPY = Measure("copy", "bulk copy to the replica", "B/s")
OTHER_COPY = Measure("other_copy", "bulk copy to {replica}", "B/s")
ROUND_TRIP = Measure("round_trip", "round trip", "ms")
CEILING = Measure("ceiling", "p95 / p50 of the stream while the queue was filled")
IN_WINDOWS = Measure(
    "in_windows", f"rate x round trip of {{name}}, against an unscaled window of {UNSCALED_WINDOW} B", "ratio"
)
LOG_READS = Measure("log_reads", "log read back from disk", "1/s")
LOST = Measure("lost", "segments sent again", "ratio")
WINDOW_CARRIES = Measure("window_carries", "what an unscaled window alone would carry", "B/s")
LOSS_CARRIES = Measure("loss_carries", "what loss alone would carry", "B/s")
WINDOW_NEEDED = Measure("window_needed", "receive window that the log generated needs", "B")
CAUGHT_UP = Measure("caught_up", "send queue gone after the limit is removed", "s")
PROCESSORS = Measure("processors", "processors of {host} in use, p50", "%")
CARD = Measure("card", "network card of {host} in use", "ratio")
LOG_WRITE = Measure("log_write", "log write, p50", "ms")
STATISTICS = ("mean", "p50", "p95", "max")


def figure(value: float) -> float:
    """Keep four significant digits: more would claim more than a sample of counters carries."""
    return float(f"{value:.4g}")


def of_verdict(verdict: Verdict) -> tuple[Measured, ...]:
    """Return all evidence of a verdict, in the order in which it is shown."""
    found = [
        *_chain(verdict),
        *_stream(verdict),
        *_databases(verdict),
        *_network(verdict),
        *log_writes(verdict.secondary_write, verdict.primary_write),
    ]
    if verdict.kind.slow == "redone":
        found += _rates(REDO_BLOCKED, verdict.chain.redo_blocked, verdict.rows)
    if verdict.message is not None:
        text = str(verdict.message["reason"] or "data movement suspended")
        source = f"ERRORLOG of {verdict.message['host_id']}, line {verdict.message['line']}"
        found.append(quoted("message 35264", text, source))
    return tuple(found)


def _rates(measure: Measure, series: Series | None, rows: slice) -> list[Measured]:
    """Return mean, median, 95th percentile and maximum of a series over some of its rows, with n."""
    s = spread(series.values[rows]) if series is not None else None
    if series is None or s is None:
        return []
    source = f"{series.source}, n = {s.n}"
    own = measure.of(series.unit)
    return [own.stat(name)(figure(getattr(s, name)), source) for name in STATISTICS]


def _queue(measure: Measure, times: Values, series: Series | None, rows: slice) -> list[Measured]:
    """Return the end, the maximum, the mean growth and the slope of a queue."""
    if series is None:
        return []
    values = series.values[rows]
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return []
    source, rate = series.source, measure.of("B/s")
    found = [
        measure.stat("at the end")(figure(values[known[-1]]), source),
        measure.stat("max")(figure(np.nanmax(values)), source),
    ]
    held = float(times[rows][known[-1]] - times[rows][known[0]])
    if held > 0:
        gained = float(values[known[-1]] - values[known[0]]) / held
        found.append(rate.stat("mean growth")(figure(gained), source))
    fit = slope(times[rows], values)
    if fit is not None:
        interval = f"95 % interval {figure(fit.low):g} to {figure(fit.high):g}"
        found.append(
            rate.stat("slope")(figure(fit.value), f"{source}, least squares, {interval}, n = {fit.n}")
        )
    return found


def _chain(verdict: Verdict) -> list[Measured]:
    """Return the whole chain over the rows of a verdict, each side's own; the queue that decides first."""
    read, rows = verdict.chain, verdict.rows
    rates = [
        *_rates(FLUSHED, read.flushed, verdict.primary_rows),
        *_rates(RECEIVED, read.received, rows),
        *_rates(HARDENED, read.hardened, rows),
        *_rates(REDONE, read.redone, rows),
    ]
    unsent = _queue(SEND_QUEUE, read.times, read.send_queue, rows)
    unredone = _queue(RECOVERY_QUEUE, read.times, read.recovery_queue, rows)
    return [*unredone, *rates, *unsent] if verdict.kind.slow == "redone" else [*unsent, *rates, *unredone]


def _stream(verdict: Verdict) -> list[Measured]:
    """Return the per-replica measures: bytes sent and received, flow control."""
    read, sending = verdict.stream, verdict.sending
    found = [
        *_rates(SENT, read.sent, verdict.primary_rows),
        *_rates(TRANSPORT, read.transport, verdict.primary_rows),
        *_rates(WIRE, read.wire, verdict.rows),
    ]
    ratio = verdict.sent_per_log
    if ratio is not None and read.sent is not None:
        source = f"{read.sent.source} / {c.RECEIVED[1]}; {sending.counted.why}"
        unit = f"{read.sent.unit.removesuffix('/s')} per log B"
        found.append(SENT_PER_LOG.of(unit)(figure(ratio), source))
    if sending.mode is not None:
        found.append(quoted(f"commit mode of {verdict.link.replica}", sending.mode.mode, sending.mode.why))
    for number, span in sending.flags:
        is_on = "on" if span.is_on else "off"
        found.append(quoted(f"trace flag {number} on {span.host}", is_on, span.where))
    for measure, series in ((FLOW_CONTROL, read.flow_control_time), (RESENT, read.resent)):
        if series is not None and series.known_in(verdict.primary_rows):
            value = figure(series.mean_of(verdict.primary_rows))
            if value > 0 or measure is FLOW_CONTROL:
                found.append(measure(value, series.source))
    return found


def _databases(verdict: Verdict) -> list[Measured]:
    """Return one line of numbers per database if a verdict covers several."""
    if len(verdict.parts) < 2:
        return []
    found = []
    for part in verdict.parts:
        read = part.chain
        for measure, series, rows in (
            (FLUSHED, read.flushed, verdict.primary_rows),
            (RECEIVED, read.received, verdict.rows),
            (REDONE, read.redone, verdict.rows),
        ):
            if series is not None and series.known_in(rows):
                mean = measure.of(series.unit).stat("mean")
                found.append(mean(figure(series.mean_of(rows)), series.source, part.database))
        for measure, end, series in (
            (SEND_QUEUE, read.queue_end, read.send_queue),
            (RECOVERY_QUEUE, read.recovery_end, read.recovery_queue),
        ):
            if end is not None:
                assert series is not None
                found.append(measure.stat("at the end")(figure(end), series.source, part.database))
    return found


def _network(verdict: Verdict) -> list[Measured]:
    """Return the facts about the path: TCP settings, copy, round trip, cards, the ceiling."""
    signs, link = verdict.signs, verdict.link
    found = []
    for name, level in ((link.replica, signs.tuning), (link.primary_name, signs.primary_tuning)):
        if level is not None:
            label = f"TCP receive window auto-tuning level on {name}"
            found.append(quoted(label, level, f"netsh interface tcp show global of {name}"))
    if signs.copy is not None:
        found.append(COPY(figure(signs.copy), f"robocopy log, destination {link.replica}"))
    for name, speed in signs.other_copies.items():
        found.append(OTHER_COPY.about(replica=name)(figure(speed), f"robocopy log, destination {name}"))
    if signs.handshake is not None:
        seen = signs.handshake
        ports = f" to port {words.listing(list(seen.ports))}" if seen.ports else ""
        source = f"packet capture, {words.count(seen.n, 'handshake')}{ports}"
        scale = "negotiated" if seen.scaled else "not negotiated"
        found.append(quoted("TCP window scaling in the handshake", scale, source))
    if signs.round_trip is not None:
        source = f"ping between {link.primary_name or 'the primary'} and {link.replica}"
        found.append(ROUND_TRIP(figure(signs.round_trip * 1000), source))
    s, rate = signs.ceiling, signs.rate
    if s is not None and rate is not None and s.p50 > 0:
        found.append(CEILING(figure(s.p95 / s.p50), f"{rate.source}, n = {s.n}"))
    if s is not None and rate is not None and signs.round_trip is not None:
        candidates = {"the stream to the replica": s.p95} | signs.per_database
        for name, value in candidates.items():
            held = figure(value * signs.round_trip / UNSCALED_WINDOW)
            found.append(IN_WINDOWS.about(name=name)(held, f"{rate.source} and ping"))
    if signs.log_reads is not None and verdict.kind is SEND_LIMITED:
        source = f"{c.LOG_POOL_DISK_READS[0]}\\{c.LOG_POOL_DISK_READS[1]} on {link.primary_name}"
        found.append(LOG_READS(figure(signs.log_reads), source))
    if signs.lost is not None:
        found.append(LOST(figure(signs.lost.share), f"{signs.lost.source}, n = {signs.lost.n}"))
    if verdict.kind.slow == "received":
        found += [*_bounds(verdict), *_mended(verdict)]
    if signs.processors is not None:
        used = signs.processors
        own = PROCESSORS.about(host=link.replica)
        found.append(own(figure(used.percent), f"{used.source}, n = {used.n}"))
    for card in signs.cards:
        carried = f"{words.bits(card.bandwidth)}, {words.wire_rate(card.bytes_per_s)}"
        source = f"card {card.instance} of {card.host_id}, {carried}"
        found.append(CARD.about(host=card.host_id)(figure(card.share), source))
    return found


def _bounds(verdict: Verdict) -> list[Measured]:
    """Return the throughput limits of an unscaled window, and of the loss."""
    bounds, lost = verdict.signs.bounds, verdict.signs.lost
    found = []
    if bounds.window is not None:
        found.append(
            WINDOW_CARRIES(figure(bounds.window), f"{UNSCALED_WINDOW:,} B in each round trip (ping)")
        )
    if bounds.loss is not None and lost is not None:
        found.append(LOSS_CARRIES(figure(bounds.loss), f"{RULE}; {lost.source}, ping"))
    return found


def _mended(verdict: Verdict) -> list[Measured]:
    """Return the receive window that the path needs, and the time to catch up at copy speed."""
    after = mended(verdict)
    if after is None:
        return []
    found = []
    if after.window is not None:
        rate = f"{words.rate(after.on_wire)} {'on the wire' if after.is_counted else 'of log'}"
        found.append(WINDOW_NEEDED(figure(after.window), f"{rate} generated, mean, x round trip (ping)"))
    if after.seconds is not None:
        assert after.carries is not None
        copy = f"bulk copy to {after.copied_to or verdict.link.replica}"
        rates = f"{words.rate(after.carries)} of log as the {copy}, {words.rate(after.generated)} generated"
        found.append(CAUGHT_UP(figure(after.seconds), f"{words.size(after.queue)} in the queue; {rates}"))
    return found


def log_writes(*writes: LogWrite | None) -> list[Measured]:
    """Return how long log writes take."""
    return [
        LOG_WRITE(figure(write.ms), f"{write.source}, n = {write.n}") for write in writes if write is not None
    ]
