"""The backup tables, and the measures that are their columns; pandas is imported when one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup import formula, throughput
from agtrace.diagnostics.backup import sides as sd
from agtrace.diagnostics.backup import volumes as vs
from agtrace.diagnostics.backup.best import CHANGE
from agtrace.diagnostics.backup.studies import MEMORY, SAID, BackupStudy, Configuration
from agtrace.history.runs import read_factors, shown, varying
from agtrace.measures import Measure
from agtrace.thresholds import Thresholds

if TYPE_CHECKING:
    import pandas as pd

OUTCOMES = {"completed": "completed", "failed": "failed", "unfinished": "without an end in the log"}
CAPS = {sd.READER: "reading", sd.WRITER: "writing", sd.UNDECIDED: "not decided", None: "not captured"}
"""How it is called that a side caps a configuration."""
STAGES = ("prepare", "checkpoint", "create files", "data", "zero log", "log", "finish")
BUFFERS = ("media", "stripes", "buffer_count", "max_transfer_size_kb")
"""Factors that have columns of their own."""

MEASURES = (
    MEMORY, vs.CPU, vs.CARD, vs.OF_NUL, CHANGE, *vs.TIME.values(), *vs.MOST.values(),
    *(each.about(volumes="its volumes") for each in vs.RATE.values()),
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
    Measure("buffer_count_is", "BUFFERCOUNT is", "", "the default of its version, explicit, another value or unknown"),
    Measure("transfer_is", "MAXTRANSFERSIZE is", "", "the default of its media, explicit, another value or unknown"),
    Measure("p50_low", "p50, lower end", "MB/s", "of the 95 % interval of the median"),
    Measure("p50_high", "p50, upper end", "MB/s", "of the 95 % interval of the median"),
    Measure("shortest", "shortest", "min", "of the times of the runs in the stretch"),
    Measure("longest", "longest", "min", "of the times of the runs in the stretch"),
    Measure("n_from", "runs before the change"),
    Measure("n_to", "runs after the change"),
)  # fmt: skip
"""What columns mean. p5 to p95, low and high are no measures of their own: MB/s or %, as their table says."""

OPERATION_COLUMNS = (
    "configuration", "host_id", "sql_instance", "database", "operation", "kind", "status", "start_local", "end_local", "start_source",
    "duration_s", "pages", "bytes", "mb_per_s", "rate_source", "media", "stripes", "device_names", "compression",
    "checksum", "encryption", "buffer_count", "sets_of_buffers", "max_transfer_size_kb", "total_mb", "memory_limit_mb",
    "readers", "media_buffer_count", "media_buffer_size_kb", "encode_buffer_count", "idle_s", "beside", "label",
    "message_ids", "source", "line",
)  # fmt: skip
BUFFER_COLUMNS = (
    "configuration", "host_id", "sql_instance", "database", "operation", "kind", "media", "targets", "other",
    "buffer_count", "sets_of_buffers", "transfer_kb", "readers", "volumes", "media_buffer_count", "media_buffer_kb",
    "encode_buffer_count", "min_transfer_kb", "io_alignment_bytes", "fulltext_devices", "filestream_devices",
    "txf_devices", "memory_mb", "block_mb", "memory_limit_mb", "compression", "buffer_count_is", "buffer_count_why",
    "transfer_is", "transfer_why", "n", "measured", "p5", "p50", "p95",
)  # fmt: skip
SIDE_COLUMNS = (
    "host", "database", "operation", "configuration", "n", "p50", "caps", "why", "runs_seen", "samples",
    "seen_mb_per_s", "read_volumes", "read_ms", "read_mb_per_s", "read_mb_per_s_of_one", "written_volumes",
    "write_ms", "written_mb_per_s", "written_mb_per_s_of_one", "cpu", "network_mbit_per_s", "card_busy",
    "of_nul",
)  # fmt: skip
CONFIGURATION_COLUMNS = (
    "host", "database", "operation", "media", "targets", "buffer_count", "transfer_kb", "memory_mb", "other", "n",
    "p5", "p50", "p95", "p50_low", "p50_high", "buffer_count_is", "transfer_is",
)  # fmt: skip
IDLE_COLUMNS = (
    "database", "operation", "minutes", "from", "to", "shortest", "longest", "n", "p50", "low", "high",
)  # fmt: skip
EFFECT_COLUMNS = (
    "database", "operation", "factor", "from", "to", "at", "n_from", "n_to", "change", "low", "high",
    "depends_on_the_rest",
)  # fmt: skip
HOUR_COLUMNS = ("database", "operation", "days", "hour", "n", "p5", "p50", "p95")


def _frame(rows: list[Any], columns: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns))


def operations(table: pa.Table) -> pd.DataFrame:
    """Give one row per operation, numbered by configuration; times are the server's local time, MB are 2^20 bytes."""
    return table.select(OPERATION_COLUMNS).to_pandas()


def buffers(rows: list[dict[str, Any]], versions: dict[tuple[str, str], str]) -> pd.DataFrame:
    """Give one row per configuration (configured.sql), checked against the defaults of its version."""
    labels = [read_factors(row["factors"]) for row in rows]
    differing = varying(labels)
    told = []
    for row, own in zip(rows, labels, strict=True):
        version = versions.get((row["host_id"] or "", row["sql_instance"] or ""))
        count, size = formula.check(row, version)
        told.append(
            row
            | {
                "targets": row["stripes"], "transfer_kb": row["max_transfer_size_kb"],
                "other": ", ".join(f"{n} {shown(own[n])}" for n in differing if n in own),
                "media_buffer_kb": row["media_buffer_size_kb"], "min_transfer_kb": row["min_transfer_size_kb"],
                "memory_mb": formula.memory_mb(row), "block_mb": row["total_mb"],
                "buffer_count_is": count.status, "buffer_count_why": count.reason,
                "transfer_is": size.status, "transfer_why": size.reason,
            }
        )  # fmt: skip
    return _frame(told, BUFFER_COLUMNS)


def sides(judged: list[sd.StudySides], limits: Thresholds) -> pd.DataFrame:
    """Give one row per configuration: rates in MB/s of 2^20 bytes, latencies in ms, shares in %.

    Configurations that perfmon did not see stay in, with what a backup to NUL says of them.
    """
    rows = []
    for each in judged:
        seen = {s.configuration.number: s for s in each.sides}
        nulls = {t.configuration.number: t.share for t in each.nulls}
        for c in sd.fastest(each.study):
            of_nul, own = nulls.get(c.number), seen.get(c.number)
            reason = own.reason if own is not None and of_nul is None else None if of_nul is None else "null"
            rows.append(
                {
                    "host": each.study.host_id, "database": each.study.database, "operation": each.study.what,
                    "configuration": each.study.named(c), "n": c.n, "p50": c.median,
                    "caps": CAPS[each.verdict(c, limits)],
                    "why": None if reason is None else SAID.text("limited.reason", {"reason": reason}),
                    "of_nul": None if of_nul is None else 100 * of_nul,
                } | ({} if own is None else _seen(own))
            )  # fmt: skip
    return _frame(rows, SIDE_COLUMNS)


def _seen(seen: sd.Seen) -> dict[str, Any]:
    return {
        "runs_seen": seen.runs, "samples": seen.samples, "seen_mb_per_s": seen.mb_per_s,
        "read_volumes": " ".join(seen.read.names), "written_volumes": " ".join(seen.write.names),
        **{vs.TIME[side.way].name: side.ms for side in seen.ways},
        **{vs.RATE[side.way].name: side.mb_per_s for side in seen.ways},
        **{vs.MOST[side.way].name: side.most_mb_per_s for side in seen.ways},
        "cpu": seen.cpu, "card_busy": seen.card_busy,
        "network_mbit_per_s": None if seen.network_rate is None else 8 * seen.network_rate / 1e6,
    }  # fmt: skip


def idle(studies: list[BackupStudy]) -> pd.DataFrame:
    """Give throughput (% of each configuration's median) by minutes before a run and since a pause."""
    rows = [
        (
            study.database, study.what, what, s.first, s.last, *s.seen, s.n,
            *(None if value is None else 100 * value for value in (s.level.value, s.level.low, s.level.high)),
        )
        for study in studies
        for what, stretches in (
            ("without a backup before it", throughput.by_idle(study)),
            ("since the first run behind a pause", throughput.by_warm_up(study)),
        )
        for s in stretches
    ]  # fmt: skip
    return _frame(rows, IDLE_COLUMNS)


def stages(table: pa.Table) -> pd.DataFrame:
    """Give the seconds that each traced operation spent in each stage."""
    import pandas as pd

    traced = table.filter(pc.is_valid(table["stages"]))
    frame = traced.select(
        ["host_id", "database", "operation", "kind", "start_local", "duration_s"]
    ).to_pandas()
    flat = traced["stages"].combine_chunks()
    if not len(flat):
        return pd.DataFrame(columns=[*frame.columns, *STAGES])
    owner = pc.list_parent_indices(
        flat.cast(pa.list_(pa.struct([("key", pa.string()), ("value", pa.float64())])))
    )
    long = pd.DataFrame(
        {"row": owner.to_numpy(), "stage": flat.keys.to_pandas(), "seconds": flat.items.to_numpy()}
    )
    wide = long.pivot_table(index="row", columns="stage", values="seconds", aggfunc="sum")
    return frame.join(wide.reindex(columns=list(STAGES)))


def configurations(studies: list[BackupStudy]) -> pd.DataFrame:
    """Give throughput (MB/s) of each configuration with n and the 95 % interval of its median."""
    rows = [
        _configuration(study, c)
        for study in studies
        for c in sorted(study.configurations, key=lambda c: -c.median)
    ]
    return _frame(rows, CONFIGURATION_COLUMNS)


def _configuration(study: BackupStudy, c: Configuration) -> tuple[Any, ...]:
    middle = c.sample.interval(0.5)
    own = [name for name in c.factors if name in study.varying and name not in BUFFERS]
    return (
        study.host_id, study.database, study.what, *(c.factors[name] for name in BUFFERS), c.memory_mb,
        ", ".join(f"{name} {shown(c.factors[name])}" for name in own),
        c.n, c.sample.quantile(0.05), middle.value, c.sample.quantile(0.95), middle.low, middle.high,
        *(checked.status for checked in c.checked),
    )  # fmt: skip


def effects(studies: list[BackupStudy]) -> pd.DataFrame:
    """Give what each change of one factor does (%), all else equal, with its interval."""
    rows = [
        (
            study.database, study.what, fx.factor_name(of.factor), *(fx.level(of.factor, text) for text in of.levels),
            e.around(study.varying), e.first.n, e.second.n,
            *(None if end is None else 100 * (end - 1) for end in (e.ratio.value, e.ratio.low, e.ratio.high)), of.reverses,
        )
        for study in studies
        for of in fx.changes(fx.effects(study))
        for e in of.effects
    ]  # fmt: skip
    return _frame(rows, EFFECT_COLUMNS)


def hours(studies: list[BackupStudy]) -> pd.DataFrame:
    """Give throughput relative to each configuration's median by hour of working days and weekends."""
    rows = [(study.database, study.what, *row) for study in studies for row in throughput.by_hour(study)]
    return _frame(rows, HOUR_COLUMNS)
