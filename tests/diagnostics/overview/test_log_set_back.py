"""Where the entries of an ERRORLOG step back in time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

from agtrace.diagnostics import overview
from agtrace.history import log_clocks
from agtrace.tables.history import RELATIONS
from tests.diagnostics.asking import ask

NOON = datetime(2024, 3, 5, 12)
HOUR = 3600


def steps(*seconds: int) -> list[dict]:
    rows = [
        {"content_id": "c", "line": line, "time_local": NOON + timedelta(seconds=each),
         "time": (NOON + timedelta(seconds=each)).replace(tzinfo=UTC), "source": "ERRORLOG"}
        for line, each in enumerate(seconds, 1)
    ]  # fmt: skip
    ticks = [rows[0] | {"content_id": "x", "tick": 0}]
    file = {"content_id": "c", "path": "log", "host_id": "A", "reader": "errorlog", "superseded_by": "x"}
    captures = [file, file | {"superseded_by": None}]
    made = ask(log_clocks, "clock_steps", captures=captures, errorlog=rows, ticks=ticks)
    stepped = pa.Table.from_pylist(made, schema=RELATIONS["clock_steps"])
    return ask(overview, "log_set_back", captures=captures, clock_steps=stepped, log_entries=rows)


def test_entries_between_a_jump_and_the_step_back_were_written_with_the_clock_ahead():
    (row,) = steps(0, 10 * HOUR, 11 * HOUR, 2 * HOUR)
    assert (row["line"], row["back_s"], row["last_right"]) == (4, 9 * HOUR, NOON)
    assert (row["first_line"], row["end_line"], row["ahead"]) == (2, 3, 2)


@pytest.mark.parametrize(
    ("back", "n"), [(59, 0), (60, 1), (2999, 1), (3000, 0), (3600, 0), (3660, 0), (3661, 1)]
)
def test_an_hour_and_less_than_a_minute_are_no_clock_that_was_set(back, n):
    assert len(steps(5000, 5000 - back)) == n


def test_a_file_that_was_sorted_anew_is_left_out():
    assert steps(9000, 8000, 7000, 6000) == []
