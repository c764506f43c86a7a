"""What the figures of the comparison draw, of runs and series that are written down."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.comparison import figures
from agtrace.history.transfers import uses as m
from agtrace.measure.usage import SERIES
from agtrace.say.colours import COLOURS
from tests.diagnostics.comparison.cases import examined, moment

MANUAL = "manual | Sales | A > B | {} | backup 10, restore 10 | 10 | f={}"
WINDOW = "window | | | {} | window 10 | | | {}"


def compared(*rows: str) -> Any:
    return examined("\n".join(rows))


def drawn(monkeypatch: Any, study: Any, series: dict[tuple[int, str, str], float]) -> Any:
    """Draw runs of which perfmon showed one value of each of some resources, by run and host."""
    told = {key: (np.array([0.0, 5.0]), np.array([value, value])) for key, value in series.items()}
    monkeypatch.setattr(figures, "_series", lambda _view, _runs: told)
    return figures.aligned(study, SimpleNamespace())


EVERY = {
    (run, host, resource): 1.0
    for run in (1, 2)
    for host in ("A", "B")
    for resource in (m.CPU, m.SENT, m.READ, m.WRITTEN)
}


def test_wire_and_reads_are_those_of_the_source_writes_those_of_the_target(monkeypatch):
    study = compared(MANUAL.format(0, 1), MANUAL.format(100, 2))
    fig = drawn(monkeypatch, study, {key: 1.0 for key in EVERY if key[0] == 1})
    assert [(each.name.split(", ")[-1], each.yaxis, each.line.dash) for each in fig.data] == [
        ("A", "y", "solid"), ("A", "y2", "solid"), ("B", "y2", "dot"), ("A", "y3", "solid"), ("B", "y3",
        "dot")
    ]  # fmt: skip
    assert {each.line.color for each in fig.data} == {COLOURS[0]}
    assert [each.text for each in fig.layout.annotations] == [
        "Wire, sent by the source", "Disks: reads of the source, writes of the target", "CPU of both hosts"
    ]  # fmt: skip
    assert fig.layout.title.text == "The runs side by side, each from its start"


def test_each_run_has_its_colour_and_only_what_was_seen_of_it(monkeypatch):
    study = compared(MANUAL.format(0, 1), MANUAL.format(100, 2))
    fig = drawn(monkeypatch, study, {(1, "A", m.CPU): 1.0, (2, "A", m.CPU): 2.0, (2, "B", m.SENT): 3.0})
    assert [(each.line.color, each.yaxis) for each in fig.data] == [(COLOURS[0], "y3"), (COLOURS[1], "y3")]


def test_windows_have_no_source_and_hosts_their_dashes(monkeypatch):
    study = compared(WINDOW.format(0, "one"), WINDOW.format(100, "two"))
    fig = drawn(monkeypatch, study, {key: 1.0 for key in EVERY if key[0] == 1})
    assert [(each.name, each.yaxis, each.line.dash) for each in fig.data] == [
        ("one (run 1), A", "y", "solid"), ("one (run 1), B", "y", "dash"), ("one (run 1), A", "y2",
        "solid"), ("one (run 1), B", "y2",
        "dash"),
        ("one (run 1), A", "y2", "solid"), ("one (run 1), B", "y2", "dash"), ("one (run 1), A", "y3",
        "solid"), ("one (run 1), B", "y3",
        "dash"),
    ]  # fmt: skip
    assert [each.text for each in fig.layout.annotations] == [
        "Network, sent", "Disks: reads and writes", "CPU"
    ]  # fmt: skip


@pytest.mark.parametrize(("hosts", "more"), [("A", 0), ("AB", 0), ("ABC", 22), ("ABCD", 22), ("ABCDE", 44)])
def test_many_entries_of_the_legend_have_room(monkeypatch, hosts, more):
    study = compared(WINDOW.format(0, "one"), WINDOW.format(100, "two"))
    fig = drawn(monkeypatch, study, {(1, host, m.CPU): 1.0 for host in hosts})
    few = drawn(monkeypatch, study, {(1, "A", m.CPU): 1.0})
    assert fig.layout.height == few.layout.height + more
    if more:
        assert fig.layout.margin.t == 104 + more
        assert fig.layout.legend.y == 1 - 46 / fig.layout.height


def test_series_lie_over_the_seconds_since_a_run_began(monkeypatch):
    import pyarrow as pa

    rows = [
        (1, "A", m.CPU, 100, 7.0),
        (1, "A", m.CPU, 105, 8.0),
        (1, "C", m.CPU, 100, 9.0),
        (2, "B", m.SENT, 200, 6.0),
    ]
    table = pa.Table.from_pylist(
        [
            {"window": run, "host": host, "resource": resource, "time": moment(at), "value": value}
            for run, host, resource, at, value in rows
        ],
        SERIES,
    )
    asked: list[Any] = []

    def series(_view: Any, windows: Any, wanted: Any) -> pa.Table:
        asked.append(([(each.number, each.database) for each in windows], wanted))
        return table

    monkeypatch.setattr(figures.usage, "series", series)
    study = compared(MANUAL.format(100, 1), MANUAL.format(200, 2))
    found = figures._series(SimpleNamespace(), list(study.runs))  # type: ignore[arg-type]
    assert {key: (list(times), list(values)) for key, (times, values) in found.items()} == {
        (1, "A", m.CPU): ([0.0, 5.0], [7.0, 8.0]), (2, "B", m.SENT): ([0.0], [6.0])
    }  # fmt: skip
    assert asked == [([(1, "Sales"), (2, "Sales")], (m.CPU, m.SENT, m.READ, m.WRITTEN))]
    assert figures._series(SimpleNamespace(), []) == {}  # type: ignore[arg-type]
    monkeypatch.setattr(figures.usage, "series", lambda *_: SERIES.empty_table())
    assert figures._series(SimpleNamespace(), list(study.runs)) == {}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ([MANUAL.format(0, 1)], ["backup, restore and join (run 1)"]),
        ([f"{MANUAL.format(0, 1)} | mine"], ["mine (run 1)"]),
        ([MANUAL.format(0, 1), MANUAL.format(100, 2)],
         ["backup, restore and join (f 1)", "backup, restore and join (f 2)"]),
        ([MANUAL.format(0, 1), MANUAL.format(100, 1)],
         ["backup, restore and join (run 1)", "backup, restore and join (run 2)"]),
        ([MANUAL.format(0, 1), MANUAL.format(100, 1), MANUAL.format(200, 2)],
         ["backup, restore and join (f 1) (run 1)", "backup, restore and join (f 1) (run 2)",
          "backup, restore and join (f 2)"]),
        ([MANUAL.format(0, 1), MANUAL.format(100, 2), MANUAL.format(0, 1).replace("Sales", "HR"),
          MANUAL.format(100, 2).replace("Sales", "HR")],
         ["backup, restore and join (f 1) of Sales (run 1)",
         "backup, restore and join (f 2) of Sales (run 2)",
          "backup, restore and join (f 1) of HR (run 3)", "backup, restore and join (f 2) of HR (run 4)"]),
    ],
)  # fmt: skip
def test_what_runs_are_called(rows, names):
    study = compared(*rows)
    assert [figures._name(study, run) for run in study.runs] == names
