"""Findings, figures, SQL and files to pass on."""

from __future__ import annotations

import pandas as pd
import pyarrow.parquet as pq
import pytest

import agtrace
from agtrace.errors import CaseError


def test_take_severe_findings_as_a_frame(queue):
    severe = queue.findings().to_df().query("severity >= 'warning'")
    assert severe["id"].tolist() == ["transport.window_limited", "transport.rpo"]


def test_take_severe_findings_from_the_list(queue):
    severe = [finding.id for finding in queue.findings() if finding.severity >= "warning"]
    assert severe == ["transport.window_limited", "transport.rpo"]
    assert max(finding.severity for finding in queue.findings()) == "critical"


def test_a_severity_that_does_not_exist_is_an_error(queue):
    with pytest.raises(CaseError, match="'warn' is no severity - nearest: warning"):
        [finding for finding in queue.findings() if finding.severity >= "warn"]


def test_take_severe_findings_in_sql(queue):
    severe = queue.sql("select id from findings where severity >= 'warning' order by severity desc")
    assert severe.fetchall() == [("transport.window_limited",), ("transport.rpo",)]


def test_count_findings_by_severity(queue):
    counts = queue.findings().to_df()["severity"].value_counts(sort=False)
    assert counts.index.tolist() == ["info", "notice", "warning", "critical"]


def test_take_evidence_as_a_frame(queue):
    evidence = pd.DataFrame(queue.findings()[0].evidence).set_index("label")
    assert evidence.loc["log send queue, at the end", ["value", "unit"]].tolist() == [786400000.0, "B"]


def test_find_what_a_finding_is_about(queue):
    loss = next(finding for finding in queue.findings() if finding.id == "transport.rpo")
    assert loss.subject["replica"] == "JBSAG3"


def test_read_the_case_in_three_sentences(queue):
    assert 20 <= len(queue.summary().split()) <= 100


def test_list_what_was_not_captured(queue):
    checked = pd.DataFrame(queue.checked())
    assert {"problem", "fine", "not-captured"} <= set(checked["state"])


@pytest.mark.parametrize("given", [{"host": "JBSAG2"}, ["JBSAG2"]])
def test_ask_sql_with_parameters(queue, given):
    place = "$host" if isinstance(given, dict) else "?"
    roles = queue.sql(f"from roles where host_id = {place} and role = 'PRIMARY'", given)
    assert len(roles.df()) == 1


def test_average_a_counter_in_sql_by_five_minutes(queue):
    query = """
        select time_bucket(interval '5 minutes', time) as t, avg(value) as mean
        from samples join counters using (counter_id)
        where counter = 'Log Send Queue' and host_id = 'JBSAG3' and instance = 'JBDB' group by t order by t
    """
    means = queue.sql(query).df()
    assert means["t"].dt.minute.tolist()[:9] == [30, 35, 40, 45, 50, 55, 0, 5, 10]
    assert means["mean"].is_monotonic_increasing


def test_summarize_a_relation_in_sql(queue):
    summary = queue.sql("summarize roles").df().set_index("column_name")
    assert summary.loc["role", "count"] == 6


def test_draw_several_counters(queue):
    figure = queue.plot(["Log Send Queue", "Recovery Queue"], host="JBSAG3")
    assert (
        figure.layout.title.text
        == queue.plot("Log Send Queue", "Recovery Queue", host="JBSAG3").layout.title.text
    )


def test_draw_two_axes_with_a_period_marked(queue):
    figure = queue.plot(
        "Log Send Queue", "% Processor Time", host="JBSAG3", instance=["JBDB", "_Total"], secondary_y=True,
        span=("2019-08-20 13:40", "2019-08-20 13:45"),
    )  # fmt: skip
    assert figure.layout.yaxis2.side == "right"
    assert figure.layout.shapes


def test_draw_the_distribution_by_hour(queue):
    boxes = queue.plot("Log Send Queue", host="JBSAG3", kind="box", by="hour")
    assert {trace.type for trace in boxes.data} == {"box"}


def test_write_a_figure_as_a_page(queue, tmp_path):
    queue.plot("Log Send Queue").write_html(tmp_path / "queue.html", include_plotlyjs=False)
    assert "Log Send Queue" in (tmp_path / "queue.html").read_text("utf-8")


def test_write_a_counter_as_csv_and_parquet(queue, tmp_path):
    tidy = queue.perfmon("Log Send Queue", host="JBSAG3", tidy=True)
    tidy.to_csv(tmp_path / "queue.csv", index=False)
    tidy.to_parquet(tmp_path / "queue.parquet")
    assert len(pd.read_csv(tmp_path / "queue.csv")) == pq.read_metadata(tmp_path / "queue.parquet").num_rows


def test_write_failovers_as_a_workbook(failover, tmp_path):
    pytest.importorskip("openpyxl")
    frame = failover.failovers()[["to_host", "start"]]
    frame["start"] = frame["start"].dt.tz_localize(None)
    frame.to_excel(tmp_path / "failovers.xlsx", index=False)
    assert pd.read_excel(tmp_path / "failovers.xlsx")["to_host"].tolist() == ["HASQL2"]


def test_export_chosen_tables(queue, tmp_path):
    exported = agtrace.export_case(queue, tmp_path / "out", only=["findings", "evidence"])
    assert {"findings.csv", "evidence.csv"} <= set(exported.files)


def test_look_up_a_threshold(queue):
    assert queue.thresholds.loc["rpo_s", "value"] == 60


def test_read_one_errorlog_as_a_frame():
    log = agtrace.read_errorlog(agtrace.sample("log_send_queue") / "JBSAG3" / "ERRORLOG").to_pandas()
    assert len(log[log["severity"] >= 16]) == 3


def test_read_one_perfmon_log_as_a_wide_frame():
    path = agtrace.sample("log_send_queue") / "JBSAG3" / "DataCollector01.csv"
    values = agtrace.read_pdh(path, counters="Log Send Queue").to_pandas()
    wide = values.pivot_table(index="time", columns="instance", values="value", observed=True)
    assert wide["JBDB"].iloc[-1] == 261342


def test_read_chosen_events_of_one_file():
    path = next((agtrace.sample("failover_lease_cpu") / "HASQL1").glob("AlwaysOn_health*.xel"))
    tables = agtrace.read_xel(path, events="error_reported", columns=["_time", "error_number"])
    assert list(tables) == ["error_reported"]
    assert tables["error_reported"].column_names == ["_time", "error_number"]


def test_count_rows_of_a_log_larger_than_memory():
    path = agtrace.sample("log_send_queue") / "JBSAG3" / "DataCollector01.csv"
    assert sum(len(batch) for _name, batch in agtrace.iter_batches(path)) == 46477
