"""What somebody writes over the public API: `mypy --strict` finds no Any in it (tests/test_types.py)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import assert_type

import duckdb
import pandas as pd
import pyarrow as pa
from plotly.graph_objects import Figure

import agtrace
from agtrace import (
    AgtraceError,
    CaptureError,
    Case,
    CaseError,
    Cases,
    Evidence,
    Finding,
    Findings,
    StoreError,
)
from agtrace.diagnostics.checks import Checked


def opened(folder: Path) -> Case:
    return agtrace.open_case(
        folder,
        store=None,
        counters=["*Replica*"],
        utc_offsets={"SQL1": "-5:00", "SQL2": timedelta(hours=1), "*": 60},
        thresholds={"rpo_s": 30},
    )


def asked(case: Case) -> None:
    assert_type(case.window("2024-03-05 14:00", datetime(2024, 3, 5, 15), host=["SQL*"], tz="UTC"), Case)
    assert_type(case.findings(), Findings)
    assert_type(case.findings()[0], Finding)
    assert_type(case.checked(), list[Checked])
    assert_type(case.summary(), str)
    assert_type(case.findings().to_df(), pd.DataFrame)
    for frame in (
        case.hosts,
        case.captures,
        case.thresholds,
        case.counters(),
        case.relations(),
        case.recipes("roles"),
        case.events(),
        case["roles"],
    ):
        assert_type(frame, pd.DataFrame)
    wide = case.perfmon(
        "Log*", "SQL1", every="10s", how="p95", start="2024-03-05", tz="Europe/Berlin", exact=False
    )
    assert_type(wide, pd.DataFrame)
    assert_type(case.perfmon(["Log Send Queue"], tidy=True, every=timedelta(seconds=5)), pd.DataFrame)
    assert_type(case.percentiles("Log*", by=["host", "hour"], q=[0.5, 0.99], tz="local"), pd.DataFrame)
    assert_type(case.plot(["Log Send Queue", "Recovery Queue"]), Figure)
    assert_type(case.plot("Log Send Queue", mark="roles", every="1min"), Figure)
    for told in (case.timeline, case.errorlog, case.backups, case.seedings, case.roles, case.failovers):
        assert_type(told(start="2024-03-05", tz="local"), pd.DataFrame)
    assert_type(case.trials(), pd.DataFrame)
    assert_type(case.events("lease_expired", host="SQL1"), pd.DataFrame)
    assert_type(case.around("2024-03-05 14:00", minutes=2, host="SQL1"), pd.DataFrame)
    assert_type(case.sql("select 1 where $x = 2", {"x": 3}), duckdb.DuckDBPyRelation)
    assert_type(case.unanswered(["backup"]), dict[str, list[str]])
    assert_type(case.folder, Path)
    assert_type(case.transport.fig_chain(), Figure)
    assert_type(case.health.findings(), list[Finding])
    case.add_finding("mine.x", "A title", evidence=Evidence("x", 1.0, "ms", "me"), host="SQL1")
    epochs = case.around_events("failovers", "Log*", before="5min", after=timedelta(minutes=5))
    assert_type(epochs.plot(log_y=True), Figure)
    assert_type(case.join(wide, "Log*", clock="SQL1", how=["mean", "p95"], every="1min"), pd.DataFrame)
    assert_type(case.plot("A", "B", secondary_y="B", mark={"x": "2024-03-05"}, span=("a", "b")), Figure)
    assert_type(case.report("out", single_file=True).index, Path)
    with case.writable_connection() as connection:
        assert_type(connection, duckdb.DuckDBPyConnection)


def told(finding: Finding) -> list[str]:
    assert_type(finding.subject, dict[str, str])
    assert_type(finding.window, dict[str, str | bool])
    assert_type(finding.evidence, tuple[Evidence, ...])
    assert_type(finding.confidence, float)
    values = [each.value for each in finding.evidence]
    assert_type(values, list[float | int | str | None])
    return [finding.id, finding.severity, finding.title, finding.narrative, finding.recommendation]


def together(before: Path, after: Path) -> list[str]:
    with agtrace.open_cases([before, after]) as cases:
        assert_type(cases, Cases)
        assert_type(cases["before"], Case)
        assert_type(cases.findings(), Findings)
        assert_type(cases.perfmon("Log*", every="1min", how=["mean", "p95"]), pd.DataFrame)
        assert_type(cases.failovers(), pd.DataFrame)
        assert_type(cases.plot("Log Send Queue", from_start=True), Figure)
    found = agtrace.compare(before, after)
    return [repr(found)]


def read(path: Path) -> int:
    assert_type(agtrace.read_pdh([path], counters="*Queue*"), pa.Table)
    assert_type(agtrace.read_blg(path), pa.Table)
    assert_type(agtrace.read_errorlog("ERRORLOG*"), pa.Table)
    assert_type(agtrace.read_cluster_log(path), pa.Table)
    assert_type(agtrace.read_evtx(path), pa.Table)
    assert_type(agtrace.read_xel(path, events="lease_expired"), dict[str, pa.Table])
    assert_type(agtrace.read(path), pa.Table | dict[str, pa.Table])
    batches = agtrace.iter_batches(path)
    assert_type(batches, Iterator[tuple[str, pa.RecordBatch]])
    return sum(batch.num_rows for _name, batch in batches)


def main() -> str:
    folder = agtrace.sample("log_send_queue")
    assert_type(folder, Path)
    try:
        with opened(folder) as case:
            asked(case)
            written = agtrace.export_case(case, "exported", formats="csv", only=["findings"])
            assert_type(written.files, list[str])
            assert_type(written.findings, list[Finding])
    except (CaseError, CaptureError, StoreError) as error:
        return str(error)
    except AgtraceError as error:
        return repr(error)
    return agtrace.__version__
