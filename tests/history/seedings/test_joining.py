"""Which copy belongs to which request when several run at once, and what is left apart."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agtrace.history.seedings import load_seedings
from tests.diagnostics.seeding.cases import copy, request, told
from tests.diagnostics.tiny import case


def seeding(since: float, until: float) -> str:
    """Return the states of a request that was seeding for a time."""
    return (
        f"{since - 2} PENDING, {since - 1} CHECK_IF_SEEDING_NEEDED, {since} SEEDING, {until} CATCHUP, "
        f"{until + 1} COMPLETED"
    )


TWO = request("A", "source", seeding(10, 100), success=True) + request(
    "A", "source", seeding(10, 100), operation="op2", database="db2", success=True
)
"""Two databases to one replica, at the same time."""
COPIES = copy("A", "source", 11, 98, guids="a1 b1") + copy(
    "A", "source", 11, 99, guids="a2 b2", database="Stock"
)
NAMED = (
    "A | dm_hadr_automatic_seeding | {item} | start_time | 2024-03-05T12:00:08\n"
    "A | dm_hadr_automatic_seeding | {item} | operation_id | {op}\n"
    "A | dm_hadr_automatic_seeding | {item} | is_source | 1\n"
    "A | dm_hadr_automatic_seeding | {item} | ag_db_id | {db}\n"
    "A | dm_hadr_automatic_seeding | {item} | database_name | {name}\n"
)


def lines(made):
    return [(told(operation), operation.unjoined) for operation in load_seedings(made)]


def test_two_databases_at_once_are_joined_by_the_names_of_an_export():
    facts = NAMED.format(item=0, op="op1", db="db1", name="Stock")
    assert lines(case(events=TWO + COPIES, facts=facts)) == [
        ("Sales A->? [8 11 98 101] 1000 MB completed", ""),
        ("Stock A->? [8 11 99 101] 1000 MB completed", ""),
    ]


def test_a_copy_under_the_id_of_its_request_is_its_copy():
    copies = COPIES.replace("a1", "op2").replace("a2", "op1")
    found = load_seedings(case(events=TWO + copies))
    assert {(each.database, each.database_guid, each.unjoined) for each in found} == {
        ("Sales", "db2", ""),
        ("Stock", "db1", ""),
    }


def test_two_databases_at_once_that_nothing_tells_apart_stay_apart():
    found = lines(case(events=TWO + COPIES))
    assert [line for line, _why in found] == [
        "? A->? [8 10 100 101] - completed",
        "? A->? [8 10 100 101] - completed",
        "Sales A->? [11 11 98 98] 1000 MB completed",
        "Stock A->? [11 11 99 99] 1000 MB completed",
    ]
    both = "the copy of Sales may belong to it; the copy of Stock may belong to it"
    of_two = "2 requests were seeding while it ran, and no capture says which of them it was for"
    assert [why for _line, why in found] == [both, both, of_two, of_two]


def test_time_tells_two_databases_apart_where_only_one_way_fits():
    text = request("A", "source", seeding(10, 60), success=True)
    text += request("A", "source", seeding(30, 100), operation="op2", database="db2", success=True)
    text += copy("A", "source", 11, 58, guids="a1 b1")
    text += copy("A", "source", 31, 99, guids="a2 b2", database="Stock")
    assert lines(case(events=text)) == [
        ("Sales A->? [8 11 58 61] 1000 MB completed", ""),
        ("Stock A->? [28 31 99 101] 1000 MB completed", ""),
    ]


def test_what_one_seeding_taught_joins_a_later_one():
    text = request("A", "source", seeding(-90, -20), operation="op0", success=True)
    text += copy("A", "source", -89, -21, guids="a0 b0") + TWO + COPIES
    assert lines(case(events=text)) == [
        ("Sales A->? [-92 -89 -21 -19] 1000 MB completed", ""),
        ("Sales A->? [8 11 98 101] 1000 MB completed", ""),
        ("Stock A->? [8 11 99 101] 1000 MB completed", ""),
    ]


def test_the_trace_of_an_errorlog_names_the_database():
    trace = (
        "A | 100.5 | seeding_trace | 0 | role=Primary; operation_id=OP2; database=Stock; old_state=SEEDING; "
        "new_state=CATCHUP; local_replica_id=r1; remote_replica_id=r2\n"
    )
    assert lines(case(events=TWO + COPIES, messages=trace)) == [
        ("Sales A->? [8 11 98 101] 1000 MB completed", ""),
        ("Stock A->? [8 11 99 101] 1000 MB completed", ""),
    ]


TO_TWO = request("A", "source", seeding(10, 100), success=True) + request(
    "A", "source", seeding(10, 100), operation="op2", remote="r3", success=True
)
FROM_ONE = request("B", "target", seeding(10, 100), remote="r1", success=True) + request(
    "C", "target", seeding(10, 100), operation="op2", remote="r1", success=True
)
TO_TWO_COPIES = (
    copy("A", "source", 11, 98, guids="a1 b1", remote="B.corp.example")
    + copy("A", "source", 11, 99, guids="a2 b2", remote="C.corp.example")
    + copy("B", "target", 11, 98.5, guids="b1 a1", remote="A")
    + copy("C", "target", 11, 99.5, guids="b2 a2", remote="A")
)


def test_one_database_to_two_replicas_at_once():
    assert lines(case(events=TO_TWO + FROM_ONE + TO_TWO_COPIES)) == [
        ("Sales A->B [8 11 98.5 101] 1000 MB completed", ""),
        ("Sales A->C [8 11 99.5 101] 1000 MB completed", ""),
    ]


def test_one_database_to_two_replicas_is_ambiguous_without_the_replicas_names():
    source_only = "".join(row for row in TO_TWO_COPIES.splitlines(True) if row.startswith("A"))
    found = lines(case(events=TO_TWO + source_only))
    assert [bool(why) for _line, why in found] == [True] * 4
    assert found[0][1] == (
        "the copy of Sales to B.corp.example may belong to it; "
        "the copy of Sales to C.corp.example may belong to it"
    )
    said = "A | 1 | connection | 35202 | replica=B; replica_id={R2}; from_replica=A; from_replica_id=r1\n"
    assert lines(case(events=TO_TWO + source_only, messages=said)) == [
        ("Sales A->? [8 11 98 101] 1000 MB completed", ""),
        ("Sales A->? [8 11 99 101] 1000 MB completed", ""),
    ]


def test_ends_with_operation_ids_of_their_own_are_paired_by_database_replica_and_time():
    text = request("A", "source", seeding(10, 100), success=True)
    text += request("B", "target", seeding(10, 100), operation="op7", remote="r1", success=True)
    text += request("B", "target", seeding(210, 300), operation="op8", remote="r1", success=True)
    assert lines(case(events=text)) == [
        ("? A->B [8 10 100 101] - completed", ""),
        ("? ?->B [208 210 300 301] - completed", ""),
    ]


def test_ends_that_could_be_of_two_requests_stay_apart():
    text = TO_TWO + request("B", "target", seeding(10, 100), operation="op7", remote="r1")
    text += request("C", "target", seeding(10, 100), operation="op8", remote="r1")
    assert [why for _line, why in lines(case(events=text))] == [
        "2 requests on other hosts could be its other end"
    ] * 4


def test_copies_without_crossed_guids_are_paired_by_database_and_time():
    text = copy("A", "source", 11, 98, guids="a1 b1").replace("remote_seeding_guid=b1; ", "")
    text += copy("B", "target", 12, 99, guids="b2 a2").replace("remote_seeding_guid=a2; ", "")
    assert lines(case(events=text)) == [("Sales A->B [11 11 99 99] 1000 MB completed", "")]


@pytest.mark.parametrize("ahead", [-3.0, 3.0])
def test_clocks_that_differ_by_seconds_do_not_break_containment(ahead):
    text = request("A", "source", seeding(10, 100), success=True)
    text += copy("B", "target", 10.2 + ahead, 99.8 + ahead, guids="b a", remote="A")
    found = lines(case(events=text))
    expected = f"Sales A->B [8 {10.2 + ahead:g} {99.8 + ahead:g} 101] 1000 MB completed"
    assert found == [(expected, "")]
    with_skew = case(events=text, skew=(("B", "A", ahead * 1000),))
    assert lines(with_skew) == [("Sales A->B [8 10.2 99.8 101] 1000 MB completed", "")]


def test_a_known_skew_of_a_minute_is_taken_off():
    text = request("A", "source", seeding(10, 100), success=True)
    text += copy("B", "target", 70.2, 159.8, guids="b a", remote="A")
    assert len(load_seedings(case(events=text))) == 2
    (operation,) = load_seedings(case(events=text, skew=(("A", "B", -60_000.0),)))
    assert told(operation) == "Sales A->B [8 10.2 99.8 101] 1000 MB completed"


EVERYTHING = (
    TWO
    + COPIES
    + request("B", "target", "208 PENDING, 210 SEEDING, 300 FAILED", operation="op3", database="db3",
              remote="r1", failure="215 Seeding")
    + copy("B", "target", 211, 298, guids="b3 a3", database="Third")
).splitlines(keepends=True)  # fmt: skip


@cache
def everything() -> list[tuple[str, str]]:
    return lines(case(events="".join(EVERYTHING)))


@pytest.mark.complete
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, len(EVERYTHING)))
def test_the_order_of_files_and_rows_and_copies_of_them_change_nothing(seed, copied):
    shuffled = list(EVERYTHING)
    random.Random(seed).shuffle(shuffled)
    again = [row.replace(" |", "@again |", 1) for row in shuffled[:copied]]
    assert lines(case(events="".join(shuffled + again))) == everything()


@pytest.mark.complete
@settings(max_examples=12, deadline=None)
@given(st.data())
def test_damaged_rows_never_stop_it(data):
    rows = []
    for row in EVERYTHING:
        if data.draw(st.booleans()):
            name = data.draw(
                st.sampled_from(
                    [
                        "database_name", "ag_db_id", "seeding_start_time", "new_state", "current_state",
                        "local_seeding_guid", "is_source",
                    ]
                )
            )  # fmt: skip
            value = data.draw(st.sampled_from(["", "0", "-9000000", "999999999", "\x00", "x" * 5000]))
            is_number = name in ("seeding_start_time", "is_source")
            if not is_number or value.lstrip("-").isdigit():
                row = row.rstrip("\n") + f"; {name}={value}\n"
        rows.append(row)
    for operation in load_seedings(case(events="".join(rows))):
        assert operation.sides
        assert operation.outcome in {"completed", "failed", "running", "cut_off", "already_present"}
