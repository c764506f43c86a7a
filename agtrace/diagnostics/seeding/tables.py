"""The seeding tables as frames. Times are UTC, sizes GB of 10^9 bytes, rates MB/s of 10^6."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.seeding.by_hop import BASIS, COMPRESSION, HOP, Way
from agtrace.diagnostics.seeding.estimate import Estimate
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.diagnostics.seeding.verdict import SAID
from agtrace.history.seedings import SOURCE, TARGET
from agtrace.measure.resources import NETWORK
from agtrace.measure.usage import Usage
from agtrace.measures import Measure
from agtrace.say import words

if TYPE_CHECKING:
    import pandas as pd

_COMPRESSED = {True: "yes", False: "no", None: "not known"}

_PLAIN = (
    *(
        "seeding",
        "database",
        "source",
        "target",
        "outcome",
        "start",
        "end",
        "attempts",
        "limit",
        "reason",
        "n",
    ),
    *("host", "role", "layer", "state", "resource", "of", "unit", "capacity", "cores", "mean", "highest"),
)
"""Columns whose names explain themselves."""
MEASURES = (
    COMPRESSION,
    HOP,
    BASIS,
    *(Measure(name, name) for name in _PLAIN),
    Measure("ag", "availability group"),
    Measure("seconds", "seconds", "s", "from the first to the last that was captured, or as estimated"),
    Measure("copy_seconds", "time of the copy", "s"),
    Measure("copied_gb", "copied", "GB", "bytes of the database; GB of 10^9 bytes"),
    Measure("mb_per_s", "mean rate", "MB/s", "bytes of the database over the time of the copy"),
    Measure("wire_gb", "on the wire", "GB", "GB of 10^9 bytes"),
    Measure("compressed", "stream compressed"),
    Measure("trace_flag_9567", "trace flag 9567", "", "1 where it was on at the source"),
    Measure("is_compression_enabled", "is_compression_enabled", "", "as reported: known to stay 0"),
    Measure("slot_seconds", "wait for a slot", "s"),
    Measure("catchup_seconds", "time in CATCHUP", "s"),
    Measure("captured", "captured by"),
    Measure("disk_s", "disk waits", "s"),
    Measure("network_s", "network waits", "s"),
    Measure("disk_percent_of_waits", "disk waits, of all waits", "%"),
    Measure("waits_percent_of_copy", "waits, of the copy's time", "%"),
    Measure("mostly", "mostly waits for"),
    Measure("in_bits", "in bits"),
    Measure("core_seconds", "processor work", "core-s"),
    Measure("core_seconds_per_gb", "processor work per GB", "core-s/GB"),
    Measure("mean_over_busiest", "mean over the busiest core", "ratio", "1 where all cores are as busy"),
    Measure("database_gb", "size of the database", "GB"),
    Measure("link_gbit_per_s", "link", "Gb/s"),
    Measure("from_seeding", "from seeding"),
    Measure("time", "time"),
    Measure("fastest", "at the fastest", "", "at the 95th percentile of the rate"),
    Measure("slowest", "at the slowest", "", "at the 5th percentile of the rate"),
)
"""The meanings of columns. p5 to p95 are not separate measures: MB/s, or as in the column ``unit``."""


def _frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows).dropna(axis="columns", how="all")


def _limit(each: Seeded) -> str | None:
    limit = each.limiter.limit
    return SAID.text("limits.by", each.facts | {"limit": limit}) if limit else None


def operations(found: Study) -> pd.DataFrame:
    """Return one row per seeding."""
    return _frame([_operation(each) for each in found.seeded])


def _operation(each: Seeded) -> dict[str, Any]:
    operation, rate, judged = each.operation, each.rates, each.compressed
    flags = {"trace_flag_9567": judged.trace_flag, "is_compression_enabled": judged.flag_says}
    return {
        **{"seeding": operation.number, "database": each.database, "ag": operation.ag or None},
        **{"source": each.end(SOURCE), "target": each.end(TARGET)},
        "outcome": operation.outcome.replace("_", " "),
        **{"start": _utc(operation.start), "end": _utc(operation.end)},
        **{"seconds": each.lasted, "copy_seconds": operation.copy_seconds},
        "copied_gb": _scaled(operation.copied_bytes, 1e9),
        "mb_per_s": _scaled(rate.mean, 1e6),
        **{name: _scaled(getattr(rate, name), 1e6) for name in ("p5", "p50", "p95")},
        "n": rate.n or None,
        "wire_gb": _scaled(judged.wire_bytes, 1e9),
        "compressed": _COMPRESSED[judged.verdict],
        **{name: None if is_on is None else int(is_on) for name, is_on in flags.items()},
        "slot_seconds": each.slot.seconds if each.slot else None,
        **{"catchup_seconds": each.catchup_s, "attempts": operation.attempts, "limit": _limit(each)},
        "reason": "; ".join(f.text for f in operation.failures) or None,
        "captured": ", ".join(sorted(operation.told_by)),
    }


def _of_host(each: Seeded, host: str, **more: Any) -> dict[str, Any]:
    return {"seeding": each.operation.number, "database": each.database, "host": host, **more}


def states(found: Study) -> pd.DataFrame:
    """Return one row per state and end, of automatic seeding and of the copy, with its seconds."""
    rows = []
    for each in found.seeded:
        for side in each.operation.sides:
            for layer, states in (("seeding", side.states), ("copy", side.phases)):
                of = _of_host(each, each.end(side.role), role=side.role, layer=layer)
                rows += [
                    {**of, "state": state.name, "start": _utc(state.time), "seconds": state.seen_seconds}
                    for state in states
                ]
    return _frame(rows)


def waits(found: Study) -> pd.DataFrame:
    """Return one row per seeding and end that reported its waits."""
    rows = []
    for each in found.seeded:
        for wait in each.limiter.waits:
            row = _of_host(each, each.end(wait.role), role=wait.role)
            row |= {"disk_s": wait.disk_ms / 1000, "network_s": wait.network_ms / 1000}
            row["disk_percent_of_waits"] = round(100 * wait.share, 1)
            row["waits_percent_of_copy"] = round(100 * wait.of_copy, 1)
            rows.append(row | {"mostly": wait.dominant})
    return _frame(rows)


def resources(found: Study) -> pd.DataFrame:
    """Return the activity of the hosts during each copy; bytes in MB/s."""
    return _frame([_resource(each, usage) for each in found.seeded for usage in each.usages])


def _resource(each: Seeded, usage: Usage) -> dict[str, Any]:
    scale = 1e6 if usage.unit.endswith(("B/s", "B")) else 1.0
    unit = usage.unit.replace("B", "MB")
    return {
        **_of_host(each, usage.host, resource=usage.resource, of=usage.instance, unit=unit),
        **{name: _scaled(getattr(usage, name), scale) for name in _SCALED},
        **{"n": usage.n, "in_bits": _in_bits(usage), "cores": usage.cores.count if usage.cores else None},
        "core_seconds": usage.core_seconds,
        "core_seconds_per_gb": usage.core_seconds_per_gb(each.operation.copied_bytes),
    }


_SCALED = ("mean", "p5", "p50", "p95", "highest", "capacity")


def _in_bits(usage: Usage) -> str | None:
    if usage.resource not in NETWORK:
        return None
    return f"{words.bits(usage.mean)} ({words.bits(usage.p5)} to {words.bits(usage.p95)}, p5 to p95)"


def cores(found: Study) -> pd.DataFrame:
    """Return one row per seeding and host: n, evenness of the load, and each core's mean in %."""
    rows = []
    for each in found.seeded:
        for loads in each.cores:
            means = {f"core {name}": round(mean, 1) for name, mean in loads.means.items()}
            evenness = round(loads.evenness, 2)
            row = _of_host(each, loads.host, cores=len(loads.means), n=loads.n, mean_over_busiest=evenness)
            rows.append(row | means)
    return _frame(rows)


def estimates(made: Sequence[Estimate]) -> pd.DataFrame:
    """Return one row per estimate."""
    return _frame([_estimate(each) for each in made])


def by_hop(made: Sequence[Way]) -> pd.DataFrame:
    """Return one row per way, size and hop: its time alone."""
    return _frame(
        [
            {
                "database_gb": way.database_gb,
                "source": way.source,
                "target": way.target,
                "with_compression": _COMPRESSED[way.is_compressed],
                "hop": hop.name,
                "known_as": hop.basis,
                "time": words.span(hop.seconds),
                "from_seeding": hop.of.operation.number,
                "seconds": round(hop.seconds),
            }
            for way in made
            for hop in way.hops
        ]
    )


def _estimate(each: Estimate) -> dict[str, Any]:
    spans = {name: getattr(each, name) for name in ("fastest", "slowest")}
    return {
        **{"database_gb": each.database_gb, "link_gbit_per_s": each.link_gbit_per_s},
        "from_seeding": each.basis.operation.number if each.basis else None,
        "limit": _limit(each.basis) if each.basis else None,
        **{"mb_per_s": each.bytes_per_s / 1e6, "time": words.span(each.seconds)},
        **{name: words.span(seconds) if seconds else None for name, seconds in spans.items()},
        "seconds": round(each.seconds),
    }


def _scaled(value: float | None, divisor: float) -> float | None:
    return None if value is None else value / divisor


def _utc(time: datetime | None) -> str | None:
    return None if time is None else words.second(time)
