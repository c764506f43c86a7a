"""readable.version_store: a version store that grows on a secondary, who holds it, when it is full."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.readable import Readable
from tests.behind import assert_facts, texts
from tests.diagnostics.tiny import case

# 120 samples every 15 s: 29 min 45 s from 12:00:00 on.
EVERY = 15.0
SECONDARY = "SQL2 | - | roles | ag=AG; role=SECONDARY; start=2024-03-05T11:00:00Z; end=2024-03-05T14:00:00Z"
PRIMARY_TOO = SECONDARY.replace("ag=AG; role=SECONDARY", "ag=AG2; role=PRIMARY")
READABLE = "SQL2 | 5 | replicas | ag=AG; replica=SQL2; node=SQL2; secondary_connections=ALL"
READER = (
    "SQL2 | 1500 | long_transactions | session_id=88; seconds=1800; is_snapshot=true; client=REPORTS1; "
    "program=Report server; login=DOM\\reports; statement=SELECT * FROM dbo.Orders"
)


def perfmon(size="100000..2000000", free="8000000", longest="0..1785", host="SQL2"):
    counters = (("Version Store Size (KB)", size), ("Free Space in tempdb (KB)", free),
                ("Longest Transaction Running Time", longest))  # fmt: skip
    return "\n".join(
        f"{host} | \\SQLServer:Transactions\\{name} | {values}" for name, values in counters if values
    )


def findings(*relations, size="100000..2000000", free="8000000", longest="0..1785", **given):
    made = case(perfmon(size, free, longest), relations="\n".join(relations), every=EVERY, **given)
    return Readable(made).findings()


def values(found):
    return {each.label: each.value for each in found.evidence}


def test_a_secondary_that_is_known_to_be_read_is_surer():
    (found,) = findings(SECONDARY, READABLE)
    assert found.confidence == 0.85


def test_without_the_free_space_a_large_growth_says_less():
    (found,) = findings(SECONDARY, free=None)
    assert found.severity == "notice"
    assert_facts(found, free=None)


@pytest.mark.parametrize(("size", "n"), [("0..1000000", 1), ("0..999999", 0)])
def test_without_the_free_space_growth_of_less_than_a_gigabyte_is_not_spoken_of(size, n):
    """1,000,000 KB of 1,024 bytes are the threshold's 1,024 MB."""
    assert len(findings(SECONDARY, size=size, free=None)) == n


def test_without_perfmon_looks_of_a_collector_tell_it():
    looks = [
        f"SQL2 | {60 * at} | version_stores | size_kb={100_000 + 60_000 * at}; free_kb=8000000"
        for at in range(31)
    ]
    made = case(relations="\n".join([SECONDARY, *looks]))
    (found,) = Readable(made).findings()
    assert_facts(found, host="SQL2", growth=3686400000.0)
    assert {each.source for each in found.evidence} == {"sys.dm_db_file_space_usage of SQL2"}


def test_values_beyond_all_disks_are_damage():
    assert findings(SECONDARY, size="1000000000000000000000..9000000000000000000000000") == []


def test_nothing_captured_is_told_with_how_to_capture_it():
    made = Readable(case())
    assert made.findings() == []
    (_plea,) = made.missing()


def test_the_figure_shows_size_free_space_and_the_longest_transaction():
    made = Readable(case(perfmon(), relations=SECONDARY, every=EVERY))
    figure = made.fig_sizes()
    assert [line.name for line in figure.data] == ["SQL2", "SQL2", "SQL2"]
    assert made.tbl_growths()[["host_id", "samples"]].values.tolist() == [["SQL2", 120]]
    assert_facts(texts(made.say_summary)["summary.md"], told=["SQL2"])


@pytest.mark.parametrize(("lacking", "n"), [(19, 1), (20, 0)])
def test_samples_further_apart_than_a_gap_are_two_stretches(lacking, n):
    """Of 30 samples before and 30 after, each too short; 20 steps of 15 s are five minutes."""
    size = ", ".join(["30x100000..1000000", *["-"] * lacking, "30x1000000..2000000"])
    found = findings(SECONDARY, size=size, rows=60 + lacking, settings={"thresholds": {"gap_minutes": 5}})
    assert len(found) == n
