"""What the change of one factor does, and what to test next, by studies made by hand."""

from __future__ import annotations

from types import SimpleNamespace as Facts
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.backup import effects as fx
from agtrace.measure.statistics import Interval
from tests.diagnostics.backup.made import study

STEADY = [100.0 + k / 10 for k in range(9)]
FAST = [130.0 + k / 10 for k in range(9)]


def levels(*own: dict[str, Any], factor: str) -> list[tuple[str, str]]:
    return [each.levels for each in fx.effects(study(*own)) if each.factor == factor]


@pytest.mark.parametrize(
    ("factor", "values", "told"),
    [
        ("stripes", [4, 1, 2], [("1", "2"), ("1", "4")]),  # the default first, then by number
        ("max_transfer_size_kb", [2048, 512, 256], [("256", "512"), ("256", "2,048")]),
        ("cache", ["ON", "OFF", "off"], [("OFF", "ON"), ("OFF", "off")]),
    ],
)
def test_levels_are_told_from_the_default_the_lowest_number_or_the_most_usual(factor, values, told):
    own = [{"rates": STEADY, factor: value} for value in values]
    if factor == "cache":
        own.append({"rates": STEADY, "cache": "OFF", "stripes": 2})
    assert levels(*own, factor=factor) == told


def test_yes_and_no_are_no_numbers():
    own = [{"rates": STEADY, "buffer_count": 50, "checksum": is_on} for is_on in (True, False)]
    own.append({"rates": STEADY, "buffer_count": 50, "checksum": True, "stripes": 2})
    assert levels(*own, factor="checksum") == [("on", "off")]


def test_a_default_is_the_first_level_whatever_its_number():
    own = [{"rates": STEADY, "buffer_count": n} for n in (3, 7, 50)]
    assert levels(*own, factor="buffer_count") == [("7", "3"), ("7", "50")]


def test_what_was_the_same_around_a_change():
    of = study(
        {"rates": STEADY, "media": "A" * 25, "cache": "ON"}, {"rates": FAST, "media": "A" * 25,
        "cache": "ON", "stripes": 2},
        {"rates": STEADY, "media": "URL", "cache": "OFF", "buffer_count": 9},
    )  # fmt: skip
    (effect,) = [each for each in fx.effects(of) if each.factor == "stripes"]
    assert effect.around(of.varying) == f"7 x 1,024 KB, {'A' * 19}…, cache ON"


def change(*effects: tuple[list[float], list[float]]) -> fx.Change:
    """The change of a factor in some surroundings: runs before and after."""
    of = study(*({"rates": rates} for each in effects for rates in each))
    pairs = zip(of.configurations[::2], of.configurations[1::2], strict=True)
    made = [fx.Effect("stripes", first, second) for first, second in pairs]
    return fx.Change("stripes", ("1", "2"), made)


def test_how_many_times_as_much_a_change_does_where_it_does_most():
    twice = change((STEADY, [2 * x for x in STEADY]), (STEADY, [4 * x for x in STEADY]))
    found = twice.interaction
    assert found is not None
    assert round(found.value, 6) == 0.5
    assert found.low is not None
    assert 0.49 < found.low < 0.5
    assert change((STEADY, FAST)).interaction is None
    assert change(([1.0], [2.0]), ([1.0], [4.0])).interaction is None


def beyond(value: float, low: float | None, high: float | None) -> fx.Effect:
    made = fx.Effect("stripes", Facts(), Facts())  # type: ignore[arg-type]
    made.__dict__["ratio"] = Interval(value, low, high)
    return made


def test_more_targets_gain_where_they_are_faster_beyond_doubt():
    sure, most = beyond(1.5, 1.2, 1.8), beyond(1.9, 1.7, 2.2)
    rule = fx.Stripes(
        4, 2, (sure, beyond(1.5, 0.9, 2.1), beyond(0.5, 0.4, 0.6), most, beyond(1.5, None, None))
    )
    assert (rule.gains, rule.most) == ([sure, most], most)
    assert fx.Stripes(4, 2, ()).most is None


# What to test next.

PLAIN = {"rates": [100.0]}
BUFFERS, SIZE = {"rates": [200.0], "buffer_count": 50}, {"rates": [150.0], "max_transfer_size_kb": 2048}
CHECKED = {"rates": [150.0], "checksum": True}


def proposed(
    monkeypatch: Any, *own: dict[str, Any], coefficients: list[float] | None = None
) -> fx.Proposal | None:
    of = study(*own)
    if coefficients is not None:
        monkeypatch.setattr(
            fx, "least_squares", lambda *_: Facts(coefficients=np.array([0.0, *coefficients]))
        )
    return fx.next_test(of, of.configurations[1])


def test_the_neighbour_that_promises_most_is_the_product_of_what_factors_do(monkeypatch):
    found = proposed(
        monkeypatch, PLAIN, BUFFERS, {"rates": [150.0], "stripes": 2}, {"rates": [110.0], "checksum": True}
    )
    assert found is not None
    assert (found.factor, found.factors["stripes"], found.factors["buffer_count"]) == ("stripes", 2, 50)
    assert (round(found.expected, 6), found.memory_mb) == (300.0, 50)
    assert (found.name, found.changed) == ("2 x DISK, 50 x 1,024 KB", "number of targets 2")


def test_of_two_that_promise_as_much_the_one_with_less_memory(monkeypatch):
    """Of the untested, a larger size takes 100 MB and a checksum 50; order of factors: buffers, size, "
    "checksum."""
    own = PLAIN, BUFFERS, SIZE, CHECKED
    names = study(*own).varying
    for size, chosen in (
        (0.0, "checksum"),
        (0.0001 / 200, "checksum"),
        (0.004 / 200, "max_transfer_size_kb"),
    ):
        of = {"buffer_count": 0.0, "max_transfer_size_kb": size, "checksum": 0.0}
        found = proposed(monkeypatch, *own, coefficients=[of[name] for name in names])
        assert found is not None
        assert found.factor == chosen


def test_buffers_of_unknown_memory_take_none(monkeypatch):
    own = [each | {"max_transfer_size_kb": None} for each in (PLAIN, BUFFERS)] + [
        {"rates": [150.0], "max_transfer_size_kb": None, "checksum": True},
        {"rates": [150.0], "max_transfer_size_kb": None, "stripes": 2},
    ]
    found = proposed(monkeypatch, *own, coefficients=[0.0] * len(study(*own).varying))
    assert found is not None
    assert found.memory_mb is None


def test_nothing_is_proposed_of_fewer_than_three_or_where_all_was_tested(monkeypatch):
    assert proposed(monkeypatch, PLAIN, BUFFERS) is None
    four = PLAIN, BUFFERS, {"rates": [1.0], "stripes": 2}, {"rates": [1.0], "stripes": 2, "buffer_count": 50}
    assert proposed(monkeypatch, *four) is None
    assert proposed(monkeypatch, PLAIN, PLAIN, PLAIN) is None


def test_only_values_that_were_tested_with_the_media_are_proposed(monkeypatch):
    url = {"rates": [90.0], "media": "URL", "stripes": 8}
    assert proposed(monkeypatch, PLAIN, BUFFERS, url) is None


def test_a_factor_whose_effect_depends_on_the_rest_is_not_proposed(monkeypatch):
    own = [
        {"rates": STEADY, "cache": "OFF"}, {"rates": [400.0] * 9, "cache": "OFF", "buffer_count": 50},
        {"rates": FAST, "cache": "ON"}, {"rates": FAST, "cache": "OFF", "stripes": 4},
        {"rates": STEADY, "cache": "ON", "stripes": 4},
    ]  # fmt: skip
    found = proposed(monkeypatch, *own)
    assert found is None


def test_numbers_come_before_texts_and_of_texts_the_most_usual():
    own = [{"rates": STEADY, "tier": tier} for tier in ("hot", 9, 5)]
    assert levels(*own, factor="tier") == [("5", "9"), ("5", "hot")]
    texts = [{"rates": STEADY, "tier": tier} for tier in ("cold", "hot")]
    texts.append({"rates": STEADY, "tier": "hot", "stripes": 2})
    assert levels(*texts, factor="tier") == [("hot", "cold")]


def test_a_change_is_shown_where_it_is_beyond_doubt():
    def is_shown(rates: list[float]) -> bool:
        (change,) = fx.changes(fx.effects(study({"rates": STEADY}, {"rates": rates, "stripes": 2})))
        return change.is_shown

    assert is_shown(FAST)
    assert not is_shown([each + 0.01 for each in STEADY])


def test_three_configurations_let_a_fourth_be_expected_and_two_do_not():
    corner = {"rates": STEADY}, {"rates": FAST, "buffer_count": 50}, {"rates": FAST, "stripes": 2}
    found = fx.next_test(study(*corner), study(*corner).configurations[1])
    assert found is not None
    assert (found.name, found.memory_mb) == ("2 x DISK, 50 x 1,024 KB", 50)
    apart = study(corner[0], {"rates": FAST, "buffer_count": 50, "stripes": 2})
    assert fx.next_test(apart, apart.configurations[1]) is None
