"""Runs side by side: how much faster, at what cost, how sure; on runs as text tables."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.comparison import analysis, figures, judge, tables
from agtrace.diagnostics.comparison.analysis import Comparison
from agtrace.diagnostics.comparison.study import Asked
from agtrace.diagnostics.comparison.tables import clock
from agtrace.measures import by_name
from agtrace.say.figures import describe
from tests.diagnostics.comparison.cases import examined, moment, table, told
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


def test_the_three_runs_of_an_article():
    assert told(three()) == table("""
    difference | 2:1 | Automatic seeding of db is 3.0 times faster than backup, restore and join, at 2.0 times the CPU utilisation of A (35 to 70 %)
    difference | 3:1 | Automatic seeding of db with trace flag 9567 is 3.0 times faster than backup, restore and join, at 2.8 times the CPU utilisation of A (35 to 98 %)
    no_difference | 3:2 | Automatic seeding of db with trace flag 9567 is not faster than without it (8 min both): the wire carries 2.2 times less, at 1.4 times the CPU utilisation of A (70 to 98 %)
    """)  # noqa: E501


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
    assert first.narrative == (
        "Automatic seeding (run 2) took 8 min, backup, restore and join (run 1) 24 min 6 s. n = 1 each: no "
        "confidence "
        "interval. Steps: run 1: backup 6 min 55 s, restore 17 min 10 s, join 1 s; run 2: request 2 s, wait "
        "for a slot 50 s, "
        "copy 6 min 30 s, catch-up 38 s. 100 GB of the database: 208 MB/s against 69 MB/s. Means while data "
        "moved, from run 1 "
        "to run 2: CPU of A 35 to 70 %, CPU of B 34 to 60 %, network sent of A 20 MB/s to 250 MB/s (160 Mb/s "
        "to 2.0 Gb/s), "
        "disk reads of A 70 MB/s to 257 MB/s and disk writes of B 70 MB/s to 257 MB/s. The number of cores "
        "of A and B was not "
        "captured, so processors are compared by utilisation alone. "
        "Per byte of the database 0.97 bytes went over the wire, against 0.29."
    )
    assert "The data itself moved in 7 min 15 s against 6 min 30 s; waits and the other steps cancel that out." in (  # noqa: E501
        third.narrative
    )  # fmt: skip
    assert (first.confidence, first.recommendation[:25]) == (0.5, "Repeat each at least 5 ti")
    evidence = {e.label: (e.value, e.unit) for e in first.evidence}
    assert evidence["run 1: duration"] == (1446, "s")
    assert evidence["run 1: restore"] == (1030, "s")
    assert evidence["run 2: rate"] == (208333333, "B/s")
    assert evidence["duration, backup, restore and join over automatic seeding"] == (3.013, "ratio")
    assert evidence["run 2: CPU of A, mean while data moved"] == (70, "%")
    (cpu,) = (e for e in first.evidence if e.label == "run 2: CPU of A, mean while data moved")
    assert cpu.source == "perfmon of A, 77 samples while data moved, p5 70, p50 70, p95 70"


def test_the_summary_tells_the_findings_below_the_runs():
    study = three()
    told_of = analysis.summary(study, judge.findings(study))
    assert "- **Automatic seeding of db is 3&#46;0 times faster" in told_of


def test_the_step_table_adds_up():
    frame = tables.steps(three())
    first = frame[frame["run"] == 1]
    assert list(zip(first["step"], first["duration"], strict=True)) == [
        ("backup", "06'55\""), ("restore", "17'10\""), ("join", "00'01\""), ("total", "24'06\"")
    ]  # fmt: skip


def test_tables_and_figures_of_three_runs():
    study = three()
    assert list(tables.runs(study)["what"]) == [
        "backup, restore and join", "automatic seeding", "automatic seeding with trace flag 9567"
    ]  # fmt: skip
    assert list(tables.runs(study)["baseline"]) == ["yes", "", ""]
    per_byte = tables.per_byte(study).set_index(["host", "resource"])
    assert ("A", "CPU") not in per_byte.index, "how many cores it has is not known"
    assert per_byte.loc[("A", "network sent"), "run 2"] == pytest.approx(0.975)
    frame = tables.resources(study)
    assert list(frame["step"].unique()) == [
        "while data moved", "backup", "restore", "whole run"
    ]  # fmt: skip
    assert describe(figures.durations(study)).splitlines()[:2] == ["backup: 1 bar", "restore: 1 bar"]
    shown = figures.aligned(study, case(OF_THREE, rows=500))
    assert len(shown.data) == 3 * (1 + 2 + 2)
    assert shown.data[0].x[0] == 5  # seconds since the start


def test_without_the_size_of_the_steps_before_the_copy_nothing_is_claimed_of_them():
    seen = THREE.replace("request 2, wait for a slot 50, copy 390, catch-up 38", "copy 390")
    assert "run 2:" not in judge.findings(examined(seen))[0].narrative


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
    assert finding.title == "Automatic seeding of db with trace flag 9567 is 2.0 times faster than without it"
    assert "(runs 2, 4, 6, 8 and 10, median) took 2 min 30 s" in finding.narrative
    assert "95 % of the resampled ratios lie between 1.91 and 2.09 (n = 5 and 5 runs)." in (finding.narrative)
    assert (finding.confidence, finding.recommendation) == (0.9, "")


def test_repetitions_that_scatter_show_no_difference():
    text = repeated(300, 340, 360, 280, 290, 270, 310, 330, 345, 300)
    (finding,) = judge.findings(examined(text))
    assert finding.id == "compare.no_difference"
    assert (finding.severity, finding.confidence) == ("info", 0.9)


def test_three_repetitions_that_scatter_show_no_difference_and_carry_no_interval():
    (finding,) = judge.findings(examined(repeated(300, 340, 360, 280, 290, 270)))
    assert finding.id == "compare.no_difference"
    assert "n = 3 and 3: too few runs for a confidence interval." in finding.narrative
    assert (finding.severity, finding.confidence) == ("info", 0.6)


def test_two_repetitions_carry_no_interval():
    (finding,) = judge.findings(examined(repeated(300, 150, 310, 155)))
    assert finding.id == "compare.difference"
    assert "n = 2 and 2: too few runs for a confidence interval." in finding.narrative
    assert finding.confidence == 0.6


def test_the_same_way_several_times_compares_run_by_run():
    text = """
    seeding | db | A > B |    0 | copy 300 | 100
    seeding | db | A > B | 1000 | copy 600 | 100
    """
    assert told(examined(text)) == table("""
    difference | 2:1 | Automatic seeding of db (run 2) takes 2.0 times as long as automatic seeding (run 1)
    """)


def test_a_factor_that_counts_repetitions_is_none():
    text = """
    seeding | db | A > B |    0 | copy 300 | 100 | disk=a; run=1
    seeding | db | A > B | 1000 | copy 290 | 100 | disk=a; run=2
    seeding | db | A > B | 2000 | copy 150 | 100 | disk=b; run=1
    """
    assert told(examined(text)) == table("""
    difference | 3:1 | Automatic seeding of db (disk b) is 2.0 times faster than automatic seeding (disk a)
    """)


# What must hold for a ratio to mean anything


def test_databases_of_different_size_compare_by_rate():
    text = """
    seeding | db | A > B |    0 | copy 500 | 100
    seeding | db | A > B | 1000 | copy 500 | 200
    """
    (finding,) = judge.findings(examined(text))
    assert finding.title == (
        "Automatic seeding of db (run 2) is per byte of the database 2.0 times faster than automatic seeding "
        "(run 1)"
    )
    assert (
        "The databases differ in size (100 GB and 200 GB), so rates are compared: 400 MB/s against 200 MB/s"
        in finding.narrative
    )


def test_a_size_that_is_known_once_is_said():
    text = """
    seeding | db | A > B |    0 | copy 500 | 100
    seeding | db | A > B | 1000 | copy 500 |
    """
    (finding,) = judge.findings(examined(text))
    assert "The size of the database is known in one of the two only" in finding.narrative


def test_other_hosts_are_said():
    text = """
    seeding | db | A > B |    0 | copy 500 | 100
    seeding | db | A > C | 1000 | copy 250 | 100
    """
    (finding,) = judge.findings(examined(text))
    assert "The hosts differ (A to B; A to C), and so may their speed." in (
        finding.narrative
    )  # fmt: skip


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
    assert f"Automatic seeding of db {title} backup, restore and join" in finding.title
    same = "not faster" in title
    assert finding.id == ("compare.no_difference" if same else "compare.difference")


def test_hosts_that_perfmon_does_not_cover_are_said():
    (finding, *_rest) = judge.findings(examined(THREE, OF_THREE.splitlines()[1], rows=500))
    assert finding.narrative.endswith(
        "Run 1 and 2: disks and network of A not captured. Run 1 and 2: no perfmon log of B covers it."
    )
    assert finding.evidence[-1].label == "not captured"


def test_less_read_than_copied_is_a_contradiction():
    perfmon = OF_THREE.replace("100x257000000, 230000000", "100x150000000, 230000000", 1)
    study = examined(THREE, perfmon, rows=500)
    assert study.contradictions[2] == [
        "The disks of A read 58 GB while 100 GB of the database were reported as copied (0.58 bytes per "
        "byte); both cannot "
        "be true."
    ]
    assert "Figures of run 2 do not fit together" in judge.findings(study)[0].narrative


# The baseline


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        pytest.param("""
            seeding | db | A > B |    0 | copy 500 | 100 | compression=trace flag 9567 on
            seeding | db | A > B | 1000 | copy 250 | 100 | compression=trace flag 9567 off""",
            "1:2", id="uncompressed before compressed"),
        pytest.param("""
            seeding | db | A > B |    0 | copy 500 | 100
            manual  | db | A > B | 1000 | backup 100, restore 150 | 100""",
            "1:2", id="by hand before seeding"),
        pytest.param("""
            seeding | db | A > B |    0 | copy 500 | 100 | | new disks
            seeding | db | A > B | 1000 | copy 250 | 100 | compression=trace flag 9567 on | Baseline, old""",
            "1:2", id="what is labelled so"),
        pytest.param("""
            seeding | db | A > B |    0 | copy 500 | 100 | cache=on
            seeding | db | A > B | 1000 | copy 250 | 100 | cache=off""",
            "1:2", id="the one with most factors off"),
        pytest.param("""
            seeding | db | A > B |    0 | copy 500 | 100 | disk=a
            seeding | db | A > B | 1000 | copy 250 | 100 | disk=b""",
            "2:1", id="else the first"),
    ],
)  # fmt: skip
def test_the_plain_run_is_the_baseline(text, numbers):
    assert told(examined(text)).split(" | ")[1] == numbers


@pytest.mark.parametrize("wanted", ["2", "Quick one"])
def test_the_baseline_can_be_named(wanted):
    text = """
    seeding | db | A > B |    0 | copy 500 | 100 | disk=a | first
    seeding | db | A > B | 1000 | copy 250 | 100 | disk=b | quick one
    seeding | db | A > B | 2000 | copy 125 | 100 | disk=c | third
    """
    assert told(examined(text, asked=Asked(baseline=wanted))) == table("""
    difference | 1:2 | First of db takes 2.0 times as long as quick one
    difference | 3:2 | Third of db is 2.0 times faster than quick one
    """)


def test_a_baseline_that_is_not_there_is_said():
    study = examined(THREE, asked=Asked(baseline="monday"))
    assert study.open[0] == "No run that compares is called 'monday': the plain one is the baseline."


def test_runs_compare_with_the_one_before_only_where_one_factor_differs():
    text = """
    seeding | db | A > B |    0 | copy 500 | 100 | disk=a; link=x
    seeding | db | A > B | 1000 | copy 250 | 100 | disk=b; link=y
    seeding | db | A > B | 2000 | copy 125 | 100 | disk=b; link=z
    seeding | db | A > B | 3000 | copy 100 | 100 | disk=c; link=w
    """
    assert [line.split(" | ")[1] for line in told(examined(text)).splitlines()] == [
        "2:1", "3:1", "4:1", "3:2"
    ]  # fmt: skip


# Which runs


def test_only_what_is_asked_for():
    text = THREE + "\n    seeding | other | A > B | 3000 | copy 20 | 5"
    assert len(examined(text).runs) == 4
    assert [r.database for r in examined(text, asked=Asked(database="DB")).runs] == ["db"] * 3
    late = examined(text, asked=Asked(start=moment(1400), end=moment(3000)))
    assert [(r.number, r.method) for r in late.runs] == [
        (1, "automatic seeding"), (2, "automatic seeding")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("disk", "wanted", "title"),
    [
        ("61x100000000, 300000000", "difference",
         "New differs from old: 5 min both, disk reads of A 100 MB/s to 300 MB/s"),
        ("61x100000000, 105000000", "no_difference", "No difference between old and new (5 min both)"),
    ],
)  # fmt: skip
def test_labelled_windows_compare_by_what_every_host_did(disk, wanted, title):
    text = """
    window | | | 0   | window 300 | | cache=off | old
    window | | | 300 | window 300 | | cache=on | new
    """
    (finding,) = judge.findings(examined(text, f"A | \\LogicalDisk(D:)\\Disk Read Bytes/sec | {disk}"))
    assert (finding.id, finding.title) == (f"compare.{wanted}", title)
    assert finding.subject == {"run": "2 (new)", "baseline": "1 (old)"}
    assert "Run 1 and 2: CPU and network of A not captured." in finding.narrative


TWO_WINDOWS = """
window | | | 0   | window 300 | | x=1 | old
window | | | 300 | window 300 | | x=2 | new
"""


def test_of_labelled_windows_without_perfmon_nothing_is_claimed():
    study = examined(TWO_WINDOWS)
    assert judge.findings(study) == []
    assert analysis.missing(study) == [
        "Of the labelled windows (old, 5 min and new, 5 min) no two are covered by perfmon logs.",
        "Run 1 and 2: no perfmon log covers it.",
    ]


def test_a_labelled_window_that_perfmon_does_not_cover_is_no_baseline():
    text = "window | | | -9000 | window 300 | | x=0 | before\n" + TWO_WINDOWS
    study = examined(text, r"A | \Processor(_Total)\% Processor Time | 61x30, 70")
    assert [f.subject["baseline"] for f in judge.findings(study)] == ["2 (old)"]
    assert "Run 1: no perfmon log covers it." in study.open


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
    assert told.title == "Same (x 2) differs from same (x 1): 5 min both, CPU of A 30 to 70 %"


def test_perfmon_that_covers_little_of_a_run_is_said_and_carries_no_contradiction():
    text = """
    seeding | db | A > B |    0 | copy 400 | 100 | x=1
    seeding | db | A > B | 1000 | copy 400 | 100 | x=2
    """
    perfmon = r"A | \LogicalDisk(D:)\Disk Read Bytes/sec | 21x10000000, -"
    study = examined(text, perfmon, rows=500)
    assert study.contradictions == {1: [], 2: []}
    assert "Run 1: perfmon of A covers 25 % of the time in which data moved." in study.open


def test_runs_at_the_same_time_are_said():
    text = """
    seeding | db | A > B |   0 | copy 400 | 100 | x=1
    seeding | db | A > C | 390 | copy 400 | 100 | x=1
    seeding | db | A > B | 800 | copy 400 | 100 | x=1
    """
    (told,) = judge.findings(examined(text))
    assert "Runs 1 and 2 ran at the same time: what a host did then counts for both." in told.narrative
    apart = text.replace("390", "2000")
    assert "at the same time" not in judge.findings(examined(apart))[0].narrative


# Nothing to compare


def test_without_runs_it_says_what_one_is():
    empty = Comparison(case())
    (said,) = empty.missing()
    assert said.startswith("No run to compare was captured. A run is a backup, its restore on")
    assert empty.findings() == []
    assert empty.say_missing().startswith("- No run to compare was captured")
    assert empty.say_summary().startswith("No run to compare was captured")
    assert all(
        len(t) == 0
        for t in (empty.tbl_runs(), empty.tbl_steps(), empty.tbl_resources(), empty.tbl_per_byte())
    )
    assert describe(empty.fig_durations()) == describe(empty.fig_aligned()) == "nothing to draw"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("manual | db | A > B | 0 | backup 415, restore 1030, join 1 | 100",
         "One run was found (backup, restore and join of db, 24 min 6 s), and a comparison takes two."),
        ("""seeding | db | A > B | 0 | copy 10 | 1
            seeding | other | A > B | 20 | copy 10 | 1""",
         (
             "Of the runs found (automatic seeding of db, 10 s and automatic seeding of other, 10 s) no two "
             "are of one database."
         )),
    ],
)  # fmt: skip
def test_nothing_to_compare(text, said):
    study = examined(text)
    assert analysis.missing(study)[0].startswith(said)
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
