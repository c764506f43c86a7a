"""Rows become records by the names of their columns."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from agtrace.tables.records import maker


class Line(NamedTuple):
    text: str
    line: int | None


class Entry(NamedTuple):
    host_id: str
    lines: list[Line]


def test_columns_are_fields_by_name():
    assert maker(Line, ("line", "text"))((7, "Starting up")) == Line(text="Starting up", line=7)


def test_structures_are_records():
    row = ("SQL1", [{"line": 7, "text": "Starting up"}, {"line": None, "text": ""}])
    assert maker(Entry, ("host_id", "lines"))(row) == Entry("SQL1", [Line("Starting up", 7), Line("", None)])


@pytest.mark.parametrize("columns", [("text",), ("text", "line", "path"), ("text", "text")])
def test_other_columns_than_fields_are_an_error(columns):
    with pytest.raises(ValueError, match="Line has other fields than the query has columns"):
        maker(Line, columns)
