"""Watches the batches of one content go by and keeps what resolving needs."""

from __future__ import annotations

import hashlib
from datetime import datetime

import numpy as np
import pyarrow as pa

from agtrace.readers.far_times import far_rows, is_far, without
from agtrace.store import Fact, Summary
from agtrace.tables import LOCAL_TIME
from agtrace.tables import kernels as pc
from agtrace.tables.rows import array_of, numbers

STEP_S = 1800
"""A jump of local time by this much or more, or backwards, may be a change of the clock."""
BACKSTEP_S = -60
MAX_STEPS = 1000
MAX_GAPS = 1_000_000
"""By which the interval is told, whatever batches the rows come in."""
MAX_FACTS = 5000
LOG_TOPICS = ("pacemaker_log", "pacemaker_event")
"""Topics whose facts are entries of a log: their times are those of the capture."""


class Summariser:
    """Accumulates a `Summary` from batches."""

    def __init__(self) -> None:
        self._first: datetime | None = None
        self._last: datetime | None = None
        self._previous_us: int | None = None
        self._intervals: list[np.ndarray] = []
        self._gaps_left = MAX_GAPS
        self._steps: list[tuple[int, str, str]] = []
        self._hosts: dict[str, None] = {}
        self._instances: dict[str, None] = {}
        self._first_entry: str | None = None
        self._facts: list[Fact] = []

    def see(self, table: str, batch: pa.RecordBatch) -> None:
        """Take note of a batch."""
        if not batch.num_rows:
            return
        if table == "ticks":
            self._see_times(batch["time_local"])
            self._see_steps(batch)
        elif table == "errorlog":
            if self._first_entry is None:
                first = batch.slice(0, 1).to_pylist()[0]
                text = f"{first['time_local']}|{first['source']}|{first['message']}"
                self._first_entry = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
            self._see_times(batch["time_local"])
        elif table in ("cluster_log", "os_events", "rowset_heads", "rowset_rows"):
            self._see_times(batch["time_local"])
        elif table.startswith("events/"):
            self._see_times(batch["_time"].cast(pa.int64()).cast(LOCAL_TIME))
        elif table == "counters":
            self._hosts |= dict.fromkeys(_distinct(batch["host"]))
            self._instances |= dict.fromkeys(_distinct(batch["sql_instance"]))
        elif table == "facts":
            self._see_times(
                batch.filter(pc.is_in(batch["topic"], array_of(LOG_TOPICS, pa.string())))["time_local"]
            )
            for row in batch.to_pylist()[: MAX_FACTS - len(self._facts)]:
                moment = row["time_local"]
                at = moment.isoformat() if moment and not is_far(moment) else None
                self._facts.append(Fact(row["topic"], row["item"], row["key"], row["value"], row["line"], at))

    def _see_times(self, times: pa.Array) -> None:
        if len(far := far_rows(times)):
            times = without(times, far)
        span = pc.min_max(times).as_py()
        if span["min"] is not None:
            self._first = min(self._first or span["min"], span["min"])
            self._last = max(self._last or span["max"], span["max"])

    def _see_steps(self, batch: pa.RecordBatch) -> None:
        # A row without a usable time is no step of the clock: the rows around it meet.
        usable = np.ones(batch.num_rows, bool)
        usable[far_rows(batch["time_local"])] = False
        times = numbers(batch["time_local"].cast(pa.int64()))[usable]
        ticks = numbers(batch["tick"])[usable]
        if not len(ticks):
            return
        if self._previous_us is not None:
            times = np.concatenate(([self._previous_us], times))
            ticks = np.concatenate(([ticks[0] - 1], ticks))
        self._previous_us = int(times[-1])
        gaps = np.diff(times)
        if self._gaps_left:
            self._intervals.append(gaps[: self._gaps_left])
            self._gaps_left -= len(self._intervals[-1])
        for at in np.flatnonzero((gaps >= STEP_S * 10**6) | (gaps <= BACKSTEP_S * 10**6)):
            if len(self._steps) < MAX_STEPS:
                self._steps.append((int(ticks[at + 1]), _iso(times[at]), _iso(times[at + 1])))

    def summary(self) -> Summary:
        """Return the summary."""
        gaps = np.concatenate(self._intervals) if self._intervals else np.array([])
        gaps = gaps[gaps > 0]
        return Summary(
            first_local=self._first.isoformat() if self._first else None,
            last_local=self._last.isoformat() if self._last else None,
            interval_s=float(np.median(gaps)) / 1e6 if len(gaps) else None,
            steps=self._steps,
            hosts=list(self._hosts),
            sql_instances=list(self._instances),
            first_entry=self._first_entry,
            facts=self._facts,
        )


def _distinct(column: pa.Array) -> list[str]:
    return sorted(value for value in pc.unique(column).to_pylist() if value)


def _iso(micros: int) -> str:
    return str(np.datetime64(int(micros), "us"))
