"""Which separated texts are rows of a view of SQL Server, and what their cells are."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.errors import CaptureError
from agtrace.readers.grids import READER
from agtrace.testing import read_all

STATES = "replica_server_name,database_name,redo_queue_size"


def rows(text: str | bytes, table: str = "rowset_rows") -> list[dict]:
    return read_all(READER, text if isinstance(text, bytes) else text.encode(), "x.csv")[table].to_pylist()


@pytest.mark.parametrize(
    "text",
    [
        f"{STATES}\nB,Sales,7\n",
        f"sep=,\n{STATES}\n",
        f"\ufeff{STATES}\n",
        STATES.replace(",", "\t"),
        STATES.replace(",", ";"),
        '"database_name","redo_queue_size"\n',
        "NAME,Log_Reuse_Wait_Desc\n",
    ],
)
def test_columns_of_a_view_are_recognised_whatever_separates_them(text):
    assert READER.detect(text.encode(), "x.csv") is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "database_name\n",
        "database_name redo_queue_size\n",
        "time,redo_queue_size\n",
        "database_name,redo_queue_size,1\n",
        f"routing_priority,{STATES},role_desc\n",
        "local_physical_seeding_id,remote_physical_seeding_id,database_name,is_suspended\n",
    ],
)
def test_other_texts_are_left_to_other_readers(text):
    assert READER.detect(text.encode(), "x.csv") is None


def test_the_head_names_the_columns_as_written():
    (head,) = rows(f"sep=,\n{STATES}\nB,Sales,7\n", "rowset_heads")
    assert (head["line"], head["columns"]) == (2, STATES.split(","))


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("B,Sales,7", ["B", "Sales", "7"]),
        (" B , Sales ,NULL", ["B", "Sales", None]),
        ('"B, C","a ""b""",', ["B, C", 'a "b"', ""]),
    ],
)
def test_cells_are_trimmed_and_null_is_no_value(line, cells):
    assert rows(f"{STATES}\n{line}\n")[0]["cells"] == cells


def test_lines_count_those_inside_of_cells():
    assert [row["line"] for row in rows(f'{STATES}\n"a\nb",Sales,1\nB,Sales,7\n')] == [2, 4]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2020-06-03T10:20:00.000", datetime(2020, 6, 3, 10, 20)),
        ("2020-06-03 10:20:00.1234567", datetime(2020, 6, 3, 10, 20, 0, 123456)),
        ("3/6/2020 10:20", None),
        ("2020-02-31 10:20:00", None),
        ("NULL", None),
    ],
)
def test_a_row_has_the_time_at_which_the_server_was_asked(text, time):
    assert rows(f"runtime,database_name,redo_queue_size\n{text},Sales,7\n")[0]["time_local"] == time


def test_the_count_below_a_grid_is_no_row_and_a_short_row_is_an_issue():
    text = f"{STATES}\nB,Sales,7\nC,Sales\n\n(1 rows affected)\n"
    assert len(rows(text)) == 1
    assert [(row["kind"], row["count"]) for row in rows(text, "issues")] == [("damaged_row", 1)]


def test_a_grid_in_utf_16_is_read():
    assert rows(f"{STATES}\nB,Sälés,7\n".encode("utf-16"))[0]["cells"] == ["B", "Sälés", "7"]


def test_a_text_without_a_header_is_refused():
    with pytest.raises(CaptureError, match="no rows of a view"):
        rows("a,b\n1,2\n")
