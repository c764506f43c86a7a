"""Tables of rows: the same as pyarrow makes them, without pandas."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pyarrow as pa
import pytest

from agtrace.tables import history
from agtrace.tables.rows import array_of, table_of
from tests.folded import folded

MOMENT = datetime(1969, 3, 5, 12, 0, 0, 1)
FIRST, LAST = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
VALUES = {
    pa.int32(): [1, None, -(2**31)],
    pa.int64(): [2**63 - 1, None, 0],
    pa.decimal128(20, 0): [2**64 - 1, None, -1],
    pa.float64(): [0.5, None, 3, float("inf")],
    pa.bool_(): [True, False, None, *[True] * 8],
    pa.string(): ["", None, "Größe \U0001f4c8"],
    pa.timestamp("us"): [MOMENT, None, FIRST, LAST],
    pa.timestamp("us", "UTC"): [
        MOMENT.replace(tzinfo=UTC),
        MOMENT.replace(tzinfo=timezone(timedelta(hours=9))),
        MOMENT,
    ],
    pa.list_(pa.string()): [["a", None], None, []],
    pa.struct([("a", pa.int64()), ("b", pa.list_(pa.int32()))]): [{"a": 1}, None, {"b": [1, None]}],
    pa.map_(pa.string(), pa.float64()): [{"a": 1.0, "b": None}, None, {}, [("c", 2.0)]],
}


@folded("kind", VALUES)
@folded("rows", [0, 1, None])
def test_values_are_those_that_pyarrow_makes(kind: pa.DataType, rows: int | None):
    values = VALUES[kind][:rows]
    made = array_of(values, kind)
    made.validate(full=True)
    assert made.equals(pa.array(values, kind))


def test_a_column_that_a_row_lacks_is_null_and_one_too_many_left_out():
    schema = pa.schema([("a", pa.int64()), ("b", pa.string())])
    made = table_of([{"a": 1, "c": 2}, {"b": "x"}], schema)
    assert made.to_pylist() == [{"a": 1, "b": None}, {"a": None, "b": "x"}]
    assert made.schema == schema


SCHEMAS = {name: s for name, s in vars(history).items() if isinstance(s, pa.Schema)}


@folded("schema", SCHEMAS.values())
def test_every_relation_can_be_made(schema: pa.Schema):
    assert table_of([], schema) == schema.empty_table()


@pytest.mark.parametrize(
    ("values", "kind"),
    [([b"x"], pa.binary()), ([1], pa.string()), (["x"], pa.list_(pa.int64())), ([2**40], pa.int32())],
    ids=str,
)
def test_what_is_of_another_type_is_refused(values: list[object], kind: pa.DataType):
    with pytest.raises((TypeError, AttributeError, ValueError, OverflowError)):
        array_of(values, kind)


def test_pandas_is_not_imported():
    code = (
        "import sys, pyarrow as pa\n"
        "from agtrace.tables.rows import table_of\n"
        "table_of([{'a': 1, 'b': ['x']}], pa.schema([('a', pa.int64()), ('b', pa.list_(pa.string()))]))\n"
        "assert 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
