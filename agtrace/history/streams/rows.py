"""Streams of log as rows of the relation: one per link and database."""

from __future__ import annotations

from typing import Any

import numpy as np

from agtrace.history.base import View
from agtrace.history.streams.chain import Series, Stream, read_stream
from agtrace.history.streams.collect import read_streams
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.links import Link
from agtrace.history.streams.parts import Part
from agtrace.measure.gapped import slope
from agtrace.measure.grid import Node, Values

Row = dict[str, Any]


def stream_rows(view: View) -> list[Row]:
    """Return the rows of a case, a link's databases one after the other.

    A link of which no database was captured has one row, without a database.
    """
    found = read_streams(view)
    rows: list[Row] = []
    for number, (link, parts) in enumerate(found.links):
        of_link = {"stream_id": number, **_of_link(link, found.known)}
        rows += [of_link | _of_part(part) for part in parts] or [of_link]
    return rows


def _of_link(link: Link, known: StreamFacts) -> Row:
    sending = known.sending(link)
    read: Stream = read_stream(link, sending.counted)
    apart = link.apart
    return {
        "ag": link.ag or None,
        "is_distributed": link.group.is_distributed,
        "primary_replica": link.primary_name or None,
        "replica": link.replica,
        **_side("primary", link.primary),
        **_side("replica", link.secondary),
        **_window(link),
        "samples": len(link.times),
        "is_aligned": link.aligned,
        "skew_s": link.skew,
        "is_apart": apart is not None,
        "shift_s": None if apart is None or apart.shift is None else apart.shift.seconds,
        "commit_mode": None if sending.mode is None else sending.mode.mode,
        "sent_unit": sending.counted.unit,
        "sent_bytes_per_s": _mean(read.sent),
        "transport_bytes_per_s": _mean(read.transport),
        "wire_bytes_per_s": _mean(read.wire),
        "flow_control_ms_per_s": _mean(read.flow_control_time),
        "flow_controls_per_s": _mean(read.flow_controls),
        "resent_per_s": _mean(read.resent),
    }


def _side(name: str, node: Node | None) -> Row:
    if node is None:
        return {}
    return {f"{name}_host_id": node.host_id, f"{name}_instance": node.sql_instance}


def _window(link: Link) -> Row:
    times = link.times
    if not len(times):
        return {}
    suffix = "_local" if link.is_local else ""
    return {f"start{suffix}": _microseconds(times[0]), f"end{suffix}": _microseconds(times[-1])}


def _of_part(part: Part) -> Row:
    read = part.chain
    return {
        "database": part.database,
        "flushed_bytes_per_s": _mean(read.flushed),
        "received_bytes_per_s": _mean(read.received),
        "hardened_bytes_per_s": _mean(read.hardened),
        "redone_bytes_per_s": _mean(read.redone),
        **_queue("send_queue", read.send_queue, read.times),
        "is_stale": part.stale is not None and part.stale[1] >= len(read.times) - 1,
        **_queue("recovery_queue", read.recovery_queue, read.times),
        "redo_blocked_per_s": _mean(read.redo_blocked),
    }


def _queue(name: str, queue: Series | None, times: Values) -> Row:
    """Return the first, last and largest size of a queue, and its growth."""
    if queue is None:
        return {}
    known = queue.values[~np.isnan(queue.values)]
    if not len(known):
        return {}
    grew = slope(times, queue.values)
    return {
        f"{name}_first_bytes": float(known[0]),
        f"{name}_last_bytes": float(known[-1]),
        f"{name}_max_bytes": float(known.max()),
        f"{name}_growth_bytes_per_s": None if grew is None else grew.value,
    }


def _mean(series: Series | None) -> float | None:
    return None if series is None or not series.known_in(slice(None)) else series.mean


def _microseconds(at: float) -> int:
    return round(float(at) * 1e6)
