"""What is asked wrongly is told in one line, and nothing is written; names may be one or several."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.export import export_case
from agtrace.globs import named
from tests.folded import folded
from tests.ingest import texts
from tests.ingest.test_ingest import put


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


def test_a_case_is_opened_with_one_glob(folder):
    with agtrace.open_case(folder, counters="*Redo*") as case:
        assert len(case.view.rows("select * from counters")) == 0


@pytest.mark.complete
def test_one_format_is_exported(folder, tmp_path):
    with agtrace.open_case(folder) as case:
        assert "csv" in told(lambda: export_case(case, tmp_path / "out", formats="cvs"))
        assert "findings.csv" in export_case(case, tmp_path / "out", formats="csv", only="findings").files


def test_one_analysis_is_asked(folder):
    with agtrace.open_case(folder) as case:
        assert list(case.unanswered("backup")) == ["backup"]


@pytest.mark.complete
@folded(
    ("ask", "said"),
    [
        (lambda case: case.timeline(kind="nope"), "the timeline has no kind 'nope' - there are: "),
        (lambda case: case.timeline(kind="lease_expird"), "nearest: lease_expired"),
        (lambda case: case.timeline(kind=["ready", "nope"]), "no kind 'nope'"),
        (lambda case: case.timeline(host="NOPE"), "no host 'NOPE' - its hosts are: JBSAG3"),
        (lambda case: case.around("2019-03-02 01:00", host="NOPE"), "no host 'NOPE'"),
        (lambda case: case.around("2019-03-02 01:00", host=["JBSAG3", "N*"]), "no host 'N*'"),
        (lambda case: case.around("noon"), "'noon' is not a time"),
        (lambda case: case.around("2019-03-02 01:00", minutes=-1), "is no length of time"),
        (lambda case: case.around("2019-03-02 01:00", minutes="5"), "is no length of time"),
        (lambda case: case.around("9999-12-31 23:50", tz="local"), "end of the calendar"),
        (lambda case: case.around("0001-01-01T00:00+14:00"), "end of the calendar"),
        (lambda case: case.around(None), "None is not a time"),
        (lambda case: case.perfmon(5), "5 is no name"),
        (lambda case: case.perfmon("Log Send Queue", host=["JBSAG3", 5]), "is no name"),
        (lambda case: case.errorlog(like=5), "5 is no name"),
        (lambda case: case.errorlog(host="NOPE"), "no host 'NOPE'"),
        (lambda case: case.events("nope"), "no Extended Event 'nope' was captured"),
        (lambda case: case.perfmon("Log Sent Queue"), "nearest: Log Send Queue"),
        (lambda case: case.perfmon("Log Send Queue", host="NOPE"), "host 'NOPE'"),
        (lambda case: case.perfmon("Log Send Queue", every="soon"), "'soon'"),
        (lambda case: case.plot("Log Send Queue", mark="nope"), "'nope'"),
        (lambda case: case.plot(), "counter"),
        (lambda case: case.analysis("nope"), "no analysis is called 'nope'"),
        (lambda case: case.window("2019-03-02", "2019-03-01"), "holds no time - start lies before end"),
        (lambda case: case.window("2019-03-02", host="NOPE"), "no host 'NOPE' - its hosts are: JBSAG3"),
        (lambda case: case.window("2 March"), "'2 March' is not a time"),
        (lambda case: case.window("2019-03-02", tz="Berlin"), "did you mean 'Europe/Berlin'?"),
        (lambda case: case.window("2019-03-02", tz=9), "tz=9 is no zone"),
        (lambda case: case.window("2019-03-02T00:00Z", tz="local"), "names a zone"),
        (lambda case: case.perfmon("Log Send Queue", every="1min", how="avg"), "how='avg' is not known"),
        (lambda case: case.perfmon("Log Send Queue", every="1min", how="p101"), "how='p101' is not known"),
        (lambda case: case.perfmon("Log Send Queue", how="max"), "say how long they are: every='1min'"),
        (lambda case: case.perfmon("Log Send Queue", every=5), "5 is no length of time"),
        (lambda case: case.perfmon("Log Send Queue", every="1 month"), "is no length of time"),
        (lambda case: case.perfmon("Log Send Queue", start="2030-01-01"), "no sample lies in the window"),
        (lambda case: case.perfmon("Log Send Queue", tidy=True, end="1999"), "'1999' is not a time"),
        (lambda case: case.plot("Log Send Queue", every="1min", how=95), "95 is no name"),
        (lambda case: case.plot("Log Send Queue", tz="UTC+9"), "tz='UTC+9' is no zone"),
        (lambda case: case.percentiles("Log Sent Queue"), "no counter 'Log Sent Queue' was captured"),
        (lambda case: case.percentiles("Log Send Queue", "NOPE"), "no series is of host 'NOPE'"),
        (lambda case: case.percentiles("Log Send Queue", by="week"), "cannot group by 'week' - group by: "),
        (lambda case: case.percentiles("Log Send Queue", q=95), "q=95 is no quantile"),
        (lambda case: case.percentiles("Log Send Queue", q="p95"), "q='p95' is no quantile"),
        (lambda case: case.percentiles("Log Send Queue", q=[0.5, None]), "q=None is no quantile"),
        (lambda case: case.percentiles(5), "5 is no name"),
        (lambda case: case.roles(host=5), "5 is no name"),
        (lambda case: case.roles(start="soon"), "'soon' is not a time"),
        (lambda case: case.seedings(start="2019-03-02", tz="local"), "this has no local time"),
        (lambda case: case.events("nope", tz="nowhere"), "no Extended Event 'nope'"),
        (lambda case: case.errorlog(end="2019-13-02"), "'2019-13-02' is not a time"),
        (lambda case: case.around("2019-03-02 01:00", tz="Tokio"), "did you mean 'Asia/Tokyo'?"),
        (lambda case: case.add_finding("mine", "A title"), "'mine' is no id of a finding"),
        (lambda case: case["nope"], "nope"),
    ],
)
def test_what_nothing_is_called_is_told_with_what_is(folder, ask, said):
    with agtrace.open_case(folder, utc_offsets={"*": "9:00"}) as case:
        assert said in told(lambda: ask(case))


def files_in(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_a_wrong_call_writes_nothing(folder):
    with agtrace.open_case(folder, utc_offsets={"*": "9:00"}) as case:
        case.findings()
        case.timeline()
        before = files_in(folder)
        for call in (
            lambda: case.window("2019-03-02", "2019-03-01"),
            lambda: case.percentiles("Log Send Queue", q=95),
            lambda: case.add_finding("mine", "A title"),
            lambda: export_case(case, folder / "out", formats="cvs"),
            lambda: export_case(case, folder / "out"),
            lambda: agtrace.open_case(folder, thresholds={"rpo": 3}),
            lambda: agtrace.open_case(folder, counters=5),
        ):
            told(call)
        assert files_in(folder) == before


def test_hosts_and_counters_may_be_several(folder):
    with agtrace.open_case(folder) as case:
        both = case.perfmon(["Log Send Queue", "Log Bytes*"], host=["JBSAG3"], instance=["JBDB", "x"])
        assert both.shape == (2, 2)
        assert len(case.errorlog(host=["jbsag3"])) == 0


def test_what_may_happen_and_did_not_is_no_wrong_call(folder):
    with agtrace.open_case(folder) as case:
        assert (
            len(case.timeline(kind="lease_expired")) == len(case.timeline(kind="lease_*", host="jbs*")) == 0
        )


OFFSETS = [
    {"JBSAG3": -4}, {"JBSAG3": "-4:00 h"}, {"JBSAG3": 99_999}, {"JBSAG3": "Berlin"}, {"JBSAG3": None},
    {"JBSAG3": True}, {"JBSAG3": 4.5}, {"JBSAG3": timedelta(seconds=1)}, "-4:00", 240, [("JBSAG3", 240)],
]  # fmt: skip


@folded("offsets", OFFSETS)
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
