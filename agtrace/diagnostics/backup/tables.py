"""The backup tables that a person looks at, as pandas frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from agtrace.diagnostics.backup import conditions, configured
from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup.studies import BackupStudy
from agtrace.diagnostics.backup.wording import around, factor_name, level
from agtrace.history.runs import read_factors, shown, varying

if TYPE_CHECKING:
    import pandas as pd

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
"""One row per configuration; p5 to p95 in MB/s of 2^20 bytes."""
STAGES = ("prepare", "checkpoint", "create files", "data", "zero log", "log", "finish")


def operations(table: pa.Table) -> pd.DataFrame:
    """Give one row per operation, numbered by configuration; times are the server's local time, MB are 2^20 bytes."""
    return table.select(OPERATION_COLUMNS).to_pandas()


def buffers(rows: list[dict[str, Any]], versions: dict[tuple[str, str], str]) -> pd.DataFrame:
    """Give one row per configuration (configured.sql), checked against the defaults of its version."""
    import pandas as pd

    all_labels = [read_factors(row["factors"]) for row in rows]
    differing = varying(all_labels)
    told = []
    for row, labels in zip(rows, all_labels, strict=True):
        version = versions.get((row["host_id"] or "", row["sql_instance"] or ""))
        count, size = configured.check(row, version)
        told.append(
            row
            | {
                "targets": row["stripes"], "transfer_kb": row["max_transfer_size_kb"],
                "other": ", ".join(f"{n} {shown(labels[n])}" for n in differing if n in labels),
                "media_buffer_kb": row["media_buffer_size_kb"], "min_transfer_kb": row["min_transfer_size_kb"],
                "memory_mb": configured.memory_mb(row), "block_mb": row["total_mb"],
                "buffer_count_is": count.status, "buffer_count_why": count.reason,
                "transfer_is": size.status, "transfer_why": size.reason,
            }
        )  # fmt: skip
    return pd.DataFrame(told, columns=list(BUFFER_COLUMNS))


def idle(studies: list[BackupStudy]) -> pd.DataFrame:
    """Give throughput (% of each configuration's median) by minutes before a run and since a pause."""
    import pandas as pd

    rows = []
    for study in studies:
        for what, stretches in (
            ("without a backup before it", conditions.by_idle(study)),
            ("since the first run behind a pause", conditions.by_warm_up(study)),
        ):
            rows += [
                {
                    "database": study.database, "operation": study.what, "minutes": what, "from": s.first, "to": s.last,
                    "shortest": s.seen[0], "longest": s.seen[1], "n": s.n, "p50": 100 * s.level.value,
                    "low": None if s.level.low is None else 100 * s.level.low,
                    "high": None if s.level.high is None else 100 * s.level.high,
                }
                for s in stretches
            ]  # fmt: skip
    columns = ["database", "operation", "minutes", "from", "to", "shortest", "longest", "n", "p50", "low", "high"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


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
    import pandas as pd

    rows = []
    for study in studies:
        for c in sorted(study.configurations, key=lambda c: -c.median):
            middle, labels = c.sample.interval(0.5), [n for n in c.factors if n in study.varying]
            rows.append(
                {
                    "host": study.host_id, "database": study.database, "operation": study.what,
                    "media": c.factors["media"], "targets": c.factors["stripes"],
                    "buffer_count": c.factors["buffer_count"],
                    "transfer_kb": c.factors["max_transfer_size_kb"], "memory_mb": c.memory_mb,
                    "other": ", ".join(
                        f"{n} {shown(c.factors[n])}" for n in labels
                        if n not in ("media", "stripes", "buffer_count", "max_transfer_size_kb")
                    ),
                    "n": c.n, "p5": c.sample.quantile(0.05), "p50": middle.value, "p95": c.sample.quantile(0.95),
                    "p50_low": middle.low, "p50_high": middle.high,
                    "buffer_count_is": c.count_checked.status, "transfer_is": c.size_checked.status,
                }
            )  # fmt: skip
    columns = ["host", "database", "operation", "media", "targets", "buffer_count", "transfer_kb", "memory_mb",
               "other", "n", "p5", "p50", "p95", "p50_low", "p50_high", "buffer_count_is", "transfer_is"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def effects(studies: list[BackupStudy]) -> pd.DataFrame:
    """Give what each change of one factor does (%), all else equal, with its interval."""
    import pandas as pd

    rows = []
    for study in studies:
        for of in fx.changes(fx.effects(study)):
            for e in of.effects:
                low, high = e.ratio.low, e.ratio.high
                rows.append(
                    {
                        "database": study.database, "operation": study.what, "factor": factor_name(of.factor),
                        "from": level(of.factor, of.levels[0]), "to": level(of.factor, of.levels[1]),
                        "at": around(e, study.varying), "n_from": e.first.n, "n_to": e.second.n,
                        "change": 100 * (e.ratio.value - 1),
                        "low": None if low is None else 100 * (low - 1),
                        "high": None if high is None else 100 * (high - 1),
                        "depends_on_the_rest": of.reverses,
                    }
                )  # fmt: skip
    columns = ["database", "operation", "factor", "from", "to", "at", "n_from", "n_to", "change", "low", "high",
               "depends_on_the_rest"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def hours(studies: list[BackupStudy]) -> pd.DataFrame:
    """Give throughput relative to each configuration's median by hour of working days and weekends."""
    import pandas as pd

    rows = [(study.database, study.what, *row) for study in studies for row in conditions.by_hour(study)]
    return pd.DataFrame(rows, columns=["database", "operation", "days", "hour", "n", "p5", "p50", "p95"])
