"""Outputs of sys.availability_read_only_routing_lists: sqlcmd, results to text, copied grids, the view
alone.
"""

from __future__ import annotations

import pytest

from agtrace.readers.query_results import READER
from agtrace.testing import check_text_reader, facts_of, is_detected, issue_kinds
from simulation.formats.host_facts import text_of

NAMES = ("WhenThisServerIsPrimary", "Priority", "RouteToThisServer", "ConnectionsAllowed", "RoutingURL")
ROUTE = ("SRV153\\SQLBAG", "1", "SRV154\\SQLBAG", "READ_ONLY", "tcp://SRV154.corp.example:1433")
FOUND = {
    "replica": "SRV153\\SQLBAG", "priority": "1", "routed_to": "SRV154\\SQLBAG",
    "connections_allowed": "READ_ONLY", "routing_url": "tcp://SRV154.corp.example:1433",
}  # fmt: skip
WIDTHS = (30, 11, 30, 20, 40)


def fixed(names, *rows, widths=WIDTHS, end=("", "(1 rows affected)")):
    """Write a rowset as sqlcmd does."""
    lines = [" ".join(cell.ljust(width) for cell, width in zip(names, widths, strict=True))]
    lines += [" ".join("-" * width for width in widths)]
    lines += [" ".join(cell.ljust(width) for cell, width in zip(r, widths, strict=True)) for r in rows]
    return text_of(*lines, *end)


TEXT = fixed(NAMES, ROUTE)


def test_contract():
    row_ends = TEXT.index("\r\n", TEXT.index("SRV153")) + 2
    check_text_reader(READER, TEXT, "read_only_route", complete=row_ends)


@pytest.mark.parametrize("separator", ["\t", ",", ";", "|"])
def test_separated_cells_say_the_same(separator):
    text = text_of(separator.join(NAMES), separator.join(ROUTE))
    assert facts_of(READER, text, "read_only_route") == facts_of(READER, TEXT, "read_only_route")
    assert facts_of(READER, text, "read_only_route") == [FOUND]


def test_lines_that_sqlcmd_broke_are_put_together():
    # It breaks between two columns, and the space between them is lost.
    at = sum(WIDTHS[:3]) + 2
    whole = fixed(NAMES, ROUTE, end=()).splitlines()
    header, rule, row = ([line[:at], line[at + 1 :]] for line in whole)
    lines = [*header, *rule, *row, ""]
    assert facts_of(READER, text_of(*lines), "read_only_route") == [FOUND]


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        (("replica_id", "routing_priority", "read_only_replica_id"), ("replica", "priority", "routed_to")),
        (("replica_server_name", "replica_server_name", "routing_priority"),
         ("replica", "routed_to", "priority")),
        (("When Primary Replica Is", "Routing Priority", "RO Routed To"),
         ("replica", "priority", "routed_to")),
        (("when_primary", "routing_priority", "route_to"), ("replica", "priority", "routed_to")),
        (("SourceReplica", "ReadOnlyReplica", "RoutingPriority"), ("replica", "routed_to", "priority")),
    ],
)  # fmt: skip
def test_columns_as_queries_name_them(names, keys):
    cells = {"replica": "A", "priority": "1", "routed_to": "B"}
    text = fixed(names, [cells[key] for key in keys], widths=(36, 36, 36))
    assert facts_of(READER, text, "read_only_route") == [cells]


def test_an_empty_list_is_said_to_be_empty():
    text = fixed(NAMES, end=("", "(0 rows affected)"))
    assert is_detected(READER, text)
    assert facts_of(READER, text, "read_only_routing_list") == [{"routes": "0"}]
    assert facts_of(READER, text, "read_only_route") == []


def test_a_list_that_is_cut_off_behind_its_header_is_not_said_to_be_empty():
    text = fixed(NAMES, end=())
    assert facts_of(READER, text, "read_only_routing_list") == []
    assert issue_kinds(READER, text) == ["truncated"]


def test_a_priority_alone_makes_no_routing_list():
    text = fixed(("name", "priority", "value"), ("a", "1", "b"), widths=(9, 9, 9))
    assert facts_of(READER, text, "read_only_routing_list") == []


def test_damaged_rows_are_said_and_left_out():
    text = text_of(",".join(NAMES), ",".join(ROUTE), "a,b", "")
    assert len(facts_of(READER, text, "read_only_route")) == 1
    assert issue_kinds(READER, text) == ["damaged_row"]
