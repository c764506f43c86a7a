"""Where the rules of backups change their answer, and what they count: of runs given as literals."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace as Facts
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.backup import best, effects, throughput
from agtrace.diagnostics.backup.effects import Change, Effect
from agtrace.measure.statistics import Interval
from agtrace.thresholds import Thresholds
from tests.diagnostics.backup.made import PLAIN, study
from tests.folded import folded

LIMITS = Thresholds()


# Throughput.


def minutes(found: list[throughput.Stretch]) -> list[tuple[str, int]]:
    return [(each.minutes, each.n) for each in found]


def test_warming_up_is_told_in_stretches_of_minutes():
    starts = [0, 5, 10, 15, 20, 30, 60]
    warm = [60.0 * (start + more) for start in starts for more in (0, 0.9)]
    assert minutes(throughput.by_warm_up(study(warm_s=warm))) == [
        (f"{first} to {last} min", 2) for first, last in pairwise(starts)
    ] + [("60 min or more", 2)]  # fmt: skip


def test_a_run_is_cold_from_so_many_idle_minutes_on():
    found = throughput.cold(study(idle_s=[2699.0] * 9 + [2700.0] * 8 + [np.nan] * 7), 45)
    assert found is not None
    assert (found.first, found.second, found.n) == ("warm", "cold", (9, 8))


def test_working_hours_are_from_eight_to_eighteen_of_the_working_days():
    hours = [7.0, 8.0, 17.0, 18.0, 12.0, 12.0]
    found = throughput.periods(study(hour=hours, weekday=[1.0, 1.0, 5.0, 5.0, 6.0, 7.0]))
    assert {name: mask.tolist() for name, mask in found.items()} == {
        "working hours": [False, True, True, False, False, False],
        "evening and night": [True, False, False, True, False, False],
        "working days": [True, True, True, True, False, False],
        "weekend": [False, False, False, False, True, True],
    }


def level(low: float | None, high: float | None, seen: tuple[float, float] = (1, 2)) -> throughput.Stretch:
    return throughput.Stretch(0, 10, 9, seen, Interval(1, low, high))


FAST, SLOW, FEW = level(0.98, 1.02), level(0.5, 0.9, (70, 80)), level(None, None)


@folded(
    ("stretches", "to_slow", "turns"),
    [
        ([FAST, SLOW], True, (2, 70)), ([FAST, FEW, SLOW], True, (2, 70)), ([SLOW, FAST], False, (80, 1)),
        ([SLOW, FAST], True, None), ([FAST, SLOW, FAST], True, None), ([SLOW], True, None),
        ([FAST], True, None), ([level(0.9, 1.0)], False, None), ([SLOW, level(0.9, 1.0)], False, (80, 1)),
        ([], True, None),
    ],
)  # fmt: skip
def test_runs_turn_slow_where_all_before_are_not_and_all_after_are(stretches, to_slow, turns):
    found = throughput.turn(stretches, to_slow=to_slow)
    assert (found and found.minutes) == turns


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({}, ["product", "processors", "gb", "files", "volumes"]),
        ({"bytes": [100.0, 100.9]}, ["product", "processors", "gb", "files", "volumes"]),
        ({"bytes": [100.0, 101.0]}, ["product", "processors", "files", "volumes"]),
        ({"bytes": [100.0, np.nan]}, ["product", "processors", "files", "volumes"]),
        ({"files": [4.0, 5.0]}, ["product", "processors", "gb", "volumes"]),
        ({"files": [0.0, 0.0]}, ["product", "processors", "gb", "volumes"]),
        ({"volumes": [1.0, np.nan]}, ["product", "processors", "gb", "files"]),
    ],
)
def test_what_all_runs_have_in_common(columns, told):
    found = throughput.shared(study({"rates": [100, 101]}, **columns), LIMITS)
    assert [name for name, _value in found] == told
    assert dict(found)["product"] == "SQL Server 2016 RTM"
    assert throughput.shared(study({"rates": [100]}), LIMITS) == []


def test_options_and_labels_that_are_the_same_in_all_runs_are_told():
    label = {"compression": True, "rates": [100], "cache": "ON"}
    found = throughput.shared(
        study(label | {"checksum": True}, label | {"checksum": False, "buffer_count": 9}), LIMITS
    )
    assert [value for name, value in found if name == "factor"] == ["compression on", "cache ON"]


@pytest.mark.parametrize(("n", "visible"), [(3, True), (2, None)])
def test_a_label_scatters_beside_three_other_configurations_or_more(n, visible):
    steady = [{"rates": [100.0 + 0.1 * k for k in range(9)], "cache": "OFF", "buffer_count": 7 + count}
              for count in range(n)]  # fmt: skip
    wild = {"rates": [60.0 + 10 * k for k in range(9)], "cache": "ON"}
    found = throughput.spreads(study(*steady, wild), LIMITS)
    assert [each.visible for each in found if each.value == "ON"] == [visible] * (visible is not None)


# Which is best.


def configured(median: float, n: int = 5, memory: float | None = None, **factors: Any) -> Facts:
    return Facts(median=median, n=n, memory_mb=memory, factors=PLAIN | factors, sample=median)


def test_one_run_alone_wins_against_no_other():
    once, twice = configured(200, 1), configured(100, 2)
    assert best.best_of(Facts(real=[once, twice])) is twice
    assert best.best_of(Facts(real=[once, configured(100, 1)])) is once
    assert best.best_of(Facts(real=[twice, configured(100, 9)])).n == 9


def test_the_cheapest_near_the_best_has_the_least_memory_within_five_percent():
    fast, near, far, unknown = (
        configured(100, memory=100), configured(95, memory=50), configured(94.9, memory=10), configured(99),
    )  # fmt: skip
    assert best.cheapest_near([fast, near, far, unknown], fast, LIMITS) is near
    assert best.cheapest_near([far], fast, LIMITS) is fast
    faster = configured(96, memory=50)
    assert best.cheapest_near([near, faster], fast, LIMITS) is faster


@pytest.mark.parametrize(
    ("other", "is_told"),
    [
        ({}, True),
        ({"n": 1}, False),
        ({"memory": 100}, False),
        ({"memory": None}, False),
        ({"median": 94}, False),
    ],
)
def test_a_cheaper_configuration_was_run_more_than_once_and_takes_less_memory(other, is_told):
    fast = configured(100, memory=100)
    cheap = configured(**{"median": 96, "memory": 99, "n": 2} | other)
    found = best._cheap(Facts(real=[fast, cheap]), fast, LIMITS)
    assert found is (cheap if is_told else None)
    assert best._cheap(Facts(real=[cheap]), configured(100), LIMITS) is None


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (1.1, 1.3, "ratio of medians, 95 % interval +10 % to +30 %"),
        (None, 1.3, "ratio of medians; too few runs for an interval"),
        (1.1, None, "ratio of medians; too few runs for an interval"),
    ],
)
def test_a_gain_is_told_with_its_interval(low, high, words):
    assert best._interval(Interval(1.2, low, high)) == words


@pytest.mark.parametrize(
    ("rates", "severity", "confidence", "gain"),
    [
        ([130.0 + k / 10 for k in range(9)], "notice", 0.9, 30),
        ([111.0 + k / 10 for k in range(9)], "notice", 0.9, 11),
        ([109.0 + k / 10 for k in range(9)], "info", 0.9, 9),
    ],
)
def test_a_gain_over_the_default_is_worth_a_notice_from_ten_percent_on(rates, severity, confidence, gain):
    made = study({"rates": [100.0 + k / 10 for k in range(9)]}, {"rates": rates, "buffer_count": 50})
    judged = Facts(study=made, sides=[], nulls=[])
    (found,) = best.configurations([judged], LIMITS)
    assert (found.severity, found.confidence) == (severity, confidence)
    assert found.evidence[1].label == "gain over the default"
    assert found.evidence[1].value == pytest.approx(gain, abs=0.5)
    assert found.evidence[2].value == pytest.approx(gain, abs=0.5)


def test_a_default_that_is_the_best_has_no_gain():
    made = study({"rates": [100.0] * 5}, {"rates": [130.0], "buffer_count": 50})
    (found,) = best.configurations([Facts(study=made, sides=[], nulls=[])], LIMITS)
    assert (found.severity, found.confidence) == ("info", 0.6)
    assert "gain over the default" not in {each.label for each in found.evidence}


@pytest.mark.parametrize(
    ("version", "size", "told"),
    [
        ("13.0.1", 2**40, (True, True, 1024.0, 21)),
        ("12.0.1", 50_000 * 2**20, (True, False, 48.828125, 1)),
        ("12.0.1", 50_000 * 2**20 + 1, (True, False, 48.828125, 2)),
        (None, np.nan, (False, False, 0.0, 0)),
    ],
)
def test_a_block_blob_holds_fifty_thousand_blocks(version, size, told):
    made = study({"rates": [100], "media": "URL"}, facts={"version": version}, bytes=[float(size)])
    found = best._url(made)
    assert found is not None
    assert (found["is_known"], found["has_blocks"], round(found["gb"], 6), found["needed"]) == told
    assert (found["blocks"], found["most_mb"], found["gb_at_1"], found["gb_at_most"]) == (
        50_000, 4, 48.828125, 195.3125
    )  # fmt: skip


@pytest.mark.parametrize(("media", "operation"), [("DISK", "backup"), ("URL", "restore")])
def test_limits_of_url_are_those_of_backups_to_it(media, operation):
    made = study({"rates": [100], "media": media}, facts={"operation": operation})
    assert best._url(made) is None


# What a factor does.


def effect(value: float, low: float | None = None, high: float | None = None, **factors: Any) -> Effect:
    made = Effect("stripes", configured(1, **factors), configured(1, **{"stripes": 2} | factors))
    made.__dict__["ratio"] = Interval(value, low, high)
    return made


@pytest.mark.parametrize(
    ("found", "reverses", "size"),
    [
        ([effect(1.2, 1.1, 1.3), effect(0.7, 0.6, 0.8)], True, 0.3),
        ([effect(1.2, 1.1, 1.3), effect(0.7, 0.6, 1.1)], False, 0.3),
        ([effect(1.2, 0.9, 1.3), effect(0.9, 0.8, 0.95)], False, 0.2),
        ([effect(1.5), effect(0.7)], False, 0.5),
    ],
)
def test_a_change_reverses_where_it_helps_here_and_hurts_there_beyond_doubt(found, reverses, size):
    change = Change("stripes", ("1", "2"), found)
    assert change.reverses == reverses
    assert change.size == pytest.approx(size)
    assert change.is_shown == any(each.ratio.away_from(1) for each in found)


@pytest.mark.parametrize(
    ("files", "targets", "told"),
    [
        (4, (1, 2, 3), (4, 2, [("2", "3")])), (5, (1, 3), (5, 2, [("1", "3")])),
        (1, (1, 2), (1, 1, [("1", "2")])), (4, (1, 2), None), (4, (3, 4), None), (None, (1, 2), None),
    ],
)  # fmt: skip
def test_the_rule_of_thumb_allows_one_target_for_each_two_files(files, targets, told):
    own = [{"rates": [100.0] * 5, "stripes": n} for n in targets]
    found = effects.stripe_rule(study(*own, facts={"files": files, "volumes": None}))
    assert (found and (found.files, found.recommended, [each.levels for each in found.beyond])) == told


@pytest.mark.parametrize(
    ("factor", "varying", "words"),
    [
        ("stripes", ("stripes",), ""),
        ("buffer_count", ("stripes", "buffer_count"), "1 target, 1,024 KB"),
        ("max_transfer_size_kb", ("max_transfer_size_kb",), "BUFFERCOUNT 7"),
        ("stripes", ("stripes", "buffer_count"), "7 x 1,024 KB"),
        ("media", ("media", "cache"), "cache ON"),
        ("cache", ("media", "cache"), "DISK"),
        ("stripes", ("media", "cache"), "DISK, cache ON"),
    ],
)
def test_what_was_the_same_on_both_sides_is_told_as_far_as_it_varies(factor, varying, words):
    made = Effect(factor, configured(1, cache="ON"), configured(2, cache="ON"))
    assert made.around(varying) == words


# A study.


def test_labels_that_all_runs_share_are_told_those_of_backups_are_not():
    made = study({"rates": [1], "cache": "ON", "model": "X"}, {"rates": [1], "cache": "OFF", "model": "X"})
    assert made.shared == {"model": "X"}
