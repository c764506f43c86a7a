"""Tests of load generators as a relation: when each reading was taken, builds, values that no log holds."""

from __future__ import annotations

from datetime import timedelta

from agtrace.history.trials.trial import read_trials
from tests.diagnostics.tiny import START
from tests.diagnostics.workload.cases import case, trial, window


def count(made, content, readings, *, every=10, at=0, timed=True):
    """Add one session of the transaction counter, its first reading an interval after ``at``."""
    rows = []
    for n, value in enumerate(readings, 1):
        time = START + timedelta(seconds=at + every * n) if timed else None
        rows.append(
            {
                "capture_id": content,
                "content_id": content,
                "topic": "hammerdb_count",
                "item": 0,
                "key": "tpm",
                "value": str(value),
                "line": n,
                "time": time,
                "time_local": time,
            }
        )
    made.insert("facts", rows)


def seconds(found):
    begin = found.start_us or 0
    return [(at - begin) / 1e6 for at in found.reading_times_us]


def test_readings_of_the_console_have_the_times_of_the_counters_log():
    made = case()
    trial(made, "P", 2, run_s=180, item=0)
    count(made, "P/console.txt", [50, 100, 40], timed=False)
    count(made, "P/hdbtcount.log", [50, 100, 40])
    (found,) = read_trials(made)
    assert found.readings == (50, 100, 40)
    assert seconds(found) == [10, 20, 30]


def test_readings_without_times_have_none():
    made = case()
    trial(made, "P", 2, run_s=180, item=0)
    count(made, "P/console.txt", [50, 100, 40], timed=False)
    (found,) = read_trials(made)
    assert (found.readings, found.reading_times_us) == ((50, 100, 40), ())


def test_a_timed_run_takes_the_readings_of_the_time_that_it_measured():
    made = case()
    trial(made, "P", 4, driver="timed", tpm=100.0, nopm=40.0, run_s=180, at=0, rampup_minutes=1)
    count(made, "P/hdbtcount.log", [10 * n for n in range(1, 21)])
    (found,) = read_trials(made)
    assert seconds(found) == [10 * n for n in range(1, 13)]
    assert found.readings[0] == 70
    assert found.values == {"nopm": 40, "tpm": 100}


def test_a_build_is_a_trial_whose_work_is_its_warehouses():
    made = case()
    trial(made, "P", 4, driver="build", run_s=377, at=0, warehouses=10)
    count(made, "P/hdbtcount.log", [5, 6])
    (found,) = read_trials(made)
    assert (found.workload, found.load) == (("HammerDB", "build", 10), 4)
    assert found.values == {"elapsed_s": 377}
    assert found.readings == ()


def test_a_build_in_two_files_counts_once():
    made = case()
    for name in ("log.txt", "console.txt"):
        trial(made, "P", 4, driver="build", run_s=377, at=0, warehouses=10, name=name)
    assert len(read_trials(made)) == 1


def given(made, label, at, **measured):
    window(made, label, f'{{"routing": "{label}"}}', at, at + 19, **measured)


def test_a_measured_time_is_a_run_time():
    made = case()
    given(
        made,
        "off",
        0,
        measured="read of 1M rows",
        value=1.5,
        value_step=0.1,
        unit="min",
        is_more_better=False,
    )
    (found,) = read_trials(made)
    assert (found.tool, found.driver, found.load) == ("read of 1M rows", "given", 1)
    assert (found.values, found.resolution_s) == ({"elapsed_s": 90}, 6)
    assert (found.run_id, found.path) == ("run 0", "runs.csv, line 2")


def test_any_other_value_keeps_its_unit():
    made = case()
    given(made, "off", 0, measured="copy", value=350.0, value_step=1.0, unit="MB/s", is_more_better=True)
    (found,) = read_trials(made)
    assert (found.values, found.unit, found.is_more_better) == ({"value": 350}, "MB/s", True)


def test_a_factor_says_the_load_of_a_given_value():
    made = case()
    window(made, "off", '{"users": "8"}', 0, 9, measured="read", value=1.0, value_step=1.0, unit="s",
           is_more_better=False)  # fmt: skip
    assert [found.load for found in read_trials(made)] == [8]
