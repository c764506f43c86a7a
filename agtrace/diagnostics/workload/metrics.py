"""The figures by which trials compare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agtrace.history.trials.trial import Trial


@dataclass(frozen=True)
class Metric:
    """A figure by which tests compare.

    Parameters
    ----------
    key
        Name of the value in `agtrace.history.trials.trial.Trial.values`.
    name
        In words.
    unit
        As in findings.
    more_is_better
        Whether a higher value is the faster one.
    """

    key: str
    name: str
    unit: str
    more_is_better: bool


NOPM = Metric("nopm", "new orders per minute (NOPM)", "1/min", True)
TPM = Metric("tpm", "transactions per minute (TPM)", "1/min", True)
RUN_TIME = Metric("elapsed_s", "run time", "s", False)
METRICS = (NOPM, TPM, RUN_TIME)


def metrics_of(trials: Iterable[Trial]) -> tuple[Metric, ...]:
    """Give the figures by which trials of one workload compare, given values in their own unit."""
    units = dict.fromkeys(
        (trial.unit or "", bool(trial.is_more_better)) for trial in trials if "value" in trial.values
    )
    return (*METRICS, *(Metric("value", "value", unit, better) for unit, better in units))
