"""Exports of the seeding DMVs: the battery, the same rows in every shape, and strangers' files."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agtrace.describe import describe
from agtrace.readers import detect
from agtrace.readers.query_results import READER
from agtrace.testing import check_reader, is_detected, read_all
from simulation.formats import seeding_dmv as make
from simulation.formats.workload_tools import STRESS_HEAD
from tests.effort import thorough
from tests.folded import folded

GUIDS = [f"{n:08x}-0000-4000-8000-00c04fc964ff" for n in range(1, 9)]
COPIES = [
    {
        "local_physical_seeding_id": GUIDS[0],
        "remote_physical_seeding_id": GUIDS[1],
        "local_database_id": 7,
        "local_database_name": "GestionCom",
        "remote_machine_name": "AGDS2",
        "role_desc": "Source",
        "internal_state_desc": "ReadingAndSendingData",
        "transfer_rate_bytes_per_second": 223_696_213,
        "transferred_size_bytes": 10_737_418_240 * step,
        "database_size_bytes": 107_374_182_400,
        "start_time_utc": datetime(2016, 8, 12, 8, 15, 31, 47_000),
        "estimate_time_complete_utc": datetime(2016, 8, 12, 8, 23, step),
        "total_disk_io_wait_time_ms": 100 * step,
        "total_network_wait_time_ms": 9000 * step,
        "failure_code": 0,
        "is_compression_enabled": False,
    }
    for step in range(5)
]


@thorough
@pytest.mark.parametrize("write", [make.write_csv, make.write_ssms_text, make.write_json])
def test_contract(write):
    text = write(COPIES, make.PHYSICAL)
    check_reader(READER, text.encode(), "capture.txt", "facts")


_TIME = st.datetimes(datetime(2016, 1, 1), datetime(2030, 1, 1)).map(
    lambda time: time.replace(microsecond=time.microsecond // 1000 * 1000)
)
_WORD = st.text("ABCdef_123é", min_size=1, max_size=12).map(lambda word: "x" + word)
_COPY = st.fixed_dictionaries(
    {
        "local_physical_seeding_id": st.sampled_from(GUIDS),
        "remote_physical_seeding_id": st.none() | st.sampled_from(GUIDS),
        "local_database_id": st.integers(1, 32767),
        "local_database_name": _WORD,
        "remote_machine_name": st.none() | _WORD,
        "role_desc": st.sampled_from(["Source", "Destination"]),
        "internal_state_desc": _WORD,
        "transfer_rate_bytes_per_second": st.none() | st.integers(0, 2**62),
        "transferred_size_bytes": st.integers(0, 2**62),
        "database_size_bytes": st.integers(0, 2**62),
        "start_time_utc": _TIME,
        "end_time_utc": st.none() | _TIME,
        "estimate_time_complete_utc": st.none() | _TIME,
        "total_disk_io_wait_time_ms": st.integers(0, 2**40),
        "total_network_wait_time_ms": st.none() | st.integers(0, 2**40),
        "failure_code": st.integers(-(2**31), 2**31 - 1),
        "failure_message": st.none() | st.lists(_WORD, min_size=1, max_size=4).map(" ".join),
        "failure_time_utc": st.none() | _TIME,
        "is_compression_enabled": st.booleans(),
    }
)
SHAPES = {
    "csv": make.write_csv,
    "semicolons": lambda rows, columns: make.write_csv(rows, columns, ";"),
    "powershell": make.write_quoted_csv,
    "tsv": make.write_tsv,
    "ssms text": make.write_ssms_text,
    "sqlcmd": make.write_sqlcmd,
    "sqlcmd -s": lambda rows, columns: make.write_sqlcmd(rows, columns, "|"),
    "sqlcmd -W": make.write_sqlcmd_trimmed,
    "sqlcmd -W -s": lambda rows, columns: make.write_sqlcmd_trimmed(rows, columns, ";"),
    "json": make.write_json,
    "json lines": make.write_json_lines,
    "for json": make.write_for_json,
    "for json, root": lambda rows, columns: make.write_for_json(rows, columns, "results"),
}


def told(text: str) -> set[tuple[str, int, str, str, str | None]]:
    tables = read_all(READER, text.encode(), "export.txt")
    assert (
        {row["kind"] for row in tables["issues"].to_pylist()} <= {"no_line_end"}
        if "issues" in tables
        else True
    )
    names = ("topic", "item", "key", "value", "unit")
    return {tuple(row[name] for name in names) for row in tables["facts"].to_pylist()}


@pytest.mark.complete
@settings(deadline=None, max_examples=40)
@given(st.lists(_COPY, min_size=1, max_size=6), st.permutations(make.PHYSICAL))
def test_the_same_rows_in_every_shape(rows, columns):
    expected = told(make.write_csv(rows, make.PHYSICAL))
    items = len({fact[1] for fact in expected})
    assert items == len(rows)
    for shape, write in SHAPES.items():
        text = write(rows, columns)
        assert is_detected(READER, text), shape
        assert told(text) == expected, shape


PDH = '"(PDH-CSV 4.0) (Romance Daylight Time)(-120)","\\\\AGDS1\\Processor(_Total)\\% Processor Time"\n'
QUERY = (
    "SELECT start_time, completion_time, ag_id, ag_db_id, ag_remote_replica_id, performed_seeding"
    " FROM sys.dm_hadr_automatic_seeding\n"
)
EVENTS = (
    "name,timestamp,database_name,role_desc,internal_state_desc,transfer_rate_bytes_per_second,"
    "transferred_size_bytes,database_size_bytes,seeding_start_time,local_seeding_guid\n"
)
AUTOMATIC_EVENTS = "name,timestamp,ag_id,ag_db_id,ag_remote_replica_id,operation_id,is_source,current_state\n"
REPLICAS = "replica_id,role_desc,operational_state_desc,database_id,start_time_utc,failure_code\n"


@folded(
    "text",
    [
        PDH + '"08/12/2016 10:15:30.123","12.5"\n',
        "label,factors,start,end\nrun 1,tf=9567,2016-08-12T10:15:30Z,2016-08-12T10:23:30Z\n",
        "job,start_time,completion_time,failure_state,is_source\na,1,2,3,4\n",
        "id,local_database_name,start_time_utc\n1,a,2\n",
        STRESS_HEAD + "\n",
        '{"TestId":"a","Threads":1,"ElapsedTime":2}',
        '[{"start_time":"a","completion_time":"b","error_code":1}]',
        '{"columns":["ag_db_id","performed_seeding","start_time","is_source"]}',
        "2016-08-12 10:15:30.12 spid51      Starting up database 'GestionCom'.\n",
        "start_time\n----------\n2016-08-12 10:15:30\n",
        QUERY,
        EVENTS + "a,b,c,d,e,f,g,h,i,j\n",
        AUTOMATIC_EVENTS + "a,b,c,d,e,f,g,h\n",
        REPLICAS + "a,b,c,d,e,f\n",
        f"2016-08-12 10:15:30,NULL,{GUIDS[0]},{GUIDS[1]},{GUIDS[2]},{GUIDS[3]},1,SEEDING\n",
        "",
        "\n\n",
        "[",
        "{}",
    ],
)
def test_strangers_are_no_seedings(text):
    is_table = is_detected(READER, text, "dm_hadr_automatic_seeding.csv")
    assert not is_table or "facts" not in read_all(READER, text.encode(), "x")


def test_no_other_reader_takes_an_export():
    for write in SHAPES.values():
        head = write(COPIES, make.PHYSICAL).encode()[:65_536]
        found = detect(head, "export.csv")
        assert found is not None
        assert found[0] is READER


def test_info(tmp_path):
    file = tmp_path / "dm_hadr_physical_seeding_stats.csv"
    file.write_text(make.write_csv(COPIES, make.PHYSICAL), encoding="utf-8", newline="")
    (told_of,) = describe(file)
    assert (told_of.kind, told_of.status) == ("query results", "ingested")
    assert told_of.rows == {"facts": 80, "rowset_heads": 1, "rowset_rows": 5}
    assert told_of.issues == []


def test_the_writer_is_the_same_every_time():
    assert make.write_json(COPIES, make.PHYSICAL) == make.write_json(COPIES, make.PHYSICAL)
    assert json.loads(make.write_json(COPIES, ("local_database_id",)))[0] == {"local_database_id": 7}
