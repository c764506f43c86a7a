"""When a result without a column of times was so."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers.query_results import READER
from agtrace.readers.query_results.snapshots import time_in_name
from agtrace.testing import read_all
from tests.folded import folded

WAITS = "wait_type,waiting_tasks_count,wait_time_ms\nWRITELOG,5,50\n"
FIXED = "wait_type waiting_tasks_count\n--------- -------------------\nWRITELOG                    5\n"
AT = datetime(2026, 3, 2, 10, 15, 30)


def times(text: str, name: str = "x.csv") -> list[datetime | None]:
    return read_all(READER, text.encode(), name)["rowset_rows"]["time_local"].to_pylist()


@pytest.mark.parametrize(
    "text",
    [
        f"2026-03-02 10:15:30\n\n{WAITS}",
        f"Now: 2026-03-02T10:15:30.0000000\n{WAITS}",
        f"{WAITS}\n(1 rows affected)\n\nCompletion time: 2026-03-02T10:15:30.0000000+01:00\n",
        f"{FIXED}\n(1 rows affected)\n\n\nCompletion time: 2026-03-02T10:15:30.0000000+01:00\n",
    ],
)
def test_a_line_near_the_table_says_when_it_was(text):
    assert times(text) == [AT]


def test_the_name_of_the_file_says_when_it_was():
    assert times(WAITS, "SRV1_waits_20260302_101530.csv") == [AT]


def test_without_either_the_time_is_unknown():
    assert times(f"2026-03-02 10:15:30\nsome\nother\nlines\n{WAITS}") == [None]


@folded(
    ("name", "time"),
    [
        ("waits 2026-03-02 10.15.csv", datetime(2026, 3, 2, 10, 15)),
        ("waits_20260302T101530.csv", AT),
        ("waits_20260302.csv", None),
        ("20260302_1015-20260302_1016.csv", None),
        ("20261302_1015.csv", None),
        ("waits_202603021015301234567.csv", None),
    ],
)
def test_times_in_names(name, time):
    assert time_in_name(name) == time
