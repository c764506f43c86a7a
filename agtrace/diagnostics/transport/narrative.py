"""The words of the transport findings. Plain text: whoever renders it escapes it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np

from agtrace.diagnostics import words
from agtrace.diagnostics.finding import Evidence, Finding
from agtrace.diagnostics.transport import evidence
from agtrace.diagnostics.transport.chain import Series
from agtrace.diagnostics.transport.links import Link
from agtrace.diagnostics.transport.network import UNSCALED_WINDOW
from agtrace.diagnostics.transport.remedies import remedy
from agtrace.diagnostics.transport.stats import slope
from agtrace.diagnostics.transport.verdict import Verdict

TITLES = {
    "transport.healthy": "{replica} keeps up with the log that is generated",
    "transport.network_limited": "The network path to {replica} carries less log than is generated",
    "transport.window_limited": "An unscaled TCP window holds back the log on its way to {replica}",
    "transport.send_limited": "{primary} sends log to {replica} too slowly although the network is free",
    "transport.flow_control": "Flow control holds back the log for {replica}",
    "transport.harden_limited": "The log disk of {replica} is too slow for the log that arrives",
    "transport.suspended": "No log moves to {replica}: its send queue is stale",
    "transport.redo_limited": "{replica} redoes log slower than it arrives",
    "transport.redo_blocked": "Readers block redo on {replica}",
    "quality.not_captured": "{replica} was not captured: whether it keeps up stays open",
}


def instant(seconds: float, *, is_local: bool) -> str:
    """Give a time as ISO 8601: in UTC, or in local time without zone."""
    moment = datetime.fromtimestamp(round(seconds, 3), tz=UTC)
    text = moment.isoformat(timespec="seconds")
    return text.removesuffix("+00:00") + ("" if is_local else "Z")


def window(times: np.ndarray, *, is_local: bool) -> dict[str, Any]:
    """Give the window of a finding."""
    if not len(times):
        return {}
    ends = {
        "start": instant(float(times[0]), is_local=is_local),
        "end": instant(float(times[-1]), is_local=is_local),
    }
    return ends | ({"local": True} if is_local else {})


def subject(link: Link, databases: list[str]) -> dict[str, str]:
    """Say what a finding on a link is about; databases only where it is not all of them."""
    who = {"replica": link.replica}
    if link.ag:
        who["ag"] = link.ag
    if link.secondary is not None:
        who["host"] = link.secondary.host_id
    if link.primary_name:
        who["primary"] = link.primary_name
    if databases and len(databases) < len(link.group.databases):
        who["database"] = ", ".join(databases)
    return who


def finding(verdict: Verdict) -> Finding:
    """Put a verdict into words with the numbers that it rests on."""
    link = verdict.link
    names = {
        "replica": words.plain(link.replica),
        "primary": words.plain(link.primary_name or "the primary"),
    }
    told = [_of_databases(verdict), _what(verdict), *_why(verdict), _caveats(verdict)]
    title = TITLES[verdict.id].format(**names)
    if verdict.id == "transport.healthy" and verdict.signs.tuning_off:
        title += f", although its TCP auto-tuning is {verdict.signs.tuning}"
    return Finding(
        verdict.id,
        verdict.severity,
        title,
        " ".join(text for text in told if text),
        subject(link, verdict.databases),
        window(verdict.times, is_local=link.is_local),
        tuple(_evidence(verdict)),
        remedy(verdict),
        verdict.confidence,
    )


def _of_databases(verdict: Verdict) -> str:
    names = [words.plain(name) for name in verdict.databases]
    if not names:
        return ""
    return f"{words.count(len(names), 'database')}: {words.listing(names)}."


def mean(series: Series | None, rows: slice = slice(None)) -> str:
    """Word the mean of a byte rate with whose bytes it counts."""
    if series is None or np.isnan(series.values[rows]).all():
        return words.NOT_CAPTURED
    value = series.mean_of(rows)
    kind = series.unit.removesuffix("B/s").strip()
    return f"{words.rate(value)} of {kind} bytes" if kind else words.rate(value)


def _what(verdict: Verdict) -> str:
    """Say what the chain did over the window."""
    link, read, rows = verdict.link, verdict.chain, verdict.rows
    length = words.span(float(verdict.times[-1] - verdict.times[0])) if len(verdict.times) else ""
    if link.secondary is None:
        return (
            f"Over {length} the primary flushed {mean(read.flushed)} and counted "
            f"{mean(verdict.stream.sent or verdict.stream.transport)} sent to the replica, on average."
        )
    told = (
        f"Over {length} the primary generated {mean(read.flushed, verdict.primary_rows)}"
        if read.flushed
        else f"Over {length} the replica"
    )
    told += " and the replica" if read.flushed else ""
    told += f" received {mean(read.received, rows)}"
    if read.redone is not None:
        told += f" and redid {mean(read.redone, rows)}"
    told += ", on average."
    if read.send_queue is not None:
        values = read.send_queue.values[rows]
        known = values[~np.isnan(values)]
        fit = slope(read.times[rows], values)
        if len(known):
            told += (
                f" Its log send queue went from {words.size(known[0])} to {words.size(known[-1])}"
            )
            if fit is not None and verdict.id != "transport.suspended":
                told += (
                    f"; its slope is {_change(fit.value)} (95 % interval {_change(fit.low)} to "
                    f"{_change(fit.high)}, n = {fit.n})"
                )
            told += "."
    return told


def _change(bytes_per_s: float) -> str:
    return ("+" if bytes_per_s > 0 else "") + words.rate(bytes_per_s)


def _why(verdict: Verdict) -> list[str]:
    """Say what points to the hop that the verdict names."""
    signs, name = verdict.signs, verdict.id.removeprefix("transport.")
    told = []
    if name in ("window_limited", "network_limited"):
        told.append(_idle_behind(verdict))
    if name == "window_limited":
        told.append(f"Signs of an unscaled receive window: {words.listing(signs.window)}.")
        told += _arithmetic(verdict)
    if name == "network_limited":
        if signs.window_contradicted:
            told.append(
                "The receiver's auto-tuning is on, which speaks against an unscaled window: bandwidth "
                "or loss on the path is likelier."
            )
        else:
            seen = f" (seen: {words.listing(signs.window)})" if signs.window else ""
            told.append(
                "A TCP receive window without scaling would look like this; that is a hypothesis "
                f"here{seen}, and so is a path without bandwidth."
            )
        told += _arithmetic(verdict)
    if name in ("send_limited", "flow_control") and signs.copy_fast and signs.top:
        told.append(
            f"A bulk copy to the same replica ran at {words.rate(signs.copy)}, "
            f"{words.number((signs.copy or 0) / signs.top)} times the stream's "
            f"{words.rate(signs.top)} (p95): the network is free."
        )
    flow = verdict.stream.flow_control_time
    if name == "flow_control" and flow is not None:
        told.append(
            f"The send gate was closed for {words.number(flow.mean_of(verdict.primary_rows))} ms of each second: the replica "
            "acknowledges too late."
        )
        if not signs.copy_fast:
            told.append(
                "A slow network looks the same from the gate; no copy shows that it is free."
            )
    if name == "send_limited":
        told.append("What is left is the sender: log capture, its single send thread, or CPU.")
    if name == "harden_limited" and verdict.secondary_write is not None:
        other = verdict.primary_write
        told.append(
            f"A log write takes {words.number(verdict.secondary_write.ms, 'ms')} there (median)"
            + (f", {words.number(other.ms, 'ms')} on the primary." if other is not None else ".")
        )
    if name == "suspended":
        held = (
            f"The queue has not moved for {words.span(float(verdict.times[-1] - verdict.times[0]))}"
        )
        told.append(f"{held} and nothing was received: its value is old, not small.")
        if verdict.message is not None:
            reason = verdict.message["reason"]
            told.append(
                "The ERRORLOG says that data movement was suspended"
                + (f" ({words.plain(reason)})." if reason else ".")
            )
    if name in ("redo_limited", "redo_blocked"):
        told.append(_of_redo(verdict))
    if name == "healthy" and signs.tuning_off:
        told.append(
            f"Its TCP auto-tuning is {words.plain(signs.tuning)}: at this distance it does no harm; "
            f"over a longer round trip {UNSCALED_WINDOW:,} bytes per round trip would limit the stream."
        )
    if name == "quality.not_captured":
        told.append(
            "Fewer bytes sent than flushed prove nothing: what the counter counts depends on version, "
            "commit mode and trace flags, and the queue is only known on the replica."
        )
    return told


def _idle_behind(verdict: Verdict) -> str:
    read = verdict.chain
    end = read.recovery_end
    if end is None or read.redone is None:
        return ""
    return f"What arrives is redone at once: its recovery queue ends at {words.size(end)}."


def _of_redo(verdict: Verdict) -> str:
    read, rows = verdict.chain, verdict.rows
    assert read.recovery_queue is not None
    values = read.recovery_queue.values[rows]
    known = values[~np.isnan(values)]
    fit = slope(read.times[rows], values)
    told = f"The recovery queue went from {words.size(known[0])} to {words.size(known[-1])}"
    told += f" ({_change(fit.value)})" if fit is not None else ""
    told += " while the send queue held nothing back."
    if any("behind" in part.states for part in verdict.parts):
        told = told.replace(" while the send queue held nothing back.", ".")
    if read.redo_blocked is not None:
        blocked = read.redo_blocked.values[rows]
        share = float((np.nan_to_num(blocked) > 0).mean())
        told += f" Redo was blocked in {words.number(100 * share)} % of the samples."
    return told


def _arithmetic(verdict: Verdict) -> list[str]:
    """Word the window arithmetic: what one unscaled window carries per round trip."""
    signs = verdict.signs
    if signs.round_trip is None or signs.top is None:
        return []
    carries = UNSCALED_WINDOW / signs.round_trip
    told = [
        f"With a round trip of {words.span(signs.round_trip)} one window of {UNSCALED_WINDOW:,} B "
        f"carries {words.rate(carries)}; the stream's p95 is {words.rate(signs.top)}."
    ]
    if signs.fits:
        fitting = [words.plain(name) for name in signs.fits]
        told.append(f"That fits {words.listing(fitting)}.")
    return told


def _caveats(verdict: Verdict) -> str:
    """Say what could not be seen, or only roughly."""
    link, told = verdict.link, []
    side = link.secondary or link.primary
    if side is not None and side.averaged:
        told.append(
            f"For the size of the captures, samples are means over {words.span(side.step)}."
        )
    if link.secondary is not None and link.primary is None:
        who = words.plain(link.primary_name) if link.primary_name else "The primary"
        told.append(
            f"{who} was not captured in this window: the log generated is taken as log received plus "
            "growth of the queue, and the sender's side stays open."
        )
    if link.secondary is not None and link.primary is not None:
        if not link.aligned:
            told.append("A clock is unknown: the two hosts are compared by their averages only.")
        elif verdict.stream.sent is not None and verdict.stream.sent.unit == "B/s":
            told.append(
                "The primary's SQL Server version is unknown, so bytes sent are not compared with log bytes."
            )
    if len(verdict.times) and verdict.chain.flushed is None and link.primary is not None:
        told.append("Log Bytes Flushed/sec of these databases was not captured on the primary.")
    return " ".join(told)


def _evidence(verdict: Verdict) -> list[Evidence]:
    found = [
        *evidence.of_chain(verdict),
        *evidence.of_stream(verdict),
        *evidence.of_databases(verdict),
        *evidence.of_network(verdict),
        *evidence.of_log_writes(verdict.secondary_write, verdict.primary_write),
    ]
    read = verdict.chain
    if read.redo_blocked is not None and verdict.id.startswith("transport.redo"):
        found += evidence.rates("redo blocked", read.redo_blocked, verdict.rows)
    if verdict.message is not None:
        text = str(verdict.message["reason"] or "data movement suspended")
        source = f"ERRORLOG of {verdict.message['host_id']}, line {verdict.message['line']}"
        found.append(Evidence("message 35264", text, "", source))
    return found
