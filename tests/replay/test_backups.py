"""Buffers between tested ones: a line between neighbours, never beyond them."""

from __future__ import annotations

import pytest

import agtrace
from agtrace.replay.backups import Between, Point, between, left_out, untested


def point(count, size, rate, spread=0.1, n=9):
    factors = (("buffer_count", count), ("max_transfer_size_kb", size), ("stripes", 1))
    return Point(factors, rate, spread, n)


TESTED = [point(10, 1024, 80), point(40, 1024, 100), point(40, 4096, 120)]


def asked(count, size, tested=TESTED):
    return between({"buffer_count": count, "max_transfer_size_kb": size, "stripes": 1}, tested)


def test_half_way_between_two_is_their_middle():
    found = asked(20, 1024)
    assert isinstance(found, Between)
    assert found.mb_per_s == pytest.approx((80 * 100) ** 0.5)
    assert found.low < found.mb_per_s < found.high


@pytest.mark.parametrize(("count", "size"), [(5, 1024), (80, 1024), (20, 4096), (20, 2048)])
def test_beyond_tested_points_there_is_no_estimate(count, size):
    assert asked(count, size) == "edge"


def test_neighbours_that_are_far_apart_or_scatter_carry_no_line():
    assert asked(20, 1024, [point(10, 1024, 20), point(40, 1024, 100)]) == "steep"
    assert asked(20, 1024, [point(10, 1024, 80, spread=0.8), point(40, 1024, 100)]) == "scattered"


def test_what_is_proposed_is_what_a_statement_can_ask_for():
    proposed = [(each["buffer_count"], each["max_transfer_size_kb"]) for each in untested(TESTED)]
    assert proposed == [(20, 1024), (40, 2048)]


def test_each_tested_configuration_of_the_article_is_predicted_within_fifteen_percent(sample_store):
    """Those that lie between others, close enough; the others are refused, each with its reason."""
    store = sample_store("backup_tuning")
    with agtrace.open_case(agtrace.sample("backup_tuning"), store=store) as case:
        (study,) = case.backup.studies
        from agtrace.diagnostics.backup.between import points

        found = left_out(points(study))
        page = case.backup.say_what_if()
        asked = case.backup.what_if(buffer_count=35)
    offs = [each.mb_per_s / of.mb_per_s - 1 for of, each in found if isinstance(each, Between)]
    assert (len(found), len(offs)) == (19, 4)
    assert max(map(abs, offs)) < 0.15
    assert [each for _of, each in found if isinstance(each, str)].count("edge") == 12
    assert all(each.low < of.mb_per_s < each.high for of, each in found if isinstance(each, Between))
    assert "4 of the 19 configurations that were run can be predicted" in page
    assert asked["estimate"].tolist() == pytest.approx([107.6], abs=0.1)
