"""Columns of Arrow tables as Python values: those that Arrow itself gives."""

from __future__ import annotations

from datetime import UTC, datetime

import pyarrow as pa

from agtrace.tables.values import values_of
from tests.folded import folded

WITNESS = pa.struct([("source", pa.string()), ("line", pa.int64()), ("time", pa.timestamp("us", "UTC"))])
NOON = datetime(2024, 3, 5, 12, 0, 0, 1, tzinfo=UTC)
COLUMNS = {
    "numbers": ([1, None, -(2**62)], pa.int64()),
    "halves": ([0.5, None, float("inf")], pa.float64()),
    "small numbers": ([1, None, 3], pa.int16()),
    "flags": ([True, None, False], pa.bool_()),
    "texts": (["a", None, "", "bc"], pa.string()),
    "texts beyond ASCII": (["ä", None, "", "日本"], pa.string()),
    "times": ([NOON, None], pa.timestamp("us", "UTC")),
    "times before 1970": ([datetime(1601, 1, 1), None], pa.timestamp("us")),
    "lists": ([["a"], None, [], ["b", None]], pa.list_(pa.string())),
    "witnesses": (
        [[{"source": "ERRORLOG", "line": 1, "time": NOON}, None], None, [],
         [{"source": None, "line": None, "time": None}]],
        pa.list_(WITNESS)),
    "nothing": ([], pa.string()),
    "no list": ([], pa.list_(pa.string())),
    "NULL alone": ([None, None], pa.list_(WITNESS)),
}  # fmt: skip


@folded(("values", "kind"), COLUMNS.values())
def test_a_column_is_its_values(values, kind):
    assert values_of(pa.chunked_array([pa.array(values, kind)])) == values


@folded(("values", "kind"), COLUMNS.values())
@folded("begin", [1, 2])
def test_so_is_a_part_of_it_in_chunks(values, kind, begin):
    column = pa.chunked_array([pa.array(values, kind), pa.array(values, kind)], kind)
    assert values_of(column.slice(begin)) == [*values, *values][begin:]
