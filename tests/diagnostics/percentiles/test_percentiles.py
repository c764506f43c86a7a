"""Percentiles of any counter, in any grouping."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.percentiles import Percentiles
from agtrace.errors import CaseError
from agtrace.say.figures import NOTHING, describe
from tests.behind import assert_facts, texts
from tests.diagnostics.workload.cases import case

READ = "\\LogicalDisk({})\\Disk Read Bytes/sec"
FLUSHED = "\\SQLServer:Databases({})\\Log Bytes Flushed/sec"
RAMP = f"P | {READ.format('D:')} | 0..100\n"


def rows(asked):
    return asked.tbl_percentiles().to_dict("records")


def test_without_perfmon_it_says_so():
    empty = Percentiles(case())
    assert empty.findings() == []
    assert empty.distribution.rows == 0
    assert len(empty.tbl_percentiles()) == len(empty.tbl_heat()) == len(empty.tbl_counters()) == 0
    for figure in (empty.fig_percentiles(), empty.fig_distribution(), empty.fig_heat()):
        assert figure.layout.title.text.startswith("No sample")


def test_the_default_is_throughput_where_there_is_any():
    perfmon = RAMP + f"P | {FLUSHED.format('a')} | 5\nP | \\Memory\\Available MBytes | 7"
    assert [row["counter"] for row in rows(Percentiles(case(perfmon)))] == [
        "LogicalDisk\\Disk Read Bytes/sec",
        "SQLServer:Databases\\Log Bytes Flushed/sec",
    ]


def test_an_unknown_grouping_names_those_there_are():
    with pytest.raises(CaseError) as error:
        rows(Percentiles(case(RAMP), by="colour"))
    assert str(error.value) == (
        "cannot group by 'colour' - group by: host, instance, hour, weekday, day, run, configuration"
    )


@pytest.mark.parametrize(
    ("hours", "drawn"), [(24, NOTHING), (26, "median by weekday and hour: 26 cells, 1 to 2")]
)
def test_hours_and_weekdays_are_drawn_of_more_than_a_day(hours, drawn):
    made = case(f"P | {READ.format('D:')} | {hours - 1}x1, 2", rows=hours, every=3600)
    assert describe(Percentiles(made).fig_heat()) == drawn
    assert len(Percentiles(made).tbl_heat()) == hours


def test_the_change_per_second():
    made = case("P | \\SQLServer:Database Replica(a)\\Log Send Queue | 0..190", rows=20)
    (row,) = rows(Percentiles(made, counter="Log Send Queue", change=True))
    assert (row["n"], row["p5"], row["p95"]) == (19, 2, 2)


def test_many_groups_are_drawn_as_far_as_there_is_room():
    perfmon = "".join(f"P | {READ.format(f'{n}:')} | {n}\n" for n in range(20))
    asked = Percentiles(case(perfmon), by="instance")
    assert len(asked.tbl_percentiles()) == 20
    assert describe(asked.fig_percentiles()).splitlines()[-1].startswith("p50: 12 points, 8 to 19")
    assert "8 more in the table" in asked.fig_percentiles().layout.title.text
    assert_facts(texts(asked.say_summary)["summary.md"], groups=20, rows=2400, series=20, most=8)


# Replicas, idle time, runs, backups


def test_what_never_moves_is_said_so():
    asked = Percentiles(case(f"{RAMP}P | {FLUSHED.format('a')} | 0", rows=101))
    assert_facts(texts(asked.say_summary)["summary.md"], groups=2, rows=202, series=2, most=8)
    assert "Flushed" not in describe(asked.fig_distribution())


def test_the_first_numbers_are_percentiles_of_the_leading_group_of_each_counter():
    low = RAMP.replace("P |", "Q |").replace("0..100", "0..10")
    two = Percentiles(case(RAMP + low + f"P | {FLUSHED.format('a')} | 7\n", rows=101))
    assert [(each.label, each.value) for each in two.leading_figures()] == [
        ("values counted", 303),
        ("Disk Read Bytes/sec, P, p50", 50),
        ("Disk Read Bytes/sec, P, p95", 95),
        ("Log Bytes Flushed/sec, P, p50", 7),
        ("Log Bytes Flushed/sec, P, p95", 7),
    ]
    one = Percentiles(case(RAMP, rows=101)).leading_figures()
    assert [(each.label, each.value) for each in one[1:]] == [
        (f"Disk Read Bytes/sec, P, p{share}", share) for share in (5, 50, 95, 99)
    ]
