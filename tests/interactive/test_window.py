"""A part of a case sees only that; host, start, end, every, how and tz mean the same wherever they stand."""

from __future__ import annotations

import warnings

import pandas as pd
import pytest

import agtrace
from agtrace.errors import CaseError
from tests.ingest import texts
from tests.ingest.test_ingest import put

pytestmark = pytest.mark.complete

START, END = "2019-08-20 13:50", "2019-08-20 14:00"


@pytest.fixture(scope="module")
def case(read_sample):
    with agtrace.open_case(read_sample) as opened:
        yield opened


@pytest.fixture(scope="module")
def part(case):
    with case.window(START, END, host="JBSAG3") as opened:
        yield opened


def within(times) -> bool:
    times = pd.to_datetime(times, utc=True)
    return bool(((times >= START + "+00:00") & (times < END + "+00:00")).all())


def test_it_is_of_the_hosts_and_the_time_alone(part):
    assert part.hosts["host_id"].tolist() == ["JBSAG3"]
    assert set(part.counters()["host_id"]) == {"JBSAG3"}
    assert within(part.perfmon("*", exact=True).index)
    assert within([part.hosts["first_time"].min(), part.hosts["last_time"].max() - pd.Timedelta("1us")])


def test_so_is_every_relation(case, part):
    of_host = {
        name: set(part[name]["host_id"]) - {"JBSAG3"}
        for name in case.relations()["relation"]
        if "host_id" in part[name]
    }
    assert {name: hosts for name, hosts in of_host.items() if hosts} == {}
    for name in ("timeline", "errorlog", "messages", "os_events", "cluster_log"):
        assert within(part[name]["time"].dropna())
    assert part.sql("select count(*) from samples where time < '2019-08-20 13:50:00+00'").fetchall() == [(0,)]
    assert len(part["coverage"]) > 0
    assert within(part["coverage"]["first"])


def test_what_was_taken_before_still_holds(case, part):
    (role,) = part.roles()["role"]
    assert role == "SECONDARY"
    assert (part.roles()["start"] < START).all()
    assert len(case.roles(start=START, end=END)) == 3


def test_findings_are_those_of_the_window(case):
    with case.window(START, END) as opened:
        found = {finding.id: finding for finding in opened.findings()}
    assert found["transport.window_limited"].window == {
        "start": "2019-08-20T13:50:03Z",
        "end": "2019-08-20T13:59:58Z",
    }
    assert "health.disconnect" not in found, "they were in the morning"
    assert "quality.not_captured" not in found, "what is left out was captured"


def test_a_part_of_a_part_is_of_both(part):
    with part.window(end="2019-08-20 13:55", host="JB*") as less:
        index = less.perfmon("Log Send Queue").index
        assert index[0] == part.perfmon("Log Send Queue").index[0]
        assert str(index[-1]) < "2019-08-20 13:55"
        assert less.hosts["host_id"].tolist() == ["JBSAG3"]
    with pytest.raises(CaseError, match="nothing of"):
        part.window("2019-08-20 14:10")


def test_the_case_itself_stays_whole(case, part):
    assert len(part.hosts) == 1
    assert len(case.hosts) == 3


def test_it_says_what_it_is(part):
    first, *_ = repr(part).splitlines()
    assert "2019-08-20 13:50:00 to 2019-08-20 14:00:00 UTC, JBSAG3: 2 captures of 1 host" in first


def test_what_can_be_written_sees_no_more(part):
    with part.writable_connection() as connection:
        hosts = connection.sql("select distinct host_id from counters").fetchall()
    assert hosts == [("JBSAG3",)]


def test_a_window_can_be_asked_for_in_a_zone_or_in_local_time(case):
    # The host's own clock is nine hours ahead of UTC, and Berlin's two.
    given = [
        ("2019-08-20 22:50", "2019-08-20 23:00", "local"),
        ("2019-08-20 15:50", "2019-08-20 16:00", "Europe/Berlin"),
        (START, END, "UTC"),
        ("2019-08-20T22:50+09:00", "2019-08-20T23:00+09:00", "UTC"),
    ]
    sizes = []
    for start, end, tz in given:
        with case.window(start, end, host="JBSAG3", tz=tz) as opened:
            sizes.append(len(opened.perfmon("Log Send Queue")))
    assert sizes == [120, 120, 120, 120]
    asked = [
        len(case.perfmon("Log Send Queue", "JBSAG3", start=start, end=end, tz=tz)) for start, end, tz in given
    ]
    assert asked == sizes


def test_local_time_of_hosts_that_differ_is_no_window(case):
    with pytest.raises(CaseError, match="different distances from UTC"):
        case.window("2019-08-20 13:50", tz="local")


def test_every_method_takes_the_same_words(case):
    asked = {"host": ["jbsag3", "JBSAG2.corp"], "start": "2019-08-20 09:00", "end": "2019-08-20 16:00"}
    for tell in (case.timeline, case.errorlog, case.roles, case.backups, case.seedings, case.failovers):
        found = tell(**asked, tz="Europe/Berlin")
        if "host_id" in found:
            assert set(found["host_id"]) <= {"JBSAG2", "JBSAG3"}
        for name in ("time", "start", "end"):
            if name in found:
                assert str(found[name].dt.tz) == "Europe/Berlin"
    local = case.errorlog("JBSAG3", start="2019-08-20 20:00", end="2019-08-20 22:00", tz="local")
    assert len(local) > 0
    assert local["time_local"].between("2019-08-20 20:00", "2019-08-20 22:00").all()


def test_steps_are_of_any_length_and_tell_what_is_asked(case):
    asked = {"host": "JBSAG3", "instance": "JBDB", "start": START, "end": END}
    exact = case.perfmon("Log Send Queue", **asked).squeeze()
    for how, value in (("mean", exact.mean()), ("max", exact.max()), ("p95", exact.quantile(0.95))):
        told = case.perfmon("Log Send Queue", **asked, every="1h", how=how).squeeze()
        assert told == pytest.approx(value)
    assert len(case.perfmon("Log Send Queue", **asked, every=pd.Timedelta("5min"))) == 2


def test_steps_follow_the_clocks_of_the_zone(case):
    frame = case.perfmon("Log Send Queue", "JBSAG3", every="1h", tz="Asia/Kolkata")
    assert [f"{time:%H:%M}" for time in frame.index] == ["19:00"]
    assert len(case.perfmon("Log Send Queue", "JBSAG3", every="1h")) == 2


def test_long_form_has_the_columns_of_the_relations(case):
    tidy = case.perfmon("Log Send Queue", "JBSAG3", tidy=True)
    assert list(tidy) == ["time", "host_id", "object", "instance", "counter", "value", "unit"]
    assert set(tidy["unit"]) == {"KB"}
    wide = case.perfmon("Log Send Queue", "JBSAG3", exact=True)
    assert len(tidy) == wide.count().sum()


def test_hours_are_those_of_the_zone_and_one_after_the_other(case):
    asked = {"counter": "Log Send Queue", "host": "JBSAG3", "by": "hour"}
    by_zone = {tz: case.percentiles(**asked, tz=tz) for tz in ("UTC", "local", "Pacific/Auckland")}
    assert {tz: (frame["hour"].tolist(), frame.attrs["tz"]) for tz, frame in by_zone.items()} == {
        "UTC": ([13, 14], "UTC"),
        "local": ([22, 23], "local time of each host"),
        "Pacific/Auckland": ([1, 2], "Pacific/Auckland"),
    }
    assert by_zone["UTC"]["n"].tolist() == [355, 180]


def test_hours_of_a_night_follow_each_other_over_midnight(case):
    # 13:30 to 14:15 UTC is 23:30 to 0:15 in Brisbane.
    frame = case.percentiles("Log Send Queue", "JBSAG3", by="hour", tz="Australia/Brisbane")
    assert frame["hour"].tolist() == [23, 0]


def test_quantiles_are_those_that_are_asked_for(case):
    frame = case.percentiles("Log Send Queue", "JBSAG3", q=[0.5, 0.999])
    assert [name for name in frame if name.startswith("p")] == ["p50", "p99.9"]
    asked = case.percentiles("Log Send Queue", "JBSAG3", q=0.95, by=["host", "instance"])
    assert list(asked)[:3] == ["counter", "host_id", "instance"]
    jbdb = case.perfmon("Log Send Queue", "JBSAG3", "JBDB", exact=True).squeeze()
    assert asked.loc[asked["instance"] == "JBDB", "p95"].item() == pytest.approx(jbdb.quantile(0.95))


def test_a_figure_says_its_zone(case):
    figure = case.plot("Log Send Queue", host="JBSAG3", every="10min", how="max", tz="Europe/Berlin")
    assert figure.layout.xaxis.title.text == "time (Europe/Berlin)"
    assert str(figure.data[0].x[0])[:16] == "2019-08-20T15:30"


def test_what_has_no_place_in_utc_is_told(tmp_path):
    put(tmp_path, perf__csv=texts.perfmon(2, zone="("))
    with agtrace.open_case(tmp_path) as opened:
        with pytest.warns(UserWarning, match="JBSAG3 told in local time is left out"):
            part = opened.window("2019-03-02")
        assert len(part.counters()) == 0
        with pytest.raises(CaseError, match="how far it is from UTC is not known"):
            opened.window("2019-03-02", tz="local")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert len(opened.perfmon("Log Send Queue", start="2019-03-02 10:00:03", tz="local")) == 1
