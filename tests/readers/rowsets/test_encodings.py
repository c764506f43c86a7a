"""Names beyond ASCII, in code pages that no file names."""

from __future__ import annotations

import pytest

from agtrace.readers.rowsets.encoding import guessed
from tests.make import rowsets as make
from tests.readers.rowsets.reading import issues, rowsets, tables

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


@pytest.mark.parametrize("encoding", NAMES)
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


def test_an_encoding_that_is_given_is_no_guess():
    data = make.rowset("a", COLUMNS, [(1, "Büro", 7)]).encode("cp852")
    found = tables(data, encoding="cp852")
    assert "issues" not in found
    assert found["rowset_rows"]["cells"].to_pylist() == [["1", "Büro", "7"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp850", "cp932"])
def test_offsets_are_those_of_the_bytes(encoding):
    name = "会計" if encoding == "cp932" else "Büro"
    before = (
        "\ufeff" * encoding.startswith("utf-16")
        + f"{name}\r\n"
        + make.rowset("a", COLUMNS, [(1, name, 7)])
    )
    data = (before + "Sqlcmd: Error\r\n").encode(encoding)
    at = len(before.encode(encoding))
    assert ("sqlcmd_error", "warning", at, 1) in issues(data)


def test_nothing_beyond_ascii_guesses_nothing():
    assert guessed([]) == "cp850"
    assert issues(make.rowset("a", COLUMNS, [(1, "x", 7)])) == []
