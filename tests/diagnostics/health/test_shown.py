"""The figure, the tables and the answers of health: what is drawn and written of rows that are given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import ANY

import pytest

from agtrace.diagnostics.health import Health, failed_over, figures, story, summary, tables
from agtrace.diagnostics.health.allowed import Cluster
from agtrace.diagnostics.health.analysis import SAID
from agtrace.diagnostics.health.rows import Captures
from agtrace.history.coverage import Coverage, Stretch
from agtrace.say import colours
from agtrace.say.finding import Evidence, Finding
from agtrace.say.incident import Incidents
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts, texts
from tests.diagnostics.health.cases import at, event, failover, reason, setting, state, told, watched
from tests.diagnostics.health.standings import standing
from tests.diagnostics.health.test_takes_over import CUT, ready
from tests.diagnostics.tiny import case

# The figure.

STATES = [
    state(10, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"), state(20, "B", "X", "SECONDARY_NORMAL"),
    state(30, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"), state(40, "B", "X", "PRIMARY_PENDING"),
    state(50, "A", "RESOLVING_NORMAL", "NOT_AVAILABLE"), state(60, "A", "NOT_AVAILABLE", "UNHEARD_OF"),
    state(70, "B", "X", "RESOLVING_PENDING_FAILOVER"), state(80, "B", "X", "PRIMARY_NORMAL"),
]  # fmt: skip


def drawn(made, series=(), **hosts):
    return figures.lanes(made, list(series), "title", hosts)


def bars(fig):
    return {
        trace.name: list(zip(trace.y, trace.base, trace.x, strict=True))
        for trace in fig.data
        if trace.type == "bar"
    }


def test_a_lane_is_coloured_by_the_role_of_its_node():
    made = replace(told(events=STATES), coverage=watched(A=100, B=90))
    fig = drawn(made)
    assert bars(fig) == {role: [] for role in colours.ROLES} | {
        "primary": [(0, at(10), 20_000.0), (1, at(80), 10_000.0)],
        "secondary": [(1, at(20), 20_000.0)],
        "resolving": [(0, at(30), 20_000.0), (1, at(40), 30_000.0), (1, at(70), 10_000.0)],
        "away": [(0, at(50), 10_000.0)],
    }
    assert list(fig.layout.yaxis.ticktext) == ["A", "B"]


def covered(*stretches):
    return Coverage(
        Stretch(host, None, source, at(first), at(last)) for host, source, first, last in stretches
    )


def test_a_role_is_drawn_where_its_log_was_captured_and_hatched_where_only_others_were():
    rows = [state(10, "A", "X", "PRIMARY_NORMAL"), state(80, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")]
    made = replace(
        told(events=rows),
        coverage=covered(
            ("A", "ERRORLOG", 0, 20),
            ("A", "perfmon", 0, 40),
            ("A", "ERRORLOG", 70, 80),
            ("A", "perfmon", 75, 90),
        ),
    )
    fig = drawn(made)
    assert bars(fig) == {role: [] for role in colours.ROLES} | {
        "primary": [(0, at(10), 10_000.0), (0, at(70), 10_000.0)],
        "primary (assumed)": [(0, at(20), 20_000.0)],
        "resolving": [(0, at(80), 0.0)],
        "resolving (assumed)": [(0, at(80), 10_000.0)],
    }
    patterns = {trace.name: trace.marker.pattern.shape for trace in fig.data if trace.type == "bar"}
    assert (patterns["primary (assumed)"], patterns["primary"]) == ("/", None)


def test_an_event_that_only_another_host_captured_is_marked_on_that_host():
    rows = [
        event(20, "A", "dump"),
        event(50, "A", "node_removed")._replace(witnesses=event(50, "B", "").witnesses),
    ]
    made = replace(told(events=[*rows, event(30, "B", "dump")]), coverage=watched(A=40, B=90))
    assert marks(drawn(made)) == {"strain": [(at(20), 0), (at(30), 1)], "cluster": [(at(50), 1)]}


def test_an_event_outside_of_all_captures_is_not_marked():
    made = replace(told(events=[event(20, "A", "dump"), event(50, "A", "dump")]), coverage=watched(A=40))
    assert marks(drawn(made)) == {"strain": [(at(20), 0)]}


def marks(fig):
    return {
        trace.name: [(time, round(place + 0.34)) for time, place in zip(trace.x, trace.y, strict=True)]
        for trace in fig.data
        if trace.type == "scatter" and trace.mode == "markers" and len(trace.x)
    }


def test_nodes_of_several_groups_are_named_with_them_and_events_drawn_on_each_they_concern():
    rows = [
        state(10, "A", "X", "PRIMARY_NORMAL", ag="G1"), state(11, "A", "X", "PRIMARY_NORMAL", ag="G2"),
        event(20, "A", "dump", text="x"), event(21, "A", "lease_expired", ag="G2", text="x"),
        event(22, "A", "lease_expired", ag="G9", text="x"), event(23, "C", "dump", text="x"),
        event(24, None, "dump", text="x"),
    ]  # fmt: skip
    fig = drawn(told(events=rows))
    assert list(fig.layout.yaxis.ticktext) == ["G1: A", "G2: A", "C"]
    assert marks(fig) == {
        "leases": [(at(21), 1), (at(22), 0), (at(22), 1)],
        "strain": [(at(20), 0), (at(20), 1), (at(23), 2)],
    }


def test_a_panel_shows_a_line_for_each_host_of_one_resource():
    series = [
        {"resource": name, "host": host, "time": at(n), "value": value + n}
        for name, host, value in (("cpu", "A", 10.0), ("cpu", "B", 50.0), ("disk_write_ms", "A", 3.0))
        for n in range(2)
    ]
    fig = drawn(told(events=STATES), series, A="#123456")
    lines = [(trace.name, trace.yaxis, list(trace.y), trace.line.color) for trace in fig.data
             if trace.type == "scatter" and trace.mode == "lines"]  # fmt: skip
    assert lines == [
        ("A", "y2", [10.0, 11.0], "#123456"), ("B", "y2", [50.0, 51.0], colours.FAINT),
        ("A", "y3", [3.0, 4.0], "#123456"), ("B", "y3", [], colours.FAINT),
    ]  # fmt: skip
    assert [each.text for each in fig.layout.annotations] == ["Processors", "Disk write, mean"]


def test_a_failover_is_a_band_and_a_line_where_its_begin_is_unknown():
    made = told([failover(100, 108), failover(None, 208)], STATES)
    assert [(each.x0, each.x1) for each in drawn(made).layout.shapes] == [
        (at(100), at(108)),
        (at(208), at(208)),
    ]


@pytest.mark.complete
@pytest.mark.parametrize(("n", "step"), [(4000, 1), (4001, 2), (8000, 2), (8001, 3)])
def test_of_each_kind_of_mark_four_thousand_are_drawn_evenly(n, step):
    rows = [event(number, "A", "dump") for number in range(n)]
    (found,) = marks(drawn(told(events=rows, last=9000))).values()
    assert [time for time, _ in found] == [row.time for row in rows[::step]]


# Tables.


def test_the_table_of_events_leaves_out_what_every_start_brings():
    kinds = ("dump", *sorted(tables.QUIET), "ready")
    rows = [event(n, "A", kind, text="x") for n, kind in enumerate(kinds)]
    assert list(tables.events(told(events=rows))["kind"]) == ["dump", "ready"]


def test_an_event_is_told_in_160_characters_with_who_tells_of_it():
    rows = [event(0, "A", "lease_expired", text="x" * 160)._replace(sources=["b", "a"]),
            event(1, "B", "dump", text="x" * 161)._replace(sources=[])]  # fmt: skip
    first, second = tables.events(told(events=rows)).to_dict("records")
    assert (first["text"], first["told by"], first["kind"], first["host"]) == (
        "x" * 160, "a and b", "lease expired", "A",
    )  # fmt: skip
    assert (second["text"] != "x" * 161, len(second["text"]) <= 160, second["told by"]) == (True, True, "")


# Answers.


def answer(made, found=(), **more) -> Any:
    analysis = Health(case())
    analysis.__dict__.update({"history": made, "_findings": list(found)} | more)
    return analysis


def found(severity):
    return Finding("health.lease", severity, "x", "x", evidence=(Evidence("x", 1, "", "x"),))


def test_key_figures_are_those_of_what_happened():
    assert answer(told()).key_figures() == []
    assert [(e.label, e.value, e.unit) for e in answer(told(events=STATES)).key_figures()] == [
        ("failovers in all", 0, ""), ("expired leases", 0, ""), ("restarts", 0, ""),
        ("lost connections", 0, ""),
        ("hosts with slow input and output", 0, ""), ("time seen", 70.0, "s"),
    ]  # fmt: skip


def test_times_without_a_primary_are_key_figures_where_there_are_several():
    def shown(*seconds):
        rows = [
            failover(0, 10, failover_id=n)._replace(seconds_without_primary=each)
            for n, each in enumerate(seconds)
        ]
        return {e.label: (e.value, e.unit) for e in summary.key_figures(told(rows), [])}

    assert "without a primary in all" not in shown(8.0, None)
    found = shown(8.0, 2.0, None)
    assert (found["without a primary in all"], found["longest without a primary"]) == (
        (10.0, "s"),
        (8.0, "s"),
    )
    assert found["failovers in all"] == (3, "")


def test_an_incident_that_is_read_first_has_a_story_on_the_page():
    made = told([failover(100, 108)])
    assert answer(told(), incidents=lambda: Incidents((), (), "")).say_story() == ""
    analysis = answer(made, _judged=failed_over.failovers(made, Thresholds()))
    assert_facts(texts(analysis.say_story)["story.impact"], seconds=8)


@pytest.mark.parametrize(("seconds", "first", "last"), [(620, 25, 595), (-500, 0, 100)])
def test_counters_are_drawn_from_ten_minutes_before_until_ten_minutes_after(seconds, first, last):
    analysis = answer(told(events=[event(seconds, "A", "dump"), event(seconds, "A", "ready")]))
    analysis.view = case(r"A | \Processor(_Total)\% Processor Time | 120x20")
    rows = analysis._samples()
    assert {row["window"] for row in rows} == {1}
    assert (rows[0]["time"], rows[-1]["time"]) == (at(first), at(last))
    analysis.__dict__["history"] = told()
    assert analysis._samples() == []


def test_instances_are_known_of_the_contents_that_name_them():
    made = case(messages="A | 0 | restart | 17147 | x=1")
    named = (("one", "ONE"), ("two", None), ("three", ""))
    captures = [Captures(name, name, "A", instance) for name, instance in named]
    analysis = Health(made)
    ask = analysis.ask
    analysis.__dict__["ask"] = lambda kind, *more: captures if kind is Captures else ask(kind, *more)
    assert analysis.history.instances == {"one": "ONE"}
    assert analysis.history.paths == {"one": "one", "two": "two", "three": "three"}


def test_what_was_not_captured_of_the_cluster_is_asked_of_each_group():
    def unseen(*settings):
        rows = [setting(*each, "x") for each in settings]
        found = ready(standing("A"), standing("B", **CUT), standing("A", ag="AH"))
        return summary.readiness(told(), found, Cluster(settings=rows), SAID)["unseen"]

    owners = [("resource", ag, "owner_nodes") for ag in ("AG", "AH")]
    limits = [("group", ag, "FailoverThreshold") for ag in ("AG", "AH")]
    assert unseen() == ["owners", "threshold"]
    assert unseen(*owners) == ["threshold"]
    assert unseen(*limits) == ["owners"]
    assert unseen(owners[0], *limits) == ["owners"]
    assert unseen(*owners, *limits) == []


@pytest.mark.parametrize(
    ("platforms", "is_windows"),
    [({}, True), ({"A": "Windows", "B": "Linux"}, True), ({"A": "Linux", "B": "Linux"}, False)],
)
def test_what_only_windows_has_is_asked_of_clusters_with_a_node_of_it(platforms, is_windows):
    found = ready(standing("A"), standing("B"))
    assert summary.readiness(told(platforms=platforms), found, Cluster(), SAID)["is_windows"] is is_windows


def test_a_failover_among_several_is_told_with_what_is_known_of_it():
    rows = [
        failover(100, 108, reasons=[reason(108, "B", "replica_state", "x")]),
        failover(300, 308, failover_id=2, from_="", to="", confidence=None, seconds_without_primary=None),
        failover(500, 508, failover_id=3, confidence=0.5),
    ]
    made = told(rows)
    shown = summary.incidents(story.stories(made, failed_over.failovers(made, Thresholds())), None, SAID)
    assert [(each.key, each.old, each.new, each.cause, each.away) for each in shown.moved] == [
        ("failover-1", "A", "B", ANY, "8 s"),
        ("failover-2", "not known", "not known", "not shown", ""),
        ("failover-3", "A", "B", "not shown", "8 s"),
    ]
    assert (shown.opened, len(shown.told)) == ("", 3)
    made = told(rows[:1])
    one = summary.incidents(story.stories(made, failed_over.failovers(made, Thresholds())), None, SAID)
    assert one.moved == ()


@pytest.mark.parametrize(
    ("events", "severities", "is_told"),
    [(STATES, [], True), (STATES, ["info", "notice"], True), (STATES, ["info", "warning"], False),
     (STATES, ["critical"], False), ([], [], False)],
)  # fmt: skip
def test_a_verdict_is_told_where_something_happened_and_no_finding_is_worth_more(events, severities, is_told):
    made = answer(told(events=events), map(found, severities))
    assert ("quiet.md" in texts(made.say_verdict)) is is_told
