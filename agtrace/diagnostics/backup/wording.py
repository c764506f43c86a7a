"""Words for rates, changes and intervals of the backup question. Plain text.

MB are 2^20 bytes here, as in the messages of SQL Server that the rates come from.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from agtrace.diagnostics.backup.effects import Change, Effect
from agtrace.diagnostics.backup.studies import BUILT_IN, buffers_text
from agtrace.measure.statistics import Interval
from agtrace.say import words

NAMES = {
    "media": "media",
    "stripes": "number of targets",
    "buffer_count": "BUFFERCOUNT",
    "max_transfer_size_kb": "MAXTRANSFERSIZE",
    "compression": "compression",
    "checksum": "checksum",
}


def mb_s(value: float) -> str:
    """Word a throughput."""
    return words.number(value, "MB/s")


def percent(ratio: float) -> str:
    """Word a ratio as a change: "+43 %", "-27 %"; never "-0 %"."""
    change = round(100 * (ratio - 1), 1 if abs(ratio - 1) < 0.0995 else 0) + 0.0
    return f"{change:+.3g} %"


def change(interval: Interval) -> str:
    """Word a ratio with its interval."""
    if interval.low is None or interval.high is None:
        return f"{percent(interval.value)} (too few runs for an interval)"
    return f"{percent(interval.value)} (95 % interval {percent(interval.low)} to {percent(interval.high)})"


def between(interval: Interval) -> str:
    """Word the interval of a throughput; "" where there is none."""
    if interval.low is None or interval.high is None:
        return ""
    return f"95 % interval {words.number(interval.low)} to {words.number(interval.high)}"


def factor_name(name: str) -> str:
    """Name a factor."""
    return NAMES.get(name) or words.plain(name, 40)


def level(factor: str, text: str) -> str:
    """Word a level of a factor."""
    return f"{text} KB" if factor == "max_transfer_size_kb" else words.plain(text, 40)


def around(effect: Effect, varying: tuple[str, ...]) -> str:
    """Say what was the same on both sides of an effect, as far as it varies elsewhere."""
    held, factor = effect.held | {effect.factor: None}, effect.factor
    told = []
    if "stripes" in varying and factor != "stripes" and held["stripes"] is not None:
        told.append(words.count(held["stripes"], "target"))
    if factor == "buffer_count" and held["max_transfer_size_kb"] is not None:
        told.append(f"{held['max_transfer_size_kb']:,} KB")
    elif factor == "max_transfer_size_kb" and held["buffer_count"] is not None:
        told.append(f"BUFFERCOUNT {held['buffer_count']}")
    elif {"buffer_count", "max_transfer_size_kb"} & set(varying):
        told.append(buffers_text(held))
    if "media" in varying and factor != "media":
        told.append(words.plain(held["media"], 20))
    told += [
        f"{words.plain(name, 40)} {words.plain(held[name], 40)}"
        for name in varying
        if name not in BUILT_IN and name != factor and held.get(name) is not None
    ]
    return ", ".join(told)


def changed(of: Change) -> str:
    """Name a change: "write_cache from OFF to ON"."""
    first, second = (level(of.factor, text) for text in of.levels)
    return f"{factor_name(of.factor)} from {first} to {second}"


def window(start: Any, end: Any) -> dict[str, Any]:
    """Give a finding's window from two instants, in UTC or in local time."""
    if start is None or end is None:
        return {}
    is_local = isinstance(start, datetime) and start.tzinfo is None
    texts = [
        time.isoformat(timespec="seconds").removesuffix("+00:00") + ("" if is_local else "Z")
        for time in (start, end)
    ]
    return {"start": texts[0], "end": texts[1]} | ({"local": True} if is_local else {})
