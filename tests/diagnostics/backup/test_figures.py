"""What the figures of backups draw, by studies made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.backup import figures
from agtrace.diagnostics.backup.sides import READER, UNDECIDED, WRITER
from agtrace.diagnostics.backup.volumes import READ, WRITE, Side
from agtrace.say.colours import COLOURS, DATABASES, FAINT, INK
from tests.diagnostics.backup.made import LIMITS, seen, side, study, watched_study
from tests.folded import folded

STEADY = [100.0 + k / 10 for k in range(9)]
FAST = [130.0 + k / 10 for k in range(9)]


def points(trace: Any) -> list[tuple[float, Any]]:
    return [(round(float(x), 3), y) for x, y in zip(trace.x, trace.y, strict=True)]


# Throughput.


def test_a_study_of_backups_to_nul_alone_has_its_fastest():
    of = study({"rates": [90.0], "media": "NUL"}, {"rates": [95.0], "media": "NUL", "buffer_count": 9})
    assert figures.throughput(of).layout.title.text == "1 x NUL, 9 x 1,024 KB is the fastest with 95 MB/s"


@folded(
    ("made", "title"),
    [
        (lambda: figures.throughput(None), "No backup was measured"),
        (lambda: figures.effect(None), "No two configurations differ in one factor only"),
        (lambda: figures.effect(study({"rates": [1.0]})), "No two configurations differ in one factor only"),
        (lambda: figures.memory(None, LIMITS), "No buffer configuration was logged (trace flag 3213)"),
        (lambda: figures.memory(study({"rates": [1.0], "buffer_count": None}), LIMITS),
         "No buffer configuration was logged (trace flag 3213)"),
        (lambda: figures.hours(None), "No backup was measured"),
        (lambda: figures.idle(None, 45), "No idle time before a backup is known"),
        (lambda: figures.idle(study({"rates": [1.0]}), 45), "No idle time before a backup is known"),
        (lambda: figures.warm_up(None), "No pause after which disks could be cold is known"),
        (lambda: figures.warm_up(study({"rates": [1.0]})),
         "No pause after which disks could be cold is known"),
        (lambda: figures.sides(None, LIMITS),
         "No backup was seen by perfmon: which side caps it is not known"),
        (lambda: figures.sides(watched_study({"rates": [1.0]}), LIMITS),
         "No backup was seen by perfmon: which side caps it is not known"),
    ],
)  # fmt: skip
def test_figures_of_nothing_say_so(made, title):
    fig = made()
    assert fig.layout.title.text == title
    assert (len(fig.data), fig.layout.height) == (0, 260)


# What a factor does.


def test_each_change_of_a_factor_has_a_row():
    of = study({"rates": STEADY}, {"rates": FAST, "buffer_count": 50}, {"rates": [103.0], "stripes": 2})
    fig = figures.effect(of)
    (trace,) = fig.data
    assert trace.name.startswith("on its own: +2.59 to +29.9 %")
    assert [(round(x, 1), y) for x, y in points(trace)] == [(29.9, 0), (2.6, 1)]
    assert trace.marker.color == DATABASES[0]
    assert [float(each) > 0 for each in trace.error_x.array] == [True, False]
    assert fig.layout.title.text == "What each factor does to throughput, all else equal"
    assert fig.layout.height == 150 + 26 * 2
    assert fig.layout.xaxis.title.text == "change of the median (%)"
    assert (fig.layout.xaxis.zeroline, fig.layout.xaxis.zerolinecolor) == (True, FAINT)


# Memory.


def test_a_cheaper_configuration_that_comes_near_is_the_title():
    of = study({"rates": [96.0]}, {"rates": [100.0], "buffer_count": 70})
    assert figures.memory(of, LIMITS).layout.title.text == "7 MB of buffers reach 96 MB/s, 70 MB 100 MB/s"


def test_targets_that_are_not_known_are_marked():
    of = study({"rates": [96.0], "stripes": None})
    assert figures.memory(of, LIMITS).data[0].name == "? x DISK"


# Hours, idle time, warming up.


def test_throughput_by_hour_of_working_days_and_weekends():
    rates = [100.0] * 5 + [100.0, 110.0, 90.0, 100.0, 100.0]
    of = study({"rates": rates}, hour=[9.0] * 5 + [20.0] * 5, weekday=[1.0] * 5 + [6.0] * 5)
    fig = figures.hours(of)
    assert [(each.name, points(each), each.line.color) for each in fig.data] == [
        ("working days", [(9.0, 100.0)], COLOURS[2]), ("weekend", [(20.0, 100.0)], COLOURS[3])
    ]  # fmt: skip
    assert [round(float(each.error_y.array[0]), 1) for each in fig.data] == [0.0, 8.0]
    assert [each.error_y.thickness for each in fig.data] == [1, 1]
    assert fig.layout.height == 420
    assert list(fig.layout.xaxis.range) == [-0.5, 23.5]


def test_a_weekend_that_scatters_is_the_title():
    steady = [100.0 + k / 100 for k in range(-20, 20)]
    wild = [100.0 + 5 * k for k in range(-10, 10)]
    of = study({"rates": steady + wild}, hour=[9.0] * 60, weekday=[1.0] * 40 + [6.0] * 20)
    assert figures.hours(of).layout.title.text.startswith("Variation on the weekend is +")
    alike = study({"rates": steady}, hour=[9.0] * 40, weekday=[1.0] * 20 + [6.0] * 20)
    assert figures.hours(alike).layout.title.text == (
        "Throughput by hour, against the median of each configuration"
    )


def test_runs_lie_over_their_idle_time_and_cold_ones_have_their_colour():
    of = study({"rates": [100.0, 120.0, 50.0]}, idle_s=[0.0, 2699.0, 2700.0])
    fig = figures.idle(of, 45)
    assert [(each.name, points(each), each.marker.color) for each in fig.data] == [
        ("warm", [(0.1, 100.0), (44.983, 120.0)], COLOURS[4]), ("cold", [(45.0, 50.0)], COLOURS[5])
    ]  # fmt: skip
    assert fig.layout.title.text == "Throughput over the idle time before each run"
    assert (fig.layout.height, fig.layout.xaxis.type) == (420, "log")


def cold(after: float = 50.0) -> Any:
    warm = [100.0 + k / 100 for k in range(20)]
    slow = [after + k / 100 for k in range(20)]
    return study({"rates": warm + slow}, idle_s=[300.0] * 20 + [4000.0] * 20)


def test_where_disks_turn_cold_is_the_title():
    fig = figures.idle(cold(), 45)
    assert fig.layout.title.text.startswith("Disks turn cold after 5 to 67 idle minutes: ")
    median = fig.data[-1]
    assert (median.name, list(median.text)) == (
        "median of a stretch, 95 % interval", ["n = 20", "n = 20"]
    )  # fmt: skip
    assert [round(float(x), 1) for x in median.x] == [5.0, 66.7]
    assert (median.marker.size, median.marker.symbol, median.marker.color) == (11, "diamond-open", INK)
    assert median.error_y.thickness == 2


def test_warming_up_lies_over_the_time_since_a_pause():
    slow = [50.0 + k / 100 for k in range(20)]
    fast = [100.0 + k / 100 for k in range(20)]
    of = study({"rates": [*slow, *fast, 77.0]}, warm_s=[60.0] * 20 + [1500.0] * 20 + [np.nan])
    fig = figures.warm_up(of)
    assert fig.layout.title.text == "Disks are warm 1 to 25 minutes after the first run behind a pause"
    assert (fig.data[0].name, len(fig.data[0].x), fig.data[0].marker.color) == ("run", 40, COLOURS[0])
    assert fig.layout.xaxis.title.text == "time since the first run behind the pause (min)"
    few = study({"rates": [100.0]}, warm_s=[60.0])
    assert figures.warm_up(few).layout.title.text == (
        "Throughput over the time since the first run behind a pause"
    )


# Sides.


def test_both_sides_of_each_configuration_that_perfmon_saw():
    of = watched_study(
        {"rates": [100.0]}, {"rates": [200.0], "buffer_count": 9}, {"rates": [90.0], "buffer_count": 11},
        verdicts=(READER, WRITER, UNDECIDED),
    )  # fmt: skip
    of.sides[2] = seen(
        of.study, 2, read=side(READ, ("F:", None, 70.0), ("G:", None, 80.0)), write=Side(WRITE)
    )
    fig = figures.sides(of, LIMITS)
    rows = [
        "1 x DISK, 11 x 1,024 KB (not decided)", "1 x DISK, 9 x 1,024 KB (writing)",
        "1 x DISK, 7 x 1,024 KB (reading)"
    ]  # fmt: skip
    assert [(each.name, list(each.y), list(each.x), each.showlegend) for each in fig.data] == [
        ("one volume of the database reads", rows, [80.0, 100.0, 100.0], True),
        ("one volume of the backup takes", rows, [None, 100.0, 100.0], True),
        ("a read takes", rows, [None, 5.0, 5.0], False),
        ("a write takes", rows, [None, 6.0, 6.0], False),
    ]
    assert [(each.marker.symbol, each.marker.color, each.xaxis) for each in fig.data] == [
        ("circle", DATABASES[2], "x"), ("square-open", DATABASES[3], "x"), ("circle", DATABASES[2], "x2"),
        ("square-open", DATABASES[3], "x2"),
    ]  # fmt: skip
    assert {(each.marker.size, each.marker.line.width) for each in fig.data} == {(9, 2)}
    assert fig.layout.title.text == "Reading caps 1 and writing caps 1 of 3 configurations that perfmon saw"
    assert fig.layout.height == 190 + 26 * 3
    (line,) = fig.layout.shapes
    assert (line.x0, line.xref) == (15, "x2")
    assert (fig.layout.xaxis.title.text, fig.layout.xaxis2.title.text) == ("MB/s", "ms")
    assert [round(end, 3) for end in (*fig.layout.xaxis.domain, *fig.layout.xaxis2.domain)] == [
        0, 0.522, 0.573, 1,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("verdicts", "title"),
    [
        ((READER,), "Reading caps 1 of 1 configuration that perfmon saw"),
        ((WRITER,), "Writing caps 1 of 1 configuration that perfmon saw"),
        ((UNDECIDED,), "Neither side is seen to cap any of 1 configuration"),
    ],
)
def test_the_title_counts_the_sides(verdicts, title):
    fig = figures.sides(watched_study({"rates": [1.0]}, verdicts=verdicts), LIMITS)
    assert fig.layout.title.text == title


def test_a_restore_reads_the_backup():
    of = watched_study({"rates": [1.0]}, verdicts=(READER,), facts={"operation": "restore"})
    assert [each.name for each in figures.sides(of, LIMITS).data][:2] == [
        "one volume of the backup reads", "one volume of the database takes"
    ]  # fmt: skip


def test_targets_are_drawn_by_their_number():
    of = study({"rates": [100.0], "stripes": 4}, {"rates": [60.0], "stripes": 2}, {"rates": [50.0]})
    assert [each.name for each in figures.memory(of, LIMITS).data] == ["1 x DISK", "2 x DISK", "4 x DISK"]
