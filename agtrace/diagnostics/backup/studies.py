"""Measurements by configuration: studies of comparable runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from agtrace.history import backups, runs
from agtrace.history.runs import read_factors, shown
from agtrace.measure.statistics import Interval, Sample, Values
from agtrace.measures import Measure, Measured
from agtrace.say import words
from agtrace.say.finding import window_to_second
from agtrace.say.said import Said
from agtrace.tables.rows import numbers

SAID = Said(__package__ or "")
"""The texts of the question."""

MEDIA, STRIPES, COUNT, SIZE = "media", "stripes", "buffer_count", "max_transfer_size_kb"
BUILT_IN = (MEDIA, STRIPES, COUNT, SIZE, "compression", "checksum")
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
    """Confidence of findings, by their basis."""

    LOGGED = 0.95  # the log says it in so many words
    COUNTED = 0.9  # durations and sizes of the log, with runs enough for an interval
    WRITES_NOTHING = 0.85  # a backup to NUL against one with the same buffers
    WAITED_FOR = 0.75  # latencies of the volumes on which the files are known to lie
    INFERRED = 0.6  # volumes inferred from what they moved; a gain whose interval holds none
    SINGLE = 0.5  # too few runs for an interval


def flat(text: object, limit: int = 40) -> str:
    """Return a name from a capture in the form used in labels and configuration names."""
    return words.plain(text, limit)


def rounded(value: float) -> float:
    """Keep five significant digits."""
    return float(f"{value:.5g}")


def between(interval: Interval, scale: float = 1.0) -> str:
    """Format an interval for a source; "" without one."""
    if interval.low is None or interval.high is None:
        return ""
    return f"95 % interval {words.number(scale * interval.low)} to {words.number(scale * interval.high)}"


def period(start: datetime | None, end: datetime | None) -> dict[str, Any]:
    """Return a finding's window from two instants, in UTC or in local time."""
    return {} if start is None or end is None else window_to_second(start, end)


class Measurements(NamedTuple):
    """The measurements of every run: columns of runs.sql."""

    operation_id: Values
    mb_per_s: Values
    duration_s: Values
    bytes: Values
    files: Values
    volumes: Values
    idle_s: Values
    warm_s: Values
    beside: Values
    hour: Values
    weekday: Values


class FirstRun(NamedTuple):
    """Columns of runs.sql taken from one run of a configuration, the same for all of them."""

    configuration: int
    host_id: str | None
    sql_instance: str | None
    database: str | None
    operation: str
    kind: str | None
    target: str | None
    stripes: int | None
    buffer_count: int | None
    max_transfer_size_kb: int | None
    sets_of_buffers: int | None
    compression: bool | None
    checksum: bool | None
    factors: str | None
    has_options: bool | None
    total_mb: int | None
    total_matches: bool | None
    volumes: int | None
    files: int | None
    version: str | None
    only_version: str | None
    product: str | None
    level: str | None
    edition: str | None
    os: str | None
    processors: str | None
    memory_mb: str | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Configuration(runs.Configuration[int]):
    """The runs of one configuration, by their places in the study's columns.

    Parameters
    ----------
    sample
        Throughput of its runs, MB/s.
    """

    number: int
    first_run: FirstRun
    sample: Sample

    @property
    def median(self) -> float:
        return self.sample.median

    @property
    def memory_mb(self) -> float | None:
        """Memory of its buffers."""
        return backups.memory_mb(self.first_run._asdict())

    @cached_property
    def checked(self) -> tuple[backups.Checked, backups.Checked]:
        """BUFFERCOUNT and MAXTRANSFERSIZE against their defaults."""
        return backups.check_memory(self.first_run._asdict() | {MEDIA: self.first_run.target})

    @property
    def is_default(self) -> bool:
        """Return whether both values are those of the default formula."""
        return all(each.status == backups.DEFAULT for each in self.checked)

    def named(self, varying: tuple[str, ...] = ()) -> str:
        """Name it: target, buffers, and the values of the other factors that vary."""
        told = []
        media, stripes = self.factors[MEDIA], self.factors[STRIPES]
        if media is not None:
            told.append(f"{stripes} x {media}" if stripes is not None else str(media))
        told.append(buffers_text(self.factors))
        told += [
            f"{flat(name)} {flat(shown(self.factors.get(name)))}"
            for name in varying
            if name not in (MEDIA, STRIPES, COUNT, SIZE)
        ]
        return ", ".join(told)


def buffers_text(factors: dict[str, Any]) -> str:
    """Name the buffers: "13 x 1,024 KB"."""
    count, size = factors[COUNT], factors[SIZE]
    return "buffers not captured" if count is None or size is None else f"{count} x {size:,} KB"


@dataclass(eq=False)
class BackupStudy:
    """One kind of operation on one database of one server, in all configurations that were run.

    Parameters
    ----------
    columns
        Of all runs, those of a configuration together.
    """

    columns: Measurements
    configurations: list[Configuration]

    @property
    def first_run(self) -> FirstRun:
        """One of its runs: the host, the database and the server are those of all."""
        return self.configurations[0].first_run

    @property
    def database(self) -> str | None:
        return self.first_run.database

    @property
    def what(self) -> str:
        """Name the kind of operation."""
        return " ".join(filter(None, (self.first_run.kind, self.first_run.operation)))

    @property
    def act(self) -> str:
        """Return the direction of its data: `RESTORE` or `BACKUP`."""
        return RESTORE if self.first_run.operation == RESTORE else BACKUP

    @property
    def name(self) -> str:
        """Name it in a title."""
        return f"{self.what} of {flat(self.database, words.TEXT_LIMIT)}"

    @property
    def subject(self) -> dict[str, str]:
        """Return the subject of its findings."""
        named = {"host": self.first_run.host_id, "database": self.database, "operation": self.what}
        if self.first_run.sql_instance != "MSSQLSERVER":
            named |= {"instance": self.first_run.sql_instance}
        return {key: value for key, value in named.items() if value}

    @property
    def n(self) -> int:
        return sum(c.n for c in self.configurations)

    @property
    def seconds(self) -> float:
        """Time spent in all of its runs."""
        return float(self.columns.duration_s.sum())

    @property
    def fastest(self) -> list[Configuration]:
        """Its configurations, the fastest first."""
        return sorted(self.configurations, key=lambda c: -c.median)

    @cached_property
    def real(self) -> list[Configuration]:
        """The configurations that wrote a backup, not those to the null device."""
        return [c for c in self.configurations if c.factors[MEDIA] != NUL]

    @cached_property
    def varying(self) -> tuple[str, ...]:
        """The factors that take more than one value."""
        return runs.varying(c.factors for c in self.real)

    def named(self, configuration: Configuration) -> str:
        """Name a configuration among the others."""
        return configuration.named(self.varying)

    def measured(self, of: Configuration, quantile: float = 0.5) -> Measured:
        """Return a quantile of a configuration's throughput, with the interval of its median."""
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

    @cached_property
    def default(self) -> Configuration | None:
        """Return the configuration of a plain statement: default buffers, fewest devices, usual labels."""
        usual = {name: self.usual(name) for name in self.varying if name not in BUILT_IN}

        def order(c: Configuration) -> tuple[Any, ...]:
            unusual = sum(shown(c.factors.get(name)) != value for name, value in usual.items())
            return c.factors[STRIPES], unusual, c.factors[MEDIA] != "DISK", -c.n

        return min((c for c in self.real if c.is_default), key=order, default=None)

    def usual(self, name: str) -> str:
        """Return the value of a factor that most configurations have."""
        levels = [shown(c.factors.get(name)) for c in self.real]
        return max(sorted(set(levels)), key=levels.count)

    @cached_property
    def relative(self) -> Values:
        """Each run's throughput over the median of its configuration."""
        medians = np.empty(len(self.columns.mb_per_s))
        for configuration in self.configurations:
            medians[configuration.runs] = configuration.median
        return self.columns.mb_per_s / medians


def studies(measured: pa.Table) -> list[BackupStudy]:
    """Group runs (runs.sql, by study and configuration), the study with the most time first."""
    values = [numbers(measured.column(name)).astype(np.float64) for name in Measurements._fields]
    found = []
    for start, stop in _stretches(measured.column("study")):
        columns = Measurements(*(column[start:stop] for column in values))
        own = measured.slice(start, stop - start)
        same = [
            _configuration(own, columns, range(*ends)) for ends in _stretches(own.column("configuration"))
        ]
        found.append(BackupStudy(columns, same))
    return sorted(found, key=lambda s: (-s.seconds, s.name))


def _stretches(column: pa.ChunkedArray) -> Iterator[tuple[int, int]]:
    """Return the start and end of each run of equal consecutive numbers."""
    changes = np.flatnonzero(np.diff(numbers(column))) + 1
    return pairwise([0, *changes.tolist(), len(column)] if len(column) else [])


def _configuration(study: pa.Table, columns: Measurements, places: range) -> Configuration:
    (row,) = study.select(FirstRun._fields).slice(places.start, 1).to_pylist()
    first = FirstRun(**row)
    own = {MEDIA: first.target, **{name: row[name] for name in BUILT_IN if name != MEDIA}}
    factors = {**own, **read_factors(first.factors), **own}
    sample = Sample(columns.mb_per_s[places], first.configuration)
    return Configuration(
        factors=factors, runs=places, number=first.configuration, first_run=first, sample=sample
    )
