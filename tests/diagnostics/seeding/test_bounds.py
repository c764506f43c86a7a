"""Where the rules of seeding change their answer, and what they count: of facts given as literals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agtrace.diagnostics.seeding import figures, study
from agtrace.diagnostics.seeding import verdict as vd
from agtrace.diagnostics.seeding.rows import RedoWorker
from agtrace.diagnostics.seeding.study import Seeded
from agtrace.history.seedings import SOURCE, TARGET, XEL, Operation, Side
from agtrace.history.timed import Timed
from agtrace.measure.usage import Cores, Usage
from tests.diagnostics.seeding import made
from tests.diagnostics.seeding.cases import at


def operation(number: int = 1, source: Any = None, target: Any = None, **more: Any) -> Operation:
    """Return a seeding of 110 s from Extended Events, with a copy of 100 s of unknown ends."""
    known = {"end": at(110), "copy_start": at(1), "copy_end": at(101), "told_by": frozenset({XEL})}
    ends = {"source": source or Side(SOURCE, "A"), "target": target or Side(TARGET, "B")}
    return made.operation(number, **ends, **known | more)


def usage(host: str, resource: str, mean: float, unit: str = "B/s", **more: Any) -> Usage:
    return replace(made.usage(host, resource, mean, unit=unit), **more)


def seeded(own: Operation | None = None, *usages: Usage, **more: Any) -> Seeded:
    return made.seeded(*usages, of=own or operation(), **more)


# How long it took.


@pytest.mark.parametrize(
    ("first", "last", "seconds"),
    [(0, 480, 480), (5, 5, 0), (10, 5, None), (0, None, None), (None, 480, None)],
)
def test_times_as_exported_tell_how_long_it_took_where_nothing_else_does(first, last, seconds):
    exported = Side(
        SOURCE, "A", start_written=None if first is None else at(first),
        end_written=None if last is None else at(last),
    )  # fmt: skip
    nothing = dict.fromkeys(("start", "end", "copy_start", "copy_end"))
    own = seeded(operation(source=exported, **nothing))
    assert (own.lasted, own.is_whole) == (seconds, seconds is not None)
    assert seeded(operation(source=exported)).lasted == 110
    assert seeded(operation(**nothing | {"start": at(0)})).lasted is None


# Rates, work and redo as evidence.


def test_work_and_load_of_an_end_are_told_in_one_decimal():
    busy = usage("A", "cpu", 40.04, "%", cores=Cores(4, "ERRORLOG"))
    found = vd.of_processors(seeded(None, busy))
    assert [(each.label, each.value) for each in found] == [
        ("processors of the source during the copy", 40.0),
        ("processor work of the source per GB of the database", 16.02),
    ]
    assert found[1].source.startswith("40.0 % of 4 cores (ERRORLOG) for 1 min 40 s, over 10 GB")
    assert len(vd.of_processors(seeded(None, replace(busy, cores=None)))) == 1


def test_redo_is_told_by_its_mean_its_most_and_its_workers():
    redo, queue = usage("B", "redo", 12e6, highest=2e7), usage("B", "recovery_queue", 1, highest=5e6)
    idle = usage("B", "redo", 0)
    workers = tuple(RedoWorker("B", "sales", at(102), f"event {n}", f"{n}") for n in range(4))
    own = seeded(redo=(redo, queue, idle), catching_up=redo, catchup_s=9.26, parallel=workers)
    assert [(each.label, each.value) for each in vd.of_redo(own)] == [
        ("time in CATCHUP", 9.3), ("redo after the copy", 12_000_000),
        ("redo after the copy, highest", 20_000_000), ("recovery queue after the copy, highest", 5_000_000),
        ("parallel redo event 0", "0 workers"), ("parallel redo event 1", "1 workers"),
    ]  # fmt: skip


@pytest.mark.parametrize(("seconds", "n"), [(40, 0), (41, 1), (170, 1), (171, 0)])
def test_parallel_redo_is_that_of_the_target_from_a_minute_before_to_a_minute_after(seconds, n):
    rows = Timed([RedoWorker("B", "sales", at(seconds), "started", "4")], "host", "database")
    assert len(study._around(rows, operation())) == n
    for unknown in ({"target": Side(TARGET, None)}, {"copy_end": None, "start": None}, {"end": None}):
        assert study._around(rows, operation(**unknown)) == ()


@pytest.mark.parametrize(
    ("more", "window"),
    [
        ({}, (at(101), at(170))),
        ({"end": None}, (at(101), at(161))),
        ({"end": at(90)}, (at(101), at(161))),
        ({"copy_end": None}, None),
        ({"outcome": "failed"}, None),
    ],
)
def test_redo_is_looked_at_until_a_minute_after_the_seeding(more, window):
    found = [(each.start, each.end) for each in study.after_copy(operation(**more))]
    assert found == ([] if window is None else [window])


# The titles of figures say what they show.


def test_redo_is_titled_by_what_it_reached_while_the_target_caught_up():
    caught = seeded(
        catching_up=usage("B", "redo", 12e6), parallel=(RedoWorker("B", "sales", at(102), "started", "4"),)
    )
    assert figures._redo_title([seeded(), caught]) == (
        "Mean redo while the target caught up, seeding 1: 12 MB/s with 4 threads"
    )
    assert figures._redo_title([seeded()]) == "Redo after each copy"
    assert figures._redo_title([]) == "Redo after a copy was not captured"
