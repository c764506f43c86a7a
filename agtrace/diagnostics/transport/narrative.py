"""The words of the transport findings. Plain text: whoever renders it escapes it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from agtrace.diagnostics.transport import evidence
from agtrace.diagnostics.transport.kinds.stream import change
from agtrace.diagnostics.transport.verdict import Verdict
from agtrace.history.streams.chain import Series
from agtrace.history.streams.links import Link
from agtrace.measure.gapped import slope
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding


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
    title = verdict.kind.title.format(
        replica=verdict.replica, primary=verdict.primary, tuning=verdict.signs.tuning
    )
    told = [_of_databases(verdict), _what(verdict), *verdict.kind.why(verdict), _caveats(verdict)]
    return Finding(
        verdict.id,
        verdict.severity,
        title,
        " ".join(text for text in told if text),
        subject(link, verdict.databases),
        window(verdict.times, is_local=link.is_local),
        tuple(_evidence(verdict)),
        verdict.kind.remedy(verdict),
        verdict.confidence,
    )


def with_windows(findings: list[Finding]) -> list[Finding]:
    """Name window and databases in the titles of verdicts that share a replica: each stands alone."""
    shared: dict[tuple[str, str], list[Finding]] = {}
    for each in findings:
        shared.setdefault((each.subject.get("ag", ""), each.subject["replica"]), []).append(each)
    days = {
        key: {str(f.window.get(end, ""))[:10] for f in group for end in ("start", "end")}
        for key, group in shared.items()
    }
    found = []
    for each in findings:
        key = (each.subject.get("ag", ""), each.subject["replica"])
        if len(shared[key]) > 1 and each.window:
            about = [words.plain(each.subject["database"])] if "database" in each.subject else []
            about.append(_of_window(each.window, with_day=len(days[key]) > 1))
            each = replace(each, title=f"{each.title} ({', '.join(about)})")
        found.append(each)
    return found


def _of_window(ends: dict[str, Any], *, with_day: bool) -> str:
    """Word a window: "13:14:05 to 13:36:00 UTC", with the days where they differ."""
    texts = [str(ends[end]).removesuffix("Z").replace("T", " ") for end in ("start", "end")]
    first, last = texts if with_day else (text[11:] for text in texts)
    return f"{first} to {last} {'local time' if ends.get('local') else 'UTC'}"


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
            told += f" Its log send queue went from {words.size(known[0])} to {words.size(known[-1])}"
            if fit is not None and not verdict.kind.is_stale:
                told += (
                    f"; its slope is {change(fit.value)} (95 % interval {change(fit.low)} to "
                    f"{change(fit.high)}, n = {fit.n})"
                )
            told += "."
    return told


def _caveats(verdict: Verdict) -> str:
    """Say what could not be seen, or only roughly."""
    link, told = verdict.link, []
    side = link.secondary or link.primary
    if side is not None and side.averaged:
        told.append(f"For the size of the captures, samples are means over {words.span(side.step)}.")
    if link.secondary is not None and link.primary is None:
        who = words.plain(link.primary_name) if link.primary_name else "The primary"
        why = "was not captured in this window"
        if link.apart is not None and link.apart.shift is not None:
            apart = words.span(abs(link.apart.shift.seconds))
            why = f"was captured with a clock {apart} apart, and is not compared"
        told.append(
            f"{who} {why}: the log generated is taken as log received plus "
            "growth of the queue, and the sender's side stays open."
        )
    if link.secondary is not None and link.primary is not None:
        if not link.aligned:
            told.append("A clock is unknown: the two hosts are compared by their averages only.")
        elif verdict.stream.sent is not None and verdict.stream.sent.unit == "B/s":
            told.append(
                "The primary's SQL Server version is unknown, so bytes sent are not compared with log bytes."
            )
    if verdict.on_its_way is not None:
        told.append(
            f"{100 * verdict.on_its_way:.1f} % of the log generated neither arrived nor waits in the queue: it may be on "
            "its way, which no counter shows, and the path a little too slow for the load."
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
    if read.redo_blocked is not None and verdict.kind.slow == "redone":
        found += evidence.rates("redo blocked", read.redo_blocked, verdict.rows)
    if verdict.message is not None:
        text = str(verdict.message["reason"] or "data movement suspended")
        source = f"ERRORLOG of {verdict.message['host_id']}, line {verdict.message['line']}"
        found.append(Evidence("message 35264", text, "", source))
    return found
