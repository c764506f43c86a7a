"""readable.statistics: what a secondary had to make for itself, since the primary lacks it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

import agtrace
from simulation.formats import rowsets
from simulation.formats.errorlog import Log
from simulation.groups.words import role
from tests.behind import assert_facts

NOON = datetime(2024, 3, 5, 12)
COLUMNS = (
    ("Database_Id", -11), ("Database_Name", 30), ("Schema_Name", 20), ("Object_Name", 30), ("object_id", -11),
    ("stats_id", -11), ("Statistics_Name", 80), ("last_updated", 30), ("rows", -20), ("rows_sampled", -20),
    ("steps", -11), ("unfiltered_rows", -20), ("modification_counter", -20),
)  # fmt: skip
SUFFIX = "_readonly_database_statistic"


def statistic(name, table="Orders", database="Sales", rows=1000):
    return (5, database, "dbo", table, 77, 3, name, "2024-03-05 11:00:00", rows, rows, 10, rows, 0)


def errorlog(new="SECONDARY_NORMAL"):
    made = Log(NOON - timedelta(hours=1), timedelta(0)).start("SQL2", utc="0:00")
    made.add("spid30s", role("AG", "RESOLVING_NORMAL", new, "the replica is coming online"),
             at=NOON - timedelta(minutes=50))  # fmt: skip
    change = (
        'The availability group database "Sales" is changing roles from "RESOLVING" to "{}" because the '
        "mirroring session or availability group failed over due to role synchronization. This is an "
        "informational message only. No user action is required."
    )
    made.add("spid30s", change.format(new.split("_")[0]), at=NOON - timedelta(minutes=49))
    made.add("spid30s", "The log goes on.", at=NOON + timedelta(hours=1))
    return made.windows()


def found(folder, *rows, log=None):
    look = "Start time: 2024-03-05T12:10:00.000\r\n\r\n"
    text = look + rowsets.rowset("sys.dm_db_stats_properties", COLUMNS, list(rows))
    (folder / "SQL2_20240305T1210000000_PerfStats_Snapshot.out").write_bytes(text.encode())
    (folder / "ERRORLOG").write_bytes(log or errorlog())
    with agtrace.open_case(folder) as case:
        return [each for each in case.readable.findings() if each.id == "readable.statistics"]


@pytest.mark.complete
def test_statistics_that_a_secondary_made_for_itself_are_told(tmp_path):
    rows = [statistic(f"_WA_Sys_0000000{n}_1{SUFFIX}") for n in range(3)]
    rows += [statistic(f"_WA_Sys_00000009_2{SUFFIX}", "Lines"), statistic("PK_Orders")]
    (one,) = found(tmp_path, *rows)
    assert (one.severity, one.subject) == ("info", {"host": "SQL2"})
    assert_facts(one, host="SQL2", n=4, databases=["Sales"], tables=["dbo.Orders", "dbo.Lines"])
    assert [(each.label, each.value) for each in one.evidence] == [
        ("temporary statistics of Sales", 4), ("most of them in Sales", "dbo.Orders, dbo.Lines"),
    ]  # fmt: skip


@pytest.mark.complete
def test_a_database_that_is_in_no_group_is_not_spoken_of(tmp_path):
    assert found(tmp_path, statistic(f"a{SUFFIX}", database="Archive")) == []
