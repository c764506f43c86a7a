"""Columns as SQL declares them: those that DuckDB makes of the same table of Arrow."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest

from agtrace.resolve.opening import RESOLVED
from agtrace.store.columns import declared
from agtrace.tables import CONTENT_TABLES
from agtrace.tables.history import RELATIONS
from tests.folded import folded

SCHEMAS = CONTENT_TABLES | RESOLVED | RELATIONS


@pytest.mark.complete
@folded("name", SCHEMAS)
def test_an_empty_table_has_the_columns_that_arrow_gives_it(name):
    with duckdb.connect() as connection:
        connection.execute(f"create table written ({declared(SCHEMAS[name])})")
        connection.register("arrow", SCHEMAS[name].empty_table())
        columns = "select column_name, column_type from (describe {})"
        assert (
            connection.execute(columns.format("written")).fetchall()
            == connection.execute(columns.format("arrow")).fetchall()
        )


def test_a_type_that_no_table_has_is_refused():
    with pytest.raises(TypeError, match="no table of agtrace has columns of the type duration"):
        declared(pa.schema([("took", pa.duration("s"))]))
