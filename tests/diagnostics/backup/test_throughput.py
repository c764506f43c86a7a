"""What is judged of throughput, by studies made by hand."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace as Facts
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from agtrace.diagnostics.backup import sides, studies, throughput, volumes
from agtrace.diagnostics.backup.rows import Alone
from agtrace.diagnostics.backup.studies import flat
from agtrace.diagnostics.backup.throughput import Compared
from agtrace.diagnostics.backup.volumes import READ, WRITE, Side, Volume
from agtrace.measure.statistics import Interval
from agtrace.measure.usage import Window
from tests.diagnostics.asking import record
from tests.diagnostics.backup.made import LIMITS, SERVER, part, seen, side, study, watched_study

STEADY = [100.0 + k / 10 for k in range(9)]
FAST = [130.0 + k / 10 for k in range(9)]


def judged(*own: dict[str, Any], **more: Any) -> Any:
    (made,) = throughput.measured([study(*own, **more)], LIMITS)
    return made


@pytest.mark.parametrize(("n", "few", "sure"), [(4, True, 0.5), (5, False, 0.9)])
def test_few_runs_of_each_configuration_carry_little(n, few, sure):
    made = judged({"rates": STEADY[:n]}, {"rates": FAST[:1], "buffer_count": 50})
    assert (made.facts["few"], made.confidence) == (few, sure)


def test_ten_studies_are_told_and_the_others_counted():
    many = [study({"rates": [1.0]}) for _ in range(13)]
    made = throughput.measured(many, LIMITS)
    assert (len(made), made[0].facts["others"]) == (10, 3)
    assert throughput.measured(many[:4], LIMITS)[0].facts["others"] == 0


def test_thirty_configurations_are_evidence():
    made = judged(*({"rates": [1.0], "buffer_count": n} for n in range(1, 32)))
    assert len(made.evidence) == 30 * 3


def test_runs_beside_others_are_counted():
    assert judged({"rates": STEADY}, beside=[0.0] * 6 + [1.0, 2.0, 0.5]).facts["beside"] == 3


def test_what_runs_have_in_common_is_told_of_fifteen_things():
    labels = {f"label{n}": "x" for n in range(14)}
    facts = judged({"rates": STEADY, **labels}).facts
    assert (len(facts["shared"]), facts["more"]) == (15, 4)
    few = judged({"rates": STEADY}).facts
    assert (len(few["shared"]), few["more"]) == (5, 0)
    assert dict(few["shared"])["gb"] == 1.0


def test_stretches_of_minutes_are_evidence_where_there_are_several():
    idle = [300.0] * 6 + [4000.0] * 6
    rates = [100.0 + k / 10 for k in range(6)] + [50.0 + k / 10 for k in range(6)]
    made = judged({"rates": rates}, idle_s=idle)
    assert [(each.label, each.value) for each in made.evidence][3:] == [
        ("after 0 to 10 min without a backup", pytest.approx(133.22, abs=0.01)),
        ("after 60 to 90 min without a backup", pytest.approx(66.777, abs=0.01)),
    ]
    assert made.evidence[3].source.startswith("ERRORLOG, n = 6, 95 % interval 13")
    assert len(judged({"rates": rates}, idle_s=[300.0] * 12).evidence) == 3
    warm = judged({"rates": rates}, warm_s=[60.0] * 6 + [900.0] * 6)
    assert warm.evidence[3].label == "begun 0 to 5 min after the first run behind a pause"
    assert (made.facts["turns_warm"], made.facts["turns_cold"].minutes) == (None, (5.0, 4000 / 60))
    assert made.facts["cold"].n == (6, 6)
    assert made.facts["cold_minutes"] == 45


SURE, DOUBTED, NONE = Interval(1.5, 1.2, 1.9), Interval(1.5, 0.9, 1.9), Interval(1.5, None, None)


@pytest.mark.parametrize(
    ("level", "spread", "told"),
    [(SURE, None, (True, False)), (DOUBTED, SURE, (False, True)), (NONE, DOUBTED, (False, False))],
)
def test_kinds_of_runs_differ_beyond_doubt(level, spread, told):
    found = Compared("a", "b", (9, 9), level, spread)
    assert (found.differs, found.scatters) == told


# Intervals, windows, names.


@pytest.mark.parametrize(
    ("interval", "said"),
    [
        (Interval(1.0, 0.5, 1.5), "95 % interval 50 to 150"),
        (Interval(1.0, None, 1.5), ""),
        (Interval(1.0, 0.5, None), ""),
    ],
)
def test_an_interval_in_words(interval, said):
    assert studies.between(interval, 100) == said
    assert studies.between(Interval(1.0, 2.0, 3.0)) == "95 % interval 2 to 3"


def test_equal_numbers_that_follow_each_other_are_a_stretch():
    def stretches(*given: int) -> list[tuple[int, int]]:
        return list(studies._stretches(pa.chunked_array([pa.array(given, pa.int64())])))

    assert stretches(1, 1, 2, 3, 3, 3) == [(0, 2), (2, 3), (3, 6)]
    assert stretches(7) == [(0, 1)]
    assert stretches() == []


# Sides.


def test_volumes_are_judged_while_operations_ran_alone(monkeypatch):
    asked: list[list[Window]] = []
    monkeypatch.setattr(
        volumes,
        "parts",
        lambda _view, windows, *_: asked.append(windows) or [part(1, "disk_read", "F:", 1.0)],
    )
    monkeypatch.setattr(volumes, "usage", lambda *_: [])
    day = [datetime(2024, 3, 5, hour) for hour in range(4)]
    row = record(
        Alone, operation_id=1, host_id="A", start=day[0], end=day[1], start_local=day[2], end_local=day[3]
    )
    found = volumes.watch(
        Facts(), [row, row._replace(operation_id=2, end=None), row._replace(operation_id=3, start=None)]
    )  # type: ignore[arg-type]
    assert [(each.number, each.start, each.end, each.host) for each in asked[0]] == [
        (1, day[0], day[1], "A"), (2, day[2], day[3], "A"), (3, day[2], day[3], "A")
    ]  # fmt: skip
    assert list(found) == [1]
    assert volumes.watch(Facts(), []) == {}  # type: ignore[arg-type]
    assert len(asked) == 1


def test_what_moves_a_byte_moves():
    still = Side(READ, (Volume("F:", 10.0, 1.0),))
    assert still.ms == 10.0
    of = watched_study({"rates": [1.0]}, {"rates": [2.0], "buffer_count": 9})
    of.sides += [
        seen(of.study, n, read=Side(READ, (Volume("F:", None, 1.0),)), write=Side(WRITE)) for n in (0, 1)
    ]
    assert [volume.rate for _, _, volume in of.most()] == [1.0]


def test_eight_volumes_are_named():
    of = watched_study({"rates": [1.0]})
    names = [(f"V{n}:", 20.0, 1.0) for n in range(10)]
    of.sides.append(seen(of.study, 0, sides.READER, read=side(READ, *names)))
    (made,) = sides.limited([of])
    assert made.evidence[0].source == "perfmon, V0:, V1:, V2:, V3:, V4:, V5:, V6:, V7: and 2 more, n = 40"


# To the digit: the same runs give the same intervals, each kind of runs its own draws.

SPREAD = [81.3, 88.1, 93.7, 99.2, 100.9, 103.4, 110.6, 124.8, 139.5, 151.7]


def test_stretches_since_a_pause_are_of_minutes_and_draw_each_by_itself():
    of = study({"rates": SPREAD * 2}, warm_s=[299.0] * 10 + [300.0] * 10)
    found = throughput.by_warm_up(of)
    assert [(each.first, each.last, each.n) for each in found] == [(0, 5, 10), (5, 10, 10)]
    assert [(round(each.level.low, 4), round(each.level.high, 4)) for each in found] == [
        (0.9168, 1.2242), (0.9161, 1.2217)
    ]  # fmt: skip


def test_two_kinds_of_runs_draw_each_by_itself():
    of = study({"rates": SPREAD * 2})
    first = np.array([True] * 10 + [False] * 10)
    found = throughput.compared(of, "a", first, "b", ~first)
    assert found is not None
    assert found.level.value == 1
    assert (round(found.level.low, 4), round(found.level.high, 4)) == (0.8069, 1.2561)


def test_a_stretch_is_told_with_its_interval_in_percent():
    made = judged({"rates": SPREAD * 2}, idle_s=[0.0] * 10 + [6000.0] * 10)
    assert made.evidence[3].source == "ERRORLOG, n = 10, 95 % interval 91.7 to 122"


def test_a_name_of_the_product_is_cut_at_sixty_characters():
    made = judged({"rates": [1.0, 2.0]}, facts={"edition": "E" * 70}.items())
    assert made.facts["shared"][0] == ("product", f"SQL Server 2016 RTM {flat('E' * 70, 60)}")
    assert len(made.facts["shared"][0][1]) == len("SQL Server 2016 RTM ") + 60


def test_studies_are_read_from_runs_with_their_factors():
    row = SERVER | dict.fromkeys(studies.Measurements._fields, 1.0) | {
        "study": 0, "configuration": 0, "target": "DISK", "media": "x", "stripes": 2, "compression": True,
        "checksum": None, "factors": '{"cache": "ON", "stripes": 9}', "mb_per_s": 5.0,
    }  # fmt: skip
    others = [{"mb_per_s": 7.0, "duration_s": 9.0}, {"configuration": 1, "target": "NUL"}]
    long = {"study": 1, "configuration": 2, "duration_s": 90.0, "database": "Stock"}
    found = studies.studies(pa.Table.from_pylist([row, *(row | each for each in others), row | long]))
    assert [(each.database, each.n, each.seconds) for each in found] == [("Stock", 1, 90), ("Sales", 3, 11)]
    first, second = found[1].configurations
    assert (first.sample.values.tolist(), list(first.runs), first.number) == ([5.0, 7.0], [0, 1], 0)
    assert (second.factors["media"], list(second.runs), second.number) == ("NUL", [2], 1)
    assert first.factors == {
        "media": "DISK", "stripes": 2, "buffer_count": 7, "max_transfer_size_kb": 1024, "compression": True,
        "checksum": None, "cache": "ON",
    }  # fmt: skip


def test_the_interval_of_a_median_stands_with_every_quantile():
    made = judged({"rates": SPREAD})
    assert {each.source for each in made.evidence} == {
        "ERRORLOG, MB of 2^20 bytes, n = 10, 95 % interval 93.7 to 125"
    }
