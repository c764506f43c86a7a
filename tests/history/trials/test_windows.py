"""The labelled windows of a case are asked for in one place, by trials, workloads and comparisons."""

from __future__ import annotations

from datetime import UTC, timedelta

from agtrace.history.trials.windows import labelled_windows
from tests.diagnostics.tiny import START
from tests.diagnostics.workload.cases import case, window


def test_windows_stand_in_order_of_time_with_their_ends_in_microseconds():
    made = case()
    window(made, "later", '{"users": "8"}', 60, 120)
    window(made, "first", "{}", 0, 30)
    window(made, "beside", "{}", 0, 45)
    begin = START.replace(tzinfo=UTC)
    found = labelled_windows(made)
    assert [row["label"] for row in found] == ["first", "beside", "later"]
    assert [row["factors"] for row in found] == ["{}", "{}", '{"users": "8"}']
    assert (found[0]["start"], found[0]["end"]) == (begin, begin + timedelta(seconds=30))
    assert (found[0]["start_us"], found[0]["end_us"] - found[0]["start_us"]) == (
        begin.timestamp() * 1e6,
        30_000_000,
    )
