"""Figures that an analyst asks for, one question a test."""

from __future__ import annotations

import numpy as np
import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.say.figures import describe


@pytest.fixture(scope="module")
def commits(sample_store):
    name = "commit_remote_disk"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), ingest=False) as opened:
        yield opened


@pytest.fixture(scope="module")
def failover(sample_store):
    name = "failover_lease_cpu"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), ingest=False) as opened:
        yield opened


def test_do_commits_wait_for_the_replica_or_for_the_local_log(commits):
    figure = commits.plot("Transaction Delay", "HADR_SYNC_COMMIT", "WRITELOG", together=True)
    assert describe(figure).splitlines() == [
        "SQL1 (Sales) Transaction Delay: 119 points, 274 to 365 ms/s, 0 gaps",
        "SQL1 HADR_SYNC_COMMIT: 10 points, 318 to 318 ms/s, 0 gaps",
        "SQL1 WRITELOG: 10 points, 20.7 to 20.7 ms/s, 0 gaps",
    ]


def test_waits_are_found_by_glob_and_by_host(commits):
    assert [trace.name for trace in commits.plot("HADR_*", host="SQL1").data] == ["SQL1"]
    with pytest.raises(
        CaseError, match=r"no counter and no wait 'HADR_SYNC_COMIT'.*nearest: HADR_SYNC_COMMIT"
    ):
        commits.plot("HADR_SYNC_COMIT")
    with pytest.raises(CaseError, match="no sample of 'WRITELOG' lies in the window"):
        commits.plot("WRITELOG", start="2024-03-06")


def test_does_the_queue_follow_what_is_received(commits):
    """The first counter has the left axis, the others the right one."""
    figure = commits.plot("Transaction Delay", "Log Bytes Flushed/sec", host="SQL1", secondary_y=True)
    assert [(trace.name, trace.yaxis) for trace in figure.data] == [
        ("SQL1 (Sales) Transaction Delay", "y"),
        ("SQL1 (Sales) Log Bytes Flushed/sec (right axis)", "y2"),
    ]
    assert (figure.layout.yaxis.title.text, figure.layout.yaxis2.title.text) == ("ms/s", "KB/s")
    assert (figure.layout.yaxis2.side, figure.layout.yaxis2.tickmode) == ("right", "auto")


def test_counters_of_the_right_axis_can_be_named(commits):
    figure = commits.plot(
        "Log Bytes Flushed/sec", "Transaction Delay", "WRITELOG", secondary_y=["Transaction*", "WRITELOG"]
    )
    assert {trace.yaxis for trace in figure.data if trace.name.startswith("SQL2")} == {"y"}
    assert figure.layout.yaxis2.title.text == "ms/s"


@pytest.mark.parametrize(
    ("counters", "asked", "says"),
    [
        (
            ["Transaction Delay", "Log Bytes Flushed/sec"],
            {"together": True},
            "B/s, ms/s have no axis together",
        ),
        (["Log Send Queue", "Transaction Delay", "Log Bytes Flushed/sec"], {"secondary_y": True}, "no axis"),
        (["Transaction Delay"], {"secondary_y": True}, "at either axis"),
        (["Transaction Delay", "WRITELOG"], {"secondary_y": "Recovery*"}, "at either axis"),
        (["Transaction Delay", "WRITELOG"], {"secondary_y": True, "kind": "box"}, "boxes have one axis"),
        (["Transaction Delay"], {"kind": "violin"}, "there are: line, box"),
        (["Transaction Delay"], {"kind": "box", "by": "month"}, "there are: hour, weekday, day"),
        (["Transaction Delay"], {"by": "hour"}, 'write kind="box"'),
        (["Transaction Delay"], {"mark": "noon"}, "or a time"),
        (["Transaction Delay"], {"span": [("2024-03-05 12:00",)]}, "is no span"),
        (["Transaction Delay"], {"span": ("2024-03-05 13:00", "2024-03-05 12:00")}, "holds no time"),
    ],
)
def test_impossible_figures_are_errors(commits, counters, asked, says):
    with pytest.raises(CaseError) as error:
        commits.plot(*counters, **asked)
    assert says in str(error.value)


def test_a_logarithmic_axis_says_what_it_leaves_out(commits):
    figure = commits.plot("Log Send Queue", log_y=True)
    zeros = int((commits.perfmon("Log Send Queue") <= 0).to_numpy().sum())
    assert figure.layout.yaxis.type == "log"
    assert figure.layout.xaxis.title.text == (
        f"time (UTC); {zeros} values of 0 or less not shown" if zeros else "time (UTC)"
    )


def test_my_own_moments_and_spans_stand_beside_what_happened(failover):
    figure = failover.plot(
        "% Processor Time",
        mark=["failovers", {"<b>reboot": "2024-02-06 14:50"}, "2024-02-06 14:55"],
        span={"patch": ("2024-02-06 14:30", "2024-02-06 14:35")},
    )
    assert [note.text for note in figure.layout.annotations] == [
        "patch",
        "14:45:11 SalesAG automatic failover to HASQL2 (cpu_starvation)",
        "14:50:00 &lt;b&gt;reboot",
        "14:55:00",
    ]
    assert figure.layout.xaxis.title.text == "time (UTC); failovers and your marks: 3 marked"


def test_moments_without_a_zone_are_in_the_zone_of_the_figure(failover):
    figure = failover.plot(
        "% Processor Time",
        mark="2024-02-06 15:50",
        span=("2024-02-06T14:30Z", "2024-02-06 15:35"),
        tz="Europe/Berlin",
    )
    span, line = figure.layout.shapes
    assert (f"{span.x0:%H:%M}", f"{span.x1:%H:%M}", f"{line.x0:%H:%M}") == ("15:30", "15:35", "15:50")


def test_how_is_the_processor_distributed_by_hour(failover):
    figure = failover.plot("% Processor Time", host="HASQL1", kind="box", by="hour")
    (box,) = figure.data
    values = failover.perfmon("% Processor Time", host="HASQL1")["HASQL1"].squeeze()
    first = values[values.index.hour == 14].quantile([0.05, 0.25, 0.5, 0.75, 0.95])
    assert list(box.x) == ["14", "15"]
    drawn = [box.lowerfence[0], box.q1[0], box.median[0], box.q3[0], box.upperfence[0]]
    np.testing.assert_allclose(drawn, first)
    assert figure.layout.title.text == "% Processor Time: quartiles, whiskers to p5 and p95"
    assert describe(figure) == "HASQL1 (_Total): 2 boxes"


@pytest.mark.parametrize(("by", "groups"), [("weekday", ["Tuesday"]), ("day", ["2024-02-06"]), (None, None)])
def test_boxes_are_also_by_weekday_by_day_and_of_each_series(failover, by, groups):
    figure = failover.plot("% Processor Time", kind="box", by=by)
    assert [list(box.x) for box in figure.data] == [
        groups or ["HASQL1 (_Total)"],
        groups or ["HASQL2 (_Total)"],
    ]


def test_mean_and_p95_of_each_step_are_one_call(failover):
    frame = failover.perfmon("% Processor Time", host="HASQL1", every="10min", how=["mean", "p95"])
    assert frame.columns.names[-1] == "how"
    busy = frame["HASQL1"].loc["2024-02-06 14:40"].round(1).tolist()
    assert busy == [34.2, 99.3]
    alone = failover.perfmon("% Processor Time", host="HASQL1", every="10min")
    assert alone.columns.nlevels == 4
    np.testing.assert_array_equal(alone.iloc[:, 0], frame.iloc[:, 0])


def test_several_aggregates_are_rows_of_the_long_form_and_lines_of_a_figure(failover):
    asked = {"host": "HASQL1", "every": "10min", "how": ["mean", "p95"]}
    frame = failover.perfmon("% Processor Time", tidy=True, **asked)
    assert frame["how"].tolist() == ["mean", "p95"] * 5
    figure = failover.plot("% Processor Time", **asked)
    assert [(trace.name, trace.line.dash) for trace in figure.data] == [
        ("HASQL1 (_Total) mean", "solid"),
        ("HASQL1 (_Total) p95", "dash"),
    ]


@pytest.mark.parametrize("how", [[], ["mean", "p101"], "avg"])
def test_unknown_aggregates_are_errors(failover, how):
    with pytest.raises(CaseError, match=r"how=.*p95"):
        failover.perfmon("% Processor Time", every="1min", how=how)
