"""Changes of daylight saving inside an output of sqlcmd that looks at a server again and again
(PerfStats).
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from agtrace.resolve.daylight_outputs import is_change, offsets_of
from simulation.formats import rowsets as make
from tests.folded import folded
from tests.history.outputs import relation
from tests.readers.query_results.small import SCRIPT

FALL, SPRING = datetime(2026, 11, 1, 6), datetime(2026, 3, 8, 7)
"""When the clocks of New York change, UTC."""
EVERY = timedelta(minutes=10)
CLOCKS = (("runtime", 30), ("runtime_utc", 30), ("Physical_Name", 20), ("Average_Read_Latency", -20),
          ("Average_Write_Latency", -21))  # fmt: skip


def local(utc: datetime, change: datetime) -> datetime:
    return utc - timedelta(hours=5 if (utc < change) == (change == SPRING) else 4)


def perf_stats(change: datetime, *, looks: int = 14, states: tuple[int, ...] = ()) -> str:
    """Write looks every ten minutes around a change; those of ``states`` tell UTC, too."""
    text = SCRIPT
    for number in range(looks):
        utc = change - timedelta(minutes=65) + number * EVERY
        at = local(utc, change).isoformat(timespec="milliseconds")
        text += make.waits(at, {"WRITELOG": (100 * number, 50 * number)})
        if number in states:
            both = (at, utc.isoformat(timespec="milliseconds"), "D:\\s.ldf", 3, 27)
            text += make.rowset("file_io_stats", CLOCKS, [both])
    return text


def properties(utc: datetime, change: datetime) -> str:
    """Write another output of the server, which states its offset."""
    at = local(utc, change)
    hours = (at - utc) / timedelta(hours=1)
    listed = [("MachineName", "SRV1"), ("SQLServerName", "SRV1"), ("UTCOffset_in_Hours", f"{hours:g}")]
    text = SCRIPT.replace("2026-03-01T10:15:33.420", at.isoformat(timespec="milliseconds"))
    return text + make.rowset("ServerProperty", (("PropertyName", 30), ("PropertyValue", 40)), listed)


def intervals(folder, **outputs) -> list[tuple]:
    return relation(folder / "case", "select time, seconds from waits order by line", **outputs)


def right(change: datetime, looks: int = 14) -> list[tuple]:
    first = change - timedelta(minutes=65)
    return [(first + number * EVERY, 600.0) for number in range(1, looks)]


def bare(rows: list[tuple]) -> list[tuple]:
    return [(at and at.replace(tzinfo=None), seconds) for at, seconds in rows]


@pytest.mark.parametrize("change", [FALL, SPRING])
@pytest.mark.parametrize("states", [tuple(range(14)), (0, 13)], ids=["at every look", "at its ends"])
def test_an_output_that_states_its_offset_keeps_its_pace_over_a_change(tmp_path, change, states):
    text = perf_stats(change, states=states)
    assert bare(intervals(tmp_path, SRV1_PerfStats__out=text)) == right(change)


@pytest.mark.parametrize("hours", [-5, 5])
def test_an_hour_that_repeats_is_told_by_itself_whenever_the_offset_was_stated(tmp_path, hours):
    other = properties(FALL + timedelta(hours=hours), FALL)
    found = intervals(tmp_path, SRV1_PerfStats__out=perf_stats(FALL), SRV1_MiscDiagInfo__out=other)
    assert bare(found) == right(FALL)


def test_a_missing_hour_is_told_by_offsets_of_both_sides(tmp_path):
    outputs = {
        f"SRV1_MiscDiagInfo{number}__out": properties(SPRING + timedelta(hours=hours), SPRING)
        for number, hours in enumerate((-5, 5))
    }
    found = intervals(tmp_path, SRV1_PerfStats__out=perf_stats(SPRING), **outputs)
    assert bare(found) == right(SPRING)


def test_files_keep_their_pace_over_an_hour_that_repeats(tmp_path):
    text = SCRIPT
    for number in range(14):
        utc = FALL - timedelta(minutes=65) + number * EVERY
        at = local(utc, FALL).isoformat(timespec="milliseconds")
        row = (5, 1, 10 * number, number, number, number, number, number, "ROWS", "Sales", "s.mdf")
        text += make.file_stats(at, [row])
    outputs = {"SRV1_PerfStats__out": text, "SRV1_MiscDiagInfo__out": properties(FALL - 5 * EVERY * 6, FALL)}
    query = "select time, reads from file_io order by line"
    found = bare(relation(tmp_path / "case", query, **outputs))
    assert found == [(at, 10) for at, _seconds in right(FALL)]


def step(before: str, after: str, usual_s: float = 600) -> dict:
    ends = [datetime.fromisoformat(f"2026-03-08 {at}") for at in (before, after)]
    return {"line": 100, "before_local": ends[0], "after_local": ends[1],
            "seconds": (ends[1] - ends[0]).total_seconds(), "usual_s": usual_s}  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "usual_s", "expected"),
    [
        ("01:55", "01:05", 600, True),
        ("01:55", "03:05", 600, True),
        # Not at the end of an hour, or further on than a look or two.
        ("01:25", "00:35", 600, False),
        ("01:55", "03:40", 600, False),
        ("01:20", "02:30", 600, False),
        # The looks are further apart than what is to be told.
        ("01:55", "01:05", 3600, False),
        ("01:55", "01:05", None, False),
    ],
)
def test_where_clocks_are_changed(before, after, usual_s, expected):
    assert is_change(step(before, after, usual_s)) == expected


def stated(minutes: int, at: str, line: int | None = None) -> dict:
    return {"minutes": minutes, "time_local": datetime.fromisoformat(f"2026-03-08 {at}"),
            "line": line, "is_own": line is not None}  # fmt: skip


@folded(
    ("after", "known", "expected"),
    [
        ("01:05", [stated(-240, "00:00")], (-240, -300)),
        ("01:05", [stated(-300, "05:00")], (-240, -300)),
        ("01:05", [stated(-300, "01:30", line=200)], (-240, -300)),
        # In the hour that repeats another capture may mean either.
        ("01:05", [stated(-300, "01:30")], None),
        ("01:05", [], None),
        # What was stated denies it.
        ("01:05", [stated(-240, "00:00"), stated(-240, "05:00")], None),
        ("03:05", [stated(-300, "00:00"), stated(-240, "05:00")], (-300, -240)),
        # It may be a pause.
        ("03:05", [stated(-300, "00:00")], None),
        ("03:05", [stated(-300, "00:00"), stated(-300, "05:00")], None),
    ],
)
def test_the_offsets_before_and_behind(after, known, expected):
    found = offsets_of(step("01:55", after), known)
    assert (None if found is None else (found.old, found.new)) == expected
