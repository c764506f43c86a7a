"""The backup tables that a person looks at, as pandas frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from agtrace.diagnostics.backup import conditions
from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup.studies import BackupStudy, shown
from agtrace.diagnostics.backup.wording import around, factor_name, level

if TYPE_CHECKING:
    import pandas as pd

OPERATION_COLUMNS = (
    "host_id", "sql_instance", "database", "operation", "kind", "status", "start_local", "end_local", "start_source",
    "duration_s", "pages", "bytes", "mb_per_s", "rate_source", "media", "stripes", "device_names", "compression",
    "checksum", "encryption", "buffer_count", "sets_of_buffers", "max_transfer_size_kb", "total_mb", "memory_limit_mb",
    "readers", "media_buffer_count", "media_buffer_size_kb", "encode_buffer_count", "idle_s", "beside", "label",
    "message_ids", "source", "line",
)  # fmt: skip
STAGES = ("prepare", "checkpoint", "create files", "data", "zero log", "log", "finish")


def operations(table: pa.Table) -> pd.DataFrame:
    """Give one row per operation; times are the server's local time, MB are 2^20 bytes."""
    return table.select(OPERATION_COLUMNS).to_pandas()


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

    rows = [
        (study.database, study.what, *row) for study in studies for row in conditions.by_hour(study)
    ]
    return pd.DataFrame(
        rows, columns=["database", "operation", "days", "hour", "n", "p5", "p50", "p95"]
    )
