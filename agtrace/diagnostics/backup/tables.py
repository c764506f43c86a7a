"""The backup tables, and the measures of their columns; pandas is imported on first use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup import sides as sd
from agtrace.diagnostics.backup import throughput
from agtrace.diagnostics.backup import volumes as vs
from agtrace.diagnostics.backup.best import CHANGE
from agtrace.diagnostics.backup.studies import MEMORY, QUANTILES, SAID, BackupStudy, Configuration
from agtrace.diagnostics.backup.throughput import RELATIVE
from agtrace.history import backups
from agtrace.history.runs import read_factors, shown, varying
from agtrace.measure.statistics import Interval
from agtrace.measures import Measure

if TYPE_CHECKING:
    import pandas as pd

OUTCOMES = {"completed": "completed", "failed": "failed", "unfinished": "without an end in the log"}
CAPS = {sd.READER: "reading", sd.WRITER: "writing", sd.UNDECIDED: "not decided", None: "not captured"}
"""Display names of the side that limits a configuration."""
BUFFERS = ("media", "stripes", "buffer_count", "max_transfer_size_kb")
"""Factors with columns of their own."""

MEASURES = (
    *QUANTILES.values(),
    *(MEMORY, vs.CPU, vs.CARD, vs.OF_NUL, CHANGE, RELATIVE),
    *vs.TIME.values(),
    *vs.MOST.values(),
    *(each.about(volumes="its volumes") for each in vs.RATE.values()),
    Measure("p50_low", "p50, lower end", "MB/s", "of the 95 % interval of the median"),
    Measure("p50_high", "p50, upper end", "MB/s", "of the 95 % interval of the median"),
    Measure("low", "change, lower end", "%", "of the 95 % interval"),
    Measure("high", "change, upper end", "%", "of the 95 % interval"),
    Measure("relative_low", "throughput, lower end", RELATIVE.unit, "of the 95 % interval"),
    Measure("relative_high", "throughput, upper end", RELATIVE.unit, "of the 95 % interval"),
    *(
        Measure(
            f"ratio_{each.name}", f"throughput, {each.name}", "ratio", "over the median of its configuration"
        )
        for each in QUANTILES.values()
    ),
    Measure("seen_mb_per_s", "throughput of the runs seen", "MB/s", "mean of the runs that perfmon saw"),
    Measure("network_mbit_per_s", "network in the direction of the backup", "Mb/s", "all cards; 10^6 bits"),
    Measure("runs_seen", "runs seen", "", "runs that perfmon saw"),
    Measure("caps", "which side caps it"),
    Measure("targets", "targets", "", "devices written or read side by side"),
    Measure("transfer_kb", "MAXTRANSFERSIZE", "KB"),
    Measure("min_transfer_kb", "least MAXTRANSFERSIZE", "KB", "as traced"),
    Measure("media_buffer_kb", "size of a buffer of the media", "KB"),
    Measure("block_mb", "total buffer space", "MB", "as the block of trace flag 3213 states it"),
    Measure("memory_limit_mb", "memory limit", "MB", "what the engine lets the buffers take"),
    Measure("measured", "measured", "", "operations that p5 to p95 rest on"),
    Measure(
        "buffer_count_is", "BUFFERCOUNT is", "", "the default of its version, explicit, another, unknown"
    ),
    Measure("transfer_is", "MAXTRANSFERSIZE is", "", "the default of its media, explicit, another, unknown"),
    Measure("shortest", "shortest", "min", "of the times of the runs in the stretch"),
    Measure("longest", "longest", "min", "of the times of the runs in the stretch"),
    Measure("n_from", "runs before the change"),
    Measure("n_to", "runs after the change"),
)
"""The meanings of columns."""

ESTIMATES = (
    Measure("buffers", "estimate for", "", "devices, BUFFERCOUNT x MAXTRANSFERSIZE, between tested ones"),
    Measure("estimate", "estimate", "MB/s", "throughput, MB of 2^20 bytes, as SQL Server counts"),
    Measure("estimate_low", "estimate: low", "MB/s", "90 % band"),
    Measure("estimate_high", "estimate: high", "MB/s", "90 % band"),
    Measure("tested", "tested", "MB/s", "median of the runs of a configuration that was left out"),
    Measure("estimate_off", "off by", "ratio", "estimate from the others, against the runs"),
    Measure("no_estimate", "why none"),
)
"""Columns of `between.Told.row`; here so that listing them does not import the estimation."""

COLUMNS = {
    "buffers": (
        "configuration host_id sql_instance database operation kind media targets other buffer_count "
        "sets_of_buffers transfer_kb readers volumes media_buffer_count media_buffer_kb encode_buffer_count "
        "min_transfer_kb io_alignment_bytes fulltext_devices filestream_devices txf_devices memory_mb "
        "block_mb memory_limit_mb compression buffer_count_is buffer_count_why transfer_is transfer_why n "
        "measured p5 p50 p95"
    ),
    "sides": (
        "host database operation configuration n p50 caps why runs_seen samples seen_mb_per_s read_volumes "
        "read_ms read_mb_per_s read_mb_per_s_of_one written_volumes write_ms written_mb_per_s "
        "written_mb_per_s_of_one cpu network_mbit_per_s card_busy of_nul"
    ),
    "configurations": (
        "host database operation media targets buffer_count transfer_kb memory_mb other n p5 p50 p95 "
        "p50_low p50_high buffer_count_is transfer_is"
    ),
    "idle": ("database operation minutes from to shortest longest n relative_p50 relative_low relative_high"),
    "effects": "database operation factor from to at n_from n_to change low high depends_on_the_rest",
    "hours": "database operation days hour n ratio_p5 ratio_p50 ratio_p95",
}
"""The columns of each table, in order."""


def _frame(rows: Iterable[Any], name: str) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows), columns=COLUMNS[name].split())


def buffers(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return one row per configuration (configured.sql), checked against the defaults of its version."""
    labels = [read_factors(row["factors"]) for row in rows]
    differing = varying(labels)
    told = []
    for row, own in zip(rows, labels, strict=True):
        count, size = backups.check_memory(row)
        other = ", ".join(f"{name} {shown(own[name])}" for name in differing if name in own)
        checked = {"buffer_count_is": count.status, "buffer_count_why": count.reason}
        checked |= {"transfer_is": size.status, "transfer_why": size.reason}
        told.append(row | checked | {"other": other, "memory_mb": backups.memory_mb(row)})
    return _frame(told, "buffers")


def sides(judged: list[sd.StudySides]) -> pd.DataFrame:
    """Return one row per configuration: rates in MB/s of 2^20 bytes, latencies in ms, shares in %.

    Configurations not covered by perfmon are included, with the results of backups to NUL.
    """
    rows = []
    for each in judged:
        seen = {s.configuration: s for s in each.sides}
        nulls = {t.configuration: 100 * t.share for t in each.nulls}
        for c in sd.fastest(each.study):
            reason = "null" if c in nulls else seen[c].reason if c in seen else None
            why = None if reason is None else SAID.text("limited.reason", {"reason": reason})
            row = _of_study(each.study) | {"configuration": each.study.named(c), "n": c.n, "p50": c.median}
            row |= {"caps": CAPS[each.verdict(c)], "why": why, "of_nul": nulls.get(c)}
            rows.append(row | (_seen(seen[c]) if c in seen else {}))
    return _frame(rows, "sides")


def _of_study(study: BackupStudy) -> dict[str, Any]:
    return {"host": study.first_run.host_id, "database": study.database, "operation": study.what}


def _seen(seen: sd.Seen) -> dict[str, Any]:
    rate = seen.network_rate
    row: dict[str, Any] = {
        "runs_seen": seen.runs,
        "samples": seen.samples,
        "seen_mb_per_s": seen.mb_per_s,
        "cpu": seen.cpu,
    }
    row |= {"card_busy": seen.card_busy, "network_mbit_per_s": None if rate is None else 8 * rate / 1e6}
    row |= {"read_volumes": " ".join(seen.read.names), "written_volumes": " ".join(seen.write.names)}
    for side in seen.ways:
        row |= {vs.TIME[side.way].name: side.ms, vs.RATE[side.way].name: side.mb_per_s}
        row[vs.MOST[side.way].name] = side.most_mb_per_s
    return row


def idle(studies: list[BackupStudy]) -> pd.DataFrame:
    """Return throughput (% of each configuration's median) by minutes before a run and since a pause."""
    rows = []
    for study in studies:
        before, since = throughput.by_idle(study), throughput.by_warm_up(study)
        told = [("without a backup before it", each) for each in before]
        told += [("since the first run behind a pause", each) for each in since]
        for what, each in told:
            level = [None if end is None else 100 * end for end in _ends(each.level)]
            rows.append((study.database, study.what, what, each.first, each.last, *each.seen, each.n, *level))
    return _frame(rows, "idle")


def _ends(found: Interval) -> tuple[float, float | None, float | None]:
    return found.value, found.low, found.high


def configurations(studies: list[BackupStudy]) -> pd.DataFrame:
    """Return throughput (MB/s) of each configuration with n and the 95 % interval of its median."""
    return _frame((_configuration(study, c) for study in studies for c in study.fastest), "configurations")


def _configuration(study: BackupStudy, c: Configuration) -> dict[str, Any]:
    middle = c.sample.interval(0.5)
    own = [name for name in c.factors if name in study.varying and name not in BUFFERS]
    buffer_count, transfer = c.checked
    return {
        **_of_study(study),
        **{name: c.factors[name] for name in BUFFERS},
        **{"targets": c.factors["stripes"], "transfer_kb": c.factors["max_transfer_size_kb"]},
        **{"memory_mb": c.memory_mb, "n": c.n, "p50_low": middle.low, "p50_high": middle.high},
        **{measure.name: c.sample.quantile(q) for q, measure in QUANTILES.items()},
        **{"buffer_count_is": buffer_count.status, "transfer_is": transfer.status},
        "other": ", ".join(f"{name} {shown(c.factors[name])}" for name in own),
    }


def effects(studies: list[BackupStudy]) -> pd.DataFrame:
    """Return the effect of each factor's changes (%), all else equal, with its interval."""
    rows = []
    for study in studies:
        for of in fx.changes(fx.effects(study)):
            levels = [fx.level(of.factor, text) for text in of.levels]
            named = (study.database, study.what, fx.factor_name(of.factor), *levels)
            for e in of.effects:
                change = [None if end is None else 100 * (end - 1) for end in _ends(e.ratio)]
                around = e.around(study.varying)
                rows.append((*named, around, e.first.n, e.second.n, *change, of.reverses))
    return _frame(rows, "effects")


def hours(studies: list[BackupStudy]) -> pd.DataFrame:
    """Return throughput relative to each configuration's median by hour of working days and weekends."""
    rows = ((study.database, study.what, *row) for study in studies for row in throughput.by_hour(study))
    return _frame(rows, "hours")
