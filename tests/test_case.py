"""An opened case: times, hosts, copies that count once, and the pandas edges."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import agtrace
from agtrace.errors import CaptureError, CaseError
from simulation.formats.xel import Event, XelFile, event_schema
from tests.ingest import texts
from tests.ingest.test_ingest import put


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    (folder / "JBSAG3").mkdir(parents=True)
    return folder


def values(case_, counter="Log Send Queue"):
    query = """SELECT s.time, s.time_local, s.value FROM samples s JOIN counters c USING (counter_id)
               WHERE c.counter = $counter ORDER BY s.time_local"""
    return [tuple(row.values()) for row in case_.view.table(query, {"counter": counter}).to_pylist()]


UTC_START = datetime(2019, 3, 2, 1, 0, 0, 7000, tzinfo=UTC)


@pytest.mark.usefixtures("zone")
def test_times_are_utc_by_the_bias(case):
    put(case, perf__csv=texts.perfmon(2))
    with agtrace.open_case(case) as opened:
        assert values(opened) == [
            (UTC_START, texts.START, 0.0),
            (UTC_START + timedelta(seconds=5), texts.START + timedelta(seconds=5), 1.0),
        ]


def test_no_bias_no_utc(case):
    put(case, perf__csv=texts.perfmon(1, zone="("))
    with agtrace.open_case(case) as opened:
        assert values(opened) == [(None, texts.START, 0.0)]


def test_the_user_may_give_the_offset_and_it_is_kept(case):
    put(case, perf__csv=texts.perfmon(1, zone="("))
    with agtrace.open_case(case, utc_offsets={"JBSAG3": 540}) as opened:
        assert values(opened)[0][0] == UTC_START
    with agtrace.open_case(case) as opened:
        assert values(opened)[0][0] == UTC_START


def test_an_errorlog_that_arrives_later_settles_the_zone_and_rewrites_nothing(case):
    put(case / "JBSAG3", perf__csv=texts.perfmon(1, zone="("))
    with agtrace.open_case(case) as opened:
        assert values(opened)[0][0] is None
        before = {path: path.stat().st_mtime_ns for path in opened.store.glob("parts/*/*")}
    put(case / "JBSAG3", ERRORLOG=texts.errorlog(adjustment="9:00"))
    with agtrace.open_case(case) as opened:
        assert values(opened)[0][0] == UTC_START
        after = {path: path.stat().st_mtime_ns for path in opened.store.glob("parts/*/*")}
    assert {path: after[path] for path in before} == before


def test_the_hour_that_comes_twice_keeps_its_order(case):
    first = texts.perfmon(3, zone="(GMT Standard Time)(-60)", start=datetime(2017, 10, 29, 1, 59, 50))
    second = texts.perfmon(2, start=datetime(2017, 10, 29, 1, 0, 5)).split(b"\r\n", 1)[1]
    put(case, perf__csv=first + second)
    with agtrace.open_case(case) as opened:
        seconds = [
            row["t"]
            for row in opened.view.table("SELECT epoch(time) AS t FROM ticks ORDER BY tick").to_pylist()
        ]
    start = datetime(2017, 10, 29, 0, 59, 50, tzinfo=UTC).timestamp()
    assert [s - start for s in seconds] == [0, 5, 10, 15, 20]


def test_one_capture_at_two_intervals_counts_once(case):
    put(case, fine__csv=texts.perfmon(20), coarse__csv=texts.perfmon(20, every=3))
    with agtrace.open_case(case) as opened:
        assert len(values(opened)) == 20
        superseded = opened.view.table("SELECT path FROM captures WHERE superseded_by IS NOT NULL")
        assert superseded["path"].to_pylist() == ["coarse.csv"]


def test_a_longer_coarse_capture_counts_outside_the_finer_one(case):
    put(case, fine__csv=texts.perfmon(10), coarse__csv=texts.perfmon(20, every=3))
    with agtrace.open_case(case) as opened:
        assert [value for _, _, value in values(opened)] == [*range(10), 12, 15, 18]


def test_captures_of_other_hosts_do_not_hide_each_other(case):
    put(case, a__csv=texts.perfmon(4), b__csv=texts.perfmon(4, host="JBSAG1"))
    with agtrace.open_case(case) as opened:
        assert len(values(opened)) == 8


def test_an_errorlog_that_became_errorlog_1_counts_once(case):
    put(case / "JBSAG3", ERRORLOG=texts.errorlog(3), **{"ERRORLOG__1": texts.errorlog(5)})
    with agtrace.open_case(case) as opened:
        assert len(opened.errorlog(like="login number*")) == 5
        superseded = opened.view.table("SELECT path FROM captures WHERE superseded_by IS NOT NULL")
        assert superseded["path"].to_pylist() == ["JBSAG3/ERRORLOG"]


def test_logs_that_only_begin_alike_both_count(case):
    other = texts.errorlog(5).replace("number 1".encode("utf-16-le"), "number 7".encode("utf-16-le"))
    put(case / "JBSAG3", ERRORLOG=texts.errorlog(3), **{"ERRORLOG__1": other})
    with agtrace.open_case(case) as opened:
        assert len(opened.errorlog(like="login number*")) == 8


def test_the_same_text_of_two_hosts_is_a_fact_of_each(case):
    (case / "JBSAG1").mkdir()
    put(case / "JBSAG3", perf__csv=texts.perfmon(1), netsh__txt=texts.NETSH)
    put(case / "JBSAG1", perf__csv=texts.perfmon(1, host="JBSAG1"), netsh__txt=texts.NETSH)
    with agtrace.open_case(case) as opened:
        query = "SELECT host_id FROM facts WHERE key = 'autotuning_level' AND value = 'disabled' ORDER BY 1"
        assert opened.view.table(query)["host_id"].to_pylist() == ["JBSAG1", "JBSAG3"]


def test_brackets_stand_for_themselves_wherever_a_glob_is_given(case):
    put(case / "JBSAG3", perf__csv=texts.perfmon(2), ERRORLOG=texts.errorlog(3))
    with agtrace.open_case(case) as opened:
        assert len(opened.errorlog(like="[Ll]ogin*")) == 0
        with pytest.raises(CaseError, match="no counter"):
            opened.perfmon("[Ll]og Send Queue")
        with pytest.raises(CaseError, match="is of instance"):
            opened.perfmon("Log Send Queue", instance="[J]BDB")
        with pytest.raises(CaseError, match="no counter"):
            opened.percentiles.only(counter="[Ll]og Send Queue").tbl_percentiles()


@pytest.mark.parametrize("host", ["jbsag3", "JBSAG3.corp.example", r"\\JBSAG3", "JB*", "jbsag?"])
def test_a_host_is_found_by_any_spelling_of_its_name(case, host):
    put(case, perf__csv=texts.perfmon(2))
    with agtrace.open_case(case) as opened:
        assert len(opened.perfmon("Log Send Queue", host=host)) == 2


def test_perfmon_gives_series_side_by_side(case):
    put(case, perf__csv=texts.perfmon(2))
    with agtrace.open_case(case) as opened:
        frame = opened.perfmon("log *", host="jbsag3")
    assert frame.columns.names == ["host", "object", "instance", "counter"]
    assert list(frame.columns) == [
        ("JBSAG3", "SQLServer:Database Replica", "JBDB", "Log Bytes Received/sec"),
        ("JBSAG3", "SQLServer:Database Replica", "JBDB", "Log Send Queue"),
    ]
    assert frame.xs("Log Send Queue", level="counter", axis="columns").squeeze().tolist() == [0.0, 1.0]
    assert frame.iloc[1].tolist() == [1000.0, 1.0]
    assert frame.index[0] == UTC_START


def test_sql_joins_as_the_readme_shows(case):
    put(case, perf__csv=texts.perfmon(3))
    with agtrace.open_case(case) as opened:
        query = (
            "select counter, max(value) m from samples join counters using (counter_id) group by all order "
            "by 1"
        )
        assert opened.sql(query).fetchall() == [("Log Bytes Received/sec", 2000.0), ("Log Send Queue", 2.0)]


def test_an_open_case_is_a_snapshot(case):
    put(case, perf__csv=texts.perfmon(2))
    with agtrace.open_case(case) as opened:
        put(case, more__csv=texts.perfmon(2, host="JBSAG1"))
        agtrace.open_case(case).close()
        assert len(values(opened)) == 2


def test_an_unknown_attribute_names_the_nearest(case):
    put(case, perf__csv=texts.perfmon(1))
    with (
        agtrace.open_case(case) as opened,
        pytest.raises(AttributeError, match=r"a case has no .transprot. - nearest: transport"),
    ):
        opened.transprot  # noqa: B018


def test_read_pdh_gives_one_row_per_value(tmp_path):
    put(tmp_path, x__csv=texts.perfmon(2))
    table = agtrace.read_pdh(tmp_path / "x.csv")
    assert table.to_pylist()[1] == {
        "time": UTC_START + timedelta(seconds=5),
        "time_local": texts.START + timedelta(seconds=5),
        "host": "JBSAG3",
        "sql_instance": "MSSQLSERVER",
        "object": "SQLServer:Database Replica",
        "instance": "JBDB",
        "counter": "Log Send Queue",
        "value": 1.0,
    }


def test_read_pdh_of_a_header_alone_is_empty(tmp_path):
    put(tmp_path, x__csv=texts.perfmon(0))
    assert agtrace.read_pdh(tmp_path / "x.csv").num_rows == 0


def test_read_errorlog_gives_entries(tmp_path):
    put(tmp_path, ERRORLOG=texts.errorlog(2))
    assert (
        agtrace.read_errorlog(tmp_path / "ERRORLOG")["message"].to_pylist()[-1]
        == "Login number 1 succeeded for user 'app'."
    )


@pytest.mark.parametrize(
    ("data", "says"), [(b"a,b\n", "is not a perfmon text log"), (None, "cannot be read")]
)
def test_reading_something_else_is_one_line(tmp_path, data, says):
    if data:
        put(tmp_path, x__csv=data)
    with pytest.raises(CaptureError, match=says):
        agtrace.read_pdh(tmp_path / "x.csv")


def test_importing_agtrace_is_light():
    import subprocess
    import sys

    code = (
        "import sys, agtrace; print([m for m in ('pandas', 'plotly', 'duckdb', 'pyarrow', 'papermill') if m "
        "in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def xel(count: int, **properties) -> bytes:
    schema = event_schema("e", {"n": "int32"})
    events = [Event(schema, 10_000_000 * n, {"n": n}) for n in range(count)]
    return XelFile(**properties).write(events, sizes=[1] * count)


def test_a_live_extended_events_file_copied_twice_counts_once(case):
    put(case, early__xel=xel(3), late__xel=xel(5))
    with agtrace.open_case(case) as opened:
        assert opened.events("e")["n"].tolist() == [0, 1, 2, 3, 4]


def test_rollover_files_of_a_session_are_joined_in_time(case):
    put(case, one__xel=xel(2), two__xel=xel(3, first_block=3, base=XelFile().base + 20_000_000))
    with agtrace.open_case(case) as opened:
        frame = opened.events("e")
    assert frame["_ticks"].is_monotonic_increasing
    assert frame["n"].tolist() == [0, 1, 0, 1, 2]


def test_times_of_extended_events_are_utc_whatever_the_host_says(case):
    put(case / "JBSAG3", perf__csv=texts.perfmon(1), x__xel=xel(1))
    with agtrace.open_case(case) as opened:
        assert opened.events("e")["_time"][0] == datetime(2024, 1, 25, 10, 0, tzinfo=UTC)
        query = "SELECT first_time, host_id FROM captures WHERE path LIKE '%.xel'"
        assert opened.view.table(query).to_pylist() == [
            {"first_time": datetime(2024, 1, 25, 10, 0, tzinfo=UTC), "host_id": "JBSAG3"}
        ]


def test_extended_events_say_nothing_about_local_time(case):
    put(case / "JBSAG3", perf__csv=texts.perfmon(1, zone="("), x__xel=xel(1))
    with agtrace.open_case(case) as opened:
        assert values(opened)[0][0] is None


def test_read_xel_gives_a_table_per_event(tmp_path):
    put(tmp_path, x__xel=xel(3))
    assert agtrace.read_xel(tmp_path / "x.xel")["e"]["n"].to_pylist() == [0, 1, 2]


@pytest.fixture
def two_hosts(case):
    """Two hosts at 5 s whose ticks lie 2 s apart, and one at 15 s."""
    put(case, a__csv=texts.perfmon(7))
    later = texts.START + timedelta(seconds=2)
    put(case, b__csv=texts.perfmon(7, host="JBSAG1", start=later))
    put(case, c__csv=texts.perfmon(7, host="JBSAG2", every=3))
    with agtrace.open_case(case) as opened:
        yield opened


def test_series_of_hosts_with_other_ticks_share_rows(two_hosts):
    frame = two_hosts.perfmon("Log Send Queue")
    assert list(frame.columns.get_level_values("host")) == ["JBSAG1", "JBSAG2", "JBSAG3"]
    assert len(frame) == 7
    assert frame.iloc[:, 0].tolist() == [0, 1, 2, 3, 4, 5, 6]
    # Each of its samples holds for the rows that are nearest to it.
    assert frame.iloc[:, 1].tolist() == [0, 0, 3, 3, 3, 6, 6]
    assert frame.iloc[:, 2].tolist() == [0, 1, 2, 3, 4, 5, 6]


def test_every_line_of_a_plot_is_drawn(two_hosts):
    import plotly.express as px

    tidy = two_hosts.perfmon("Log Send Queue", every="5s", tidy=True)
    figure = px.line(tidy, x="time", y="value", color="host_id")
    assert len(figure.data) == 3
    assert [len(trace.y) for trace in figure.data] == [7, 3, 7]


def test_exact_leaves_samples_at_their_own_times(two_hosts):
    frame = two_hosts.perfmon("Log Send Queue", exact=True)
    assert len(frame) == 14
    assert frame.count().tolist() == [7, 3, 7]


def test_a_gap_stays_a_gap_and_hosts_apart_in_time_both_show(case):
    put(case, a__csv=texts.perfmon(4))
    much_later = texts.START + timedelta(seconds=1001)
    put(case, b__csv=texts.perfmon(3, host="JBSAG1", start=much_later))
    with agtrace.open_case(case) as opened:
        frame = opened.perfmon("Log Send Queue")
    assert frame.iloc[:, 0].fillna(-1).tolist() == [-1, -1, -1, -1, 0, 1, 2]
    assert frame.iloc[:, 1].fillna(-1).tolist() == [0, 1, 2, 3, -1, -1, -1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"counter": "Log Send Qeue"}, "no counter 'Log Send Qeue' was captured - nearest: Log Send Queue"),
        (
            {"counter": "Nothing like it"},
            ("no counter 'Nothing like it' was captured - there are: Log Bytes Received/sec, Log Send Queue"),
        ),
        (
            {"counter": "Log Send Queue", "host": "JBSAG"},
            "no series of 'Log Send Queue' is of host 'JBSAG' - nearest: JBSAG3, JBSAG2, JBSAG1",
        ),
        (
            {"counter": "Log*", "instance": "nodb"},
            "no series of 'Log*' is of instance 'nodb' - nearest: JBDB",
        ),
    ],
)
def test_a_series_that_was_not_captured_is_said_with_the_nearest(two_hosts, words, says):
    with pytest.raises(CaseError) as raised:
        two_hosts.perfmon(**words)
    assert str(raised.value) == says


def test_an_errorlog_of_no_host_is_said(two_hosts):
    with pytest.raises(CaseError, match="no host 'JBSAG9' - its hosts are: JBSAG1, JBSAG2, JBSAG3"):
        two_hosts.errorlog(host="JBSAG9")


def test_an_offset_by_another_name_of_the_host_counts(case):
    put(case, perf__csv=texts.perfmon(1, zone="("))
    with agtrace.open_case(case, utc_offsets={"jbsag3.corp.example": 540}) as opened:
        assert values(opened)[0][0] == UTC_START
