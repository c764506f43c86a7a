"""Exports of the seeding DMVs: names of columns, forms of values, damage."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from agtrace.readers.query_results import READER
from agtrace.readers.written_times import day_first, parse
from agtrace.testing import facts_of, is_detected, issue_kinds, read_all
from tests.folded import folded

AUTOMATIC, PHYSICAL = "dm_hadr_automatic_seeding", "dm_hadr_physical_seeding_stats"
GUID = "6f9619ff-8b86-d011-b42d-00c04fc964ff"


def physical(name: str, *values: str) -> str:
    """Return an export with one column of interest."""
    rows = "".join(f"Source,{GUID},5,{value}\n" for value in values)
    return f"role_desc,local_physical_seeding_id,local_database_id,{name}\n{rows}"


def value_of(name: str, value: str, key: str | None = None) -> str | None:
    return facts_of(READER, physical(name, value), PHYSICAL)[0].get(key or name)


def test_the_query_of_the_article():
    text = (
        "aag_name,replica_server_name,database_name,failure_state,start_time,completion_time\n"
        "TestGrp,AGDS2,GestionCom,NULL,2016-08-12 12:15:30.000,2016-08-12 12:23:30.000\n"
        "TestGrp,AGDS2,GestionCom,Seeding,2016-08-12 11:15:30.000,2016-08-12 11:16:00.000\n"
    )
    assert facts_of(READER, text, AUTOMATIC) == [
        {
            "aag_name": "TestGrp",
            "replica_server_name": "AGDS2",
            "database_name": "GestionCom",
            "start_time": "2016-08-12T12:15:30",
            "completion_time": "2016-08-12T12:23:30",
        },
        {
            "aag_name": "TestGrp",
            "replica_server_name": "AGDS2",
            "database_name": "GestionCom",
            "failure_state_desc": "Seeding",
            "start_time": "2016-08-12T11:15:30",
            "completion_time": "2016-08-12T11:16:00",
        },
    ]


def test_names_in_any_case_and_order_with_others_between():
    text = (
        "Performed_Seeding,name,[IS_SOURCE],name,Start_Time,(No column name),is_primary_replica\n"
        "1,TestGrp,0,GestionCom,2016-08-12 12:15:30,7,True\n"
    )
    assert facts_of(READER, text, AUTOMATIC) == [
        {
            "performed_seeding": "1",
            "name": "TestGrp",
            "is_source": "0",
            "name_2": "GestionCom",
            "start_time": "2016-08-12T12:15:30",
            "column_6": "7",
            "is_primary_replica": "1",
        }
    ]


def test_sizes_in_other_units():
    text = (
        "local_physical_seeding_id,local_database_name,role,start_time_utc,transferred_size_KB,"
        "database_size_MB\n"
        f"{GUID},GestionCom,Source,2016-08-12 08:15:31,52428800,102400.5\n"
    )
    rows = read_all(READER, text.encode(), "x")["facts"].to_pylist()
    told = {row["key"]: (row["value"], row["unit"]) for row in rows}
    assert told["role_desc"] == ("Source", None)
    assert told["transferred_size_kb"] == ("52428800", "KB")
    assert told["transferred_size_bytes"] == ("53687091200", "B")
    assert told["database_size_bytes"] == ("107374706688", "B")


def test_units():
    rows = read_all(READER, physical("transfer_rate_bytes_per_second", "1").encode(), "x")["facts"]
    assert {row["key"]: row["unit"] for row in rows.to_pylist()} == {
        "role_desc": None,
        "local_physical_seeding_id": None,
        "local_database_id": None,
        "transfer_rate_bytes_per_second": "B/s",
    }


def test_the_misspelt_column():
    assert value_of("transfered_size_bytes", "7", "transferred_size_bytes") == "7"


def test_both_dmvs_joined():
    text = (
        "local_physical_seeding_id,operation_id,is_source,start_time_utc,start_time,role_desc,"
        "performed_seeding,ag_name\n"
        f"{GUID},{GUID},1,2016-08-12 08:15:31,2016-08-12 10:15:30,Source,1,TestGrp\n"
    )
    assert facts_of(READER, text, PHYSICAL) == [
        {
            "local_physical_seeding_id": GUID,
            "start_time_utc": "2016-08-12T08:15:31Z",
            "role_desc": "Source",
            "ag_name": "TestGrp",
        }
    ]
    assert facts_of(READER, text, AUTOMATIC) == [
        {
            "operation_id": GUID,
            "is_source": "1",
            "start_time": "2016-08-12T10:15:30",
            "performed_seeding": "1",
            "ag_name": "TestGrp",
        }
    ]


@pytest.mark.parametrize(
    "name", ["servername", "server_name", "@@servername", "local_machine_name", "Computer Name"]
)
def test_the_server(name):
    assert value_of(name, "AGDS1\\SQL", "server_name") == "AGDS1\\SQL"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("sampled_utc", "sampled_utc"),
        ("collection_time_utc", "sampled_utc"),
        ("sysutcdatetime", "sampled_utc"),
        ("collection_time", "sampled"),
        ("now", "sampled"),
    ],
)
def test_when_it_was_sampled(name, key):
    text = physical(name, "2026-11-21 10:15:30.1234567")
    suffix = "Z" if key == "sampled_utc" else ""
    assert facts_of(READER, text, PHYSICAL)[0][key] == "2026-11-21T10:15:30.1234567" + suffix
    assert read_all(READER, text.encode(), "x")["facts"]["time_local"].null_count == 4


def test_a_sampling_time_that_says_it_is_local():
    rows = read_all(READER, physical("getdate", "2026-11-21 10:15:30.123").encode(), "x")["facts"]
    assert rows["time_local"].to_pylist() == [datetime(2026, 11, 21, 10, 15, 30, 123000)] * 4
    text = physical("sampled", "2026-11-21 10:15:30.123 +01:00")
    rows = read_all(READER, text.encode(), "x")["facts"].to_pylist()
    assert rows[0]["time_local"] == datetime(2026, 11, 21, 10, 15, 30, 123000)
    assert (rows[3]["key"], rows[3]["value"]) == ("sampled_utc", "2026-11-21T09:15:30.123Z")


@folded(
    ("written", "read"),
    [
        ("2016-08-12 10:15:30.1234567", "2016-08-12T10:15:30.1234567"),
        ("2016-08-12T10:15:30.123Z", "2016-08-12T10:15:30.123"),
        ("2016-08-12T10:15:30+00:00", "2016-08-12T10:15:30"),
        ("2016-08-12 10:15:30,120", "2016-08-12T10:15:30.12"),
        ("2016/8/12 9:15:30", "2016-08-12T09:15:30"),
        ("12.08.2016 10:15:30", "2016-08-12T10:15:30"),
        ("8/13/2016 12:15:30 AM", "2016-08-13T00:15:30"),
        ("8/13/2016 12:15:30\u202fPM", "2016-08-13T12:15:30"),
        ("13/08/2016 22:15:30", "2016-08-13T22:15:30"),
        ("13-08-2016 22.15.30", "2016-08-13T22:15:30"),
    ],
)
def test_times(written, read):
    moment = parse(written, day_first([written]))
    assert moment is not None
    assert moment.text == read


@pytest.mark.parametrize(
    "written", ["2016-13-12 10:15:30", "2016-08-12", "10:15:30", "8/12/2016 10:15", "13/13/2016 10:15:30", ""]
)
def test_no_times(written):
    assert parse(written, True) is None


def test_the_order_of_day_and_month_is_told_by_any_time_of_the_file():
    text = (
        "performed_seeding,is_source,start_time,completion_time\n"
        "1,1,8/12/2016 10:15:30 AM,8/12/2016 10:23:30 AM\n"
        "1,1,8/13/2016 10:15:30 AM,\n"
    )
    assert facts_of(READER, text, AUTOMATIC)[0]["completion_time"] == "2016-08-12T10:23:30"
    assert issue_kinds(READER, text) == []


@pytest.mark.parametrize("other", ["9/12/2016 10:15:30", "13/12/2016 10:15:30,8/13/2016 10:15:30"])
def test_times_whose_order_nothing_tells_are_left_out(other):
    text = "performed_seeding,is_source,start_time\n1,0,8/12/2016 10:15:30\n" + "".join(
        f"1,1,{each}\n" for each in other.split(",")
    )
    assert facts_of(READER, text, AUTOMATIC)[0] == {"performed_seeding": "1", "is_source": "0"}
    issues = read_all(READER, text.encode(), "x")["issues"].to_pylist()
    assert [(row["kind"], row["count"]) for row in issues] == [("time_order_unknown", text.count("/2016"))]
    assert issues[0]["message"].startswith("line 2: times of start_time left out, such as '8/12/")


def test_times_of_convertto_json_are_not_taken_as_utc():
    text = json.dumps(
        [{"local_physical_seeding_id": GUID, "role_desc": "Source", "start_time_utc": "x"}]
    ).replace('"x"', '"\\/Date(1471000530123)\\/"')
    assert facts_of(READER, text, PHYSICAL)[0] == {
        "local_physical_seeding_id": GUID,
        "role_desc": "Source",
        "start_time": "2016-08-12T11:15:30.123",
    }
    assert issue_kinds(READER, text) == ["client_times"]


def test_an_offset_in_a_column_in_utc():
    assert value_of("end_time_utc", "2016-08-12T10:15:30+02:00") == "2016-08-12T08:15:30Z"


@folded(
    ("name", "written", "read"),
    [
        ("failure_code", "0x0000000F", "15"),
        ("failure_code", "-1", "-1"),
        ("failure_code", "5.0", "5"),
        ("failure_code", "5.5", None),
        ("database_size_bytes", "3.43597E+10", None),
        ("database_size_bytes", "1,000", None),
        ("is_compression_enabled", "True", "1"),
        ("is_compression_enabled", "false", "0"),
        ("is_compression_enabled", "WAHR", "1"),
        ("is_compression_enabled", "Faux", "0"),
        ("is_compression_enabled", "2", None),
        ("remote_physical_seeding_id", GUID.upper(), GUID),
        ("remote_physical_seeding_id", "{" + GUID + "}", GUID),
        ("remote_physical_seeding_id", "0xFF19966F868B11D0B42D00C04FC964FF", GUID),
        ("remote_physical_seeding_id", "none", None),
        ("end_time_utc", "later", None),
        ("failure_message", "NULL", None),
        ("failure_message", "", None),
        ("failure_message", "x" * 5000, "x" * 1000),
    ],
)
def test_values(name, written, read):
    if name == "database_size_bytes" and "," in written:
        written = f'"{written}"'
    text = physical(name, written)
    assert facts_of(READER, text, PHYSICAL)[0].get(name) == read
    is_fault = read is None and written not in ("NULL", "")
    assert issue_kinds(READER, text) == (["unreadable_value"] if is_fault else [])


def test_a_guid_as_binary_is_in_little_endian_order():
    # The example of "uniqueidentifier (Transact-SQL)" in both forms.
    assert value_of("remote_physical_seeding_id", "0xFF19966F868B11D0B42D00C04FC964FF") == (
        "6f9619ff-8b86-d011-b42d-00c04fc964ff"
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("start_time_utc", "12.08.2016 10:15"),
        ("start_time_utc", "8/12/2016 10:15 AM"),
        ("end_time_utc", '"15:30,1"'),
        ("database_size_bytes", '"1,00017E+11"'),
    ],
)
def test_what_a_spreadsheet_shortened_is_said_to_be_that(name, written):
    text = physical(name, written)
    shown = written.strip('"')
    (issue,) = read_all(READER, text.encode(), "x")["issues"].to_pylist()
    assert issue["message"] == (
        f"line 2: values of {name} left out, such as {shown!r}: a spreadsheet that saved "
        "the file shortened them, and they cannot be restored; export again, and leave the file as it is"
    )


def test_a_row_whose_times_a_spreadsheet_shortened_keeps_the_rest():
    text = (
        "ag_name;database_name;failure_state_desc;start_time;completion_time\n"
        "G;d;Seeding;12.08.2016 10:15;12.08.2016 10:23\n"
    )
    assert facts_of(READER, text, AUTOMATIC) == [
        {"ag_name": "G", "database_name": "d", "failure_state_desc": "Seeding"}
    ]
    assert issue_kinds(READER, text) == ["unreadable_value", "unreadable_value"]


def test_rows_of_another_shape_are_left_out_with_their_place():
    text = physical("failure_code", "1", "2", "3")
    damaged = text.replace(",5,2", ";5;2")
    assert [row["failure_code"] for row in facts_of(READER, damaged, PHYSICAL)] == ["1", "3"]
    issue = read_all(READER, damaged.encode(), "x")["issues"].to_pylist()[0]
    assert (issue["kind"], issue["count"]) == ("damaged_row", 1)
    assert issue["message"] == "line 3: rows left out: not 4 cells as under the header"
    assert issue["offset"] == damaged.index("\n", damaged.index("\n") + 1) + 1
    wide = damaged.encode("utf-16")
    assert read_all(READER, wide, "x")["issues"].to_pylist()[0]["offset"] == 2 + 2 * issue["offset"]


def test_a_quote_that_never_ends_is_a_character():
    text = physical("failure_message", "a", '"b', "c", "d")
    assert [row["failure_message"] for row in facts_of(READER, text, PHYSICAL)] == ["a", '"b', "c", "d"]


def test_values_under_the_wrong_names_are_left_out():
    text = physical("failure_code", "1") + f"{GUID},Source,x,y\n"
    assert len(facts_of(READER, text, PHYSICAL)) == 1
    assert issue_kinds(READER, text) == ["damaged_row"]


def test_a_cut_row():
    text = physical("failure_code", "1", "2")
    assert len(facts_of(READER, text[:-4], PHYSICAL)) == 1
    assert issue_kinds(READER, text[:-4]) == ["truncated"]
    assert issue_kinds(READER, text[:-1]) == ["no_line_end"]


def test_damaged_json():
    good = {"local_physical_seeding_id": GUID, "role_desc": "Source", "start_time_utc": None}
    text = json.dumps([good, good, good], indent=1)
    damaged = text.replace('"role_desc": "Source"', '"role_desc" "Source"', 1)
    assert len(facts_of(READER, damaged, PHYSICAL)) == 2
    assert issue_kinds(READER, damaged) == ["damaged_json"]
    cut = text[:-40]
    assert len(facts_of(READER, cut, PHYSICAL)) == 2
    issue = read_all(READER, cut.encode(), "x")["issues"].to_pylist()[0]
    assert (issue["kind"], issue["offset"]) == ("damaged_json", cut.rindex("{") - 1)


def test_a_header_without_rows():
    text = physical("failure_code")
    assert is_detected(READER, text)
    assert issue_kinds(READER, text) == ["no_rows"]


@pytest.mark.complete
def test_more_rows_than_are_read():
    text = physical("failure_code", *["1"] * 20_001)
    tables = read_all(READER, text.encode(), "x")
    assert tables["facts"].num_rows == 4 * 20_000
    assert tables["issues"]["kind"].to_pylist() == ["too_many_rows"]
