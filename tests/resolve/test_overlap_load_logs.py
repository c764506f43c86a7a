"""A copy of a load generator's log, or of runs.csv, adds no trial and no run."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import agtrace
from simulation.formats.workload_tools import driver_console, timed_log

START = datetime(2024, 3, 5, 12, tzinfo=UTC)
CONSOLE = (
    driver_console(users=4, minutes=2, readings=[500, 900, 950, 400])
    + driver_console(users=8, minutes=2, readings=[700, 1100, 1150, 600])
    + driver_console(users=16, minutes=2, readings=[800, 1500, 1450, 700])
)
TIMED = timed_log(START, users=4, nopm=400, tpm=900) + timed_log(
    START.replace(hour=13), users=8, nopm=700, tpm=1600
)


@pytest.fixture
def loads(tmp_path):
    """Return the load of each trial in a case of some files."""

    def trials(**files: str | bytes) -> list[int]:
        for name, text in files.items():
            data = text.encode() if isinstance(text, str) else text
            (tmp_path / name.replace("__", ".")).write_bytes(data)
        with agtrace.open_case(tmp_path) as case:
            return [row["load"] for row in case.view.rows("select load from trials order by load")]

    return trials


@pytest.mark.parametrize(
    "copy",
    [
        CONSOLE[: len(CONSOLE) // 2],
        CONSOLE[: len(CONSOLE) * 5 // 6],
        CONSOLE[len(CONSOLE) // 3 :],
        CONSOLE.encode("utf-16"),
        CONSOLE.replace("\n", "\r\n"),
    ],
    ids=["half", "most", "end", "utf-16", "line ends"],
)
def test_a_copy_of_a_console_log_counts_once(loads, copy):
    assert loads(console__log=CONSOLE, copy__log=copy) == [4, 8, 16]


@pytest.mark.parametrize(
    "copy", [TIMED[: len(TIMED) * 2 // 3], TIMED.encode("utf-16")], ids=["part", "utf-16"]
)
def test_a_copy_of_a_timed_log_counts_once(loads, copy):
    assert loads(timed__log=TIMED, copy__log=copy) == [4, 8]


def test_two_tests_with_other_readings_both_count(loads):
    other = driver_console(users=4, minutes=2, readings=[500, 901, 950, 400])
    assert loads(a__log=driver_console(users=4, minutes=2, readings=[500, 900, 950, 400]), b__log=other) == [
        4,
        4,
    ]


RUNS = """label,factors,start,end
a,load=1,2024-03-05T12:00:00Z,2024-03-05T12:05:00Z
b,load=2,2024-03-05T13:00:00Z,2024-03-05T13:05:00Z
"""
RUNS_TOML = """
[[runs]]
label = "a"
factors = { load = "1" }
start = 2024-03-05T12:00:00Z
end = 2024-03-05T12:05:00Z
"""


@pytest.mark.parametrize(
    "text",
    [RUNS + RUNS, RUNS + RUNS.splitlines()[1] + "\n", RUNS.encode("utf-16")],
    ids=["twice", "one twice", "utf-16"],
)
def test_a_run_that_runs_csv_repeats_counts_once(tmp_path, text):
    (tmp_path / "runs.csv").write_bytes(text.encode() if isinstance(text, str) else text)
    (tmp_path / "timed.log").write_text(TIMED)
    with agtrace.open_case(tmp_path) as case:
        assert [
            row["label"] for row in case.view.rows("select label from runs where source like 'runs.csv%'")
        ] == ["a", "b"]
        assert case.view.rows("select * from issues where kind = 'case_settings'") == []


def test_a_copy_of_runs_csv_as_toml_counts_once(tmp_path):
    (tmp_path / "runs.csv").write_text(RUNS)
    (tmp_path / "runs.toml").write_text(RUNS_TOML)
    (tmp_path / "timed.log").write_text(TIMED)
    with agtrace.open_case(tmp_path) as case:
        assert [
            row["label"] for row in case.view.rows("select label from runs where source like 'runs.%'")
        ] == ["a", "b"]
