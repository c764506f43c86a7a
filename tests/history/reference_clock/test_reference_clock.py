"""One reference clock per case: which host's it is, and which times are by it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

from agtrace.history.base import Query
from agtrace.history.reference_clock import ReferenceClock, reference_clock, rows
from agtrace.history.reference_clock.shifting import by_reference
from agtrace.report.frame import clock_line
from agtrace.tables import UTC_TIME
from tests.diagnostics.tiny import START, case

AT = datetime(2024, 3, 5, 12, tzinfo=UTC)


def pair(host, other, ms, n=3):
    return {"host_id": host, "other_host_id": other, "ms": ms, "spread_ms": 0.0, "n": n}


def shown(hosts, *pairs):
    return {
        row["host_id"]: (row["reference_host"], row["by_host"], row["ahead_us"]) for row in rows(hosts, pairs)
    }


def test_the_reference_is_the_host_with_the_most_pairs():
    found = shown("ABC", pair("A", "B", 500.0), pair("B", "C", -250.5))
    assert found == {"A": ("B", "B", 500_000), "B": ("B", "B", 0), "C": ("B", "B", 250_500)}


def test_of_two_hosts_the_first_by_name_is_the_reference():
    assert shown("AB", pair("B", "A", 500.0)) == {"A": ("A", "A", 0), "B": ("A", "A", 500_000)}


def test_a_host_that_was_never_compared_keeps_its_own_clock():
    assert shown("AB", pair("A", "B", 500.0, n=1)) == {"A": ("A", "A", None), "B": ("A", "B", None)}


def test_hosts_without_a_pair_to_the_reference_share_another_clock():
    found = shown("ABCD", pair("A", "B", 100.0), pair("C", "D", 1000.0, n=9))
    assert found == {
        "A": ("C", "A", 0), "B": ("C", "A", -100_000), "C": ("C", "C", 0), "D": ("C", "C", -1_000_000),
    }  # fmt: skip


CLOCK = ReferenceClock("A", {"A": timedelta(), "B": timedelta(seconds=4)})
SCHEMA = pa.schema([("host_id", pa.string()), ("time", UTC_TIME), ("n", pa.int64())])


def test_a_time_becomes_that_of_the_reference_and_of_its_host_again():
    assert CLOCK.of(AT, "B") == AT - timedelta(seconds=4)
    assert CLOCK.own(CLOCK.of(AT, "B"), "B") == AT
    assert [CLOCK.of(AT, host) for host in ("A", "C", None)] == [AT] * 3


def test_rows_are_shifted_by_what_the_clock_of_their_host_is_ahead():
    given = [{"host_id": host, "time": AT, "n": n} for n, host in enumerate(("A", "B", None, "C"))]
    given.append({"host_id": "B", "time": None, "n": 4})
    found = by_reference(pa.Table.from_pylist(given, SCHEMA), SCHEMA, CLOCK)
    assert found.schema == SCHEMA
    assert found["time"].to_pylist() == [AT, AT - timedelta(seconds=4), AT, AT, None]


def test_a_query_is_shifted_in_the_order_of_its_rows():
    sql = "select h as host_id, timestamptz '2024-03-05 12:00:00Z' as time, n from t order by n desc"
    made = case()
    made.run("create table scratch.t as select * from (values ('A', 1), ('B', 2), ('B', 3)) t(h, n)")
    query = by_reference(Query(sql.replace("from t", "from scratch.t")), SCHEMA, CLOCK)
    found = made.rows(query.sql)
    assert [(row["n"], row["time"]) for row in found] == [
        (3, AT - timedelta(seconds=4)), (2, AT - timedelta(seconds=4)), (1, AT),
    ]  # fmt: skip


def test_without_a_skew_rows_stay_as_they_are():
    table = pa.Table.from_pylist([{"host_id": "A", "time": AT, "n": 1}], SCHEMA)
    assert by_reference(table, SCHEMA, ReferenceClock("A", {"A": timedelta()})) is table


P, S, R = "PRIMARY_NORMAL", "SECONDARY_NORMAL", "RESOLVING_NORMAL"
CONNECTED = "connection | 35202 | ag=AG; from_replica={}; replica={}; event=established"
STATE = "{} | {} | replica_state | 19406 | ag=AG; old_state={}; new_state={}"


@pytest.fixture(scope="module")
def skewed():
    """A case in which the clock of B is 4 s ahead of A's; A leaves its role at 601 s, B has it at 604 s."""
    pairs = [
        f"{host} | {at + ahead} | {CONNECTED.format(host, other)}"
        for at in (20, 40, 60)
        for host, other, ahead in (("A", "B", 0), ("B", "A", 4))
    ]
    states = [
        STATE.format("A", 0, "PRIMARY_PENDING", P), STATE.format("B", 5, R, S), STATE.format("A", 601, P, R),
        STATE.format("B", 606, S, R), STATE.format("B", 608, "PRIMARY_PENDING", P),
    ]  # fmt: skip
    recovered = "B | 612 | recovery | 3421 | database=Sales; event=completed; seconds=2"
    return case(messages="\n".join([*pairs, *states, recovered]))


@pytest.mark.parametrize(
    ("query", "seconds"),
    [
        ('select "end" as t from failovers', 604), ("select start as t from failovers", 601),
        ("select max(time) as t from timeline", 604),
        ("select start as t from roles where host_id = 'B' and role = 'PRIMARY'", 604),
        ('select "end" as t from recoveries', 608), ('select "end" as t from incidents', 604),
        ("select max(time) as t from log_messages where topic = 'recovery'", 608),
        # A capture keeps the clock of its host.
        ("select max(time) as t from messages", 612),
    ],
)  # fmt: skip
def test_relations_are_by_the_reference_clock_and_captures_by_their_hosts(skewed, query, seconds):
    (row,) = skewed.rows(query)
    assert (row["t"] - START.replace(tzinfo=UTC)).total_seconds() == seconds


def test_a_reason_has_the_time_of_its_own_log_beside_that_of_the_reference(skewed):
    (row,) = skewed.rows("select reasons from failovers")
    last = max(row["reasons"], key=lambda reason: reason["time"])
    assert (last["own_time"] - last["time"]).total_seconds() == 4


def test_the_clock_of_a_case_is_read_once_with_how_far_its_hosts_are_from_it(skewed):
    clock = reference_clock(skewed)
    assert clock == CLOCK
    assert clock_line(clock) == "Times: UTC by the clock of A; B is 4 s ahead."


@pytest.mark.parametrize(
    ("clock", "line"),
    [
        (ReferenceClock(), ""),
        (ReferenceClock("A"), "Times: UTC by the clock of A."),
        (ReferenceClock("A", {}, ("B",)),
         "Times: UTC by the clock of each host; no two clocks were compared."),
        (ReferenceClock("A", {"A": timedelta(), "B": timedelta(seconds=-2)}, ("C",)),
         "Times: UTC by the clock of A; B is 2 s behind; C was not compared."),
    ],
)  # fmt: skip
def test_a_page_names_the_reference_clock(clock, line):
    assert clock_line(clock) == line
