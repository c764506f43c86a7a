"""Exports of the seeding DMVs, as each tool writes them."""

from __future__ import annotations

import json

import pytest

from agtrace.readers.query_results import READER
from agtrace.testing import facts, facts_of, is_detected, issue_kinds, read_all
from simulation.formats.seeding_dmv import JSON_CHUNK, JSON_COLUMN

AUTOMATIC, PHYSICAL = "dm_hadr_automatic_seeding", "dm_hadr_physical_seeding_stats"
AG, DB, REPLICA, OPERATION = (
    "6f9619ff-8b86-d011-b42d-00c04fc964ff",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
)
AUTOMATIC_CSV = f"""\
start_time,completion_time,ag_id,ag_db_id,ag_remote_replica_id,operation_id,is_source,current_state,performed_seeding,failure_state,failure_state_desc,error_code,number_of_attempts
2016-08-12 10:15:30.123,2016-08-12 10:23:30.000,{AG.upper()},{DB.upper()},{REPLICA.upper()},{OPERATION.upper()},1,COMPLETED,1,NULL,NULL,NULL,1
2016-08-12 11:00:00.500,2016-08-12 11:00:02.250,{AG.upper()},{DB.upper()},{REPLICA.upper()},{OPERATION.upper()},1,FAILED,1,215,Seeding,0,2
"""  # noqa: E501
COMPLETED = {
    "start_time": "2016-08-12T10:15:30.123",
    "completion_time": "2016-08-12T10:23:30",
    "ag_id": AG,
    "ag_db_id": DB,
    "ag_remote_replica_id": REPLICA,
    "operation_id": OPERATION,
    "is_source": "1",
    "current_state": "COMPLETED",
    "performed_seeding": "1",
    "number_of_attempts": "1",
}
FAILED = COMPLETED | {
    "start_time": "2016-08-12T11:00:00.5",
    "completion_time": "2016-08-12T11:00:02.25",
    "current_state": "FAILED",
    "failure_state": "215",
    "failure_state_desc": "Seeding",
    "error_code": "0",
    "number_of_attempts": "2",
}

# Results to text of SSMS: the widths of the types (datetime 23, bigint 20, int 11), numbers left.
SSMS_TEXT = """\
local_database_name role_desc   internal_state_desc       transfer_rate_bytes_per_second transferred_size_bytes database_size_bytes  start_time_utc          end_time_utc            total_disk_io_wait_time_ms total_network_wait_time_ms failure_code is_compression_enabled
------------------- ----------- ------------------------- ------------------------------ ---------------------- -------------------- ----------------------- ----------------------- -------------------------- -------------------------- ------------ ----------------------
GestionCom          Source      ReadingAndSendingData     223696213                      53687091200            107374182400         2016-08-12 08:15:31.047 NULL                    1500                       91250                      0            0
Archives 2015       Source      WaitingForRestoreToFinish 0                              1073741824             1073741824           2016-08-12 08:14:02.000 2016-08-12 08:14:59.900 12                         0                          0            0

(2 rows affected)


Completion time: 2016-08-12T10:20:00.1234567+02:00
"""  # noqa: E501
GESTIONCOM = {
    "local_database_name": "GestionCom",
    "role_desc": "Source",
    "internal_state_desc": "ReadingAndSendingData",
    "transfer_rate_bytes_per_second": "223696213",
    "transferred_size_bytes": "53687091200",
    "database_size_bytes": "107374182400",
    "start_time_utc": "2016-08-12T08:15:31.047Z",
    "total_disk_io_wait_time_ms": "1500",
    "total_network_wait_time_ms": "91250",
    "failure_code": "0",
    "is_compression_enabled": "0",
}
ARCHIVES = GESTIONCOM | {
    "local_database_name": "Archives 2015",
    "internal_state_desc": "WaitingForRestoreToFinish",
    "transfer_rate_bytes_per_second": "0",
    "transferred_size_bytes": "1073741824",
    "database_size_bytes": "1073741824",
    "start_time_utc": "2016-08-12T08:14:02Z",
    "end_time_utc": "2016-08-12T08:14:59.9Z",
    "total_disk_io_wait_time_ms": "12",
    "total_network_wait_time_ms": "0",
}


def test_csv():
    assert facts_of(READER, AUTOMATIC_CSV, AUTOMATIC) == [COMPLETED, FAILED]
    assert issue_kinds(READER, AUTOMATIC_CSV) == []
    rows = read_all(READER, AUTOMATIC_CSV.encode(), "x")["facts"].to_pylist()
    assert [(row["item"], row["line"]) for row in rows if row["key"] == "ag_id"] == [(0, 2), (1, 3)]
    assert {row["time_local"] for row in rows} == {None}


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_other_separators(separator):
    assert facts_of(READER, AUTOMATIC_CSV.replace(",", separator), AUTOMATIC) == [COMPLETED, FAILED]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
def test_encodings(encoding):
    text = AUTOMATIC_CSV.replace("Seeding,0", "Seeding (é),0").replace("\n", "\r\n")
    found = facts_of(READER, text, AUTOMATIC, encoding)
    assert found == [COMPLETED, FAILED | {"failure_state_desc": "Seeding (é)"}]


def test_csv_of_powershell():
    text = (
        "#TYPE System.Data.DataRow\n"
        '"is_source","performed_seeding","start_time","completion_time","current_state","ag_db_id"\n'
        f'"True","False","8/12/2016 10:15:30 AM","","PENDING","{DB}"\n'
        f'"False","True","8/31/2016 2:05:09 PM","8/31/2016 12:00:00 PM","COMPLETED","{DB}"\n'
    )
    assert facts_of(READER, text, AUTOMATIC) == [
        {
            "is_source": "1",
            "performed_seeding": "0",
            "start_time": "2016-08-12T10:15:30",
            "current_state": "PENDING",
            "ag_db_id": DB,
        },
        {
            "is_source": "0",
            "performed_seeding": "1",
            "start_time": "2016-08-31T14:05:09",
            "completion_time": "2016-08-31T12:00:00",
            "current_state": "COMPLETED",
            "ag_db_id": DB,
        },
    ]


def test_a_message_over_two_lines_and_with_quotes():
    text = (
        "local_physical_seeding_id,start_time_utc,failure_code,failure_message\n"
        f'{OPERATION},NULL,5,"Cannot open ""D:\\x"",\r\nerror 5"\n{AG},NULL,0,NULL\n'
    )
    assert facts_of(READER, text, PHYSICAL) == [
        {
            "local_physical_seeding_id": OPERATION,
            "failure_code": "5",
            "failure_message": 'Cannot open "D:\\x",\nerror 5',
        },
        {"local_physical_seeding_id": AG, "failure_code": "0"},
    ]


def test_a_message_with_commas_that_nobody_quoted():
    text = (
        "local_physical_seeding_id,start_time_utc,failure_code,failure_message,is_compression_enabled\n"
        f"{OPERATION},NULL,5,Stopped, cancelled, or cut,0\n"
    )
    assert facts_of(READER, text, PHYSICAL) == [
        {
            "local_physical_seeding_id": OPERATION,
            "failure_code": "5",
            "failure_message": "Stopped, cancelled, or cut",
            "is_compression_enabled": "0",
        }
    ]


def test_rows_without_a_header():
    text = AUTOMATIC_CSV.partition("\n")[2]
    assert facts_of(READER, text, AUTOMATIC) == [COMPLETED, FAILED]
    assert issue_kinds(READER, text) == ["no_header"]
    assert is_detected(READER, text)


def test_results_to_text():
    assert facts_of(READER, SSMS_TEXT, PHYSICAL) == [GESTIONCOM, ARCHIVES]
    assert issue_kinds(READER, SSMS_TEXT) == []


def test_results_to_text_without_spaces_at_the_ends_of_lines():
    text = "\n".join(line.rstrip() for line in SSMS_TEXT.split("\n"))
    assert facts_of(READER, text, PHYSICAL) == [GESTIONCOM, ARCHIVES]


@pytest.mark.parametrize(
    "trailer", ["(1 row(s) affected)", "(1 Zeile betroffen)", "(1 ligne affectée)", "（1 行受影响）"]
)
def test_a_loop_gives_one_result_after_the_other(trailer):
    title, rule, row, *_rest = SSMS_TEXT.split("\n")
    later = row.replace("53687091200", "64424509440")
    text = "\r\n".join((title, rule, row, "", trailer, "", title, rule, later, "", trailer, ""))
    found = facts_of(READER, text, PHYSICAL)
    assert found == [GESTIONCOM, GESTIONCOM | {"transferred_size_bytes": "64424509440"}]
    assert issue_kinds(READER, text) == []


def test_other_results_between():
    text = (
        "name       database_id\n---------- -----------\nmaster     1\n\n(1 rows affected)\n\n"
        "-- AG_hadr_physical_seeding_stats --\n" + SSMS_TEXT + "\nx\n-\n1\n"
    )
    assert facts_of(READER, text, PHYSICAL) == [GESTIONCOM, ARCHIVES]


def test_a_value_that_fills_its_column():
    message = "x" * 256
    text = (
        "failure_code failure_message".ljust(269)
        + " start_time_utc          internal_state_desc\n"
        + f"------------ {'-' * 256} ----------------------- -------------------\n"
        + f"5            {message} 2016-08-12 08:15:31.047 Failed             \n"
    )
    assert facts_of(READER, text, PHYSICAL)[0]["failure_message"] == message
    assert issue_kinds(READER, text) == ["cut_value"]


# sqlcmd shows numbers to the right; at its 80 columns it breaks every line between two columns.
SQLCMD = """\
start_time              is_source performed_seeding failure_state number_of_attempts
----------------------- --------- ----------------- ------------- ------------------
2016-08-12 10:15:30.123         1                 0          NULL                  1
2016-08-12 11:00:00.500         1                 1           215                  2

(2 rows affected)
"""
SQLCMD_BROKEN = """\
start_time              is_source performed_seeding failure_state 
number_of_attempts
----------------------- --------- ----------------- ------------- 
------------------
2016-08-12 10:15:30.123         1                 0          NULL 
                 1
2016-08-12 11:00:00.500         1                 1           215 
                 2

(2 rows affected)
"""  # noqa: W291
SQLCMD_TRIMMED = """\
start_time is_source performed_seeding failure_state failure_state_desc number_of_attempts
---------- --------- ----------------- ------------- ------------------ ------------------
2016-08-12 10:15:30.123 1 0 NULL NULL 1
2016-08-12 11:00:00.500 1 1 215 Seeding Check Message Timeout 2

(2 rows affected)
"""
SHORT = [
    {
        "start_time": "2016-08-12T10:15:30.123",
        "is_source": "1",
        "performed_seeding": "0",
        "number_of_attempts": "1",
    },
    {
        "start_time": "2016-08-12T11:00:00.5",
        "is_source": "1",
        "performed_seeding": "1",
        "failure_state": "215",
        "number_of_attempts": "2",
    },
]


def test_sqlcmd():
    assert facts_of(READER, SQLCMD, AUTOMATIC) == SHORT


def test_sqlcmd_breaks_lines_at_its_width():
    assert facts_of(READER, SQLCMD_BROKEN, AUTOMATIC) == SHORT
    trimmed = "\n".join(line.rstrip() for line in SQLCMD_BROKEN.split("\n"))
    assert facts_of(READER, trimmed, AUTOMATIC) == SHORT


def test_sqlcmd_without_padding():
    found = facts_of(READER, SQLCMD_TRIMMED, AUTOMATIC)
    described = SHORT[1] | {"failure_state_desc": "Seeding Check Message Timeout"}
    assert found == [SHORT[0], described]


def test_sqlcmd_without_padding_and_the_description_as_failure_state():
    text = (
        "ag_name is_source performed_seeding failure_state start_time\n"
        "------- --------- ----------------- ------------- ----------\n"
        "TestGrp 1 1 Seeding Check Message Timeout 2016-08-12 10:15:30.123\n"
    )
    found = facts_of(READER, text, AUTOMATIC)
    assert found[0]["failure_state_desc"] == "Seeding Check Message Timeout"


def test_sqlcmd_without_padding_shows_a_name_with_spaces_where_one_column_can_hold_it():
    text = (
        "database_name current_state performed_seeding start_time\n"
        "------------- ------------- ----------------- ----------\n"
        "My Shop SEEDING 1 2016-08-12 10:15:30.123\n"
        "Shop SEEDING 1 2016-08-12 10:15:30.123\n"
    )
    assert [found["database_name"] for found in facts_of(READER, text, AUTOMATIC)] == ["My Shop", "Shop"]


@pytest.mark.parametrize("separator", ["|", ",", ";"])
def test_sqlcmd_with_a_separator(separator):
    lines = SQLCMD.split("\n")
    places = [match for match, mark in enumerate(lines[1]) if mark == " "]
    for number in range(4):
        cells = list(lines[number])
        for place in places:
            cells[place] = separator
        lines[number] = "".join(cells)
    assert facts_of(READER, "\n".join(lines), AUTOMATIC) == SHORT


def test_the_loop_of_the_documentation():
    # sqlcmd -s"|" -W with SET NOCOUNT ON, ended with Ctrl+C while it wrote.
    look = (
        "sampled_utc|server_name|local_physical_seeding_id|start_time_utc|transferred_size_bytes\n"
        "-----------|-----------|-------------------------|--------------|----------------------\n"
        f"2026-11-21 09:15:3%d.1234567|AGDS1|{OPERATION.upper()}|2026-11-21 09:15:01.047|%d\n\n"
    )
    text = look % (0, 1) + look % (9, 2) + (look % (5, 3))[:230]
    assert facts_of(READER, text, PHYSICAL) == [
        {
            "sampled_utc": f"2026-11-21T09:15:3{second}.1234567Z",
            "server_name": "AGDS1",
            "local_physical_seeding_id": OPERATION,
            "start_time_utc": "2026-11-21T09:15:01.047Z",
            "transferred_size_bytes": size,
        }
        for second, size in ((0, "1"), (9, "2"))
    ]
    assert issue_kinds(READER, text) == ["truncated"]


OBJECT = {
    "local_database_name": "GestionCom",
    "role_desc": "Destination",
    "internal_state_desc": "ReceivingAndWritingData",
    "transferred_size_bytes": 53687091200,
    "start_time_utc": "2016-08-12T08:15:31.047",
    "end_time_utc": None,
    "is_compression_enabled": False,
}
TARGET = {
    "local_database_name": "GestionCom",
    "role_desc": "Destination",
    "internal_state_desc": "ReceivingAndWritingData",
    "transferred_size_bytes": "53687091200",
    "start_time_utc": "2016-08-12T08:15:31.047Z",
    "is_compression_enabled": "0",
}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([OBJECT, OBJECT]),
        json.dumps([OBJECT, OBJECT], indent=4),
        json.dumps({"results": [OBJECT, OBJECT]}),
        json.dumps(OBJECT) + "\n" + json.dumps(OBJECT) + "\n",
        json.dumps({"recordsets": [[OBJECT, OBJECT]], "recordset": [OBJECT, OBJECT], "output": {}}),
    ],
    ids=["array", "indented", "root", "lines", "driver"],
)
def test_json(text):
    assert facts_of(READER, text, PHYSICAL) == [TARGET, TARGET]
    assert issue_kinds(READER, text) == []


def test_for_json_auto_nests_what_was_joined():
    text = json.dumps([{"name": "TestGrp", "has": [OBJECT], "rows": 2}])
    assert facts_of(READER, text, PHYSICAL) == [TARGET | {"name": "TestGrp", "rows": "2"}]


def for_json(lines: list[str], rule: bool = True) -> str:
    dashes = ["-" * len(JSON_COLUMN)] if rule else []
    return "\r\n".join([JSON_COLUMN, *dashes, *lines, "", f"({len(lines)} rows affected)", ""])


def chunks(objects: int) -> list[str]:
    text = json.dumps({"results": [OBJECT] * objects}, separators=(",", ":"))
    return [text[at : at + JSON_CHUNK] for at in range(0, len(text), JSON_CHUNK)]


@pytest.mark.parametrize("rule", [True, False])
def test_for_json_is_broken_into_lines(rule):
    assert len(chunks(30)) > 3
    text = for_json(chunks(30), rule)
    assert facts_of(READER, text, PHYSICAL) == [TARGET] * 30
    assert issue_kinds(READER, text) == []


def test_for_json_saved_as_csv_with_quotes():
    lines = ['"' + line.replace('"', '""') + '"' for line in chunks(30)]
    text = "\r\n".join([JSON_COLUMN, *lines, ""])
    assert facts_of(READER, text, PHYSICAL) == [TARGET] * 30


def test_for_json_cut_at_256_characters_per_line():
    text = for_json([line[:256] for line in chunks(30)])
    assert facts_of(READER, text, PHYSICAL)[0] == TARGET
    assert "damaged_json" in issue_kinds(READER, text)


def test_for_json_without_header():
    assert facts_of(READER, "\n".join(chunks(30)), PHYSICAL) == [TARGET] * 30


def test_json_leaves_out_nulls():
    running = {k: v for k, v in OBJECT.items() if v is not None}
    ended = OBJECT | {"end_time_utc": "2016-08-12T08:20:00"}
    found = facts_of(READER, json.dumps([running, ended]), PHYSICAL)
    assert found == [TARGET, TARGET | {"end_time_utc": "2016-08-12T08:20:00Z"}]


def test_both_dmvs_in_one_file():
    text = AUTOMATIC_CSV + "\n" + SSMS_TEXT
    tables = read_all(READER, text.encode(), "x")
    assert facts(tables, AUTOMATIC) == [COMPLETED, FAILED]
    assert facts(tables, PHYSICAL) == [GESTIONCOM, ARCHIVES]
