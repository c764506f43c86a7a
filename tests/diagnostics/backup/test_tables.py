"""What the tables of backups hold, of studies made by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.backup import tables
from agtrace.diagnostics.backup.sides import READER, UNDECIDED, NullTest
from agtrace.diagnostics.backup.volumes import READ, WRITE, Side
from tests.diagnostics.backup.made import SERVER, seen, side, study, watched_study

STEADY = [100.0 + k / 10 for k in range(9)]
FAST = [130.0 + k / 10 for k in range(9)]


def rows(frame: Any, *names: str) -> list[tuple[Any, ...]]:
    held = frame.astype(object).where(frame.notna(), None)
    return [tuple(row[name] for name in names) for row in held.to_dict("records")]


# Buffers.


def configured(**more: Any) -> dict[str, Any]:
    given = {
        "configuration": 1, "targets": 1, "transfer_kb": 1024, "factors": json.dumps({}), "n": 3,
        "block_mb": 7,
        "memory_limit_mb": 895, "measured": 2, "p5": 1.0, "p50": 2.0, "p95": 3.0, "readers": 1,
    }  # fmt: skip
    return SERVER | given | more


def test_buffers_are_checked_against_the_defaults_and_told_with_what_differs():
    plain = configured(factors=json.dumps({"cache": "ON", "model": "X"}))
    other = configured(configuration=2, buffer_count=50, factors=json.dumps({"cache": "OFF", "model": "X"}))
    bare = configured(configuration=3)
    found = tables.buffers([plain, other, bare])
    names = ("configuration", "other", "memory_mb", "buffer_count_is", "transfer_is")
    assert rows(found, *names) == [
        (1, "cache ON, model X", 7, "default", "default"),
        (2, "cache OFF, model X", 50, "not the default", "default"),
        (3, "", 7, "default", "default"),
    ]
    alike = tables.buffers([plain, configured(factors=json.dumps({"cache": "OFF", "model": "X"}))])
    assert rows(alike, "other") == [("cache ON",), ("cache OFF",)]
    assert list(found.columns) == tables.COLUMNS["buffers"].split()
    assert len(tables.buffers([])) == 0


# Sides.


def test_each_configuration_is_a_row_with_what_was_seen_of_it():
    of = watched_study({"rates": [100.0]}, {"rates": [200.0], "buffer_count": 9}, verdicts=(READER,))
    of.sides[0] = seen(
        of.study, 0, READER, "backup read", card_busy=12.0, network_rate=1e8,
        read=side(READ, ("F:", 20.0, 60.0), ("G:", 20.0, 40.0)), write=Side(WRITE),
    )  # fmt: skip
    found = tables.sides([of])
    names = ("host", "database", "operation", "configuration", "n", "p50", "caps", "of_nul")
    assert rows(found, *names) == [
        ("A", "Sales", "full backup", "1 x DISK, 9 x 1,024 KB", 1, 200.0, "not captured", None),
        ("A", "Sales", "full backup", "1 x DISK, 7 x 1,024 KB", 1, 100.0, "reading", None),
    ]
    shown = (
        "runs_seen", "samples", "seen_mb_per_s", "read_volumes", "read_ms", "read_mb_per_s",
        "read_mb_per_s_of_one",
        "written_volumes", "write_ms", "written_mb_per_s", "cpu", "network_mbit_per_s", "card_busy",
    )  # fmt: skip
    assert rows(found, *shown)[1] == (
        2, 40, 100.0, "F: G:", 20.0, 100.0, 60.0, "", None, None, 20.0, 800.0, 12.0,
    )  # fmt: skip
    assert rows(found, *shown)[0] == (None,) * 13
    why = rows(found, "why")
    assert why[0] == (None,)


def test_a_backup_to_nul_says_why_and_how_near_it_was():
    of = watched_study({"rates": [100.0]}, {"rates": [200.0], "buffer_count": 9}, verdicts=(UNDECIDED,))
    own = of.study.configurations
    of.nulls.append(NullTest(own[0], own[1], 0.95, READER))
    (_other, mine) = rows(tables.sides([of]), "caps", "of_nul", "why")
    assert mine[:2] == ("reading", 95.0)


# Throughput.


def test_configurations_are_told_with_the_interval_of_their_median():
    of = study({"rates": STEADY, "cache": "OFF"}, {"rates": [130.0], "buffer_count": 50, "cache": "ON"})
    found = tables.configurations([of])
    names = ("media", "targets", "buffer_count", "transfer_kb", "memory_mb", "other", "n", "p50", "p50_low")
    assert rows(found, *names) == [
        ("DISK", 1, 50, 1024, 50.0, "cache ON", 1, 130.0, None),
        ("DISK", 1, 7, 1024, 7.0, "cache OFF", 9, pytest.approx(100.4), pytest.approx(100.0, abs=0.3)),
    ]
    assert rows(found, "p5", "p95", "buffer_count_is", "transfer_is", "host") == [
        (130.0, 130.0, "not the default", "default", "A"),
        (pytest.approx(100.04), pytest.approx(100.76), "default", "default", "A"),
    ]


def test_idle_time_and_warming_up_are_rows_in_percent():
    rates = [100.0 + k / 100 for k in range(20)] + [50.0 + k / 100 for k in range(20)]
    of = study({"rates": rates}, idle_s=[300.0] * 20 + [4000.0] * 20, warm_s=[np.nan] * 20 + [60.0] * 20)
    found = rows(
        tables.idle([of]), "database", "operation", "minutes", "from", "to", "shortest", "n", "relative_p50"
    )
    middle = pytest.approx(133.4, abs=0.2), pytest.approx(66.7, abs=0.2)
    assert [(*row[:3], row[3], row[4], round(row[5], 1), row[6]) for row in found] == [
        ("Sales", "full backup", "without a backup before it", 0, 10, 5.0, 20),
        ("Sales", "full backup", "without a backup before it", 60, 90, 66.7, 20),
        ("Sales", "full backup", "since the first run behind a pause", 0, 5, 1.0, 20),
    ]
    assert [row[7] for row in found] == [middle[0], middle[1], middle[1]]
    low, high = rows(tables.idle([of]), "relative_low", "relative_high")[0]
    assert 130 < low < high < 137
    few = study({"rates": [100.0] * 5 + [90.0]}, idle_s=[0.0] * 5 + [4000.0])
    assert rows(tables.idle([few]), "n", "relative_low")[-1] == (1, None)


def test_the_effect_of_a_factor_is_a_row_in_percent():
    of = study(
        {"rates": STEADY}, {"rates": FAST, "max_transfer_size_kb": 2048}, {"rates": [50.0], "stripes": 2}
    )  # fmt: skip
    found = tables.effects([of])
    names = ("database", "operation", "factor", "from", "to", "n_from", "n_to", "depends_on_the_rest")
    assert sorted(rows(found, *names)) == [
        ("Sales", "full backup", "MAXTRANSFERSIZE", "1,024 KB", "2,048 KB", 9, 9, False),
        ("Sales", "full backup", "number of targets", "1", "2", 9, 1, False),
    ]
    change = {row[0]: row[1:] for row in rows(found, "factor", "change", "low", "high")}
    assert change["MAXTRANSFERSIZE"][0] == pytest.approx(29.88, abs=0.01)
    assert 28 < change["MAXTRANSFERSIZE"][1] < change["MAXTRANSFERSIZE"][2] < 32
    assert change["number of targets"] == (pytest.approx(-50.2, abs=0.01), None, None)


def test_the_interval_of_a_configuration_is_that_of_its_median():
    of = study({"rates": [float(n) for n in range(100, 200, 10)]})
    ((low, high, p5, p50),) = rows(tables.configurations([of]), "p50_low", "p50_high", "p5", "p50")
    assert (p5, p50) == (104.5, 145)
    middle = of.configurations[0].sample.interval(0.5)
    assert (low, high) == (middle.low, middle.high)
    assert 110 < low < 145 < high < 185
