"""Files of one layout are read by the order of their columns, others by name."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from agtrace.resolve.opening import RESOLVED
from agtrace.store.parts import PartWriter
from agtrace.store.records import PartFile
from agtrace.store.view import CaseView
from agtrace.tables import CONTENT_TABLES

ISSUE = {"offset": 7, "severity": "info", "kind": "torn", "message": "cut", "count": 1}


def view_of(folder, *layouts: str) -> CaseView:
    """Open a view of two files of `issues`, the second with its columns in reverse order."""
    schema = pa.schema([pa.field("content_id", pa.string()), *CONTENT_TABLES["issues"]])
    rows = pa.Table.from_pylist([{"content_id": "A", **ISSUE}], schema=schema)
    orders, files = (rows.column_names, rows.column_names[::-1]), []
    for number, (columns, layout) in enumerate(zip(orders, layouts, strict=True)):
        path = folder / f"{number}.parquet"
        pq.write_table(rows.select(columns), path)
        files.append((path, PartFile(path.name, {}, layout=layout)))
    return CaseView({"issues": files}, {name: schema.empty_table() for name, schema in RESOLVED.items()})


@pytest.mark.parametrize("layouts", [("", ""), ("one", "other"), ("one", "")])
def test_files_whose_layout_differs_or_is_not_known_are_read_by_name(tmp_path, layouts):
    view = view_of(tmp_path, *layouts)
    rows = view.connection.execute("select content_id, kind, message from raw_issues").fetchall()
    assert rows == [("A", "torn", "cut")] * 2


def test_files_of_one_layout_are_not_compared(tmp_path):
    view = view_of(tmp_path, "one", "one")
    (made,) = view.connection.execute(
        "select sql from duckdb_views() where view_name = 'raw_issues'"
    ).fetchone()
    assert "union_by_name" not in made


def test_what_is_written_has_the_layout_of_its_columns(tmp_path):
    layouts = set()
    for schema in (CONTENT_TABLES["issues"], CONTENT_TABLES["issues"], CONTENT_TABLES["issues"].remove(0)):
        with PartWriter(tmp_path, f"content{len(layouts)}", "reader-1") as part:
            part.write("issues", pa.RecordBatch.from_pylist([ISSUE], schema=schema))
            part.finish()
        layouts.add(part.files["issues"][0].layout)
    assert len(layouts) == 2
    assert "" not in layouts
