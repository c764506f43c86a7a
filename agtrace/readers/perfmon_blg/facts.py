"""Facts of a log: the machine that wrote it, its time zone, and its UTC offset.

The UTC offset comes from the samples, since data blocks and counters of 100-ns types hold both times. Without
such samples, it follows from the time zone in the header and its rule.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from agtrace.readers.base import Batch, rows
from agtrace.readers.perfmon_blg.zone import half_at, half_of_bias
from agtrace.tables import FACTS

TOPIC = "blg_header"
EPOCH = datetime(1970, 1, 1)
HOW = {
    "data_block": "UTC beside local time in the samples",
    "raw_counter": "UTC time of 100-ns counters",
    "zone_rule": "time zone of the header and its rule",
}

Offset = tuple[int, int, int, str]
"""Tick, local time in microseconds, local minus UTC in minutes, and a key of `HOW`."""


def header_facts(header: dict[str, Any], offset: Offset | None) -> Batch:
    """Return the facts of the header; the zone is that of the first sample."""
    zone = header["zone"]
    values: dict[str, Any] = {
        "windows": header["os"],
        "written_to": header["file"] or None,
        "perf_frequency": header["perf_frequency"],
        "session_start": _utc(header["start"]),
        "session_end": _utc(header["end"]),
        "boot": _utc(header["boot"]),
        "standard_name": zone["standard_name"] or None,
    }
    if offset is not None:
        half = half_of_bias(zone, -offset[2])
        values |= {"zone_name": half.name or None, "bias_minutes": half.bias_minutes}
    return _batch([(0, key, value, None) for key, value in values.items() if value is not None])


def offset_facts(offsets: list[Offset], first: int = 0) -> Batch:
    """Return a period of local time per change: UTC offset, first row, and source.

    ``first`` numbers the first of them.
    """
    return _batch(
        [
            (item, key, value, EPOCH + timedelta(microseconds=time))
            for item, (tick, time, minutes, source) in enumerate(offsets, start=first)
            for key, value in (
                ("utc_offset_minutes", minutes),
                ("utc_offset_from_tick", tick),
                ("utc_offset_source", HOW[source]),
            )
        ]
    )


def offset_by_zone(zone: dict[str, Any], time: int) -> Offset | None:
    """Return the offset of the first sample by the zone's rule; None if it has no rule."""
    half = half_at(zone, EPOCH + timedelta(microseconds=time))
    return (0, time, -half.bias_minutes, "zone_rule") if half else None


def _utc(micros: int | None) -> str | None:
    return None if micros is None else (EPOCH + timedelta(microseconds=micros)).isoformat() + "Z"


def _batch(values: list[tuple[int, str, Any, datetime | None]]) -> Batch:
    return rows(
        "facts",
        FACTS,
        [
            {
                "topic": TOPIC,
                "item": item,
                "key": key,
                "value": str(value),
                "unit": "min" if key.endswith("_minutes") else None,
                "time_local": time,
            }
            for item, key, value, time in values
        ],
    )
