"""Which rows the queries choose: of small tables, in which one row has all that is asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agtrace.diagnostics import readable
from tests.diagnostics.asking import ask as ask_of
from tests.folded import folded

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LOCAL = NOON.replace(tzinfo=None)
HOUR = timedelta(hours=1)
ROLE = {"host_id": "A", "role": "SECONDARY", "start": NOON - HOUR, "end": NOON + HOUR, "is_local": False,
        "start_local": LOCAL - HOUR, "end_local": LOCAL + HOUR}  # fmt: skip
CAPTURE = {"capture_id": "look", "content_id": "log", "path": "A/look"}


def ask(
    query: str, asked: dict[str, Any] | None = None, roles: Any = (), **tables: Any
) -> list[dict[str, Any]]:
    """Return the rows of a query over some tables, and over the roles of servers."""
    given = {"readable_roles": list(roles)} if roles else {}
    return ask_of(readable, query, asked, **given, **tables)


STREAM = {"replica_host_id": "A", "recovery_queue_growth_bytes_per_s": 5.0, "start": NOON, "end": NOON + HOUR}


def test_queues_of_a_server_that_grew_are_summed():
    lacking = [{"replica_host_id": None}, {"recovery_queue_growth_bytes_per_s": None, "replica_host_id": "B"}]
    rows = ask("behind", streams=[STREAM, STREAM, *(STREAM | each for each in lacking)])
    assert [(row["host_id"], row["growth"]) for row in rows] == [("A", 10.0)]


MARK = {"replica": "A\\PROD", "database": "Sales", "time_local": LOCAL, "low_water_mark_for_ghosts": 7,
        "capture_id": "look"}  # fmt: skip
LATER = MARK | {"time_local": LOCAL + HOUR}


@pytest.mark.parametrize(
    "lacking",
    [{"low_water_mark_for_ghosts": 0}, {"replica": None}, {"time_local": None}, {"time_local": LOCAL}],
)
def test_one_look_at_a_mark_tells_nothing(lacking):
    assert ask("marks", database_states=[MARK, LATER | lacking]) == []


TRANSACTION = {"host_id": "A", "sql_instance": None, "session_id": 55, "client": "APP", "program": "x",
               "time_local": LOCAL, "seconds": 600, "login": "x", "statement": "x", "is_snapshot": True,
               "capture_id": "look", "line": 4}  # fmt: skip


def test_a_transaction_of_no_server_is_left_out():
    rows = [TRANSACTION, TRANSACTION | {"session_id": 60, "host_id": None}]
    assert [row["session_id"] for row in ask("readers", long_transactions=rows, captures=[CAPTURE])] == [55]


def test_a_transaction_at_no_time_has_no_begin():
    rows = [TRANSACTION | {"host_id": "Z"}, TRANSACTION | {"time_local": None}]
    (row, _) = ask("readers", long_transactions=rows, captures=[CAPTURE])
    assert (row["begun"], row["seconds"]) == (None, 600)


SKIPPED = {"host_id": "P", "object": "SQLServer:Access Methods", "counter": "Skipped Ghosted Records/sec",
           "time": NOON, "value": 8.0}  # fmt: skip
ASKED = {"host": "A", "start": NOON, "end": NOON + HOUR}
PRIMARY = {"replica_host_id": "A", "primary_host_id": "P"}


def ghosts(values, streams=(PRIMARY,)):
    rows = ask("ghosts", ASKED, counter_values=list(values), streams=list(streams))
    return [(row["host_id"], row["skipped"], row["n"], row["before"]) for row in rows]


def test_what_primaries_skip_meanwhile_and_before_is_told_apart():
    times = [(-1, 2.0), (0, 8.0), (3600, 10.0), (3601, 99.0)]
    rows = [SKIPPED | {"time": NOON + timedelta(seconds=at), "value": value} for at, value in times]
    assert ghosts([*rows, SKIPPED | {"value": None}]) == [("P", 9.0, 2, 2.0)]


@pytest.mark.parametrize(
    "stream", [{"replica_host_id": "B"}, {"primary_host_id": None}, {"replica_host_id": "P"}]
)
def test_a_server_that_sends_the_secondary_nothing_is_none_of_its_primaries(stream):
    rows = [PRIMARY | stream, PRIMARY | {"replica_host_id": None}]
    assert ghosts([SKIPPED], rows) == []


WAIT = {"host_id": "A", "wait_type": "W", "time": NOON, "seconds": 60.0, "waiting_tasks": 3, "wait_ms": 900,
        "content_id": "log", "line": 4}  # fmt: skip


def waited(waits, *roles):
    rows = ask("waited", {"types": ["W"]}, roles or [ROLE], waits=waits, contents=[CAPTURE])
    return [(row["host_id"], row["n"], row["wait_ms"], row["seconds"]) for row in rows]


@pytest.mark.parametrize(
    "lacking",
    [{"host_id": None}, {"time": None}, {"seconds": 0.0}, {"waiting_tasks": 0}, {"wait_type": "OTHER"},
     {"host_id": "B"}],
)  # fmt: skip
def test_an_interval_in_which_none_waited_counts_for_nothing(lacking):
    assert waited([WAIT, WAIT | lacking]) == [("A", 3, 900.0, 60.0)]


STATISTIC = {"host_id": "A", "sql_instance": None, "database": "Sales", "schema": "dbo", "object": "Orders",
             "time": NOON, "time_local": LOCAL, "updated_local": LOCAL, "rows": 9, "capture_id": "look",
             "line": 4}  # fmt: skip
NOWHERE = {"replica_host_id": "", "host_id": "", "database": ""}


def statistics(rows, *roles, **known):
    given = {name: known.get(name, [NOWHERE]) for name in ("streams", "database_states", "timeline")}
    found = ask("statistics", None, roles or [ROLE], temporary_statistics=rows, captures=[CAPTURE], **given)
    return [(row["database"], row["n"], row["tables"], row["most"]) for row in found]


IN_GROUP = {"database_states": [{"database": "Sales"}]}
FOUND = [("Sales", 1, 1, ["dbo.Orders"])]


@pytest.mark.complete
@folded(
    ("known", "found"),
    [
        ({}, []),
        (IN_GROUP, FOUND),
        ({"streams": [{"replica_host_id": "A", "database": "Sales"}]}, FOUND),
        ({"streams": [{"replica_host_id": "B", "database": "Sales"}]}, []),
        ({"streams": [{"replica_host_id": "A", "database": "Other"}]}, []),
        ({"timeline": [{"host_id": "A", "database": "Sales"}]}, FOUND),
        ({"timeline": [{"host_id": "B", "database": "Sales"}]}, []),
        ({"timeline": [{"host_id": "A", "database": "Other"}]}, []),
    ],
)
def test_statistics_count_of_databases_that_are_known_of_groups(known, found):
    assert statistics([STATISTIC], **known) == found


def test_statistics_of_an_earlier_look_are_gone():
    earlier = STATISTIC | {"object": "Gone", "time_local": LOCAL - HOUR / 2}
    assert statistics([STATISTIC, earlier], **IN_GROUP) == FOUND


@pytest.mark.complete
@folded(
    ("role", "made", "found"),
    [
        ({"role": "PRIMARY"}, {}, []),
        ({"host_id": "B"}, {}, []),
        ({"end": NOON - HOUR / 2}, {}, []),
        ({"start": NOON + HOUR / 2}, {}, []),
        ({"start": None, "end": None}, {}, FOUND),
        ({"is_local": True, "end_local": LOCAL - HOUR / 2}, {}, []),
        ({"end_local": LOCAL - HOUR / 2}, {"time": None}, []),
        ({"end": NOON - HOUR / 2}, {"time": None}, FOUND),
    ],
)
def test_statistics_count_while_the_server_was_a_secondary(role, made, found):
    # Rows that are not chosen keep the columns' types.
    rows = [STATISTIC | made, STATISTIC | {"host_id": "D", "database": "Other"}]
    assert statistics(rows, ROLE | role, ROLE | {"host_id": "C"}, **IN_GROUP) == found


def test_each_database_of_each_server_names_its_own_tables():
    known = {"database_states": [{"database": "Sales"}, {"database": "Other"}]}
    rows = [STATISTIC, STATISTIC | {"database": "Other", "object": "Stock"},
            STATISTIC | {"host_id": "B", "object": "Parts"}]  # fmt: skip
    found = statistics(rows, ROLE, ROLE | {"host_id": "B"}, **known)
    assert [(database, most) for database, _n, _tables, most in found] == [
        ("Other", ["dbo.Stock"]), ("Sales", ["dbo.Orders"]), ("Sales", ["dbo.Parts"]),
    ]  # fmt: skip


ENTRY = {"content_id": "log", "line": 4, "host_id": "A", "error": 3959, "text": "full", "source": "ERRORLOG",
         "sql_instance": None, "time": NOON, "time_local": LOCAL}  # fmt: skip
OTHER_TIME = ROLE | {"start": NOON + HOUR, "end": NOON + 2 * HOUR}


def fulls(*entries, roles=(ROLE,)):
    captures = [{"content_id": "log", "path": "ERRORLOG"}]
    # A role of another server keeps the types of times.
    roles = [ROLE | {"host_id": "Z"}, *roles]
    return ask("full", {"apart_s": 900}, roles, log_entries=list(entries), captures=captures)


@pytest.mark.parametrize("lacking", [{"host_id": None}, {"time_local": None}])
def test_an_entry_of_no_server_or_at_no_time_tells_nothing(lacking):
    assert [row["not_added"] for row in fulls(ENTRY, ENTRY | lacking)] == [1]


def test_an_entry_counts_while_the_server_was_a_secondary():
    assert fulls(ENTRY, roles=[OTHER_TIME]) == []


@pytest.mark.parametrize(("role", "is_so"), [(ROLE, True), (OTHER_TIME, False)])
def test_a_server_may_have_had_a_primary_as_well_when_it_was_full(role, is_so):
    (row,) = fulls(ENTRY, roles=[ROLE, role | {"role": "PRIMARY"}])
    assert row["is_primary_too"] is is_so


BY_LOCAL_TIME = ROLE | {"is_local": True, "start": None, "end": None}
AT_ANOTHER_HOUR = BY_LOCAL_TIME | {"start_local": LOCAL + HOUR, "end_local": LOCAL + 2 * HOUR}


@pytest.mark.parametrize(("role", "n"), [(BY_LOCAL_TIME, 1), (AT_ANOTHER_HOUR, 0)])
def test_a_role_whose_zone_is_not_known_counts_by_local_time(role, n):
    assert len(fulls(ENTRY, roles=[role])) == n


def test_an_entry_whose_zone_is_not_known_counts_by_local_time():
    (row,) = fulls(
        ENTRY | {"time": None}, ENTRY | {"host_id": None}, roles=[ROLE, ROLE | {"role": "PRIMARY"}]
    )
    assert row["is_primary_too"]
