"""Runs side by side: how much faster, at what cost, how sure; on runs as text tables."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.comparison import figures, judge, tables
from agtrace.diagnostics.comparison.analysis import Comparison
from agtrace.diagnostics.comparison.tables import clock
from agtrace.say.figures import describe
from tests.behind import assert_facts
from tests.diagnostics.comparison.cases import examined, told
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
        "database": "db", "run": "2 (automatic seeding)", "baseline": "1 (backup, restore and join)",
        "source": "A", "target": "B",
    }  # fmt: skip
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


# What must hold for a ratio to mean anything


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


# Which runs


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
    ("seconds", "text"), [(0.4, "00'00\""), (61, "01'01\""), (1446, "24'06\""), (3723, "1h 02'03\"")]
)
def test_durations_in_tables(seconds, text):
    assert clock(seconds) == text
