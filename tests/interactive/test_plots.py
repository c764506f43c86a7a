"""Counters drawn as somebody asks for them."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.interactive import plots, plotted
from agtrace.interactive.marks import Marks
from agtrace.moments import ALWAYS
from tests.diagnostics import tiny
from tests.ingest import texts
from tests.ingest.test_ingest import put


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    """Two hosts at 5 s whose ticks lie 2 s apart."""
    folder = tmp_path_factory.mktemp("plots") / "case"
    folder.mkdir()
    put(folder, a__csv=texts.perfmon(7))
    put(folder, b__csv=texts.perfmon(7, host="JBSAG1", start=texts.START + timedelta(seconds=2)))
    with agtrace.open_case(folder) as opened:
        yield opened


def marked(view, mark, **narrowed):
    return plots.plot(view, ["Log Send Queue"], Marks.of(mark, (), ALWAYS), **narrowed)


def drawn(figure) -> dict[str, list[float]]:
    return {f"{trace.yaxis} {trace.name}": list(trace.y) for trace in figure.data}


def test_two_counters_of_two_hosts_each_line_whole_at_its_own_ticks(case):
    figure = case.plot("Log Send Queue", "Log Bytes*", host=["JBSAG1", "JBSAG3"])
    assert list(drawn(figure)) == [
        "y JBSAG1 (JBDB)",
        "y JBSAG3 (JBDB)",
        "y2 JBSAG1 (JBDB)",
        "y2 JBSAG3 (JBDB)",
    ]
    assert all(len(values) == 7 and np.isfinite(values).all() for values in drawn(figure).values())
    colours = {(trace.name.split()[0], trace.line.color) for trace in figure.data}
    assert len(colours) == len({colour for _, colour in colours}) == 2
    assert figure.layout.xaxis2.title.text == "time (UTC)"


def test_kilobytes_are_shown_in_the_multiple_that_suits(case):
    figure = case.plot("Log Send Queue")
    assert figure.layout.yaxis.title.text == "KB"
    assert max(figure.data[0].y) == pytest.approx(6 * 1.024)


def test_parts_are_drawn_without_their_total_a_colour_each_host_a_dash_each_part(tmp_path):
    series = tuple(texts.QUEUE.replace("JBDB", name) for name in ("JBDB", "Other", "_Total"))
    put(tmp_path, perf__csv=texts.perfmon(3, series=series))
    with agtrace.open_case(tmp_path, store=tmp_path / "store") as opened:
        drawn = opened.plot("Log Send Queue").data
        total = opened.plot("Log Send Queue", instance="_Total").data
    assert [trace.name for trace in drawn] == ["JBSAG3 (JBDB)", "JBSAG3 (Other)"]
    assert [trace.line.dash for trace in drawn] == ["solid", "dash"]
    assert len({trace.line.color for trace in drawn}) == 1
    assert [trace.name for trace in total] == ["JBSAG3 (_Total)"]


def test_two_counters_of_two_hosts_share_one_axis(tmp_path):
    series = (
        texts.RECEIVED,
        texts.RECEIVED.replace("Received", "Redone").replace("Log Bytes Redone", "Redone Bytes"),
    )
    put(
        tmp_path,
        a__csv=texts.perfmon(3, series=series),
        b__csv=texts.perfmon(3, series=series, host="JBSAG1"),
    )
    with agtrace.open_case(tmp_path, store=tmp_path / "store") as opened:
        figure = opened.plot("Log Bytes Received/sec", "Redone Bytes/sec", together=True)
    assert [trace.name for trace in figure.data] == [
        "JBSAG1 (JBDB) Log Bytes Received/sec",
        "JBSAG3 (JBDB) Log Bytes Received/sec",
        "JBSAG1 (JBDB) Redone Bytes/sec",
        "JBSAG3 (JBDB) Redone Bytes/sec",
    ]
    assert {trace.yaxis for trace in figure.data} == {"y"}
    assert len({(trace.line.color, trace.line.dash) for trace in figure.data}) == 4


def test_counters_of_two_units_share_none(case):
    with pytest.raises(CaseError, match="B, B/s have no axis together"):
        case.plot("Log Send Queue", "Log Bytes Received/sec", together=True)


def test_a_window_is_cut_out(case):
    figure = case.plot(
        "Log Send Queue", host="JBSAG3", start="2019-03-02 01:00:10", end="2019-03-02 01:00:20"
    )
    assert len(figure.data[0].y) == 2


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ((("Log Send Queue",), {"mark": "phases"}), "roles"),
        (((), {}), "no counter is named"),
        ((("Log Send Queue",), {"start": "2030-01-01"}), "no sample"),
        ((("Log Send Queue",), {"start": "2030-01-01", "end": "2029-01-01"}), "holds no time"),
        ((("Log Sned Queue",), {}), "nearest: Log Send Queue"),
        ((("Log Send Queue",), {"host": ["JBSAG3", "OTHER"]}), "is of host"),
    ],
)
def test_what_cannot_be_drawn_is_said(case, asked, says):
    counters, narrowed = asked
    with pytest.raises(CaseError) as error:
        case.plot(*counters, **narrowed)
    assert says in str(error.value)


def test_local_time_is_drawn_as_such_and_nothing_is_marked(tmp_path):
    put(tmp_path, perf__csv=texts.perfmon(3, zone="("))
    with agtrace.open_case(tmp_path, store=tmp_path / "store") as opened:
        figure = opened.plot("Log Send Queue", mark="roles")
    title = figure.layout.xaxis.title.text
    assert title.startswith("local time of each host")
    assert "not marked" in title


def test_of_too_many_lines_the_highest_are_drawn_and_it_is_said(case, monkeypatch):
    monkeypatch.setattr(plotted, "MOST_LINES", 1)
    figure = case.plot("Log Send Queue")
    assert len(figure.data) == 1
    assert figure.layout.title.text == "Log Send Queue (without 1 lower series)"


def test_too_many_counters_are_named(case, monkeypatch):
    monkeypatch.setattr(plotted, "MOST_PANELS", 1)
    with pytest.raises(CaseError, match="2 counters are too many"):
        case.plot("Log *")


def test_marks_that_lie_on_each_other_have_one_name():
    queue = "\\SQLServer:Database Replica(DB)\\Log Send Queue"
    at = f"{tiny.START:%Y-%m-%dT%H:%M}"
    changes = [("PRIMARY", 0), ("RESOLVING", 30), ("SECONDARY", 31), ("PRIMARY", 50)]
    roles = [
        f"SQL1 | - | roles | ag=AG; role={role}; evidence=e" + (f"; start={at}:{start}Z" if start else "")
        for role, start in changes
    ]
    case = tiny.case(perfmon=f"SQL1 | {queue} | 1x120", relations="\n".join(roles))
    figure = marked(case, "roles")
    assert len(figure.layout.shapes) == 3
    names = [note.text.split(" ", 1)[1] for note in figure.layout.annotations]
    assert names == ["SQL1 RESOLVING AG and 1 more", "SQL1 PRIMARY AG"]
    assert "SQL1 SECONDARY AG" in figure.layout.annotations[0].hovertext


def test_changes_of_role_are_marked_and_named():
    queue = "\\SQLServer:Database Replica(DB)\\Log Send Queue"
    start = f"{tiny.START:%Y-%m-%dT%H:%M}"
    case = tiny.case(
        perfmon=f"SQL1 | {queue} | 1x120\nSQL2 | {queue} | 2x120",
        relations=f"""
            SQL1 | - | roles | ag=<b>AG; role=PRIMARY; end={start}:30Z; evidence=e
            SQL1 | - | roles | ag=<b>AG; role=SECONDARY; start={start}:30Z; evidence=e
            SQL3 | - | roles | ag=AG; role=RESOLVING; end={start}:40Z; evidence=e
            SQL3 | - | roles | ag=AG; role=PRIMARY; start={start}:40Z; evidence=e
        """,
    )
    figure = marked(case, "roles")
    assert [shape.x0.second for shape in figure.layout.shapes] == [30]
    assert [note.text.split(" ", 1)[1] for note in figure.layout.annotations] == [
        "SQL1 SECONDARY &lt;b&gt;AG"
    ]
    assert figure.layout.xaxis.title.text == "time (UTC); roles: 1 marked"
    nothing = marked(case, ["roles", "failovers"], host="SQL2")
    assert not nothing.layout.shapes
    assert "nothing changed" in nothing.layout.xaxis.title.text
