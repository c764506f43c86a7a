"""One test of a load generator, or one measured value, as the relation ``trials`` holds it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from agtrace.history.base import View
from agtrace.measure.usage import moment

HAMMERDB, STRESS = "HammerDB", "SQLQueryStress"
TIMED, TEST, BUILD, GIVEN = "timed", "test", "build", "given"
"""Drivers: two of HammerDB, the build of its schema, and a value given in runs.csv."""
VALUES = ("nopm", "tpm", "elapsed_s", "value")
DETAILS = ("client_s", "logical_reads")
QUERY = """
    select *, epoch_us(start) as start_us, epoch_us("end") as end_us,
           [epoch_us(t) for t in reading_times] as reading_times_us
    from trials order by trial_id
"""


@dataclass(frozen=True)
class Trial:
    """One test of a load generator: a row of the relation ``trials`` (agtrace/tables/history.py).

    Parameters
    ----------
    driver
        `TIMED`, `TEST` or `BUILD` for HammerDB, `GIVEN` for a given value, "" otherwise.
    work
        Transactions per user, iterations per thread, or warehouses built: tests compare where it
        is the same.
    values, details
        By name, of `VALUES` and of `DETAILS`, those that are known.
    start_us, end_us, reading_times_us
        UTC, microseconds since 1970; None or empty where they are not known.
    """

    tool: str
    driver: str
    load: int
    work: int | None
    values: dict[str, float]
    path: str
    line: int | None = None
    resolution_s: float = 0.0
    start_us: int | None = None
    end_us: int | None = None
    failed: int = 0
    readings: tuple[float, ...] = ()
    reading_times_us: tuple[int, ...] = ()
    assumed_clock: bool = False
    run_id: str | None = None
    details: dict[str, float] = field(default_factory=dict)
    unit: str | None = None
    is_more_better: bool | None = None

    @property
    def source(self) -> str:
        """File and line, as text."""
        return f"{self.path}, line {self.line}" if self.line else self.path

    @property
    def workload(self) -> tuple[str, str, int | None]:
        """Tests of one workload compare; the timed driver's work is not limited."""
        return self.tool, self.driver, None if self.driver == TIMED else self.work


def read_trials(view: View) -> list[Trial]:
    """Read the trials of a case, in the order of their files."""
    return [_trial(row) for row in view.rows(QUERY)]


def moments(trials: Iterable[Trial]) -> list[datetime]:
    """Return the known start times of tests, UTC."""
    return [moment(trial.start_us) for trial in trials if trial.start_us is not None]


def _trial(row: dict[str, Any]) -> Trial:
    return Trial(
        tool=row["tool"],
        driver=row["driver"],
        load=row["load"],
        work=row["work"],
        values={key: row[key] for key in VALUES if row[key] is not None},
        path=row["path"],
        line=row["line"],
        resolution_s=row["resolution_s"],
        start_us=row["start_us"],
        end_us=row["end_us"],
        failed=row["failed"],
        readings=tuple(row["readings"]),
        reading_times_us=tuple(row["reading_times_us"]),
        assumed_clock=row["is_assumed_clock"],
        run_id=row["run_id"],
        details={key: row[key] for key in DETAILS if row[key] is not None},
        unit=row["unit"],
        is_more_better=row["is_more_better"],
    )
