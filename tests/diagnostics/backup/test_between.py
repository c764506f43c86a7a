"""What the page of backups says of buffers between tested ones."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.backup.between import EstimatedConfiguration, asked, page, points
from agtrace.replay.backups import Between
from tests.diagnostics.backup.made import study

# Of the runs of a study.

FIVE_WIDE = [80.0, 90.0, 100.0, 102.0, 104.0]


def test_the_doubt_of_a_point_is_half_the_interval_of_its_median_or_half_its_scatter():
    wide, few = points(study({"rates": FIVE_WIDE}, {"buffer_count": 9, "rates": [90.0, 100.0, 110.0]}))
    assert (wide.mb_per_s, wide.n, round(wide.doubt, 3)) == (100.0, 5, 0.12)
    assert (few.mb_per_s, few.n, round(few.doubt, 3)) == (100.0, 3, 0.09)


def test_what_moved_nothing_is_no_point():
    assert [each.mb_per_s for each in points(study({"rates": [0.0]}, {"rates": [0.5]}))] == [0.5]


def of_buffers(*own):
    """Return a study of configurations that differ in their buffers: number, and rates of their runs."""
    return study(*({"buffer_count": count, "rates": list(rates)} for count, rates in own))


STUDY = of_buffers((7, [80.0] * 5), (14, [90.0] * 5), (40, [100.0] * 5))


@pytest.mark.parametrize(
    ("count", "size", "stripes", "name", "tested", "found"),
    [
        (20, None, None, "1 x DISK, 20 x 1,024 KB", None, 94.4),
        (14, None, None, "1 x DISK, 14 x 1,024 KB", 90.0, 91.0),
        (40, None, None, "1 x DISK, 40 x 1,024 KB", 100.0, "edge"),
        (20, 512, None, "1 x DISK, 20 x 512 KB", None, "edge"),
        (20, None, 2, "2 x DISK, 20 x 1,024 KB", None, "edge"),
        (None, None, None, "1 x DISK, 7 x 1,024 KB", 80.0, "edge"),
    ],
)
def test_what_is_asked_for_differs_from_the_default_in_what_is_given(
    count, size, stripes, name, tested, found
):
    told = asked(STUDY, count, size, stripes)
    estimate = told.found if isinstance(told.found, str) else round(told.found.mb_per_s, 1)
    assert (told.name, told.tested, estimate) == (name, tested, found)


def test_without_a_default_nothing_is_asked_for():
    assert asked(of_buffers((14, [90.0])), 20, None, None) is None


ESTIMATE = Between(110.0, 99.0, 121.123456, ("buffer_count",))


@pytest.mark.parametrize(
    ("told", "off"),
    [
        (EstimatedConfiguration("x", ESTIMATE), None),
        (EstimatedConfiguration("x", ESTIMATE, 100.0), 0.1),
        (EstimatedConfiguration("x", "edge", 100.0), None),
        (EstimatedConfiguration("x", "steep"), None),
        (EstimatedConfiguration("x", "scattered"), None),
    ],
)
def test_a_row_has_an_estimate_and_how_far_it_is_off_or_why_there_is_none(told, off):
    assert told.off == (None if off is None else pytest.approx(off))
    assert told.row()[1] == (110 if told.found is ESTIMATE else None)


def test_the_page_tells_the_fastest_first_and_holds_estimates_against_settled_runs_alone():
    page_of = page([STUDY])
    assert [each.name for each in page_of["told"]] == ["1 x DISK, 24 x 1,024 KB", "1 x DISK, 10 x 1,024 KB"]
    assert {name: page_of[name] for name in ("predicted", "run", "unsettled")} == {
        "predicted": 1, "run": 3, "unsettled": 0,
    }  # fmt: skip
    assert round(page_of["worst"], 4) == 0.0115
    loose = page([of_buffers((7, [80.0] * 5), (14, [60.0, 90.0, 120.0]), (40, [100.0] * 5))])
    assert {name: loose[name] for name in ("predicted", "worst", "unsettled")} == {
        "predicted": 0, "worst": None, "unsettled": 1,
    }  # fmt: skip
