"""Tests of load generators (HammerDB, SQLQueryStress), each once however often it was captured, and measured
values.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.trials.activity import BATCHES, READS, Activity, Hosts, Tested, read_hosts
from agtrace.history.trials.configurations import Configuration, Workload, baseline_first, configure
from agtrace.history.trials.trial import (
    BUILD,
    DETAILS,
    GIVEN,
    HAMMERDB,
    TIMED,
    VALUES,
    Trial,
    moments,
    read_trials,
)
from agtrace.tables.history import TRIALS
from agtrace.tables.rows import table_of

__all__ = [
    "BATCHES",
    "BUILD",
    "GIVEN",
    "HAMMERDB",
    "MAKER",
    "READS",
    "TIMED",
    "Activity",
    "Configuration",
    "Hosts",
    "Tested",
    "Trial",
    "Workload",
    "baseline_first",
    "configure",
    "moments",
    "read_hosts",
    "read_trials",
]


def make(view: View) -> dict[str, pa.Table]:
    """Collect the trials."""
    from agtrace.history.trials.collect import trials

    rows = [
        {
            "trial_id": number,
            "tool": trial.tool,
            "driver": trial.driver,
            "load": trial.load,
            "work": trial.work,
            "start": trial.start_us,
            "end": trial.end_us,
            "is_assumed_clock": trial.assumed_clock,
            "resolution_s": trial.resolution_s,
            "failed": trial.failed,
            "readings": trial.readings,
            "reading_times": trial.reading_times_us,
            "unit": trial.unit,
            "is_more_better": trial.is_more_better,
            "run_id": trial.run_id,
            "path": trial.path,
            "line": trial.line,
            **{key: trial.values.get(key) for key in VALUES},
            **{key: trial.details.get(key) for key in DETAILS},
        }
        for number, trial in enumerate(trials(view))
    ]
    return {"trials": table_of(rows, TRIALS)}


SOURCES = Sources(topics=("hammerdb_result", "sqlquerystress"), relations=("runs",))
MAKER = Maker(("trials",), make, SOURCES)
