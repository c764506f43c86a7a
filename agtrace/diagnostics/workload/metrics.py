"""The figures by which trials compare."""

from __future__ import annotations

from dataclasses import dataclass


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
