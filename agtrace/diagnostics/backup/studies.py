"""What was measured with which configuration: studies of runs that can be compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from agtrace.diagnostics.backup import formula
from agtrace.history import runs
from agtrace.history.runs import read_factors, shown
from agtrace.measure.statistics import Interval, Sample, Values
from agtrace.measures import Measure, Measured
from agtrace.say import words
from agtrace.say.finding import window_to_second
from agtrace.say.said import Said

SAID = Said(__package__ or "")
"""The words of the question."""

BUILT_IN = ("media", "stripes", "buffer_count", "max_transfer_size_kb", "compression", "checksum")
NUL = "NUL"
BACKUP, RESTORE = "backup", "restore"
SOURCE = "ERRORLOG, MB of 2^20 bytes"

P50 = Measure(
    "p50", "p50", "MB/s", "throughput, median; MB of 2^20 bytes, as SQL Server counts", better="higher"
)
QUANTILES = {
    0.05: Measure("p5", "p5", P50.unit, "throughput, 5th percentile"),
    0.5: P50,
    0.95: Measure("p95", "p95", P50.unit, "throughput, 95th percentile"),
}
MEMORY = Measure("memory_mb", "memory", "MB", "of the buffers, beside the buffer pool: sets x count x size")


class Sure(float, Enum):
    """How sure a finding is, by what it rests on."""

    LOGGED = 0.95  # the log says it in so many words
    COUNTED = 0.9  # durations and sizes of the log, with runs enough for an interval
    WRITES_NOTHING = 0.85  # a backup to NUL against one with the same buffers
    WAITED_FOR = 0.75  # latencies of the volumes on which the files are known to lie
    INFERRED = 0.6  # volumes inferred from what they moved; a gain whose interval holds none
    SINGLE = 0.5  # too few runs for an interval


def flat(text: object, limit: int = 40) -> str:
    """Give a name from a capture as it stands in labels and names of configurations."""
    return words.plain(text, limit)


def rounded(value: float) -> float:
    """Keep five significant digits."""
    return float(f"{value:.5g}")


def between(interval: Interval, scale: float = 1.0) -> str:
    """Word an interval for a source; "" where there is none."""
    if interval.low is None or interval.high is None:
        return ""
    return f"95 % interval {words.number(scale * interval.low)} to {words.number(scale * interval.high)}"


def period(start: datetime | None, end: datetime | None) -> dict[str, Any]:
    """Give a finding's window from two instants, in UTC or in local time."""
    return {} if start is None or end is None else window_to_second(start, end)


@dataclass(frozen=True, eq=False, kw_only=True)
class Configuration(runs.Configuration[int]):
    """The runs of one configuration, by their places in the study's columns.

    Parameters
    ----------
    facts
        The columns of one of its runs that are the same for all.
    sample
        Throughput of its runs, MB/s.
    """

    number: int
    facts: dict[str, Any]
    sample: Sample
    version: str | None = None

    @property
    def median(self) -> float:
        return self.sample.median

    @property
    def memory_mb(self) -> float | None:
        """Memory of its buffers."""
        return formula.memory_mb(self.facts)

    @cached_property
    def checked(self) -> tuple[formula.Checked, formula.Checked]:
        """BUFFERCOUNT and MAXTRANSFERSIZE against their defaults."""
        return formula.check(self.facts | {"media": self.facts["target"]}, self.version)

    @property
    def is_default(self) -> bool:
        """Say whether both values are those of the default formula."""
        return all(each.status == formula.DEFAULT for each in self.checked)

    def named(self, varying: tuple[str, ...] = ()) -> str:
        """Name it: target, buffers, and the values of the other factors that vary."""
        told = []
        media, stripes = self.factors["media"], self.factors["stripes"]
        if media is not None:
            told.append(f"{stripes} x {media}" if stripes is not None else str(media))
        told.append(buffers_text(self.factors))
        told += [
            f"{flat(name)} {flat(shown(self.factors.get(name)))}"
            for name in varying
            if name not in ("media", "stripes", "buffer_count", "max_transfer_size_kb")
        ]
        return ", ".join(told)


def buffers_text(factors: dict[str, Any]) -> str:
    """Name the buffers: "13 x 1,024 KB"."""
    count, size = factors["buffer_count"], factors["max_transfer_size_kb"]
    return "buffers not captured" if count is None or size is None else f"{count} x {size:,} KB"


@dataclass(eq=False)
class BackupStudy:
    """One kind of operation on one database of one server, in all configurations that were run."""

    host_id: str | None
    sql_instance: str | None
    database: str | None
    operation: str
    kind: str | None
    columns: dict[str, Values]
    configurations: list[Configuration] = field(default_factory=list)

    @property
    def what(self) -> str:
        """Name the kind of operation."""
        return f"{self.kind} {self.operation}" if self.kind else self.operation

    @property
    def act(self) -> str:
        """Which way its data goes: `RESTORE` or `BACKUP`."""
        return RESTORE if self.operation == RESTORE else BACKUP

    @property
    def name(self) -> str:
        """Name it in a title."""
        return f"{self.what} of {flat(self.database, words.TEXT_LIMIT)}"

    @property
    def subject(self) -> dict[str, str]:
        """Say what a finding on it is about."""
        named = {"host": self.host_id, "database": self.database, "operation": self.what}
        if self.sql_instance not in (None, "MSSQLSERVER"):
            named["instance"] = self.sql_instance
        return {key: value for key, value in named.items() if value}

    @property
    def n(self) -> int:
        return sum(c.n for c in self.configurations)

    @property
    def seconds(self) -> float:
        """Time spent in all of its runs."""
        return float(self.columns["duration_s"].sum())

    @cached_property
    def real(self) -> list[Configuration]:
        """The configurations that wrote a backup, not those to the null device."""
        return [c for c in self.configurations if c.factors["media"] != NUL]

    @cached_property
    def varying(self) -> tuple[str, ...]:
        """The factors that take more than one value."""
        return runs.varying(c.factors for c in self.real)

    def named(self, configuration: Configuration) -> str:
        """Name a configuration among the others."""
        return configuration.named(self.varying)

    def measured(self, of: Configuration, quantile: float = 0.5) -> Measured:
        """Give a quantile of a configuration's throughput, with the interval of its median."""
        measure = QUANTILES[quantile]
        source = ", ".join(filter(None, (SOURCE, f"n = {of.n}", between(of.sample.interval(0.5)))))
        labelled = measure.called(f"{self.named(of)}, {measure.label}")
        return labelled(rounded(of.sample.quantile(quantile)), source)

    @cached_property
    def shared(self) -> dict[str, str]:
        """The factors that no log knows (labelled runs) and that have one value in all runs."""
        labels = [n for n in dict.fromkeys(n for c in self.real for n in c.factors) if n not in BUILT_IN]
        levels = {n: {shown(c.factors.get(n)) for c in self.real} for n in labels}
        return {n: next(iter(values)) for n, values in levels.items() if len(values) == 1}

    @property
    def version(self) -> str | None:
        """Product version of the server."""
        return next((c.version for c in self.configurations), None)

    @cached_property
    def default(self) -> Configuration | None:
        """The configuration that a plain statement gives: default buffers, fewest devices, usual labels."""
        labels = [name for name in self.varying if name not in BUILT_IN]
        usual = {name: self.usual(name) for name in labels}
        plain = [c for c in self.real if c.is_default]
        return min(
            plain,
            key=lambda c: (
                c.factors["stripes"] or 0,
                sum(shown(c.factors.get(name)) != usual[name] for name in labels),
                c.factors["media"] != "DISK",
                -c.n,
            ),
            default=None,
        )

    def usual(self, name: str) -> str:
        """Give the value of a factor that most configurations have."""
        levels = [shown(c.factors.get(name)) for c in self.real]
        return max(sorted(set(levels)), key=levels.count)

    @cached_property
    def relative(self) -> Values:
        """Each run's throughput over the median of its configuration."""
        medians = np.empty(len(self.columns["mb_per_s"]))
        for configuration in self.configurations:
            medians[configuration.runs] = configuration.median
        return self.columns["mb_per_s"] / medians


def studies(measured: pa.Table, versions: dict[tuple[str, str], str]) -> list[BackupStudy]:
    """Group runs (runs.sql) by study and configuration, the study with the most time first.

    Parameters
    ----------
    versions
        Product version by host and instance.
    """
    if not len(measured):
        return []
    measured = measured.sort_by(
        [("study", "ascending"), ("configuration", "ascending"), ("operation_id", "ascending")]
    )
    number = measured["configuration"].to_numpy()
    ends = np.append(np.flatnonzero(np.diff(number)) + 1, len(number))
    firsts = np.insert(ends[:-1], 0, 0)
    facts = measured.take(pa.array(firsts)).to_pylist()
    values = {
        name: measured[name].to_numpy(zero_copy_only=False).astype(np.float64)
        for name in (
            "mb_per_s", "duration_s", "bytes", "idle_s", "warm_s", "beside", "files", "volumes", "hour", "weekday",
            "operation_id",
        )
    }  # fmt: skip
    found: list[BackupStudy] = []
    by_study: dict[int, list[tuple[int, int, dict[str, Any]]]] = {}
    for first, end, row in zip(firsts, ends, facts, strict=True):
        by_study.setdefault(row["study"], []).append((int(first), int(end), row))
    for parts in by_study.values():
        start, stop, row = parts[0][0], parts[-1][1], parts[0][2]
        columns = {name: column[start:stop] for name, column in values.items()}
        study = BackupStudy(
            row["host_id"], row["sql_instance"], row["database"], row["operation"], row["kind"], columns
        )  # fmt: skip
        version = versions.get((row["host_id"] or "", row["sql_instance"] or ""))
        for first, end, of in parts:
            places = range(first - start, end - start)
            study.configurations.append(
                Configuration(
                    factors=_factors(of), runs=places, number=of["configuration"], facts=of,
                    sample=Sample(columns["mb_per_s"][places], of["configuration"]), version=version,
                )
            )  # fmt: skip
        found.append(study)
    return sorted(found, key=lambda s: (-s.seconds, s.name))


def _factors(row: dict[str, Any]) -> dict[str, Any]:
    named = {"media": row["target"]} | {name: row[name] for name in BUILT_IN if name != "media"}
    return named | {name: value for name, value in read_factors(row["factors"]).items() if name not in named}
