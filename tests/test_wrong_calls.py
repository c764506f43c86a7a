"""What is asked wrongly is told in one line, and nothing is written; names may be one or several."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.export import export_case
from agtrace.globs import named
from tests.ingest import texts
from tests.ingest.test_ingest import put

QUEUE = r"\\JBSAG3\SQLServer:Database Replica(JBDB)\Log Send Queue"


@pytest.fixture
def folder(tmp_path):
    case = tmp_path / "case"
    (case / "JBSAG3").mkdir(parents=True)
    put(case / "JBSAG3", perf__csv=texts.perfmon(2, zone="("))
    return case


def told(call):
    with pytest.raises(CaseError) as error:
        call()
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("names", "expected"),
    [("Log*", ("Log*",)), (["Log*", "Redo*", "Log*"], ("Log*", "Redo*")), ((), ()), ({"Log*"}, ("Log*",))],
)
def test_a_name_stands_for_itself_and_several_for_each(names, expected):
    assert named(names) == expected


@pytest.mark.parametrize("names", [5, [5], None, ["Log*", None], b"Log*"])
def test_what_is_no_name_is_told(names):
    assert "is no name and no list of names" in told(lambda: named(names))


@pytest.mark.parametrize("counters", ["*Send Queue*", ["*Send Queue*"], ("*Send Queue*",)])
def test_one_glob_reads_what_a_list_of_it_reads(folder, counters):
    read = agtrace.read_pdh(folder / "JBSAG3" / "perf.csv", counters=counters)
    assert set(read["counter"].to_pylist()) == {"Log Send Queue"}
    assert agtrace.read_pdh(folder / "JBSAG3" / "perf.csv", counters="*Redo*").num_rows == 0


def test_a_case_is_opened_with_one_glob(folder):
    with agtrace.open_case(folder, counters="*Redo*") as case:
        assert len(case.view.rows("select * from counters")) == 0


def test_one_format_is_exported(folder, tmp_path):
    with agtrace.open_case(folder) as case:
        assert "csv" in told(lambda: export_case(case, tmp_path / "out", formats="cvs"))
        assert "findings.csv" in export_case(case, tmp_path / "out", formats="csv", only="findings").files


def test_one_analysis_is_asked(folder):
    with agtrace.open_case(folder) as case:
        assert list(case.unanswered("backup")) == ["backup"]


OFFSETS = [
    {"JBSAG3": -4}, {"JBSAG3": "-4:00 h"}, {"JBSAG3": 99_999}, {"JBSAG3": "Berlin"}, {"JBSAG3": None},
    {"JBSAG3": True}, {"JBSAG3": 4.5}, {"JBSAG3": timedelta(seconds=1)}, "-4:00", 240, [("JBSAG3", 240)],
]  # fmt: skip


@pytest.mark.parametrize("offsets", OFFSETS)
def test_an_offset_that_is_none_is_told_before_anything_is_written(folder, offsets):
    told(lambda: agtrace.open_case(folder, utc_offsets=offsets))
    assert not (folder / ".agtrace").exists()


def test_a_host_that_the_case_does_not_have_keeps_no_offset(folder):
    told(lambda: agtrace.open_case(folder, utc_offsets={"JBSAG9": "9:00"}))
    with agtrace.open_case(folder) as case:
        assert case.view.rows("select time from samples limit 1") == [{"time": None}]


@pytest.mark.parametrize("given", ["9:00", timedelta(hours=9), 540, "Asia/Tokyo"])
def test_an_offset_can_be_said_in_each_way_and_is_kept(folder, given):
    first = datetime(2019, 3, 2, 1, 0, 0, 7000, tzinfo=UTC)
    with agtrace.open_case(folder, utc_offsets={"jbsag3": given}) as case:
        assert case.view.rows("select min(time) as time from samples") == [{"time": first}]
    with agtrace.open_case(folder) as case:
        assert case.view.rows("select min(time) as time from samples") == [{"time": first}]


def test_a_zone_tells_summer_from_winter(tmp_path):
    log = "\n".join(
        f"2024-{month:02d}-01 12:00:00.00 spid1s      Starting up database 'x'." for month in (2, 7, 12)
    )
    put(tmp_path, ERRORLOG=(log + "\n").encode())
    with agtrace.open_case(tmp_path, utc_offsets={"*": "Europe/Berlin"}) as case:
        hours = case.view.rows("select hour(time) as at from errorlog order by time_local")
    assert [row["at"] for row in hours] == [11, 10, 11]
