"""Rules of the comparison, each alone, on runs and changes that are written down."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from agtrace.diagnostics.comparison import Comparison, analysis, figures, judge, tables
from agtrace.diagnostics.comparison.configurations import configure
from agtrace.diagnostics.comparison.pairs import Change, Pair
from agtrace.diagnostics.comparison.study import Asked
from agtrace.history.transfers import uses as m
from agtrace.measure.statistics import Interval
from tests.behind import texts
from tests.diagnostics.comparison.cases import examined, moment, runs
from tests.diagnostics.workload.cases import case

# What was asked.


def test_a_labelled_window_is_of_every_database():
    (run,) = runs("window | | | 100 | window 10 | | | one")
    assert Asked("Sales").wants(run)


@pytest.mark.parametrize(("start", "end", "wanted"), [(0, 101, True), (0, 100, False), (101, 200, False)])
def test_a_run_is_wanted_that_begins_in_the_window(start, end, wanted):
    (run,) = runs("window | | | 100 | window 10 | | | one")
    assert Asked(start=moment(start), end=moment(end)).wants(run) is wanted


# Names.


def named(*rows):
    return [each.full_name for each in configure(runs("\n".join(rows)))]


WINDOW = "window | | | {} | window 10 | | {} | {}"


def test_windows_without_factors_are_told_apart_by_their_labels():
    assert named(WINDOW.format(0, "", "one"), WINDOW.format(20, "", "two"), WINDOW.format(40, "", "one")) == [
        "one", "two",
    ]  # fmt: skip


def run_by_hand(at, factors="", label=""):
    return f"manual | Sales | A > B | {at} | backup 10, restore 10 | 10 | {factors} | {label}"


def test_names_are_cut_to_sixty_letters_and_factors_to_thirty():
    assert len(named(run_by_hand(0, "f=1", "x" * 90), run_by_hand(100, "f=2", "y"))[0]) == 60
    (first, _second) = named(run_by_hand(0, f"f={'x' * 40}"), run_by_hand(100, f"f={'y' * 40}"))
    assert first == f"backup, restore and join (f {'x' * 29}…)"


def test_where_factors_tell_only_some_apart_numbers_do():
    rows = [run_by_hand(0, "f=1"), run_by_hand(100, "f=2"), run_by_hand(200)]
    assert named(*rows)[2].endswith("(run 3)")


@pytest.mark.parametrize(("more", "once"), [([], True), ([run_by_hand(200, "f=2")], False)])
def test_the_summary_says_whether_each_configuration_ran_once(more, once):
    study = examined("\n".join([run_by_hand(0, "f=1"), run_by_hand(100, "f=2"), *more]))
    (group,) = texts(analysis.summary, study, [])["summary.md"]["groups"]
    assert group["once"] is once


def test_twelve_runs_are_numbered():
    rows = [run_by_hand(100 * n, "f=1") for n in range(13)] + [run_by_hand(2_000, "f=2")]
    (many, _one) = configure(runs("\n".join(rows)))
    assert many.numbers == ", ".join(map(str, range(1, 13))) + " and 1 more"


# Pairs.


def used(mean, per_byte=None, resource=m.SENT):
    usage = SimpleNamespace(mean=mean, unit="B/s", host="A", resource=resource, cores=None)
    return SimpleNamespace(usage=usage, per_byte=per_byte)


def change(before, after, *, per_byte=(None, None), resource=m.SENT, role="source", alike=0.1):
    ours, theirs = used(before, per_byte[0], resource), used(after, per_byte[1], resource)
    return Change(resource, role, (ours,), (theirs,), alike)


@pytest.mark.parametrize(
    ("before", "after", "ratio"), [(2.0, 3.0, 1.5), (0.0, 3.0, math.inf), (0.0, 0.0, 1.0), (2.0, 0.0, 0.0)]
)
def test_the_ratio_of_what_was_used_is_known_where_there_was_none_too(before, after, ratio):
    assert change(before, after).ratio == ratio


@pytest.mark.parametrize(
    ("per_byte", "told"), [((1.0, 2.0), (1.0, 2.0)), ((1.0, None), None), ((None, 2.0), None)]
)
def test_what_a_byte_took_is_known_where_both_tell_it(per_byte, told):
    assert change(1.0, 2.0, per_byte=per_byte).per_byte == told


def pair(*changes, windows=False, speed=2.0, rows=(), is_same=False):
    text = "\n".join(rows) or "\n".join([run_by_hand(0, "f=1"), run_by_hand(100, "f=2")])
    if windows:
        text = "\n".join([WINDOW.format(0, "f=1", "one"), WINDOW.format(20, "f=2", "two")])
    first, second = configure(runs(text))
    return Pair(first, second, Interval(speed, None, None), False, is_same, ("f",), changes)


def test_the_longest_of_a_side_is_what_others_meet_and_the_first_is_named_first():
    """Run 1 of the second configuration lasts 20 s, run 2 of the first begins after 10 s."""
    two = pair(rows=[run_by_hand(0, "f=2"), run_by_hand(10, "f=1"), run_by_hand(15, "f=2")])
    assert {two.first.first.number, two.second.first.number} == {1, 2}
    assert two.overlapping == ((1, 2) if two.first.first.number == 1 else (2, 1))


@pytest.mark.parametrize(
    ("ratios", "size"),
    [([(1, 2), (4, 1)], math.log(4)), ([(0, 1), (1, 2)], math.log(2)), ([(1, 0)], 0.0), ([], 0.0),
     ([(4, 2)], math.log(2))],
)  # fmt: skip
def test_windows_differ_as_much_as_what_hosts_did_most_otherwise(ratios, size):
    assert pair(*(change(*each) for each in ratios), windows=True).size == pytest.approx(size)


@pytest.mark.parametrize("speed", [4.0, 0.25])
def test_runs_differ_as_much_as_their_speed(speed):
    assert pair(change(1, 9), speed=speed).size == pytest.approx(math.log(4))


@pytest.mark.parametrize(
    ("means", "ratio"), [((2, 4), 2.0), ((4, 1), 0.25), ((0, 4), None), ((4, 0), None), ((100, 109), None)]
)
def test_the_wire_carries_more_or_less_where_both_carry_something(means, ratio):
    assert pair(change(*means)).wire_ratio == ratio


@pytest.mark.parametrize(
    ("means", "told"),
    [((2, 3), {"is_more": True, "times": 1.5}), ((4, 1), {"is_more": False, "times": 4.0}), ((1, 1), None)],
)
def test_more_or_less_on_the_wire_is_told_in_times(means, told):
    assert judge._wire(pair(change(*means))) == told


def test_what_hosts_did_otherwise_is_told_largest_first():
    changes = [change(1, after, role=str(n)) for n, after in enumerate((1, 0.5, 3, 0.2, 0, 1.05))]
    told = judge._changed(pair(*changes))
    assert [row["after"].value for row in told] == [0, 0.2, 3, 0.5]


# Tables and evidence.


def test_durations_are_told_to_a_tenth_of_a_second_and_steps_where_there_are_several():
    steps = ("backup 10.04", "backup 1.26, restore 2.34")
    one, several = runs("\n".join(f"manual | Sales | A > B | 0 | {each} |" for each in steps))
    assert [each.value for each in judge._of_run(one)][:1] == [10.0]
    assert [(each.measure.label, each.value) for each in judge._of_run(several)] == [
        ("duration", 3.6), ("backup", 1.3), ("restore", 2.3),
    ]  # fmt: skip


@pytest.mark.parametrize(("value", "told"), [(None, ""), (True, "on"), (False, "off")])
def test_a_flag_is_on_off_or_not_known(value, told):
    assert tables._on(value) == told


def test_steps_have_seconds_to_a_tenth_and_a_rate_where_bytes_are_known():
    found = SimpleNamespace(runs=runs("manual | Sales | A > B | 0 | backup 1.26, restore 2.34 | 36"))
    shown = tables.steps(found)
    assert shown.iloc[:, 6].tolist() == [1.3, 2.3, 3.6]
    assert shown.iloc[:, 7].tolist() == ["", "", "10 GB/s"]


def test_runs_are_told_by_their_label_else_their_method_with_size_rate_and_factors():
    text = (
        "manual | Sales | A > B | 0 | backup 5, restore 5 | 20 | threads=4; trace flag 9567=on | one\n"
        "manual | Sales | A > B | 50 | backup 5, restore 5 | | |"
    )
    shown = tables.runs(SimpleNamespace(runs=runs(text), places={})).to_dict("records")
    assert [(row["what"], row["size"], row["rate"]) for row in shown] == [
        ("one", "20 GB", "2.0 GB/s"), ("backup, restore and join", "", ""),
    ]  # fmt: skip
    assert "threads=4" in shown[0]["factors"]


def test_a_rate_is_evidence_where_the_bytes_are_known():
    known, unknown = runs("manual | S | A > B | 0 | backup 5 | 20\nmanual | S | A > B | 9 | backup 5 |")
    labels = [[each.measure.label for each in judge._of_run(run)] for run in (known, unknown)]
    assert [len(each) for each in labels] == [3, 1]


def test_resources_stand_with_those_of_the_source_first():
    (run,) = runs("manual | Sales | A > B | 0 | backup 10 | 10")
    uses = [
        SimpleNamespace(run=run, step=None, is_whole=False, usage=SimpleNamespace(host=host, resource=m.CPU))
        for host in ("B", "A")
    ]
    assert [each.usage.host for each in tables._ordered(uses)] == ["A", "B"]


def test_a_database_is_asked_for_by_its_name():
    assert Comparison(case(), database="Sales").asked.database == "Sales"
    assert Comparison(case()).asked.database is None


@pytest.mark.parametrize(("seconds", "unit", "length"), [(119, "s", 119.0), (120, "min", 2.0)])
def test_runs_of_two_minutes_and_more_are_drawn_in_minutes(seconds, unit, length):
    drawn = figures.durations(examined(f"manual | Sales | A > B | 0 | backup {seconds} | 10"))
    assert (drawn.layout.xaxis.title.text, list(drawn.data[0].x)) == (unit, [length])
    assert drawn.layout.xaxis.range[1] == pytest.approx(1.12 * length)
