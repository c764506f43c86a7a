"""Buffers between tested ones: a line between neighbours, never beyond them."""

from __future__ import annotations

import pytest

import agtrace
from agtrace.replay.backups import Between, Point, between, left_out, untested


def point(count, size, rate, doubt=0.05, n=9):
    factors = (("buffer_count", count), ("max_transfer_size_kb", size), ("stripes", 1))
    return Point(factors, rate, doubt, n)


TESTED = [point(10, 1024, 80), point(40, 1024, 100), point(40, 4096, 120)]


def asked(count, size, tested=TESTED):
    return between({"buffer_count": count, "max_transfer_size_kb": size, "stripes": 1}, tested)


def test_the_time_per_byte_lies_on_a_line_over_one_over_the_buffers():
    found = asked(20, 1024)
    assert isinstance(found, Between)
    # From 1/80 at 1/10 to 1/100 at 1/40: two thirds of the way at 1/20.
    assert 1 / found.mb_per_s == pytest.approx(1 / 80 - 2 / 3 * (1 / 80 - 1 / 100))
    assert found.low < found.mb_per_s < found.high


def test_what_a_transfer_costs_once_is_found_from_small_and_large_ones():
    # 30 ms a MB and 2 ms a transfer: 64 KB take 62 ms a MB, 1 MB 32, and 4 MB 30.5.
    tested = [point(13, 64, 1000 / 62), point(13, 4096, 1000 / 30.5)]
    assert asked(13, 1024, tested).mb_per_s == pytest.approx(1000 / 32)


@pytest.mark.parametrize(("count", "size"), [(5, 1024), (80, 1024), (20, 4096), (20, 2048)])
def test_beyond_tested_points_there_is_no_estimate(count, size):
    assert asked(count, size) == "edge"


def test_four_times_the_buffers_that_bring_five_times_as_much_follow_no_line():
    assert asked(20, 1024, [point(10, 1024, 20), point(40, 1024, 100)]) == "steep"


def test_a_neighbour_whose_runs_do_not_agree_is_passed_over():
    unsure = point(15, 1024, 50, doubt=0.3)
    assert asked(20, 1024, [*TESTED, unsure]) == asked(20, 1024)
    assert asked(20, 1024, [unsure, point(40, 1024, 100)]) == "scattered"


def test_what_is_proposed_is_what_a_statement_can_ask_for():
    proposed = [(each["buffer_count"], each["max_transfer_size_kb"]) for each in untested(TESTED)]
    assert proposed == [(20, 1024), (40, 2048)]


@pytest.mark.complete
def test_each_tested_configuration_of_the_article_is_predicted_within_fifteen_percent(sample_store):
    """Those that lie between others, and whose own runs agree to so much on what they reach."""
    store = sample_store("backup_tuning")
    with agtrace.open_case(agtrace.sample("backup_tuning"), store=store) as case:
        (study,) = case.backup.studies
        from agtrace.diagnostics.backup.between import points

        found = left_out(points(study))
        page = case.backup.say_what_if()
        asked = case.backup.what_if(buffer_count=35)
    told = [(of, each) for of, each in found if isinstance(each, Between)]
    offs = {_short(of): each.mb_per_s / of.mb_per_s - 1 for of, each in told if of.is_settled}
    assert {name: round(100 * off, 1) for name, off in offs.items()} == {
        "1 x 13 x 1024": -10.2, "1 x 25 x 1024": -1.5, "1 x 50 x 1024": 2.0, "2 x 13 x 1024": 5.8,
        "2 x 100 x 4096": 4.4, "4 x 13 x 1024": -1.3,
    }  # fmt: skip
    assert all(each.low < of.mb_per_s < each.high for of, each in told if of.is_settled)
    assert [why for _of, why in found if isinstance(why, str)] == 12 * ["edge"]
    assert "6 of the 19 configurations that were run can be predicted" in page
    assert asked["estimate"].tolist() == pytest.approx([108.1], abs=0.1)


@pytest.mark.complete
def test_runs_in_two_groups_leave_nothing_to_be_held_against(sample_store):
    """12 of the 25 runs with 13 x 2,048 KB reached 43 to 61 MB/s, 12 reached 89 to 107."""
    with agtrace.open_case(agtrace.sample("backup_tuning"), store=sample_store("backup_tuning")) as case:
        (study,) = case.backup.studies
        from agtrace.diagnostics.backup.between import points

        (unsettled,) = [(of, each) for of, each in left_out(points(study)) if not of.is_settled]
    of, each = unsettled
    assert (_short(of), of.mb_per_s) == ("1 x 13 x 2048", pytest.approx(75.0, abs=0.01))
    assert each.mb_per_s == pytest.approx(95.1, abs=0.1)


def _short(of):
    return f"{of.get('stripes')} x {of.get('buffer_count')} x {of.get('max_transfer_size_kb')}"
