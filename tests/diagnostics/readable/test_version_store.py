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


def test_a_version_store_that_fills_tempdb_is_a_warning():
    (found,) = findings(SECONDARY)
    assert found.id == "readable.version_store"
    assert found.subject == {"host": "SQL2"}
    assert (found.severity, found.confidence) == ("warning", 0.7)
    assert found.window == {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:29:45+00:00"}
    assert_facts(
        found,
        host="SQL2",
        growth=3923900000.0,
        full_in=7515.79,
        longest=1785.0,
        is_readable=None,
        is_primary_too=False,
    )
    numbers = values(found)
    assert numbers["growth of the version store"] == pytest.approx(1_900_000 * 1.024 / 1785 * 3.6)
    assert numbers["grew by"] == 1_900_000 * 1024
    assert numbers["version store"] == 2_000_000 * 1024
    assert numbers["free in tempdb"] == 8_000_000 * 1024
    assert numbers["tempdb full in"] == pytest.approx(8_000_000 / 1_900_000 * 1785)
    assert numbers["longest transaction"] == 1785


def test_the_oldest_reader_is_named_and_not_asked_for():
    (found,) = findings(SECONDARY, READER)
    assert_facts(found, oldest=True)
    assert values(found)["transaction of session 88 open"] == 1800


def test_of_several_readers_the_oldest_is_told():
    younger = READER.replace("session_id=88; seconds=1800", "session_id=89; seconds=600")
    (found,) = findings(SECONDARY, younger, READER)
    assert "transaction of session 88 open" in values(found)
    assert "transaction of session 89 open" not in values(found)


def test_a_reader_that_had_ended_before_does_not_hold_it():
    before = READER.replace("| 1500 |", "| -600 |")
    (found,) = findings(SECONDARY, before)
    assert_facts(found, longest=1785.0)


def test_a_reader_of_another_instance_of_the_host_does_not_hold_it():
    (found,) = findings(SECONDARY, READER.replace("session_id=88", "sql_instance=TWO; session_id=88"))
    assert_facts(found, longest=1785.0)


def test_a_secondary_that_is_known_to_be_read_is_surer():
    (found,) = findings(SECONDARY, READABLE)
    assert found.confidence == 0.85


def test_a_server_that_lets_nobody_read_its_secondaries_is_not_spoken_of():
    assert findings(SECONDARY, READABLE.replace("ALL", "NO")) == []


def test_a_server_without_a_secondary_is_not_spoken_of():
    assert findings() == []
    assert findings(SECONDARY.replace("SECONDARY", "PRIMARY")) == []
    assert findings(SECONDARY.replace("T11:", "T09:").replace("T14:", "T10:")) == []


def test_a_server_that_has_a_primary_as_well_says_less():
    (found,) = findings(SECONDARY, PRIMARY_TOO)
    assert found.confidence == 0.5
    assert_facts(found, is_primary_too=True)


def test_only_the_time_as_a_secondary_counts():
    """It becomes a secondary after 20 of 29 minutes: what it had before is not its readers'."""
    late = SECONDARY.replace("T11:00:00Z", "T12:20:00Z")
    assert findings(late) == []


@pytest.mark.parametrize(("free", "n"), [("90000000", 1), ("93000000", 0)])
def test_a_tempdb_that_is_full_after_more_than_a_day_is_not_spoken_of(free, n):
    """It grows by 1,900,000 KB in 1,785 s: 91,966,387 KB in a day. The share grown keeps above its bound."""
    assert len(findings(SECONDARY, free=free, settings={"thresholds": {"version_store_share": 0.01}})) == n


@pytest.mark.parametrize(("free", "n"), [("35900000", 1), ("36100000", 0)])
def test_growth_below_a_twentieth_of_the_space_is_not_spoken_of(free, n):
    """Of 38,000,000 KB, the store and what is free, 1,900,000 KB is a twentieth."""
    assert len(findings(SECONDARY, free=free)) == n


@pytest.mark.parametrize(("rows", "n"), [(40, 0), (41, 1)])
def test_growth_over_less_than_ten_minutes_is_a_burst(rows, n):
    """41 samples every 15 s are 10 minutes."""
    assert len(findings(SECONDARY, rows=rows)) == n


def test_a_store_that_is_cleaned_up_every_minute_does_not_grow():
    saw = ", ".join("4x100000..3000000" for _ in range(30))
    assert findings(SECONDARY, size=saw) == []


def test_a_growth_that_ended_matters_only_where_it_took_most_of_tempdb():
    ended = "80x100000..2000000, 0"
    assert findings(SECONDARY, size=ended) == []
    (found,) = findings(SECONDARY, size=ended, free="2000000")
    assert found.severity == "notice"
    assert_facts(found, is_over=True)
    assert findings(SECONDARY, size=ended, free="2010000") == []


def test_a_store_that_jumped_once_and_holds_since_does_not_grow():
    assert findings(SECONDARY, size="20x100000, 2000000") == []


def test_a_store_that_falls_slowly_is_over():
    assert findings(SECONDARY, size="40x100000..4000000, 4000000..2000000") == []


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


def test_looks_count_where_perfmon_does_not():
    looks = [f"SQL2 | {60 * at} | version_stores | size_kb=1; free_kb=8000000" for at in range(31)]
    (found,) = findings(SECONDARY, *looks)
    assert found.evidence[0].source.startswith("perfmon of SQL2")


def test_values_beyond_all_disks_are_damage():
    assert findings(SECONDARY, size="1000000000000000000000..9000000000000000000000000") == []


def test_a_case_without_anything_has_an_empty_figure_and_table():
    made = Readable(case())
    assert list(made.fig_sizes().data) == []
    assert made.tbl_growths().empty


def test_nothing_captured_is_told_with_how_to_capture_it():
    made = Readable(case())
    assert made.findings() == []
    (_plea,) = made.missing()


def test_an_offset_that_is_not_known_leaves_the_moments_local():
    local = (
        "SQL2 | - | roles | ag=AG; role=SECONDARY; start_local=2024-03-05T11:00:00; "
        "end_local=2024-03-05T14:00:00"
    )
    (found,) = findings(local, zone_unknown=("SQL2",))
    assert found.window["local"] is True


def test_ghosts_that_the_primary_skips_are_told():
    stream = (
        "SQL1 | - | streams | stream_id=1; primary_host_id=SQL1; replica_host_id=SQL2; replica=SQL2; "
        "recovery_queue_growth_bytes_per_s=5000; start=2024-03-05T12:00:00Z; end=2024-03-05T12:29:45Z"
    )
    skipped = "SQL1 | \\SQLServer:Access Methods\\Skipped Ghosted Records/sec | 400"
    text = f"{perfmon()}\n{skipped}"
    (found,) = Readable(case(text, relations="\n".join([SECONDARY, stream]), every=EVERY)).findings()
    assert values(found)["ghosted records skipped on the primary"] == 400
    assert_facts(found, skipped=True, host="SQL2", behind=5000.0)


def test_a_low_water_mark_that_stands_still_holds_the_primarys_cleanup():
    def look(at, mark):
        return (
            f"SQL1 | {at} | database_states | ag=AG; database=Sales; replica=SQL2; "
            f"low_water_mark_for_ghosts={mark}"
        )

    (found,) = findings(SECONDARY, look(60, 71), look(960, 71))
    assert values(found)["low-water mark for ghosts of Sales unchanged"] == 900
    assert_facts(found, marks=["Sales"])
    (_moved,) = findings(SECONDARY, look(60, 71), look(960, 72))


def test_two_stretches_of_a_server_are_one_finding():
    twice = "60x100000..2000000, 100000..3000000"
    (found,) = findings(SECONDARY, size=twice, free="1000000")
    assert values(found)["version store"] == 3_000_000 * 1024


def test_the_figure_shows_size_free_space_and_the_longest_transaction():
    made = Readable(case(perfmon(), relations=SECONDARY, every=EVERY))
    figure = made.fig_sizes()
    assert [line.name for line in figure.data] == ["SQL2", "SQL2", "SQL2"]
    assert made.tbl_growths()[["host_id", "samples"]].values.tolist() == [["SQL2", 120]]
    assert_facts(texts(made.say_summary)["summary.md"], told=["SQL2"])


def test_a_server_that_had_a_primary_at_another_time_says_no_less():
    before = PRIMARY_TOO.replace("T11:", "T09:").replace("T14:", "T10:")
    (found,) = findings(SECONDARY, before)
    assert found.confidence > 0.5


@pytest.mark.parametrize(("lacking", "n"), [(19, 1), (20, 0)])
def test_samples_further_apart_than_a_gap_are_two_stretches(lacking, n):
    """Of 30 samples before and 30 after, each too short; 20 steps of 15 s are five minutes."""
    size = ", ".join(["30x100000..1000000", *["-"] * lacking, "30x1000000..2000000"])
    found = findings(SECONDARY, size=size, rows=60 + lacking, settings={"thresholds": {"gap_minutes": 5}})
    assert len(found) == n


def test_looks_count_where_perfmon_tells_of_tempdb_and_not_of_the_store():
    looks = [
        f"SQL2 | {15 * n} | version_stores | size_kb={100_000 + 16_000 * n}; free_kb=8000000"
        for n in range(120)
    ]
    (found,) = findings(SECONDARY, *looks, size="")
    assert "sys.dm_db_file_space_usage" in {each.source.split(" of ")[0] for each in found.evidence}


def test_a_primary_whose_zone_is_not_known_counts_by_local_time():
    at = "start_local=2024-03-05T{}:00:00; end_local=2024-03-05T{}:00:00"
    for begin, end, says_less in (("11", "14", True), ("09", "10", False)):
        primary = f"SQL2 | - | roles | ag=AG2; role=PRIMARY; {at.format(begin, end)}"
        (found,) = findings(SECONDARY, primary)
        assert (found.confidence == 0.5) is says_less
