"""What the change of one factor does, and what to test next, by studies made by hand."""

from __future__ import annotations

from types import SimpleNamespace as Facts
from typing import Any

import numpy as np

from agtrace.diagnostics.backup import effects as fx
from agtrace.measure.statistics import Interval
from tests.diagnostics.backup.made import study

STEADY = [100.0 + k / 10 for k in range(9)]
FAST = [130.0 + k / 10 for k in range(9)]


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


def test_only_values_that_were_tested_with_the_media_are_proposed(monkeypatch):
    url = {"rates": [90.0], "media": "URL", "stripes": 8}
    assert proposed(monkeypatch, PLAIN, BUFFERS, url) is None


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
