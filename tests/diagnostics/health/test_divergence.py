"""The hardened LSNs of both sides of a failover: no divergence, or which database and how much."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import divergence
from agtrace.history.hardened import Hardened, Lsn
from tests.diagnostics.health.cases import at, failover, told


def written(host, seconds, lsn, database="Sales"):
    return Hardened(host, database, at(seconds), Lsn.of(lsn), f"log-{host}", 7)


ONE = (failover(100, 108),)


def facts(*rows, failovers=ONE):
    made = replace(told(list(failovers)), hardened=rows)
    row = failovers[0]
    change = divergence.Change("AG", "A", "B", row.start, row.end)
    found = divergence.facts(change, divergence.compared(change, made))
    assert (found.pop("old"), found.pop("new")) == ("A", "B")
    return found


def test_equal_lsns_are_no_divergence():
    assert facts(written("A", 100, "36:824:1"), written("B", 108, "36:824:1")) == {
        "compared": ["Sales"],
        "ahead": [],
    }


def test_a_new_primary_that_is_further_is_no_divergence():
    assert facts(written("A", 100, "36:824:1"), written("B", 108, "37:16:1"))["ahead"] == []


def test_an_old_primary_that_is_further_is_ahead_by_sectors_of_512_bytes():
    assert facts(written("A", 100, "36:856:1"), written("B", 108, "36:824:1"))["ahead"] == [
        {"database": "Sales", "bytes": 32 * 512}
    ]


def test_how_much_is_unknown_where_the_old_primary_is_in_a_later_virtual_log_file():
    assert facts(written("A", 100, "37:16:1"), written("B", 108, "36:824:1"))["ahead"] == [
        {"database": "Sales", "bytes": None}
    ]


def test_the_first_word_of_the_old_primary_and_the_last_of_the_new_one_count():
    rows = [
        written("B", 101, "36:800:1"), written("B", 108, "36:824:1"), written("A", 150, "36:824:1"),
        written("A", 200, "36:900:1"), written("B", 200, "36:900:1"),
    ]  # fmt: skip
    assert facts(*rows) == {"compared": ["Sales"], "ahead": []}


@pytest.mark.parametrize(
    "rows",
    [
        [written("A", 100, "36:824:1")],
        [written("B", 108, "36:824:1")],
        [written("A", 100, "36:824:1", "Stock"), written("B", 108, "36:824:1")],
        [written("A", 80, "36:824:1"), written("B", 108, "36:824:1")],
    ],
    ids=["old alone", "new alone", "other database", "before"],
)
def test_without_both_sides_nothing_is_compared(rows):
    assert facts(*rows)["compared"] == []


def test_what_the_old_primary_writes_after_the_next_failover_is_of_that_one():
    following = failover(200, 208, "B", "A", failover_id=2)
    rows = [written("B", 108, "36:824:1"), written("A", 205, "36:900:1")]
    assert facts(*rows, failovers=(*ONE, following))["compared"] == []
