"""Names beyond ASCII, in code pages that no file names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.readers.base import Source
from agtrace.readers.query_results import READER
from agtrace.readers.query_results.encoding import guessed
from simulation.formats import rowsets as make
from tests.folded import folded
from tests.readers.query_results.reading import issues, rowsets, tables

COLUMNS = (("database_id", -11), ("database_name", 20), ("vlf_count", -9))
NAMES = {
    "cp850": ["Büroverwaltung", "Größe und Maß", "Comptabilité"],
    "cp437": ["Büroverwaltung", "Größe", "Señal"],
    "cp1252": ["Büroverwaltung", "Größe und Maß", "Comptabilité"],
    "cp852": ["Księgowość", "Sprzedaż", "Łódź"],
    "cp866": ["Бухгалтерия", "Продажи", "Склад и учёт"],
    "cp1251": ["Бухгалтерия", "Продажи", "Склад"],
    "cp932": ["販売", "会計データ", "テスト"],
    "utf-8": ["Büro", "販売", "Склад"],
    "utf-16": ["Büro", "販売", "Склад"],
}


@folded("encoding", NAMES)
def test_names_are_read(encoding):
    rows = [(number, name, 7) for number, name in enumerate(NAMES[encoding])]
    text = make.rowset("sys_dm_db_log_info", COLUMNS, rows)
    found = rowsets(text.encode(encoding))
    assert found[0][2] == [[str(number), name, "7"] for number, name, _vlf in rows]


def test_rows_filled_up_by_the_bytes_of_a_code_page():
    lines = make.table(COLUMNS, [(1, "x", 7)]).split("\r\n")
    lines[2] = " " * 10 + "1 " + "会計データ".ljust(15) + " " * 9 + "7"
    text = "-- a --\r\n" + "\r\n".join(lines)
    assert rowsets(text.encode("cp932"))[0][2] == [["1", "会計データ", "7"]]


def test_a_guess_is_said():
    text = make.rowset("a", COLUMNS, [(1, "Büro", 7)])
    assert issues(text.encode("cp850")) == [("code_page_guessed", "info", None, 1)]
    assert issues(text.encode("utf-8")) == []


TOPOLOGY = '<AGInfoRoot><row group_name="AG1" database_name="{}" /></AGInfoRoot>'
SYSTEM = "-- system_info --\r\nSystem Locale:             {};Somewhere\r\n"


def beside(data: bytes, **files: bytes) -> tuple[list[list[str]], list[str]]:
    """Read an output with other files in its folder; give the cells, and the kinds of issues."""
    others = tuple(Source.of_bytes(text, name.replace("__", ".")) for name, text in files.items())
    source = replace(Source.of_bytes(data, "x.out"), beside=lambda: others)
    cells, kinds = [], []
    for table, batch in READER.read(source):
        cells += batch["cells"].to_pylist() if table == "rowset_rows" else []
        kinds += batch["kind"].to_pylist() if table == "issues" else []
    return cells, kinds


@pytest.mark.parametrize(
    ("encoding", "name"), [("cp437", "Señal_Ñ"), ("cp852", "Łódź"), ("cp1250", "Łódź"), ("cp775", "Šiauliai")]
)  # fmt: skip
def test_names_in_a_file_beside_it_tell_the_code_page(encoding, name):
    text = make.rowset("a", COLUMNS, [(1, name, 7)])
    topology = TOPOLOGY.format(name).encode("utf-16")
    found = beside(text.encode(encoding), S_GetAGTopology__xml=topology)
    assert found == ([["1", name, "7"]], [])


@pytest.mark.parametrize(
    ("locale", "encoding", "name"),
    [("en-us", "cp437", "Señal_Ñ"), ("de", "cp850", "ÄÖÜ"), ("pl", "cp852", "ąę"), ("lt", "cp775", "Šė")],
)  # fmt: skip
def test_the_locale_of_windows_tells_the_code_page(locale, encoding, name):
    text = make.rowset("a", COLUMNS, [(1, name, 7)])
    found = beside(text.encode(encoding), S_SystemInfo_Summary__out=SYSTEM.format(locale).encode())
    assert found == ([["1", name, "7"]], [])


def test_files_that_tell_nothing_leave_the_guess():
    text = make.rowset("a", COLUMNS, [(1, "Büro", 7)])
    topology = TOPOLOGY.format("Łódź").encode("utf-16")
    found = beside(text.encode("cp850"), S_GetAGTopology__xml=topology, S_SystemInfo__out=b"nothing")
    assert found == ([["1", "Büro", "7"]], ["code_page_guessed"])


def test_an_encoding_that_is_given_is_no_guess():
    data = make.rowset("a", COLUMNS, [(1, "Büro", 7)]).encode("cp852")
    found = tables(data, encoding="cp852")
    assert "issues" not in found
    assert found["rowset_rows"]["cells"].to_pylist() == [["1", "Büro", "7"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp850", "cp932"])
def test_offsets_are_those_of_the_bytes(encoding):
    name = "会計" if encoding == "cp932" else "Büro"
    before = (
        "\ufeff" * encoding.startswith("utf-16") + f"{name}\r\n" + make.rowset("a", COLUMNS, [(1, name, 7)])
    )
    data = (before + "Sqlcmd: Error\r\n").encode(encoding)
    at = len(before.encode(encoding))
    assert ("sqlcmd_error", "warning", at, 1) in issues(data)


def test_nothing_beyond_ascii_guesses_nothing():
    assert guessed([]) == "cp850"
    assert issues(make.rowset("a", COLUMNS, [(1, "x", 7)])) == []
