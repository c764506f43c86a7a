"""Findings as rows and as a frame."""

from __future__ import annotations

import pandas as pd
import pytest

import agtrace
from agtrace.say.finding import Evidence, Finding
from agtrace.say.findings import Findings

ONE = Finding(
    "health.lease", "warning", "title", "why", {"ag": "AG", "host": "A", "title": "t"},
    {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:01:00+00:00"},
    (Evidence("n", 3, "s", "file"), Evidence("said", "text", "", "")), "do", 0.9,
)  # fmt: skip
LOCAL = Finding(
    "quality.gap", "info", "t", "w", {"host": "B"},
    {"start": "2024-03-05T12:00:00", "end": "2024-03-05T12:01:00", "local": True},
    (Evidence("n", 1, "", ""),),
)  # fmt: skip


def test_a_frame_has_a_row_each_and_a_column_for_each_part_of_the_subjects():
    frame = Findings([ONE, LOCAL]).to_df()
    assert list(frame.columns) == [
        "id", "severity", "title", "narrative", "ag", "host", "subject_title", "start", "end", "start_local",
        "end_local", "confidence", "recommendation", "evidence",
    ]  # fmt: skip
    assert frame["host"].tolist() == ["A", "B"]
    assert frame["start"].tolist()[0] == pd.Timestamp("2024-03-05 12:00", tz="UTC")
    assert frame["start_local"].tolist()[1] == pd.Timestamp("2024-03-05 12:00")
    assert frame["evidence"][0][0] == {
        "label": "n",
        "value": 3.0,
        "text": None,
        "unit": "s",
        "source": "file",
    }


def test_severities_of_a_frame_are_ordered():
    severity = Findings([LOCAL, ONE]).to_df()["severity"]
    assert severity.cat.ordered
    assert list(severity.cat.categories) == ["info", "notice", "warning", "critical"]
    assert severity.max() == ONE.severity


def test_json_has_a_rank_beside_a_severity():
    assert LOCAL.to_dict()["severity_rank"] == 0
    assert [*ONE.to_dict()][1:3] == ["severity", "severity_rank"]
    assert Finding.of(ONE.to_dict()) == ONE


def test_no_findings_are_a_frame_without_rows():
    assert len(Findings([]).to_df()) == 0


@pytest.mark.complete
def test_findings_of_a_case_are_a_relation(sample_store):
    store = sample_store("failover_planned")
    with agtrace.open_case(agtrace.sample("failover_planned"), store=store, ingest=False) as case:
        asked = case.sql("select id, severity, title from findings").fetchall()
        assert asked == [(each.id, each.severity, each.title) for each in case.findings()]
        assert len(case["findings"]) == len(asked)
        kind = case.sql("select distinct typeof(severity) from findings").fetchall()
        assert kind == [("ENUM('info', 'notice', 'warning', 'critical')",)]
        above = [each.id for each in case.findings() if each.severity in ("warning", "critical")]
        worst = case.sql("select id from findings where severity >= 'warning'").fetchall()
        assert [name for (name,) in worst] == above
        assert case.sql("select max(severity) from findings").fetchall() == [(case.findings()[0].severity,)]
        assert case.sql("select count(*) from findings where ? > 4", [5]).fetchall() == [(len(asked),)]
        with case.writable_connection() as own:
            assert own.sql("select count(*) from findings").fetchall() == [(len(asked),)]
