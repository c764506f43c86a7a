"""Rowsets wherever they stand in a text, and what stands between them."""

from __future__ import annotations

from datetime import datetime

import pytest

from simulation.formats import rowsets as make
from tests.readers.query_results.reading import facts, issues, rowsets, tables
from tests.readers.query_results.small import (
    LOOKED,
    MISC,
    PERF,
    POWER_PLAN,
    RING_BUFFERS,
    SECTORS,
    SLOW_FILES,
    SYSTEM,
)  # fmt: skip

COLUMNS = (("id", -4), ("name", 12), ("n", -5))
ROWS = [(1, "one", 10), (2, None, None), (30, "two words", 7)]
CELLS = [["1", "one", "10"], ["2", None, None], ["30", "two words", "7"]]


@pytest.mark.parametrize(
    "marker", ["-- a b --", "--a b--", " -- a b --", "--  a b --", "--- a b ---", "-> a b"]
)
def test_names_in_every_way_of_writing_them(marker):
    text = marker + "\r\n" + make.table(COLUMNS, ROWS)
    assert rowsets(text) == [("a b", ["id", "name", "n"], CELLS)]


def test_titles_between_rulers():
    text = make.titled("Replica State, Identification", COLUMNS, ROWS)
    assert rowsets(text) == [("Replica State, Identification", ["id", "name", "n"], CELLS)]


@pytest.mark.parametrize("screen", [10, 13, 20, 80])
def test_lines_broken_at_the_width_of_the_screen(screen):
    text = make.rowset("a", COLUMNS, ROWS, screen) + make.rowset("b", COLUMNS, ROWS[:1], screen)
    assert rowsets(text) == [("a", ["id", "name", "n"], CELLS), ("b", ["id", "name", "n"], CELLS[:1])]
    assert issues(text) == []


def test_wide_rows_broken_at_eighty_characters():
    rows = [("AG1", "SRV1\\INST", "SRV1", make.A, make.AG), ("AG 2", "SRV2", "", make.B, None)]
    text = make.rowset("replicas", make.REPLICAS[:5], rows, 80)
    assert rowsets(text)[0][2] == [
        ["AG1", "SRV1\\INST", "SRV1", make.A, make.AG],
        ["AG 2", "SRV2", "", make.B, None],
    ]


def test_a_rowset_without_rows_is_one_and_a_marker_without_a_header_is_none():
    text = "-- requests --\r\n\r\n-- No blocking detected --\r\n\r\n" + make.rowset("a", COLUMNS, [])
    assert rowsets(text) == [("a", ["id", "name", "n"], [])]


def test_the_same_name_comes_back():
    text = make.rowset("a", COLUMNS, ROWS) * 3
    assert [name for name, _columns, _rows in rowsets(text)] == ["a"] * 3


def test_names_of_columns_may_repeat():
    columns = (("name", 8), ("id", -4), ("name", 8))
    assert rowsets(make.rowset("a", columns, [("x", 1, "y")]))[0][1:] == (
        ["name", "id", "name"],
        [["x", "1", "y"]],
    )


@pytest.mark.parametrize(
    "message",
    [
        "Msg 8134, Level 16, State 1, Server SRV1, Line 3\r\nDivide by zero error encountered.\r\n",
        "Meldung 8134, Ebene 16, Status 1, Server SRV1, Zeile 3\r\nDivision durch 0 (null).\r\n",
    ],
)
def test_an_error_in_the_middle_is_told_and_the_rows_around_it_are_read(message):
    text = make.rowset("a", COLUMNS, ROWS)
    at = text.index("   2 NULL")
    damaged = text[:at] + message + text[at:]
    assert rowsets(damaged) == [("a", ["id", "name", "n"], CELLS)]
    assert issues(damaged) == [("server_error", "warning", at, 1)]


def test_a_note_of_the_server_is_neither_a_row_nor_an_error():
    note = "Msg 5701, Level 0, State 2, Server SRV1, Line 1\r\nChanged database context.\r\n"
    text = "-- a --\r\n" + note + make.table(COLUMNS, ROWS)
    assert rowsets(text)[0] == ("a", ["id", "name", "n"], CELLS)
    assert issues(text) == []


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Sqlcmd: Error: Microsoft ODBC Driver 17 for SQL Server : Login timeout expired.", "sqlcmd_error"),
        ('Exception occured in: "dm_os_wait_stats"', "script_error"),
        ("<<<<< LIMIT OF 1000 ROWS EXCEEDED, SOME RESULTS NOT SHOWN >>>>>", "row_limit"),
    ],
)
def test_what_scripts_complain_about_is_told(line, kind):
    text = make.rowset("a", COLUMNS, ROWS)
    assert issues(text + line + "\r\n") == [(kind, "warning", len(text), 1)]


def test_line_ends_in_values():
    rows = [(1, "a\r\nb", 5), (2, "c\r\n\r\nd", 6), (3, "plain", 7)]
    columns = (("id", -4), ("text", 20), ("n", -5))
    text = make.rowset("a", columns, rows)
    assert rowsets(text)[0][2] == [["1", "a\r\nb", "5"], ["2", "c\r\n\r\nd", "6"], ["3", "plain", "7"]]
    assert issues(text) == []


def test_a_line_that_is_no_row_is_left_out_and_told():
    text = make.rowset("a", COLUMNS, ROWS)
    at = text.index("   2 NULL")
    damaged = text[:at] + "rubbish\r\n" + text[at:]
    assert rowsets(damaged) == [("a", ["id", "name", "n"], CELLS)]
    assert issues(damaged) == [("damaged_row", "warning", at, 1)]


def test_a_cut_row_is_left_out_and_told():
    text = make.rowset("a", COLUMNS, ROWS).rstrip()
    cut = text[:-3]
    assert rowsets(cut) == [("a", ["id", "name", "n"], CELLS[:2])]
    assert [kind for kind, *_more in issues(cut)] == ["no_line_end", "truncated"]


def test_rows_that_are_not_filled_up():
    text = (
        "-- a --\r\nid   text      \r\n---- ----------------\r\n1    x\r\n2    longer than its dashes say\r\n"
    )
    assert rowsets(text)[0][2] == [["1", "x"], ["2", "longer than its dashes say"]]


def test_the_time_of_a_look_is_that_of_the_rows_below_it():
    found = tables(LOOKED)["rowset_rows"].to_pylist()
    assert {row["time_local"] for row in found} == {datetime(2026, 3, 1, 10, 15, 31, 17_000)}


def test_runtime_is_the_time_of_a_row():
    found = tables(PERF)["rowset_rows"].to_pylist()
    assert [row["time_local"] for row in found if row["cells"][-1] == "WRITELOG"] == [
        datetime(2026, 3, 1, 10, 16, 35, 220_000),
        datetime(2026, 3, 1, 10, 17, 35),
    ]


def test_lines_are_those_of_the_file():
    (head, *_), (row, *_) = (tables(LOOKED)[name].to_pylist() for name in ("rowset_heads", "rowset_rows"))
    assert (head["line"], row["line"]) == (1, 3)


def test_what_a_server_says_of_itself():
    assert facts(MISC, "server_property") == [
        (0, "MachineName", "SRV1"),
        (0, "SQLServerName", "SRV1"),
        (0, "UTCOffset_in_Hours", "5.50"),
    ]
    assert facts(MISC, "trace_flag") == [(9567, "global", "1"), (9567, "status", "1"), (9567, "session", "0")]
    assert facts(MISC, "configuration") == [
        (0, "name", "max worker threads"),
        (0, "value", "0"),
        (0, "value_in_use", "960"),
    ]
    assert facts(MISC, "startup_argument") == [(0, "SQLArg0", "-T9567")]
    assert (0, "server_name", "SRV1") in facts(MISC, "collection")


def test_the_server_that_was_looked_at_is_the_local_replica():
    assert facts(LOOKED, "collection") == [(0, "group", "AG1"), (0, "server_name", "SRV1")]


def test_power_plan_and_system():
    assert facts(POWER_PLAN, "power_plan") == [(0, "active", "Balanced")]
    assert facts(SYSTEM, "system_info") == [(0, "Host Name", "SRV1")]


def test_sectors_of_each_volume():
    assert facts(SECTORS, "sector_info") == [
        (0, "volume", "C:"),
        (0, "LogicalBytesPerSector", "512"),
        (0, "PhysicalBytesPerSectorForAtomicity", "4096"),
        (0, "Trim Supported", "true"),
        (1, "volume", "D:"),
        (1, "LogicalBytesPerSector", "4096"),
    ]


def test_two_clocks_of_one_row_tell_the_offset():
    assert facts(SLOW_FILES, "collection") == [(0, "utc_offset_minutes", "330")]


def test_sixty_databases():
    names = [f"Sales {number:02} 'x' \"y\"" for number in range(60)]
    found = rowsets(make.states(names))[0]
    assert found[0] == "AG_hadr_ag_database_replica_states"
    assert [row[3] for row in found[2]] == [name for name in names for _replica in range(2)]


def test_seeding_rows_are_read_wherever_they_begin():
    columns = (
        ("ag_name", 64), ("database_name", 64), ("start_time", 23), ("completion_time", 23),
        ("operation_id", 36), ("is_source", -9), ("current_state", 128), ("performed_seeding", -17),
        ("failure_state_desc", 128), ("error_code", -11),
    )  # fmt: skip
    row = ("AG1", "Sales", "2026-03-01 08:00:01.233", None, make.A, 1, "SEEDING", 1, None, None)
    text = make.states([f"db{n}" for n in range(60)]) + make.rowset("seeding", columns, [row])
    assert text.index("performed_seeding") > 64 * 1024
    assert {key: value for _item, key, value in facts(text, "dm_hadr_automatic_seeding")} == {
        "ag_name": "AG1",
        "database_name": "Sales",
        "start_time": "2026-03-01T08:00:01.233",
        "operation_id": make.A.lower(),
        "is_source": "1",
        "current_state": "SEEDING",
        "performed_seeding": "1",
    }


def test_records_of_ring_buffers_are_facts_of_their_own_time():
    rows = tables(RING_BUFFERS)["facts"].to_pylist()
    assert [(row["item"], row["key"], row["value"]) for row in rows if row["topic"] == "ring_buffer"] == [
        (0, "type", "RING_BUFFER_HADR_TRANSPORT_STATE"), (0, "currentState", "HadrSession_Connected"),
        (0, "targetState", "HadrSession_Timeout"), (1, "type", "RING_BUFFER_HADRDBMGR_STATE"),
        (1, "dbId", "5"), (1, "name", "A & B"),
    ]  # fmt: skip
    times = {row["item"]: row["time_local"] for row in rows if row["topic"] == "ring_buffer"}
    # The second has no time of its own: its ticks against those of the look tell it.
    assert times == {0: datetime(2026, 3, 1, 10, 15, 35), 1: datetime(2026, 3, 1, 10, 16, 15, 220_000)}
