"""How what was computed becomes a table or a figure: rules of their own, on groups that are written down."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from agtrace.diagnostics.percentiles import figures, tables
from agtrace.errors import CaseError
from agtrace.history.distributions.choice import Question
from agtrace.history.distributions.quantiles import PROBABILITIES, Distribution, Group
from agtrace.moments import Window
from tests.folded import folded

NOON = datetime(2024, 3, 5, 12)
UTC = Window.of(None, None, "UTC")


def group(name="Object\\Counter", keys=("A",), p95=95.0, unit="B/s", **more):
    quantiles = tuple({0.95: p95, 0.99: p95}.get(each, 100 * each) for each in PROBABILITIES)
    given = {"n": 3, "mean": 50.0, "low": 1.0, "high": 99.0, "curve": (1.0, 2.0), "number": 1, **more}
    return Group(name=name, keys=keys, unit=unit, quantiles=quantiles, **given)


def found(*groups, by=("host",), q=(), **more):
    return Distribution(Question(by=by, q=q), list(groups), **more)


@pytest.mark.parametrize(
    ("asked", "given"), [(0.5, (0.5,)), ([0, 1], (0.0, 1.0)), ((0.25, 0.999), (0.25, 0.999))]
)
def test_quantiles_are_shares_from_none_to_all(asked, given):
    assert tables.quantiles(asked) == given


@folded("asked", [-0.01, 1.01, True, False, "0.5", None, [0.5, 2], [0.5, "x"]])
def test_what_is_no_share_is_no_quantile(asked):
    with pytest.raises(CaseError, match="is no quantile"):
        tables.quantiles(asked)


def hours(length, *named):
    """Return the hours of a table, for groups that start an hour apart and share a duration."""
    groups = [
        group(keys=(hour,), span=(NOON + timedelta(hours=n), NOON + timedelta(hours=n)))
        for n, hour in enumerate(named)
    ]
    last = group(keys=("24",), span=(NOON + length, NOON + length))
    return list(tables.asked(found(*groups[::-1], last, by=("hour",)), UTC)["hour"])[:-1]


def test_hours_of_one_night_follow_each_other_over_midnight():
    assert hours(timedelta(hours=23, minutes=59), "23", "00") == [23, 0]


def test_hours_of_more_than_a_day_stand_in_the_order_of_the_clock():
    assert hours(timedelta(days=1), "23", "00") == [0, 23]


def test_columns_are_named_by_what_was_asked():
    table = tables.asked(found(group(asked=(1.0, 2.0)), q=(0.5, 0.999)), UTC)
    assert list(table.columns) == [
        "counter", "host_id", "unit", "n", "idle", "mean", "lowest", "p50", "p99.9", "highest",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tz", "is_local", "called"), [("UTC", False, "UTC"), ("UTC", True, "local"), ("local", False, "local")]
)
def test_a_table_says_whose_clocks_its_hours_are_of(tz, is_local, called):
    table = tables.asked(found(group(), local=is_local), Window.of(None, None, tz))
    assert (called in table.attrs["tz"]) is True


def test_a_counter_has_the_first_unit_that_a_series_of_it_bears(monkeypatch):
    row = {"object": "O", "counter": "c", "host": "A", "counter_id": 1, "unit": ""}
    monkeypatch.setattr(tables, "read_series", lambda _view: [row, row | {"unit": "ms"}, row | {"unit": "s"}])
    assert tables.counters(None)["unit"].tolist() == ["ms"]


@pytest.mark.parametrize(
    ("counters", "told"), [(1, [5.0, 50.0, 95.0, 95.0]), (2, [50.0, 95.0] * 2), (3, [50.0, 95.0] * 2)]
)
def test_of_one_counter_four_numbers_stand_first_and_of_two_two_each(counters, told):
    groups = [group(name=f"Object\\{n}") for n in range(counters)]
    assert [each.value for each in tables.key_figures(found(*groups))[1:]] == told


@pytest.mark.parametrize(
    ("unit", "p95", "scaled"), [("B/s", 5e6, (1e6, "MB/s")), ("ms", 5e6, (1.0, "ms")), ("B", 0.0, (1.0, "B"))]
)
def test_bytes_are_drawn_in_the_multiple_that_suits_the_largest(unit, p95, scaled):
    assert figures._scaled([group(unit=unit, p95=p95)]) == scaled


def test_units_stand_apart_with_one_legend():
    drawn = figures.percentiles(found(group(), group(name="O\\t", unit="ms")))
    shown = [(line.name, line.yaxis) for line in drawn.data if line.showlegend]
    assert shown == [("p5 to p95", "y"), ("p25 to p75", "y"), ("p50", "y")]


def test_a_distribution_draws_the_groups_of_the_leading_unit():
    first, other = group(), group(name="O\\t", unit="ms")
    drawn = figures.distribution(found(first, other, heat_of=first))
    assert [line.name for line in drawn.data] == ["Object\\Counter, A"]


@pytest.mark.parametrize("more", [{"heat_of": group()}, {}])
def test_without_cells_there_is_no_map_of_hours(more):
    assert figures.heat(found(group(), **more)).data == ()
