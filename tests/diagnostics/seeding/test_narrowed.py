"""Which seedings are told when a database or a stretch of time is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.seeding.analysis import Seeding
from agtrace.history.seedings import Operation
from tests.diagnostics.seeding.cases import at, copy
from tests.diagnostics.seeding.made import operation
from tests.diagnostics.tiny import case


def asked(*operations: Operation, **narrowed: Any) -> Seeding:
    """Ask about a case of these seedings."""
    captured = copy("A", "source", 0, 100), copy("A", "source", 200, 210, database="HR", guids="c d")
    question = Seeding(case(events="\n".join(captured)), **narrowed)
    question.__dict__["operations"] = list(operations)
    return question


def told(*operations: Operation, **narrowed: Any) -> list[int]:
    return [each.operation.number for each in asked(*operations, **narrowed).study.seeded]


@pytest.mark.parametrize(
    ("database", "numbers"), [(None, [1, 2, 3]), ("", [1, 2, 3]), ("SALES", [1]), ("hr", [2])]
)
def test_of_one_database(database, numbers):
    every = operation(1), operation(2, database="HR"), operation(3, database=None)
    assert told(*every, database=database) == numbers


@pytest.mark.parametrize(
    ("narrowed", "is_told"),
    [
        ({"start": at(100)}, True),
        ({"start": at(100.1)}, False),
        ({"end": at(0.1)}, True),
        ({"end": at(0)}, False),
        ({"start": at(50), "end": at(60)}, True),
        ({"start": at(-20), "end": at(-10)}, False),
        ({"start": at(110), "end": at(120)}, False),
    ],
)
def test_of_a_stretch_of_time(narrowed, is_told):
    requested = operation(copy_start=None, copy_end=None)
    copied = operation(start=None, end=None)
    wider = operation(copy_start=at(40), copy_end=at(45))
    assert [told(each, **narrowed) for each in (requested, copied, wider)] == [[1] if is_told else []] * 3


def test_a_seeding_of_unknown_time_is_left_out_of_none():
    unknown = operation(start=None, end=None, copy_start=None, copy_end=None)
    assert told(unknown, start=at(0), end=at(1)) == [1]


def test_nothing_is_said_to_be_left_out_where_something_is_left_or_nothing_was_asked_for():
    assert asked(operation()).missing() == []
    assert asked(operation(), operation(2, database="HR"), database="HR").missing() == []


def test_without_a_seeding_what_is_missing_is_how_to_capture_one():
    lacking = Seeding(case()).missing()
    assert lacking
    assert Seeding(case(), database="HR").missing() == lacking
