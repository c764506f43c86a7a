"""What is judged of rows, each rule alone, at its bounds."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest

from agtrace.diagnostics.overview import analysis, lanes, servers, weaknesses
from agtrace.diagnostics.overview.rows import (
    Captures,
    DatabaseFiles,
    Filters,
    Gaps,
    KindsByHost,
    LogSetBack,
    PowerPlans,
    SetBack,
    Skew,
    Unclocked,
    UnknownHosts,
    Unmapped,
)
from agtrace.history.unrelated import GroupSet
from agtrace.history.unused import UnusedFile
from agtrace.measure.network_cards import Card, Cards
from agtrace.thresholds import Thresholds
from tests.diagnostics import tiny
from tests.diagnostics.asking import record

NOON = datetime(2024, 3, 5, 12)
LIMITS = Thresholds()


def evidence(judged):
    return [(each.measure.name, each.value, each.source) for each in judged.evidence]


SKEW = record(
    Skew, host_id="A", other_host_id="B", ms=4_000.0, n=LIMITS.skew_sure_pairs, method="connections"
)


@pytest.mark.parametrize(("fewer", "confidence"), [(0, 0.9), (1, 0.6)])
def test_two_clocks_are_surely_apart_where_many_pairs_say_so(fewer, confidence):
    (judged,) = weaknesses.clock_skew([SKEW._replace(n=SKEW.n - fewer)], LIMITS)
    assert judged.confidence == confidence
    assert (judged.facts["apart"], judged.facts["spread"]) == (4.0, 0.0)
    assert [value for _name, value, _source in evidence(judged)] == [4_000, 0]


def test_the_spread_of_a_skew_is_told_in_seconds():
    (judged,) = weaknesses.clock_skew([SKEW._replace(spread_ms=250.0)], LIMITS)
    assert judged.facts["spread"] == 0.25


def test_a_series_without_a_name_is_told_with_a_file_that_holds_it():
    row = Unmapped("O", "c", series=2, hosts="A", example="a.blg")
    (judged,) = weaknesses.unmapped_counter([row, row._replace(example=None)])
    assert [source for _name, _value, source in evidence(judged)] == ["a.blg", ""]


@pytest.mark.parametrize(("host", "subject"), [("A", {"host": "A"}), ("", {})])
def test_a_gap_is_of_a_host_where_that_is_known(host, subject):
    row = record(Gaps, host=host, path="a.blg", gap_from=NOON, gap_to=NOON, missing_s=9.0, missing_rows=3)
    (judged,) = weaknesses.gap([row])
    assert judged.subject == subject


STEP = LogSetBack(
    host="A", path="ERRORLOG", line=30, before=NOON, after=NOON - timedelta(hours=10), back_s=36000.0,
    last_right=NOON - timedelta(hours=11), first_line=28, end_line=29, first_ahead=None, ahead=2,
)  # fmt: skip


@pytest.mark.parametrize(("hours", "is_ahead"), [(6, True), (6.1, False)])
def test_a_clock_that_went_forward_by_half_of_the_step_was_ahead(hours, is_ahead):
    (judged,) = weaknesses.log_set_back([STEP._replace(first_ahead=NOON - timedelta(hours=hours))])
    assert judged.facts["is_ahead"] == is_ahead


def test_a_log_that_begins_with_the_step_does_not_show_which_side_is_right():
    (judged,) = weaknesses.log_set_back([STEP._replace(last_right=None)])
    assert (judged.facts["is_ahead"], judged.severity) == (False, "warning")


def test_a_clock_that_was_set_back_is_told_to_the_millisecond():
    (judged,) = weaknesses.set_back([SetBack(host="A", back_s=1.23456, before=NOON, path="a.blg")])
    assert [(value, source) for _name, value, source in evidence(judged)] == [(1.235, "a.blg")]


def test_rows_without_an_offset_are_told_with_their_file():
    row = Unclocked(
        host="A", path="ERRORLOG", what="lines", unknown=3, total=4, first_local=NOON, last_local=NOON
    )
    (judged,) = weaknesses.time_zone_unknown([row])
    assert [(value, source) for _name, value, source in evidence(judged)] == [(3, "ERRORLOG")]


@pytest.mark.parametrize(("guid", "confidence"), [("381b4222-f694-41f0-9685-ff5bb260df2e", 0.9), (None, 0.8)])
def test_a_power_plan_is_surest_by_its_guid(guid, confidence):
    row = PowerPlans(host="A", guid=guid, plan="Balanced", path="p", line=1)
    assert [each.confidence for each in servers.power_plan([row])] == [confidence]


def test_a_filter_over_files_of_databases_is_likely_in_the_way():
    drive = DatabaseFiles(host="A", volume="E:", files=2, databases=1, path="f", line=1)
    row = Filters(host="A", volume="E:", filter="WdFilter", altitude=328010.0, path="p", line=1)
    assert [each.confidence for each in servers.antivirus([row], [drive])] == [0.7]


def test_groups_without_anything_in_common_are_named_with_their_hosts_and_days():
    sales = GroupSet(("Sales",), frozenset("AB"), ("A", "B"), NOON, NOON + timedelta(days=1))
    nameless = GroupSet((), frozenset("C"), ("C",), None, None)
    assert weaknesses.unrelated_groups([sales]) == []
    (judged,) = weaknesses.unrelated_groups([sales, nameless])
    assert (judged.id, judged.severity) == ("quality.unrelated_groups", "warning")
    assert [(each.measure.label, each.value, each.source) for each in judged.evidence] == [
        ("hosts of Sales", "A and B", f"{NOON:%Y-%m-%d} to {NOON + timedelta(days=1):%Y-%m-%d}"),
        ("hosts of C", "C", "captures of the case"),
    ]


def test_five_captures_of_other_hosts_are_named_with_their_reason():
    rows = [UnknownHosts(f"{n}", why="not of A", is_kept=False, machines=1) for n in range(6)]
    (judged,) = weaknesses.host_unknown(rows)
    assert (judged.facts["n"], len(judged.facts["strange"])) == (6, 5)


def test_cards_that_are_a_team_are_likely_slower_than_they_look():
    card = Card(name="team", moved=1.0, bandwidth=1e9, path="p")
    (judged,) = servers.teamed_cards({"A": Cards((card,), (replace(card, bandwidth=2e9),))})
    assert judged.confidence == 0.8
    assert (judged.facts["of_team"], judged.facts["of_one"]) == (1e9, 2e9)


@pytest.mark.parametrize(
    ("minutes", "told"), [(0, "+00:00"), (-1, "-00:01"), (59, "+00:59"), (60, "+01:00"), (-330, "-05:30")]
)
def test_an_offset_is_told_in_hours_and_minutes(minutes, told):
    assert analysis._offset(minutes) == told


CAPTURE = record(
    Captures, path="a.blg", kind="blg", status="ingested", rows=3, bytes=9, superseded=False, first_time=NOON,
    last_time=NOON, local_only=False, shown_first=NOON, shown_last=NOON, content_id="x",
)  # fmt: skip


def of_captures(*rows):
    """Return the analysis of a case that holds these captures and nothing else."""
    made = analysis.Overview(SimpleNamespace())
    made.__dict__["captured"] = analysis.Captured([CAPTURE._replace(**row) for row in rows], ["A"], [])
    made.__dict__.update(gaps=[], errorlog_gaps=[], used={})
    return made


@pytest.mark.parametrize(
    ("row", "note"),
    [
        ({"reason": "cut"}, "cut"),
        ({"superseded": True}, "another capture holds the same"),
        ({}, "used by no question"),
    ],
)
def test_of_a_capture_its_reason_or_that_another_holds_the_same_is_noted(row, note):
    assert list(of_captures(row).tbl_captures()["note"]) == [note]


def test_the_rows_that_were_read_are_counted():
    figures = of_captures({}, {"rows": None}, {"status": "failed"}).key_figures()
    assert [figure.value for figure in figures] == [2, 1, 3, 0.0, 1, 0]


def test_a_capture_without_an_end_has_no_bar():
    of_a = CAPTURE._replace(host="A")
    drawn = lanes.draw([of_a, of_a._replace(shown_last=None, kind="x")], [])
    assert [bar.name for bar in drawn.data] == ["blg"]


def test_hosts_are_parted_by_a_line_each_but_the_first():
    drawn = lanes.draw([CAPTURE._replace(host=host, path=path) for host in "AB" for path in "xy"], [])
    assert len(drawn.layout.shapes) == 1


def test_of_a_host_its_cores_and_memory_stand_before_its_captures():
    hosts = analysis.Overview(tiny.case(perfmon=r"A | \Memory\Available MBytes | 100")).tbl_hosts()
    assert list(hosts.columns)[:6] == ["host", "also_called", "zone", "cores", "memory_mb", "captures"]


def test_what_a_tool_collected_is_told_with_its_host():
    made = of_captures()
    folder = SimpleNamespace(tool="SQL LogScout", captures=[CAPTURE._replace(host="A"), CAPTURE])
    made.__dict__["collected"] = SimpleNamespace(folders=[folder])
    assert list(made.tbl_collected()["host"]) == ["A", ""]


MEMBER = KindsByHost("A", named_by="", perfmon=False, errorlog=True, tcp_settings=False)
LOGS = [("of_host", "info", ["perfmon log"])]
TRANSPORT = ("of_host", "notice", ["perfmon log", "TCP settings"])
COPY = ("copy_or_ping", "info", ["robocopy or ping"])


@pytest.mark.parametrize(
    ("more", "has_copy", "asked"),
    [
        ({}, False, LOGS),
        ({"perfmon": True}, False, [("of_host", "info", ["TCP settings"]), COPY]),
        ({"tcp_settings": True}, False, [("of_host", "notice", ["perfmon log"]), COPY]),
        ({}, True, [TRANSPORT]),
    ],
)
def test_what_only_transport_needs_is_asked_for_where_transport_was_captured(more, has_copy, asked):
    found = weaknesses.not_captured([MEMBER._replace(**more)], {"A": "Windows"}, has_copy=has_copy)
    assert [
        (each.said.removeprefix("not_captured."), each.severity, [one.label for one in each.evidence])
        for each in found
    ] == asked


def test_what_was_read_and_not_used_is_told_by_what_would_make_it_useful():
    row = UnusedFile("a.csv", ["x", "y"], 3, is_cumulative=False)
    (judged,) = weaknesses.unused([row, UnusedFile("waits.csv", ["w"], 1, is_cumulative=True)])
    assert (judged.facts["cumulative"], judged.facts["others"]) == (["waits.csv"], ["a.csv"])
    first = judged.evidence[0]
    assert (first.measure.label, first.value, first.source) == ("x, y", 3, "a.csv")
