"""Runs side by side: how much faster, at what cost, how sure; on runs as text tables."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.comparison import figures, judge, tables
from agtrace.diagnostics.comparison.analysis import Comparison
from agtrace.diagnostics.comparison.study import Asked
from agtrace.diagnostics.comparison.tables import clock
from agtrace.measures import by_name
from agtrace.say.figures import describe
from tests.behind import assert_facts
from tests.diagnostics.comparison.cases import examined, moment, told
from tests.diagnostics.workload.cases import case

THREE = """
manual  | db | A > B |    0 | backup 415, restore 1030, join 1                   | 100 |
seeding | db | A > B | 1500 | request 2, wait for a slot 50, copy 390, catch-up 38 | 100 | compression=trace flag 9567 off
seeding | db | A > B | 2000 | request 2, copy 435, catch-up 43                      | 100 | compression=trace flag 9567 on
"""  # noqa: E501
OF_THREE = r"""
A | \Processor(_Total)\% Processor Time      | 300x35, 100x70, 98
B | \Processor(_Total)\% Processor Time      | 300x34, 100x60, 61
A | \Network Interface(c)\Bytes Sent/sec     | 300x20000000, 100x250000000, 100000000
B | \Network Interface(c)\Bytes Received/sec | 300x20000000, 100x250000000, 100000000
A | \LogicalDisk(D:)\Disk Read Bytes/sec     | 300x70000000, 100x257000000, 230000000
B | \LogicalDisk(D:)\Disk Write Bytes/sec    | 300x70000000, 100x257000000, 230000000
"""


def three(**more):
    return examined(THREE, OF_THREE, rows=500, **more)


@pytest.mark.complete
def test_what_a_finding_says_and_rests_on():
    first, _second, third = judge.findings(three())
    assert (first.severity, third.severity) == ("notice", "notice")
    assert first.subject == {
        "database": "db",
        "run": "2 (automatic seeding)",
        "baseline": "1 (backup, restore and join)",
        "source": "A",
        "target": "B",
    }
    assert first.window == {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:33:00+00:00"}
    assert_facts(first, steps=2, listed=5)
    assert_facts(third, steps=2)
    assert first.confidence == 0.5
    evidence = {e.label: (e.value, e.unit) for e in first.evidence}
    assert evidence["run 1: duration"] == (1446, "s")
    assert evidence["run 1: restore"] == (1030, "s")
    assert evidence["run 2: rate"] == (208333333, "B/s")
    assert evidence["duration, backup, restore and join over automatic seeding"] == (3.013, "ratio")
    assert evidence["run 2: CPU of A, mean while data moved"] == (70, "%")
    (_cpu,) = (e for e in first.evidence if e.label == "run 2: CPU of A, mean while data moved")


def test_the_step_table_adds_up():
    frame = tables.steps(three())
    first = frame[frame["run"] == 1]
    assert list(zip(first["step"], first["duration"], strict=True)) == [
        ("backup", "06'55\""),
        ("restore", "17'10\""),
        ("join", "00'01\""),
        ("total", "24'06\""),
    ]


def test_tables_and_figures_of_three_runs():
    study = three()
    assert list(tables.runs(study)["what"]) == [
        "backup, restore and join",
        "automatic seeding",
        "automatic seeding with trace flag 9567",
    ]
    assert list(tables.runs(study)["baseline"]) == ["yes", "", ""]
    per_byte = tables.per_byte(study).set_index(["host", "resource"])
    assert ("A", "CPU") not in per_byte.index, "how many cores it has is not known"
    assert per_byte.loc[("A", "network sent"), "run 2"] == pytest.approx(0.975)
    frame = tables.resources(study)
    assert list(frame["step"].unique()) == ["while data moved", "backup", "restore", "whole run"]
    assert describe(figures.durations(study)).splitlines()[:2] == ["backup: 1 bar", "restore: 1 bar"]
    shown = figures.aligned(study, case(OF_THREE, rows=500))
    assert len(shown.data) == 3 * (1 + 2 + 2)
    assert shown.data[0].x[0] == 5  # seconds since the start


# Repetitions


def repeated(*seconds: float) -> str:
    """Give the same seeding without and with the trace flag, in turn."""
    return "\n".join(
        f"seeding | db | A > B | {1000 * place} | copy {lasted} | 100 | "
        f"compression=trace flag 9567 {'on' if place % 2 else 'off'}"
        for place, lasted in enumerate(seconds)
    )


def test_repetitions_with_a_true_difference():
    text = repeated(300, 150, 310, 155, 290, 145, 305, 152, 295, 148)
    (finding,) = judge.findings(examined(text))
    assert finding.id == "compare.difference"
    assert_facts(finding, database="db", unseen=2)
    assert (finding.confidence, finding.recommendation) == (0.9, "")


def test_repetitions_that_scatter_show_no_difference():
    text = repeated(300, 340, 360, 280, 290, 270, 310, 330, 345, 300)
    (finding,) = judge.findings(examined(text))
    assert finding.id == "compare.no_difference"
    assert (finding.severity, finding.confidence) == ("info", 0.9)


def test_three_repetitions_that_scatter_show_no_difference_and_carry_no_interval():
    (finding,) = judge.findings(examined(repeated(300, 340, 360, 280, 290, 270)))
    assert finding.id == "compare.no_difference"
    assert_facts(finding, unseen=2)
    assert (finding.severity, finding.confidence) == ("info", 0.6)


def test_two_repetitions_carry_no_interval():
    (finding,) = judge.findings(examined(repeated(300, 150, 310, 155)))
    assert finding.id == "compare.difference"
    assert_facts(finding, unseen=2)
    assert finding.confidence == 0.6


# What must hold for a ratio to mean anything


def test_databases_of_different_size_compare_by_rate():
    text = """
    seeding | db | A > B |    0 | copy 500 | 100
    seeding | db | A > B | 1000 | copy 500 | 200
    """
    (finding,) = judge.findings(examined(text))
    assert_facts(finding, database="db", unseen=2)


def test_a_size_that_is_known_once_is_said():
    text = """
    seeding | db | A > B |    0 | copy 500 | 100
    seeding | db | A > B | 1000 | copy 500 |
    """
    (finding,) = judge.findings(examined(text))
    assert_facts(finding, unseen=2)


def test_other_hosts_are_said():
    text = """
    seeding | db | A > B |    0 | copy 500 | 100
    seeding | db | A > C | 1000 | copy 250 | 100
    """
    (finding,) = judge.findings(examined(text))
    assert_facts(finding, other_hosts=2, unseen=3)


@pytest.mark.parametrize(
    ("seconds", "title"),
    [
        (100, "is 5.0 times faster than"),
        (450, "is 11 % faster than"),
        (485, "is not faster than"),
        (520, "is not faster than"),
        (550, "takes 10 % longer than"),
        (1250, "takes 2.5 times as long as"),
    ],
)
def test_how_much_faster(seconds, title):
    text = f"""
    manual  | db | A > B |    0 | backup 200, restore 300 | 100
    seeding | db | A > B | 1000 | copy {seconds} | 100
    """
    (finding,) = judge.findings(examined(text))
    assert_facts(finding, database="db", steps=1, unseen=2)
    same = "not faster" in title
    assert finding.id == ("compare.no_difference" if same else "compare.difference")


def test_hosts_that_perfmon_does_not_cover_are_said():
    (finding, *_rest) = judge.findings(examined(THREE, OF_THREE.splitlines()[1], rows=500))
    assert_facts(finding, steps=2, unseen=2)
    assert finding.evidence[-1].label == "not captured"


def test_less_read_than_copied_is_a_contradiction():
    perfmon = OF_THREE.replace("100x257000000, 230000000", "100x150000000, 230000000", 1)
    study = examined(THREE, perfmon, rows=500)
    assert_facts(judge.findings(study)[0], steps=2)


# The baseline


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        pytest.param(
            """
            seeding | db | A > B |    0 | copy 500 | 100 | compression=trace flag 9567 on
            seeding | db | A > B | 1000 | copy 250 | 100 | compression=trace flag 9567 off""",
            "1:2",
            id="uncompressed before compressed",
        ),
        pytest.param(
            """
            seeding | db | A > B |    0 | copy 500 | 100
            manual  | db | A > B | 1000 | backup 100, restore 150 | 100""",
            "1:2",
            id="by hand before seeding",
        ),
        pytest.param(
            """
            seeding | db | A > B |    0 | copy 500 | 100 | | new disks
            seeding | db | A > B | 1000 | copy 250 | 100 | compression=trace flag 9567 on | Baseline, old""",
            "1:2",
            id="what is labelled so",
        ),
        pytest.param(
            """
            seeding | db | A > B |    0 | copy 500 | 100 | cache=on
            seeding | db | A > B | 1000 | copy 250 | 100 | cache=off""",
            "1:2",
            id="the one with most factors off",
        ),
        pytest.param(
            """
            seeding | db | A > B |    0 | copy 500 | 100 | disk=a
            seeding | db | A > B | 1000 | copy 250 | 100 | disk=b""",
            "2:1",
            id="else the first",
        ),
    ],
)
def test_the_plain_run_is_the_baseline(text, numbers):
    assert told(examined(text)).split(" | ")[1] == numbers


def test_runs_compare_with_the_one_before_only_where_one_factor_differs():
    text = """
    seeding | db | A > B |    0 | copy 500 | 100 | disk=a; link=x
    seeding | db | A > B | 1000 | copy 250 | 100 | disk=b; link=y
    seeding | db | A > B | 2000 | copy 125 | 100 | disk=b; link=z
    seeding | db | A > B | 3000 | copy 100 | 100 | disk=c; link=w
    """
    assert [line.split(" | ")[1] for line in told(examined(text)).splitlines()] == [
        "2:1",
        "3:1",
        "4:1",
        "3:2",
    ]


# Which runs


def test_only_what_is_asked_for():
    text = THREE + "\n    seeding | other | A > B | 3000 | copy 20 | 5"
    assert len(examined(text).runs) == 4
    assert [r.database for r in examined(text, asked=Asked(database="DB")).runs] == ["db"] * 3
    late = examined(text, asked=Asked(start=moment(1400), end=moment(3000)))
    assert [(r.number, r.method) for r in late.runs] == [(1, "automatic seeding"), (2, "automatic seeding")]


@pytest.mark.parametrize(
    ("disk", "wanted"),
    [("61x100000000, 300000000", "difference"), ("61x100000000, 105000000", "no_difference")],
)
def test_labelled_windows_compare_by_what_every_host_did(disk, wanted):
    text = """
    window | | | 0   | window 300 | | cache=off | old
    window | | | 300 | window 300 | | cache=on | new
    """
    (finding,) = judge.findings(examined(text, f"A | \\LogicalDisk(D:)\\Disk Read Bytes/sec | {disk}"))
    assert finding.id == f"compare.{wanted}"
    assert finding.subject == {"run": "2 (new)", "baseline": "1 (old)"}
    assert_facts(finding, unseen=1)


TWO_WINDOWS = """
window | | | 0   | window 300 | | x=1 | old
window | | | 300 | window 300 | | x=2 | new
"""


def test_of_labelled_windows_without_perfmon_nothing_is_claimed():
    study = examined(TWO_WINDOWS)
    assert judge.findings(study) == []


def test_a_labelled_window_that_perfmon_does_not_cover_is_no_baseline():
    text = "window | | | -9000 | window 300 | | x=0 | before\n" + TWO_WINDOWS
    study = examined(text, r"A | \Processor(_Total)\% Processor Time | 61x30, 70")
    assert [f.subject["baseline"] for f in judge.findings(study)] == ["2 (old)"]


def test_labelled_windows_that_share_no_captured_resource_do_not_compare():
    perfmon = r"""
    A | \Processor(_Total)\% Processor Time      | 61x30, -
    B | \LogicalDisk(D:)\Disk Read Bytes/sec     | 61x-, 1000000
    """
    assert judge.findings(examined(TWO_WINDOWS, perfmon)) == []


def test_one_label_with_several_factors_is_told_apart_by_them():
    text = """
    window | | | 0   | window 300 | | x=1 | same
    window | | | 300 | window 300 | | x=2 | same
    """
    study = examined(text, r"A | \Processor(_Total)\% Processor Time | 61x30, 70")
    (told,) = judge.findings(study)
    assert_facts(told, changed=1, unseen=1)


def test_perfmon_that_covers_little_of_a_run_is_said_and_carries_no_contradiction():
    text = """
    seeding | db | A > B |    0 | copy 400 | 100 | x=1
    seeding | db | A > B | 1000 | copy 400 | 100 | x=2
    """
    perfmon = r"A | \LogicalDisk(D:)\Disk Read Bytes/sec | 21x10000000, -"
    study = examined(text, perfmon, rows=500)
    assert study.contradictions == {1: [], 2: []}


def test_runs_at_the_same_time_are_said():
    text = """
    seeding | db | A > B |   0 | copy 400 | 100 | x=1
    seeding | db | A > C | 390 | copy 400 | 100 | x=1
    seeding | db | A > B | 800 | copy 400 | 100 | x=1
    """
    (told,) = judge.findings(examined(text))
    assert_facts(told, unseen=3)


# Nothing to compare


def test_without_runs_it_says_what_one_is():
    empty = Comparison(case())
    (said,) = empty.missing()
    assert said.startswith("No run to compare was captured. A run is a backup, its restore on")
    assert empty.findings() == []
    assert all(
        len(t) == 0
        for t in (empty.tbl_runs(), empty.tbl_steps(), empty.tbl_resources(), empty.tbl_per_byte())
    )
    assert describe(empty.fig_durations()) == describe(empty.fig_aligned()) == "nothing to draw"


@pytest.mark.parametrize(
    "text",
    [
        "manual | db | A > B | 0 | backup 415, restore 1030, join 1 | 100",
        "seeding | db | A > B | 0 | copy 10 | 1\n            seeding | other | A > B | 20 | copy 10 | 1",
    ],
)
def test_nothing_to_compare(text):
    study = examined(text)
    assert judge.findings(study) == []


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "00'00\""), (61, "01'01\""), (1446, "24'06\""), (3723, "1h 02'03\"")]
)
def test_durations_in_tables(seconds, text):
    assert clock(seconds) == text


def test_the_columns_of_every_table_are_measures_declared_once():
    declared = by_name(Comparison.measures)
    study = three()
    for frame in (tables.runs(study), tables.steps(study), tables.resources(study)):
        assert set(frame.columns) <= declared.keys()
