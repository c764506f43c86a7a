"""What tables and figures of load tests show: numbers in their units, lines where something was measured."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from agtrace.diagnostics.workload import figures, judge, setup, tables
from agtrace.diagnostics.workload.analysis import Workload
from agtrace.diagnostics.workload.curves import RUN_TIME, TPM, Comparison, Course, Crossover, Point
from agtrace.diagnostics.workload.rows import MaxMemory, StatedOptions
from agtrace.diagnostics.workload.setup import Memory, Routes
from agtrace.diagnostics.workload.study import Study
from agtrace.history.trials.activity import Activity, Hosts, Tested
from agtrace.history.trials.trial import BUILD
from agtrace.measure.network_cards import Card
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts, texts
from tests.diagnostics import tiny
from tests.diagnostics.asking import record
from tests.diagnostics.workload.test_rules import ELSEWHERE, OFF, ON, TRIAL, comparison, decided, point, ran


def study(*tested, comparisons=(), courses=(), routing=(), hosts=("A",)):
    trials = [each.trial for each in tested]
    seen = Hosts([{host: Activity() for host in hosts}], "", frozenset())
    memory, routes = Memory([], {}), Routes([], looked=False)
    return Study(trials, list(tested), seen, list(comparisons), list(routing), list(courses), memory, routes,
                 Thresholds())  # fmt: skip


def row(table):
    """Return the only row of a table, as a dictionary."""
    assert len(table) == 1
    return table.iloc[0].to_dict()


def test_a_change_is_told_in_percent_with_one_digit():
    compared = comparison(point(change=0.12345), point(load=2, change=-0.5))
    assert list(tables.loads(study(comparisons=[compared]))["change_percent"]) == [12.3, -50.0]


def timed(seconds, **more):
    activities = {"A": Activity(disk=2e6), "B": Activity(disk=1e6), "C": Activity()}
    return Tested(replace(TRIAL, values={"elapsed_s": seconds}, **more), OFF, activities)


@pytest.mark.parametrize(
    ("seconds", "time", "unit"), [(120.0, 2.0, "min"), (119.0, 119.0, "s"), (0.0, 0.0, "s")]
)
def test_runs_of_two_minutes_and_more_stand_in_minutes(seconds, time, unit):
    shown = row(tables.side_by_side(study(timed(seconds), hosts=("A", "B", "C"))))
    assert (shown["plain: time"], shown["unit"]) == (time, unit)


def test_disks_stand_in_mb_per_second_and_all_of_them_summed():
    shown = row(tables.side_by_side(study(timed(60.0), hosts=("A", "B", "C"))))
    rates = {name: value for name, value in shown.items() if name.endswith("MB/s")}
    assert rates == {"plain: A, MB/s": 2.0, "plain: B, MB/s": 1.0, "plain: all disks, MB/s": 3.0}


def test_disks_have_three_digits_and_other_figures_six():
    tested = replace(timed(12.3456789), activities={"A": Activity(disk=12.3456e6)})
    shown = row(tables.side_by_side(study(tested)))
    assert (shown["plain: time"], shown["plain: A, MB/s"]) == (12.3457, 12.3)


def test_a_unit_that_somebody_gave_is_told_in_twenty_letters():
    assert len(row(tables.side_by_side(study(timed(60.0, unit="x" * 30))))["unit"]) == 20


def test_a_course_has_its_minutes_and_transactions_with_two_digits():
    course = Course(timed(60.0), (1.23456,), (5.0,), True, 2_469.0)
    shown = row(tables.progress(study(courses=[course])))
    assert (shown["minutes"], shown["counted_per_transaction"]) == (1.23, 1.23)


def build(**values):
    trial = replace(TRIAL, driver=BUILD, values=values)
    return Tested(trial, OFF, {"A": Activity(disk_written=1.23456e6, disk_read=2e6, log_received=3e6)})


def test_a_build_has_its_minutes_and_rates_with_two_digits():
    shown = row(tables.builds(study(build(elapsed_s=74.0736))))
    rates = [shown[f"{name}_mb_per_s"] for name in ("written", "read", "log_received")]
    assert (shown["minutes"], rates) == (1.23, [1.23, 2.0, 3.0])


def test_a_build_whose_length_is_not_known_has_none():
    assert row(tables.builds(study(build())))["minutes"] is None


def test_a_tool_is_named_in_eighty_letters():
    assert len(row(tables.trials(study(timed(60.0, tool="x" * 99))))["tool"]) == 80


def test_values_of_a_point_are_means_with_three_digits():
    points = point(first=(1.0, 1.46912), second=(2.0,))
    assert [each.value for each in judge._values(comparison(points), [1])] == [1.235, 2.0]


@pytest.mark.parametrize(
    ("metric", "work", "is_fixed"), [(RUN_TIME, 1, True), (RUN_TIME, None, False), (TPM, 1, False)]
)
def test_work_is_fixed_where_each_user_has_so_much_and_the_run_is_timed(metric, work, is_fixed):
    two = [
        comparison(point(sign=sign), workload=("HammerDB", "test", work), metric=metric) for sign in (1, -1)
    ]
    from agtrace.diagnostics.workload.contradictions import of_metrics

    (found,) = of_metrics(two)
    assert judge._of_metrics(found, study()).facts["is_fixed"] is is_fixed


# Figures.

CROSSED = Comparison(TRIAL.workload, TPM, OFF, ON, (point(), point(2)), (Crossover(1, 2, True, None),))


def lines(figure):
    return [(line.name, list(line.y), line.showlegend) for line in figure.data]


@pytest.mark.parametrize(
    ("metric", "seconds", "drawn"), [(RUN_TIME, 120.0, 2.0), (RUN_TIME, 119.0, 119.0), (TPM, 120.0, 120.0)]
)
def test_run_times_of_two_minutes_and_more_are_drawn_in_minutes(metric, seconds, drawn):
    points = Point(1, (seconds,), (seconds / 2,), 1, -0.5)
    figure = figures.curves(study(comparisons=[comparison(points, metric=metric)]))
    assert lines(figure) == [("plain", [drawn], True), ("routed", [drawn / 2], True)]
    assert figure.layout.yaxis.title.text == ("min" if drawn == 2.0 else metric.unit)


@pytest.mark.parametrize(
    ("comparisons", "title"),
    [([CROSSED], "The curves cross at HammerDB, transactions per minute (TPM): 1 to 2"),
     ([comparison(point())], "The curves do not cross"), ([], "Nothing compares")],
)  # fmt: skip
def test_the_title_of_curves_says_where_they_cross(comparisons, title):
    assert title in figures.curves(study(comparisons=comparisons)).layout.title.text


@pytest.mark.parametrize(
    ("told", "title"),
    [(["a", "b"], "At a; b"), (["a" * 50, "b" * 50], f"At {'a' * 50}; and 1 more"),
     (["a" * 99, "b"], f"At {'a' * 99}; and 1 more"), (["a" * 44, "b" * 44], f"At {'a' * 44}; {'b' * 44}"),
     (["a" * 44, "b" * 45], f"At {'a' * 44}; and 1 more")],
)  # fmt: skip
def test_a_title_lists_what_fits_and_counts_the_rest(told, title):
    assert figures._listed("At", told) == title


def courses(loads):
    return [
        Course(Tested(replace(TRIAL, load=load), OFF, {}), (1.0,), (5.0,), True, 5.0) for load in range(loads)
    ]


@pytest.mark.parametrize(
    ("loads", "title"),
    [(0, "No reading of the transaction counter was captured"), (12, "12 runs"),
     (13, "13 runs; the first 12 loads")],
)  # fmt: skip
def test_twelve_loads_are_drawn(loads, title):
    figure = figures.progress(study(timed(60.0), courses=courses(loads)))
    assert len(figure.data) == min(loads, 12)
    assert title in figure.layout.title.text
    assert ("the first" in figure.layout.title.text) is (loads > 12)


def test_panels_side_by_side_stand_apart():
    left, right = (axis.domain for axis in figures._panels(["a", "b"], 2).select_xaxes())
    assert right[0] - left[1] == pytest.approx(0.09)


def test_disks_are_drawn_of_hosts_whose_disks_were_captured_workload_by_workload():
    other = Tested(ELSEWHERE, OFF, {"D": Activity(disk=1.0)})
    figure = figures.hosts(study(timed(60.0), other), {})
    assert [(line.name, line.yaxis) for line in figure.data] == [
        ("A, plain", "y"), ("B, plain", "y"), ("D, plain", "y2"),
    ]  # fmt: skip
    assert "Disks deliver up to 2.0 MB/s (A, plain)" in figure.layout.title.text


def test_without_a_disk_that_is_said():
    assert (
        "No disk was captured"
        in figures.hosts(study(replace(timed(60.0), activities={})), {}).layout.title.text
    )


def test_each_host_has_a_bar_of_its_own_share():
    figure = figures.reads(study(routing=[decided(ran(OFF, A=3, B=1), ran(ON, A=1, B=3))]), {})
    assert {bar.name: list(bar.x) for bar in figure.data} == {"A": [75.0, 25.0], "B": [25.0, 75.0]}
    assert "Share of the requests" in figure.layout.title.text


def test_tests_with_one_end_are_not_placed_in_time():
    made = Workload(tiny.case())
    begun = Tested(replace(TRIAL, start_us=int(datetime(2024, 3, 5, tzinfo=UTC).timestamp() * 1e6)), OFF, {})
    made.__dict__["study"] = study(begun)
    assert_facts(texts(made.say_missing)["missing.md"], untimed=1)


def test_trials_of_a_comparison_are_those_of_its_workload_at_some_loads():
    found = study(timed(60.0), timed(60.0, load=3), replace(timed(60.0), trial=ELSEWHERE))
    assert found.trials_at(comparison(point(2)), {2}) == [found.trials[0]]


# Settings.

MEMORY = record(MaxMemory, host="A", mb=1_024, start=None, end=None, source="ERRORLOG")
OPTION = record(StatedOptions, of="AG", option="basic", value="ON", source="statement")


def settings(monkeypatch, *options, stretches=(), cards=(), is_stated=True):
    monkeypatch.setattr(setup, "starts", lambda _view: {})
    counted = SimpleNamespace(counted=list(cards))
    monkeypatch.setattr(setup.network_cards, "by_host", lambda _view: {"A": counted})
    view = SimpleNamespace(records=lambda _kind, _query: list(options), has_rows=lambda _name: is_stated)
    rows = setup.rows(view, str, [], Memory(list(stretches), {}), Routes([], looked=False))
    return [(each["of"], each["setting"], each["value"]) for each in rows]


def test_a_network_card_is_told_in_gbit(monkeypatch):
    cards = [Card("one", 1.25e9, None, "p"), Card("two", None, None, "p")]
    assert settings(monkeypatch, cards=cards) == [("A", "network card one", "10 Gbit/s")]


def test_memory_is_told_with_its_begin_or_as_before(monkeypatch):
    begun = MEMORY._replace(start=datetime(2024, 3, 5, 12, tzinfo=UTC))
    assert [value for *_, value in settings(monkeypatch, stretches=[MEMORY, begun])] == [
        "1,024 MB, before", "1,024 MB, from 2024-03-05 12:00:00 UTC on",
    ]  # fmt: skip


def test_options_are_told_where_statements_were_captured(monkeypatch):
    others = (OPTION._replace(value="OFF"), OPTION._replace(option="cluster_type", value="WSFC"))
    assert settings(monkeypatch, OPTION, *others) == [
        ("AG", "basic", "yes"), ("AG", "basic", "OFF"), ("AG", "cluster type", "WSFC"),
    ]  # fmt: skip
    assert settings(monkeypatch, OPTION, is_stated=False) == []
