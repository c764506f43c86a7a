"""What is judged of the buffers that servers logged, by configurations made by hand."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from agtrace.diagnostics.backup.buffers import configurations
from agtrace.diagnostics.backup.rows import Buffers
from agtrace.say.said import Judged
from tests.diagnostics.asking import record
from tests.diagnostics.backup.made import SERVER

LOCAL = datetime(2024, 3, 5, 12)


def at(minutes: float) -> datetime:
    return LOCAL + timedelta(minutes=minutes)


def row(**more: Any) -> Buffers:
    """Three backups with 7 buffers of 1,024 KB."""
    given = {
        "n": 3, "memory_limit_mb": 70, "first_time": at(1), "last_time": at(2), "first_local": at(61),
        "last_local": at(62),
    }  # fmt: skip
    return record(Buffers, **{k: v for k, v in SERVER.items() if k in Buffers._fields} | given | more)


def only(*rows: Buffers) -> Judged:
    (made,) = configurations(list(rows))
    return made


def test_each_server_is_judged_by_itself():
    made = configurations([row(), row(host_id="B"), row(host_id="B", sql_instance="I2"), row(host_id=None)])
    assert [each.subject for each in made] == [
        {"host": "A"}, {"host": "B"}, {"host": "B", "instance": "I2"}, {}
    ]  # fmt: skip
    assert only(row(sql_instance=None)).subject == {"host": "A"}


@pytest.mark.parametrize(
    ("more", "severity"),
    [
        ({}, "info"),
        ({"total_matches": None}, "info"),
        ({"total_matches": False}, "notice"),
        ({"total_mb": 71}, "notice"),
        ({"total_mb": 70}, "info"),
        ({"total_mb": 71, "memory_limit_mb": None}, "info"),
        ({"total_mb": None}, "info"),
    ],
)
def test_a_total_that_is_wrong_or_over_the_limit_is_worth_a_notice(more, severity):
    assert only(row(**more)).severity == severity


def test_what_is_counted():
    made = only(row(), row(n=5, buffer_count=50, total_mb=50), row(n=2, total_matches=False, total_mb=9))
    facts = made.facts
    assert (facts["n"], facts["configurations"], facts["wrong"], facts["over"]) == (10, 3, 2, False)
    assert (facts["least"], facts["most"]) == (7, 50)
    assert (facts["counts"]["default"], facts["counts"]["not the default"]) == (5, 5)
    usual = facts["usual"]
    assert (usual["n"], usual["used"], usual["sets"], usual["what"]) == (5, 50, 1, "full backup")
    assert round(usual["of_limit"], 1) == 71.4
    assert made.confidence == 0.9


@pytest.mark.parametrize(
    ("more", "sets", "used", "of_limit"),
    [
        ({"sets_of_buffers": 3, "total_mb": 21}, 3, 21, 30.0),
        ({"sets_of_buffers": None}, 1, 7, 10.0),
        ({"total_mb": None}, 1, 7, 10.0),
        ({"total_mb": None, "buffer_count": None}, 1, None, 0.0),
        ({"memory_limit_mb": None}, 1, 7, None),
    ],
)
def test_the_arithmetic_of_the_most_frequent_configuration(more, sets, used, of_limit):
    usual = only(row(**more)).facts["usual"]
    assert (usual["sets"], usual["used"], usual["of_limit"]) == (sets, used, of_limit)
