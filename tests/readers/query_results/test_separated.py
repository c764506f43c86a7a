"""Rows of DMVs whose cells are separated."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers.query_results import READER
from agtrace.testing import check_reader, read_all
from tests.readers.query_results.small_separated import COPIED, STATES


def read(text: str):
    return read_all(READER, text.encode(), "x.csv")


def cells(text: str) -> list[list[str | None]]:
    return read(text)["rowset_rows"]["cells"].to_pylist()


@pytest.mark.parametrize("text", [STATES, COPIED])
def test_contract(text):
    check_reader(READER, text.encode(), "x.csv", "rowset_rows", flips=2_000)


def test_a_row_has_its_line_its_time_and_its_cells():
    (row,) = read(STATES)["rowset_rows"].slice(0, 1).to_pylist()
    assert row == {
        "rowset": 0,
        "row": 0,
        "line": 2,
        "time_local": datetime(2026, 3, 1, 10, 0, 0, 500_000),
        "cells": ["2026-03-01 10:00:00.500", "SRV2", "Sales", "1", "SUSPEND_FROM_USER"],
    }


def test_a_quote_within_an_unquoted_value_swallows_nothing():
    assert len(cells(COPIED)) == 15


def test_each_header_begins_a_table_of_its_own():
    heads = read(COPIED)["rowset_heads"].to_pylist()
    assert [(head["line"], head["columns"][0]) for head in heads] == [(1, "session_id"), (18, "name")]


def test_a_quoted_value_may_hold_separators_and_line_ends():
    text = 'session_id,wait_type,text\n1,X,"select a,\n  ""b"""\n2,Y,z\n'
    assert cells(text) == [["1", "X", 'select a,\n  "b"'], ["2", "Y", "z"]]


def test_lines_are_counted_through_values_of_several_lines():
    text = 'session_id,wait_type,text\n1,X,"a\nb"\n2,Y,z\n'
    assert read(text)["rowset_rows"]["line"].to_pylist() == [2, 4]


def test_null_and_blank_are_absent():
    assert cells("session_id,wait_type,text\n1,NULL,\n") == [["1", None, None]]


def test_a_rule_under_the_header_is_no_row():
    assert cells("session_id,wait_type\n----------,---------\n1,X\n") == [["1", "X"]]


def test_rows_of_another_width_are_counted():
    (issue,) = read("session_id,wait_type\n1,X,Y\n2,Z\n")["issues"].to_pylist()
    assert (issue["kind"], issue["count"]) == ("damaged_row", 1)


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("2026-03-01T10:15:00", datetime(2026, 3, 1, 10, 15)),
        ("3/1/2026 1:15:00 PM", datetime(2026, 3, 1, 13, 15)),
        ("01.03.2026 10:15:00", datetime(2026, 3, 1, 10, 15)),
        ("25/03/2026 10:15:00", datetime(2026, 3, 25, 10, 15)),
        ("2026-02-30 10:15:00", None),
    ],
)
def test_times_are_read_as_cultures_write_them(written, time):
    table = read(f"runtime,wait_type\n{written},X\n")["rowset_rows"]
    assert table["time_local"].to_pylist() == [time]


@pytest.mark.parametrize(
    "text", ["", "a,b\n1,2\n", "Name,State\nSRV1,Up\n", "object_name,counter_name,cntr_value\nx,y,1\n"]
)
def test_other_tables_are_none(text):
    assert READER.detect(text.encode(), "x.csv") is None


def test_three_columns_that_sessions_have_are_a_view():
    assert READER.detect(b"session_id,login_name,program_name\n76,rpt,Reports\n", "x.csv") is not None
