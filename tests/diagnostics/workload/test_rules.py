"""Rules of load tests, each alone and at its bounds, on trials that are written down."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from agtrace.diagnostics.workload import contradictions, curves, judge, names, reads, setup
from agtrace.diagnostics.workload.curves import RUN_TIME, TPM, Comparison, Course, Point
from agtrace.diagnostics.workload.rows import MaxMemory
from agtrace.diagnostics.workload.setup import Memory, Routes
from agtrace.history.trials.activity import Activity, Hosts, Tested
from agtrace.history.trials.configurations import Configuration
from agtrace.history.trials.trial import GIVEN, HAMMERDB, STRESS, TEST, TIMED, Trial
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import record
from tests.folded import folded

LIMITS = Thresholds()
TRIAL = Trial(HAMMERDB, TEST, 2, 1_000, {"elapsed_s": 60.0}, "console.txt")
ON = Configuration(factors={}, runs=(0,), name="routed", routing=True)
OFF = Configuration(factors={}, runs=(1,), name="plain", routing=False)


# Reads.


def ran(configuration, **batches):
    """Return a trial during which hosts executed so many batches each second."""
    return Tested(TRIAL, configuration, {host: Activity(batches_per_s=n) for host, n in batches.items()})


def decided(*rows, secondaries=("B",), basic=""):
    hosts = Hosts([], basic, frozenset(secondaries))
    return reads.decide(TRIAL.workload, rows, hosts, LIMITS)


SHARE = 100 * LIMITS.routed_share


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (0, SHARE, reads.SHOWN),
        (0, SHARE - 0.1, reads.NO_READS),
        (SHARE / 2, SHARE, reads.SHOWN),  # monitoring alone gave the half before
        (SHARE / 2 + 0.1, SHARE, reads.NO_READS),
    ],
)
def test_reads_went_to_secondaries_that_serve_a_share_and_half_of_it_more_than_before(before, after, verdict):
    rows = [ran(OFF, A=100 - before, B=before), ran(ON, A=100 - after, B=after)]
    assert decided(*rows).verdict == verdict


def test_without_a_test_that_was_not_routed_nothing_is_taken_off():
    assert decided(ran(ON, A=100 - SHARE, B=SHARE)).verdict == reads.SHOWN


@pytest.mark.parametrize(
    ("on", "off", "verdict"),
    [
        ({}, {"A": 1, "B": 1}, reads.NO_ACTIVITY),
        ({"A": 1}, {"A": 1, "B": 1}, reads.ONE_SIDE),
        ({"A": 0, "B": 0}, {}, reads.NO_READS),
    ],
)
def test_what_was_not_captured_of_the_routed_test_is_said(on, off, verdict):
    assert decided(ran(OFF, **off), ran(ON, **on)).verdict == verdict


def test_shares_are_of_all_that_was_executed_and_none_where_nothing_was():
    found = decided(ran(OFF, A=0, B=0), ran(ON, A=1, B=3))
    assert [(each.host, each.share) for each in found.shares] == [
        ("A", 0),
        ("B", 0),
        ("A", 0.25),
        ("B", 0.75),
    ]


@pytest.mark.parametrize(
    ("verdict", "confidence"),
    [(reads.SHOWN, 0.85), (reads.BASIC, 0.9), (reads.NO_READS, 0.8), (reads.ONE_SIDE, 0.5),
     (reads.NO_ACTIVITY, 0.4)],
)  # fmt: skip
def test_each_verdict_on_routing_is_as_sure_as_what_was_captured(verdict, confidence):
    made = decided(ran(OFF, A=1, B=1), ran(ON, A=1, B=1))
    study = SimpleNamespace(routes=Routes([], looked=False))
    told = judge._of_routing(verdict, [replace(made, verdict=verdict)], study)
    assert told.confidence == confidence
    if verdict == reads.NO_ACTIVITY:
        assert [each.value for each in told.evidence] == [0]


# Curves.


def point(load=1, sign=1, change=0.5, first=(1.0,), second=(2.0,)):
    return Point(load, first, second, sign, change)


def comparison(*points, workload=TRIAL.workload, metric=TPM, pair=(OFF, ON)):
    return Comparison(workload, metric, *pair, points, ())


@pytest.mark.parametrize(
    ("left", "right", "opposite", "undecided"),
    [((1, -1), (-1, -1), (1,), ()), ((1, 0), (-1, 1), (1,), (2,)), ((1, 1), (1, 1), None, None),
     ((1, 0), (0, -1), None, None)],
)  # fmt: skip
def test_two_figures_contradict_where_one_says_faster_and_the_other_slower(left, right, opposite, undecided):
    two = [comparison(*(point(n, sign) for n, sign in enumerate(signs, 1))) for signs in (left, right)]
    told = [(each.opposite, each.undecided) for each in contradictions.of_metrics(two)]
    assert told == ([] if opposite is None else [(opposite, undecided)])


@pytest.mark.parametrize("other", [{"workload": ("x", TEST, 1)}, {"pair": (ON, OFF)}])
def test_figures_of_other_workloads_or_configurations_contradict_nothing(other):
    assert contradictions.of_metrics([comparison(point()), comparison(point(sign=-1), **other)]) == []


def disks(configuration, *rates, trial=TRIAL):
    return Tested(trial, configuration, {str(n): Activity(disk=rate) for n, rate in enumerate(rates)})


BOTH = (disks(OFF, 1.0, 2.0), disks(ON, 4.0, 2.0))
ELSEWHERE = replace(TRIAL, work=9)


@folded(
    ("rows", "told"),
    [
        (BOTH, [(3.0, 6.0)]),
        ((disks(OFF, 1.0, None), BOTH[1]), []),
        ((disks(OFF), BOTH[1]), []),
        ((BOTH[0],), []),
        ((disks(OFF, 0.0), BOTH[1]), []),
        ((disks(OFF, 0.5), BOTH[1]), [(0.5, 6.0)]),
        ((*BOTH, disks(OFF, 9.0, trial=ELSEWHERE)), [(3.0, 6.0)]),
        ((*BOTH, disks(OFF, None, trial=ELSEWHERE), disks(ON, trial=ELSEWHERE)), [(3.0, 6.0)]),
    ],
)
def test_what_disks_delivered_is_told_where_all_were_captured_under_both(rows, told):
    found = contradictions.delivered(comparison(point(load=2), metric=RUN_TIME), rows)
    assert [(each.first, each.second) for each in found] == told


def test_the_trials_of_every_load_are_drawn_independently():
    drawn = [sample for load in (1, 2, 3) for sample in point(load).samples]
    assert [sample.stream for sample in drawn] == [2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("metric", "resolution", "sign"),
    [(RUN_TIME, 0.0, 1), (RUN_TIME, 10.0, 1), (RUN_TIME, 10.1, 0), (TPM, 10.1, -1)],
)
def test_run_times_that_differ_by_less_than_they_are_told_to_are_the_same(metric, resolution, sign):
    trials = [
        Tested(replace(TRIAL, values={metric.name: value}, resolution_s=resolution), each, {})
        for value, each in ((100.0, OFF), (90.0, ON))
    ]
    found = curves.compare(TRIAL.workload, metric, trials, (OFF, ON), LIMITS)
    assert [each.sign for each in found.points] == [sign]


MANY = tuple(100.0 + n / 10 for n in range(30))


def interval(*ratios, metric=TPM, sign=1):
    """Return where curves cross if the second is so many times the first at loads 1, 2, ..."""
    points = tuple(
        point(load, first=MANY, second=tuple(ratio * value for value in MANY))
        for load, ratio in enumerate(ratios, 1)
    )
    return curves._interval(points, metric, sign)


def test_curves_that_hardly_part_cross_in_too_few_draws():
    noisy = tuple(100.0 + 10 * (n % 7) for n in range(30))
    points = (
        point(1, first=noisy, second=tuple(0.99 * each for each in noisy[::-1])),
        point(2, first=noisy, second=noisy),
    )
    assert curves._interval(points, TPM, 1) is None


@pytest.mark.parametrize("ratios", [(1.05, 1.25), (0.8, 0.9)])
def test_curves_that_stay_on_one_side_do_not_cross(ratios):
    assert interval(*ratios) is None


def course(*tpm, trial=TRIAL, counted=120.0, minutes=None):
    return Course(Tested(trial, OFF, {}), minutes or tuple(range(1, len(tpm) + 1)), tpm, True, counted)


def test_the_spread_is_from_the_5th_to_the_95th_percentile():
    assert course(0.0, *map(float, range(101)), 0.0).spread == pytest.approx((5.0, 95.0))


@pytest.mark.parametrize(("tpm", "spread"), [((7.0,), (7.0, 7.0)), ((0.0, 20.0), (1.0, 19.0))])
def test_of_one_reading_the_spread_is_itself(tpm, spread):
    assert course(*tpm).spread == pytest.approx(spread)


@pytest.mark.parametrize(
    ("tpm", "is_steady"),
    [((10.0,) * 5, True), ((10.0,) * 4, False), ((0.0,) * 5, False), ((0.5,) * 5, True),
     ((1.0, 1.0, 1.0, 9.0, 9.0, 9.0), False)],
)  # fmt: skip
def test_a_run_is_steady_that_counted_and_of_which_no_stretch_stands_out(tpm, is_steady):
    assert course(*tpm).is_steady(LIMITS) is is_steady


@pytest.mark.parametrize(("lacking", "each"), [({}, 0.06), ({"work": None}, None), ({"load": 0}, None)])
def test_transactions_are_told_for_each_that_users_were_given(lacking, each):
    assert course(1.0, trial=replace(TRIAL, **lacking)).each == each


@pytest.mark.parametrize(("n", "readings"), [(1, "1 reading"), (2, "2 readings"), (0, "0 readings")])
def test_what_was_counted_names_its_readings(n, readings):
    told = curves.counted(course(*[1.0] * n))
    assert told.source == f"HammerDB's transaction counter, {readings}"


def placed(times, start=None, readings=None):
    trial = replace(
        TRIAL, readings=tuple(readings or [60.0] * len(times)), reading_times_us=tuple(times), start_us=start
    )
    return curves.courses([Tested(trial, OFF, {})])[0]


MINUTE = 60_000_000


def test_a_reading_that_lies_before_the_one_before_it_counts_for_nothing():
    run = placed([2 * MINUTE, MINUTE, 3 * MINUTE], start=0)
    assert run.minutes == (0.5, -0.5, 1.5)
    assert run.counted == 60.0 * (0.5 + 0 + 2)


# Setup, names and words.


def memory(**trial):
    row = record(MaxMemory, host="A", mb=1_024, start=None, end=None, source="ERRORLOG")
    return Memory([row], {}).during([replace(TRIAL, **trial)])


@pytest.mark.parametrize(
    ("times", "is_known"),
    [({"start_us": 1, "end_us": 2}, True), ({"start_us": 1}, False), ({"end_us": 2}, False)],
)
def test_memory_is_told_of_tests_whose_times_are_known(times, is_known):
    assert bool(memory(**times)) is is_known


@pytest.mark.parametrize(("looked", "told"), [(True, [0]), (False, [])])
def test_routing_lists_that_were_looked_at_and_are_empty_are_none(looked, told):
    assert [each.value for each in setup.routes_configured(Routes([], looked))] == told


LOADS = list(range(1, 14))
TWELVE = ", ".join(map(str, range(1, 13))) + " and 1 more"


@pytest.mark.parametrize(
    ("of", "loads", "told"),
    [
        ((HAMMERDB, TEST, 1), LOADS, f"{TWELVE} virtual users"),
        ((STRESS, "", 1), LOADS, f"{TWELVE} threads"),
        (("x", GIVEN, None), LOADS, f"load {TWELVE}"),
        ((HAMMERDB, TEST, 1), [1], "1 virtual user"),
    ],
)
def test_loads_are_named_up_to_twelve(of, loads, told):
    assert names.users(of, loads) == told


@pytest.mark.parametrize(
    ("of", "told"),
    [
        ((HAMMERDB, TIMED, None), "HammerDB, timed driver"),
        (("other", TIMED, 3), "other, 3 iterations per thread"),
    ],
)
def test_the_timed_driver_is_one_of_hammerdb(of, told):
    assert names.workload_name(of) == told
