"""Where the rules of backups change their answer, and what they count: of runs given as literals."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace as Facts
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.backup import best, effects, throughput
from agtrace.diagnostics.backup.effects import Change, Effect
from agtrace.diagnostics.backup.studies import Sure
from agtrace.history.backups import formula
from agtrace.measure.statistics import Interval
from agtrace.thresholds import Thresholds
from tests.diagnostics.backup.made import PLAIN, SERVER, study
from tests.folded import folded

LIMITS = Thresholds()


# The defaults.


@folded(
    ("size", "media", "operation", "found"),
    [
        (1024, "DISK", "backup", ("default", "1,024 KB")),
        (64, "TAPE", "backup", ("default", "64 KB")),
        (65, "DISK", "backup", ("not the default", "the default is 1,024 KB")),
        (64, "DISK", "backup",
         ("not the default", "the default is 1,024 KB; databases under TDE have smaller ones")),
        (128, "URL", "backup",
         ("not the default", "the default is 1,024 KB; databases under TDE have smaller ones")),
        (128, "TAPE", "backup", ("not the default", "the default is 64 KB")),
        (64, None, "restore", ("default", "64 KB")),
        (64, None, "backup", ("unknown", "the media is not known")),
    ],
)  # fmt: skip
def test_a_transfer_size_is_told_beside_the_default_of_its_media(size, media, operation, found):
    checked = formula.transfer_size(size, media=media, operation=operation)
    assert (checked.status, checked.reason) == found


@pytest.mark.parametrize(
    ("version", "depths"),
    [("9.0.1", (3,)), ("10.50.1", (3, 4)), ("11.0.1", (4,)), (None, (3, 4)), ("odd", (3, 4)), ("", (3, 4))],
)
def test_the_depth_of_a_version(version, depths):
    assert formula.depths(version) == depths


def test_memory_is_the_product_unless_the_block_says_another_total():
    assert formula.memory_mb(SERVER) == 7
    assert formula.memory_mb(SERVER | {"total_matches": False, "total_mb": 9}) == 9
    assert formula.memory_mb(SERVER | {"max_transfer_size_kb": None}) is None
    assert formula.memory_mb(SERVER | {"buffer_count": None}) is None


@pytest.mark.parametrize(
    ("row", "statuses"),
    [
        ({}, ("default", "default")),
        ({"buffer_count": 50, "max_transfer_size_kb": 4096}, ("not the default", "not the default")),
        ({"buffer_count": 50, "max_transfer_size_kb": 4096, "has_options": True}, ("explicit", "explicit")),
        ({"buffer_count": 50, "command": "with buffercount = 50"}, ("explicit", "default")),
        ({"buffer_count": 50, "command": "with maxtransfersize = 1"}, ("not the default", "default")),
        ({"device_names": "nul"}, ("unknown", "not the default")),
    ],
)
def test_both_values_are_checked_against_the_statement(row, statuses):
    assert tuple(each.status for each in formula.check(SERVER | row)) == statuses


# Throughput.


def minutes(found: list[throughput.Stretch]) -> list[tuple[str, int]]:
    return [(each.minutes, each.n) for each in found]


def test_idle_time_is_told_in_stretches_of_minutes():
    starts = [0, 10, 30, 45, 60, 90, 120, 240, 480]
    idle = [60.0 * (start + more) for start in starts for more in (0, 0.9)]
    assert minutes(throughput.by_idle(study(idle_s=idle))) == [
        (f"{first} to {last} min", 2) for first, last in pairwise(starts)
    ] + [("480 min or more", 2)]  # fmt: skip
    last = throughput.by_idle(study(idle_s=[60.0 * (start - 0.1) for start in starts] * 2))
    assert minutes(last)[-1] == ("240 to 480 min", 2)


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


@pytest.mark.parametrize("n", [(4, 5), (5, 4)])
def test_two_kinds_of_runs_are_compared_where_there_are_five_of_each(n):
    idle = [0.0] * n[0] + [9000.0] * n[1]
    assert throughput.cold(study(idle_s=idle), 45) is None
    assert throughput.cold(study(idle_s=[*idle, 0.0, 9000.0]), 45) is not None


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
    assert [each["visible"] for each in found if each["value"] == "ON"] == [visible] * (visible is not None)


# Which is best.


def configured(median: float, n: int = 5, memory: float | None = None, **factors: Any) -> Facts:
    return Facts(median=median, n=n, memory_mb=memory, factors=PLAIN | factors, sample=median)


def test_five_studies_with_several_configurations_are_compared():
    judged = [Facts(study=Facts(real=[1] * (1 + n % 2), number=n)) for n in range(14)]
    assert [each.study.number for each in best.compared(judged)] == [1, 3, 5, 7, 9]


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


def test_how_sure_a_finding_on_backups_is_by_what_it_rests_on():
    assert {each.name: each.value for each in Sure} == {
        "LOGGED": 0.95, "COUNTED": 0.9, "WRITES_NOTHING": 0.85, "WAITED_FOR": 0.75, "INFERRED": 0.6,
        "SINGLE": 0.5,
    }  # fmt: skip


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


def test_volumes_stand_for_files_that_are_not_known():
    own = [{"rates": [100.0] * 5, "stripes": n} for n in (2, 4)]
    found = effects.stripe_rule(study(*own, facts={"files": None, "volumes": 4}))
    assert found is not None
    assert found.files == 4


def test_more_targets_than_the_rule_allows_gain_only_beyond_doubt():
    found = effects.Stripes(4, 2, (effect(1.2, 1.1, 1.3), effect(1.9, 0.9, 3.0), effect(1.4, 1.2, 1.5),
                                   effect(0.7, 0.6, 0.8)))  # fmt: skip
    assert [each.ratio.value for each in found.gains] == [1.2, 1.4]
    assert found.most is not None
    assert found.most.ratio.value == 1.4
    assert effects.Stripes(4, 2, (effect(0.7, 0.6, 0.8),)).most is None


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


def test_eighty_configurations_are_compared_those_with_the_most_runs():
    own = [{"rates": [100.0] * (1 + (n > 0)), "buffer_count": n} for n in range(82)]
    assert len(effects.effects(study(*own))) == 79


# A study.


@pytest.mark.parametrize(
    ("instance", "subject"), [("MSSQLSERVER", {}), ("INST", {"instance": "INST"}), (None, {})]
)
def test_a_study_is_about_a_database_of_a_server(instance, subject):
    made = study({"rates": [100]}, facts={"sql_instance": instance})
    assert made.subject == {"host": "A", "database": "Sales", "operation": "full backup"} | subject


def test_the_default_configuration_has_the_fewest_targets_and_usual_labels():
    own = [
        {"rates": [100], "stripes": 2, "buffer_count": 12}, {"rates": [100], "cache": "ON"},
        {"rates": [100], "cache": "OFF", "max_transfer_size_kb": 2048},
        {"rates": [100], "cache": "OFF"}, {"rates": [100], "cache": "OFF", "checksum": True},
    ]  # fmt: skip
    made = study(*own)
    assert made.usual("cache") == "OFF"
    assert made.default is made.configurations[3]
    assert made.real[2].is_default is False


def test_labels_that_all_runs_share_are_told_those_of_backups_are_not():
    made = study({"rates": [1], "cache": "ON", "model": "X"}, {"rates": [1], "cache": "OFF", "model": "X"})
    assert made.shared == {"model": "X"}
