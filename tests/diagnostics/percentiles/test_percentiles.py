"""Percentiles of any counter, in any grouping."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agtrace.diagnostics import analyses
from agtrace.diagnostics.percentiles import Percentiles
from agtrace.errors import CaseError
from agtrace.say.figures import NOTHING, describe
from tests.behind import assert_facts, texts
from tests.diagnostics.backup.cases import backup_case, interleaved, traced
from tests.diagnostics.tiny import START
from tests.diagnostics.workload.cases import case, window

READ = "\\LogicalDisk({})\\Disk Read Bytes/sec"
FLUSHED = "\\SQLServer:Databases({})\\Log Bytes Flushed/sec"
RAMP = f"P | {READ.format('D:')} | 0..100\n"


def rows(asked):
    return asked.tbl_percentiles().to_dict("records")


def test_the_analysis_is_found_by_its_folder():
    assert analyses()["percentiles"] is Percentiles


def test_without_perfmon_it_says_so():
    empty = Percentiles(case())
    assert empty.findings() == []
    assert empty.distribution.rows == 0
    assert len(empty.tbl_percentiles()) == len(empty.tbl_heat()) == len(empty.tbl_counters()) == 0
    for figure in (empty.fig_percentiles(), empty.fig_distribution(), empty.fig_heat()):
        assert figure.layout.title.text.startswith("No sample")


def test_percentiles_are_exact():
    asked = Percentiles(case(RAMP, rows=101))
    assert asked.missing() == []
    (row,) = rows(asked)
    assert row["counter"] == "LogicalDisk\\Disk Read Bytes/sec"
    assert (row["host"], row["n"], row["mean"], row["lowest"], row["highest"]) == ("P", 101, 50, 0, 100)
    assert [row[p] for p in ("p5", "p25", "p50", "p75", "p95", "p99")] == [5, 25, 50, 75, 95, 99]
    assert asked.findings() == []


def test_there_is_a_default_for_any_perfmon():
    for path in ("\\Memory\\Available MBytes", "\\Thing(x)\\Bytes Moved/sec", "\\Thing\\Turns/sec"):
        (row,) = rows(Percentiles(case(f"P | {path} | 7")))
        assert row["p50"] == 7


def test_the_default_is_throughput_where_there_is_any():
    perfmon = RAMP + f"P | {FLUSHED.format('a')} | 5\nP | \\Memory\\Available MBytes | 7"
    assert [row["counter"] for row in rows(Percentiles(case(perfmon)))] == [
        "LogicalDisk\\Disk Read Bytes/sec",
        "SQLServer:Databases\\Log Bytes Flushed/sec",
    ]


def test_instances_add_up_without_total_and_system_databases():
    perfmon = "".join(
        f"P | {FLUSHED.format(name)} | {value}\n"
        for name, value in (("a", 5), ("b", 7), ("tempdb", 100), ("_Total", 112))
    )
    (row,) = rows(Percentiles(case(perfmon)))
    assert row["p50"] == 12
    (row,) = rows(Percentiles(case(perfmon), instance="tempdb"))
    assert row["p50"] == 100
    apart = rows(Percentiles(case(perfmon), by="database", counter="Log Bytes Flushed/sec"))
    assert {row["instance"]: row["p50"] for row in apart} == {
        "a": 5, "b": 7, "tempdb": 100, "_Total": 112,
    }  # fmt: skip


def test_total_alone_is_taken():
    (row,) = rows(Percentiles(case(f"P | {READ.format('_Total')} | 9")))
    assert row["p50"] == 9


def test_counters_are_globs_with_or_without_their_object():
    perfmon = RAMP + "P | \\PhysicalDisk(0)\\Disk Read Bytes/sec | 3"
    for pattern, objects in (
        ("disk read*", ["LogicalDisk", "PhysicalDisk"]),
        ("Physical*\\Disk Read Bytes/sec", ["PhysicalDisk"]),
        ("nothing; *Read Bytes/sec", ["LogicalDisk", "PhysicalDisk"]),
    ):
        found = rows(Percentiles(case(perfmon), counter=pattern))
        assert [row["counter"].split("\\")[0] for row in found] == objects


def test_a_counter_that_is_not_there_names_those_like_it():
    with pytest.raises(CaseError) as error:
        rows(Percentiles(case(RAMP), counter="read"))
    assert str(error.value) == "no counter 'read' was captured - such as Disk Read Bytes/sec"


def test_an_unknown_grouping_names_those_there_are():
    with pytest.raises(CaseError) as error:
        rows(Percentiles(case(RAMP), by="colour"))
    assert str(error.value) == (
        "cannot group by 'colour' - group by: host, instance, hour, weekday, day, run, configuration"
    )


def test_groups_by_hour_and_weekday_in_local_time():
    made = case(f"P | {READ.format('D:')} | 60x1, 2", rows=120, every=60)
    found = rows(Percentiles(made, by="weekday,hour"))
    assert [(row["weekday"], row["hour"], row["p50"], row["n"]) for row in found] == [
        ("2 Tue", "13", 2, 60),
        ("2 Tue", "12", 1, 60),
    ]
    heat = Percentiles(made).tbl_heat().to_dict("records")
    assert heat == [
        {"weekday": "Tuesday", "hour": 12, "n": 60, "median": 1},
        {"weekday": "Tuesday", "hour": 13, "n": 60, "median": 2},
    ]


@pytest.mark.parametrize(
    ("hours", "drawn"), [(24, NOTHING), (26, "median by weekday and hour: 26 cells, 1 to 2")]
)
def test_hours_and_weekdays_are_drawn_of_more_than_a_day(hours, drawn):
    made = case(f"P | {READ.format('D:')} | {hours - 1}x1, 2", rows=hours, every=3600)
    assert describe(Percentiles(made).fig_heat()) == drawn
    assert len(Percentiles(made).tbl_heat()) == hours


def test_groups_by_run_and_configuration():
    made = case(f"P | {READ.format('D:')} | 60x1, 2", rows=120)
    window(made, "first", '{"cache": "ON"}', 0, 300)
    window(made, "second", '{"cache": "OFF"}', 300, 600)
    by_run = rows(Percentiles(made, by="run"))
    assert {row["run"]: (row["p50"], row["n"]) for row in by_run} == {"first": (1, 60), "second": (2, 60)}
    by_configuration = rows(Percentiles(made, by="configuration"))
    assert {row["configuration"]: row["p50"] for row in by_configuration} == {"cache=ON": 1, "cache=OFF": 2}


def test_a_window_a_host_a_scale_and_a_unit():
    made = case(RAMP + f"S | {READ.format('D:')} | 7", rows=101)
    asked = Percentiles(
        made, host="p", start=START + timedelta(seconds=50), end=START + timedelta(seconds=100),
        scale=2, unit="furlongs",
    )  # fmt: skip
    (row,) = rows(asked)
    assert (row["n"], row["lowest"], row["highest"], row["unit"]) == (10, 20, 38, "furlongs")


def test_a_quotient_of_two_counters_at_the_same_moment():
    replica = "\\SQLServer:Database Replica(a)\\{}"
    made = case(
        f"P | {replica.format('Transaction Delay')} | 10x60, 90\n"
        f"P | {replica.format('Mirrored Write Transactions/sec')} | 10x30, 9x10, 0",
        rows=20,
    )
    asked = Percentiles(made, counter="Transaction Delay", per="Mirrored Write Transactions/sec", unit="ms")
    (row,) = rows(asked)
    # Where nothing is counted below, there is no quotient.
    assert (row["n"], row["lowest"], row["highest"], row["unit"]) == (19, 2, 9, "ms")


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


def test_the_summary_words_the_middle_and_the_ends():
    made = case(f"P | {READ.format('D:')} | 1000000..3000000", rows=101)
    made.connection.execute("update counters set unit = 'B/s'")
    assert_facts(
        texts(Percentiles(made).say_summary)["summary.md"], groups=1, rows=101, series=1, approximate=False
    )


def test_local_time_is_enough():
    (row,) = rows(Percentiles(case(RAMP, rows=101, zone_unknown=("P",)), start=START))
    assert row["n"] == 101


def test_very_many_values_are_approximated(monkeypatch):
    monkeypatch.setattr("agtrace.history.distributions.quantiles.EXACT_ROWS", 100)
    asked = Percentiles(case(RAMP, rows=101))
    (row,) = rows(asked)
    assert row["p50"] == pytest.approx(50, abs=2)
    assert_facts(texts(asked.say_summary)["summary.md"], groups=1, rows=101, series=1, most=8)


# Replicas, idle time, runs, backups

SENT = "\\SQLServer:Availability Replica(AG:{})\\Bytes Sent to Transport/sec"


def test_bytes_sent_to_two_replicas_are_no_sum():
    perfmon = "".join(f"P | {SENT.format(name)} | {value}\n" for name, value in (("S", 5), ("T", 70)))
    perfmon += f"P | {SENT.format('x').replace('AG:x', '_Total')} | 75"
    asked = Percentiles(case(perfmon))
    told = {row["counter"]: row["p50"] for row in rows(asked)}
    name = "SQLServer:Availability Replica(AG:{})\\Bytes Sent to Transport/sec"
    assert told == {name.format("S"): 5, name.format("T"): 70}
    assert_facts(texts(asked.say_summary)["summary.md"], groups=2, rows=240, series=2, most=8)
    (row,) = rows(Percentiles(case(perfmon), total=True))
    assert row["p50"] == 75


IDLE = f"P | {READ.format('D:')} | 90x0, 2000..4000"


def test_idle_samples_do_not_make_the_middle_zero():
    asked = Percentiles(case(IDLE, rows=101))
    (row,) = rows(asked)
    assert (row["n"], row["idle"], row["lowest"], row["p50"]) == (11, 90, 2000, 3000)
    assert_facts(texts(asked.say_summary)["summary.md"], groups=1, rows=101, series=1, most=8)
    (row,) = rows(Percentiles(case(IDLE, rows=101), busy=False))
    assert (row["n"], row["idle"], row["p50"]) == (101, 0, 0)


def test_a_hundredth_of_the_highest_is_idle_too():
    (row,) = rows(Percentiles(case(IDLE.replace("90x0", "90x20"), rows=101)))
    assert (row["n"], row["idle"], row["p50"]) == (11, 90, 3000)


def test_a_queue_that_is_often_empty_is_not_idle():
    queue = "P | \\SQLServer:Database Replica(a)\\Log Send Queue | 90x0, 2000..4000"
    (row,) = rows(Percentiles(case(queue, rows=101), counter="Log Send Queue"))
    assert (row["n"], row["idle"], row["p50"]) == (101, 0, 0)


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


def test_where_nothing_moves_the_first_numbers_say_so():
    still = Percentiles(case(RAMP.replace("0..100", "0"), rows=101)).leading_figures()
    assert [(each.label, each.value) for each in still] == [
        ("values counted", 101),
        ("series", 1),
        ("groups", 1),
        ("groups in which nothing moved", 1),
    ]
    assert Percentiles(case()).leading_figures() == []


def test_labelled_windows_are_told_apart_unasked():
    made = case(f"P | {READ.format('D:')} | 60x1, 2", rows=120)
    window(made, "before", '{"tuning": "off"}', 0, 300)
    window(made, "after", '{"tuning": "on"}', 300, 600)
    told = {(row["host"], row["run"]): row["p50"] for row in rows(Percentiles(made))}
    assert told == {("P", "before"): 1, ("P", "after"): 2}
    window(made, "after again", '{"tuning": "on"}', 300, 600)
    told = {row["configuration"]: row["p50"] for row in rows(Percentiles(made))}
    assert told == {"tuning=off": 1, "tuning=on": 2}
    assert_facts(texts(Percentiles(made).say_summary)["summary.md"], groups=2, rows=180, series=1, most=8)


def test_backups_are_among_the_choices():
    text = interleaved(traced("Sales", 100, 20, files=(r"S:\\1.mdf",)))
    asked = Percentiles(backup_case(text))
    (row,) = rows(asked)
    assert (row["counter"], row["n"], row["unit"]) == ("backups\\Backup throughput", 1, "B/s")
    (backup,) = asked.view.table("select mb_per_s, host_id from backups").to_pylist()
    assert (row["host"], row["p50"]) == (backup["host_id"], pytest.approx(backup["mb_per_s"] * 2**20))
    (choice,) = asked.tbl_counters().to_dict("records")
    assert (choice["object"], choice["counter"]) == ("backups", "Backup throughput")


def test_a_throughput_of_backups_has_no_change_per_second():
    made = backup_case(interleaved(traced("Sales", 100, 20), traced("Sales", 200, 20)))
    assert rows(Percentiles(made, counter="Backup throughput", change=True)) == []
