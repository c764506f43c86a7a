"""Groups that share no host and no time are separate sets; any sign of a relation keeps them together."""

from __future__ import annotations

from datetime import datetime

from agtrace.history.unrelated import names_of, separated, sets_of

YEARS = {"A1": 2022, "A2": 2022, "B1": 2024, "B2": 2024}


def member(host, ag=None, replica=None, database=None):
    return {"host_id": host, "ag": ag, "replica": replica, "database": database}


def watched(host, year):
    return {"host_id": host, "first": datetime(year, 3, 1), "last": datetime(year, 3, 2)}


def hosts_of(members, years=YEARS):
    return [one.captured for one in sets_of(members, [watched(*each) for each in years.items()])]


PAIRS = [member("A1", "Sales", "A2"), member("A2", "Sales", "A1"), member("B1", "Stock", "B2")]


def test_groups_without_a_common_host_and_time_are_two_sets_in_order_of_time():
    first, second = sets_of(PAIRS, [watched(*each) for each in YEARS.items()])
    assert (first.ags, first.captured, first.first.year) == (("Sales",), ("A1", "A2"), 2022)
    assert (second.ags, second.captured, second.hosts) == (("Stock",), ("B1",), {"B1", "B2"})


def test_groups_watched_at_the_same_time_are_related():
    assert hosts_of(PAIRS, dict.fromkeys(YEARS, 2022)) == [("A1", "A2", "B1")]


def test_groups_with_a_common_host_are_related():
    assert hosts_of([*PAIRS, member("B1", "Stock", "A2")]) == [("A1", "A2", "B1")]


def test_two_groups_of_one_name_are_separate_where_both_name_their_partners():
    assert hosts_of([member("A1", "AG", "A2"), member("B1", "AG", "B2")]) == [("A1",), ("B1",)]


def test_sets_are_named_by_their_groups_and_by_a_host_where_that_is_not_unique():
    assert names_of(sets_of(PAIRS, [watched(*each) for each in YEARS.items()])) == ["Sales", "Stock"]
    same = [member("A1", "AG", "A2"), member("B1", "AG", "B2")]
    alike = sets_of(same, [watched(*each) for each in YEARS.items()])
    assert names_of(alike) == ["AG (A1)", "AG (B1)"]


def test_hosts_of_one_group_stay_together_where_one_names_no_partner():
    assert hosts_of([member("A1", "AG", "A2"), member("B1", "AG")]) == [("A1", "B1")]


def test_hosts_without_a_group_are_related_by_their_databases():
    nameless = [member("A1", database="Sales"), member("A2", database="sales"), member("B1", database="Fin")]
    assert hosts_of(nameless) == [("A1", "A2"), ("B1",)]


def test_a_row_belongs_to_the_set_of_its_host_and_without_one_to_that_of_its_group():
    sets = sets_of(PAIRS, [watched(*each) for each in YEARS.items()])
    rows = [("A2", "Stock"), ("", "Stock"), ("B1", None), (None, None)]
    assert separated(sets, rows, lambda row: row) == [
        [("A2", "Stock"), (None, None)],
        [("", "Stock"), ("B1", None)],
    ]
    assert separated([], rows, lambda row: row) == [rows]
