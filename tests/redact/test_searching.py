"""The search itself: it finds a name whichever way that is written, or its silence would tell nothing."""

from __future__ import annotations

import base64
import json
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq

from tests.folded import folded
from tests.redact.searching import found

NAME = "größe & co 'x'"
WRITINGS = {
    "plain.txt": NAME.encode(),
    "upper.txt": NAME.upper().encode(),
    "wide.log": "say größe & co 'x'.".encode("utf-16-le"),
    "escaped.html": b"gr&ouml;&szlig;e &amp; co &#39;x&#39;",
    "script.html": b"gr\\u00f6\\u00dfe \\u0026 co \\u0027x\\u0027",
    "link.html": b"?name=gr%C3%B6%C3%9Fe%20%26%20co%20%27x%27",
    "cells.ipynb": json.dumps({"outputs": [json.dumps({"text": NAME})]}).encode(),
    "names.json": json.dumps({NAME: 1}).encode(),
    "page.html": b"data:text/html;base64," + base64.b64encode(b"0123456789" * 4 + NAME.encode()),
    "inside.txt": f"xx{NAME}yy".encode(),
}


@folded("file", WRITINGS)
def test_a_name_is_found_however_it_is_written(file, tmp_path):
    (tmp_path / file).write_bytes(WRITINGS[file])
    assert found(tmp_path, {NAME.casefold()}).keys() == {NAME.casefold()}


def test_a_name_is_found_in_what_is_packed_and_in_names_of_files(tmp_path):
    with zipfile.ZipFile(tmp_path / "book.xlsx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/sharedStrings.xml", "<t>contoso1</t>")
        packed.writestr("xl/contoso2.xml", "")
    (tmp_path / "of-contoso3").mkdir()
    (tmp_path / "of-contoso3" / "x").touch()
    wanted = {"contoso1", "contoso2", "contoso3"}
    assert found(tmp_path, wanted | {"contoso4"}).keys() == wanted


def test_a_name_is_found_in_columns_statistics_and_metadata_of_parquet(tmp_path):
    table = pa.table({"contoso1": [["contoso2"]], "b": ["contoso3"]}).replace_schema_metadata(
        {"a": "contoso4"}
    )
    pq.write_table(table, tmp_path / "a.parquet")
    wanted = {f"contoso{number}" for number in range(1, 5)}
    assert found(tmp_path, wanted | {"contoso5"}).keys() == wanted


def test_a_folder_of_the_product_and_a_place_in_a_worksheet_are_no_names(tmp_path):
    (tmp_path / "paths.txt").write_text(r"D:\MSSQL16.MSSQLSERVER\MSSQL\Log and SQL10.local")
    with zipfile.ZipFile(tmp_path / "book.xlsx", "w") as packed:
        packed.writestr("xl/worksheets/sheet1.xml", '<c r="AG1" t="inlineStr"><is><t>AG2</t></is></c>')
    assert found(tmp_path, {"ag1", "ag2", "sql16", "sql10"}).keys() == {"ag2", "sql10"}
