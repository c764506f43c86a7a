"""Cases with far more backups, runs and databases than anybody compares by eye."""

from __future__ import annotations

import time

from agtrace import thresholds
from agtrace.diagnostics.comparison import figures, judge, tables
from agtrace.history.transfers import by_hand
from agtrace.history.transfers.run import MANUAL
from tests.behind import assert_facts
from tests.diagnostics.comparison.cases import examined, moment
from tests.diagnostics.workload.cases import case


def several(count, database="db", *, first=0):
    return "\n".join(
        f"seeding | {database} | A > B | {1000 * n} | copy {100 + n} | 10 | factor={n}"
        for n in range(first, first + count)
    )


def operation(number, host, what, end):
    return {
        "operation_id": f"{host}{number}", "host_id": host, "database": "db", "operation": what,
        "kind": "full",
        "status": "completed", "is_snapshot": False, "start": moment(end - 20), "end": moment(end),
        "duration_s": 20.0,
        "pages": 1000, "bytes": 8_192_000, "mb_per_s": 1.0, "media": "DISK", "device_names": f"{number}.bak",
        "compression": None,
    }  # fmt: skip


def test_thousands_of_runs_by_hand_are_found_in_seconds():
    rows, joins = [], []
    for n in range(3000):
        rows += [operation(n, "A", "backup", 100 * n + 30), operation(n, "B", "restore", 100 * n + 60)]
        joins.append(("B", "db", moment(100 * n + 61), "connection"))
    began = time.monotonic()
    runs, _blind = by_hand.find(rows, joins, [], thresholds.of(case()))
    assert time.monotonic() - began < 5
    assert len(runs) == 3000
    assert {(run.method, run.seconds) for run in runs} == {(MANUAL, 51.0)}


def test_of_very_many_comparisons_those_with_the_largest_differences_are_told():
    study = examined(several(60))
    told = judge.findings(study)
    assert len(told) == 30
    numbers = [int(f.subject["run"].split(" ")[0]) for f in told]
    assert sorted(numbers) == numbers
    assert numbers[-1] == 60
    (said,) = (text for text in study.open if "comparisons" in text)
    assert said == (
        f"Findings cover the 30 largest differences of {len(study.pairs)} comparisons; the tables show every "
        f"run."
    )


def test_as_many_comparisons_as_are_told_say_nothing_of_it():
    study = examined(several(2))
    assert len(judge.findings(study)) == len(study.pairs) == 1
    assert not [text for text in study.open if "comparisons" in text]


def test_the_figure_of_very_many_runs_draws_the_first_of_each_configuration():
    study = examined("\n".join(
        f"seeding | db | A > B | {1000 * n} | copy 100 | 10 | "
        f"compression={'compressed' if n == 59 else 'not compressed'}"
        for n in range(60)
    ))  # fmt: skip
    figure = figures.durations(study)
    assert figure.layout.title.text == "How long each run took, by step: 40 of 60 runs"
    assert len(figure.data[0].y) == 40
    assert figure.data[0].y[-1].endswith("compressed stream")


def test_bars_of_databases_with_long_names_stay_apart():
    long = "x" * 128
    rows = [
        f"seeding | {long}{end} | A > B | {1000 * n} | copy 100 | 10 | disk={disk}"
        for n, (end, disk) in enumerate((("1", "a"), ("1", "b"), ("1", "b"), ("2", "a"), ("2", "b"),
            ("2", "b")))
    ]  # fmt: skip
    bars = figures.durations(examined("\n".join(rows))).data[0].y
    assert len(set(bars)) == len(bars) == 6
    assert max(len(bar) for bar in bars) <= 60


def test_forty_runs_stand_beside_each_other():
    perfmon = r"A | \LogicalDisk(D:)\Disk Read Bytes/sec | 5000x70000000"
    frame = tables.per_byte(examined(several(60), perfmon, rows=5000))
    assert list(frame.columns) == ["host", "resource", "unit", *(f"run {n}" for n in range(1, 41))]


def test_runs_of_one_name_on_several_hosts_are_told_apart_by_them():
    study = examined("""
    manual | db | A > B |    0 | backup 100, restore 100, join 1 | 10 |
    manual | db | A > C |    0 | backup 100, restore 150, join 1 | 10 |
    manual | db | A > B | 1000 | backup 100, restore 100, join 1 | 10 |
    """)
    (group,) = study.groups
    assert [c.full_name for c in group.configurations] == [
        "backup, restore and join (A to B)",
        "backup, restore and join (A to C)",
    ]


def test_runs_whose_name_says_their_number_are_numbered_once():
    study = examined("""
    manual | db | A > B |    0 | backup 100, restore 100, join 1 | 10 |
    manual | db | A > B | 1000 | backup 100, restore 150, join 1 | 10 |
    """)
    (told,) = judge.findings(study)
    assert_facts(told, steps=2, unseen=2)
