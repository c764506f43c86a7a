"""Everything that was logged around a moment, with its clock said."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime, timedelta, timezone

import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.moments import moment
from simulation.formats.xel import Event, XelFile, event_schema
from tests.ingest import texts
from tests.ingest.test_ingest import put


def test_a_moment_without_a_zone_is_utc():
    at = datetime(2019, 8, 20, 13, 40, tzinfo=UTC)
    assert moment("2019-08-20 13:40") == at
    assert moment("2019-08-20T22:40+09:00") == at
    assert moment(datetime(2019, 8, 20, 22, 40, tzinfo=timezone(timedelta(hours=9)))) == at
    assert moment("2019-08-20 13:40", naive=True) == datetime(2019, 8, 20, 13, 40)


@pytest.mark.parametrize(("text", "naive"), [("noon", False), ("2019-08-20 13:40Z", True)])
def test_what_is_no_moment_is_said(text, naive):
    with pytest.raises(CaseError):
        moment(text, naive=naive)


EVENT = event_schema("lease_expired", {"n": "int32"})


def xel(at: datetime) -> bytes:
    base = XelFile().base
    start = datetime(1601, 1, 1, tzinfo=UTC)
    ticks = ((at - start) // timedelta(microseconds=1)) * 10
    return XelFile().write([Event(EVENT, ticks - base, {"n": 7})], sizes=[1])


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    """JBSAG3 at +9:00 with an ERRORLOG and events, JBSAG1 in a zone that nothing tells."""
    folder = tmp_path_factory.mktemp("around")
    for host in ("JBSAG3", "JBSAG1"):
        (folder / host).mkdir()
    put(folder / "JBSAG3", ERRORLOG=texts.errorlog(3), health__xel=xel(UTC_LOGIN))
    put(folder / "JBSAG1", ERRORLOG=texts.errorlog(3, server="JBSAG1", adjustment=None))
    with agtrace.open_case(folder) as opened:
        yield opened


# The first log-on: a minute after the start of the log, local time at +9:00.
LOCAL_LOGIN = texts.START - timedelta(minutes=59)
UTC_LOGIN = LOCAL_LOGIN.replace(tzinfo=UTC) - timedelta(hours=9)


def test_everything_around_is_given_in_order_with_both_clocks(case):
    with pytest.warns(UserWarning, match="JBSAG1"):
        frame = case.around(f"{UTC_LOGIN:%Y-%m-%d %H:%M:%S}", minutes=0.1)
    assert set(frame["host_id"]) == {"JBSAG3"}
    assert frame["source"].tolist().count("lease_expired") == 1
    event = frame[frame["source"] == "lease_expired"].iloc[0]
    assert (event["text"], event["time"]) == ("n=7", UTC_LOGIN)
    assert event["time_local"] == LOCAL_LOGIN
    assert frame["time"].is_monotonic_increasing
    assert frame.attrs["window"].endswith("UTC")


def test_in_local_time_hosts_without_a_zone_take_part(case):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = case.around(f"{LOCAL_LOGIN:%Y-%m-%d %H:%M:%S}", minutes=0.1, tz="local")
    assert set(frame["host_id"]) == {"JBSAG1", "JBSAG3"}
    assert frame[frame["host_id"] == "JBSAG1"]["time"].isna().all()
    assert "lease_expired" in set(frame["source"])
    assert frame.attrs["window"].endswith("local time of each host")


def test_it_can_be_of_one_host_and_empty(case):
    at = f"{LOCAL_LOGIN:%Y-%m-%d %H:%M:%S}"
    assert set(case.around(at, host="jbsag1.corp", tz="local")["host_id"]) == {"JBSAG1"}
    nothing = case.around("2001-01-01", tz="local")
    assert (len(nothing), list(nothing)) == (
        0,
        ["time", "time_local", "host_id", "source", "text", "path", "line"],
    )


@pytest.mark.parametrize(("at", "minutes"), [("2019-08-20", 0), ("9999-12-31 23:59", 5), ("x", 5)])
def test_a_window_that_is_none_is_one_line(case, at, minutes):
    with pytest.raises(CaseError):
        case.around(at, minutes)


def test_of_very_many_entries_the_nearest_are_given_and_it_is_said(case, monkeypatch):
    from agtrace.interactive import around

    monkeypatch.setattr(around, "MOST_ENTRIES", 1)
    with pytest.warns(UserWarning, match="only the nearest|left out") as told:
        frame = case.around(f"{UTC_LOGIN:%Y-%m-%d %H:%M:%S}", minutes=5)
    assert "only the nearest 1 entries of ERRORLOG" in str(told[0].message)
    (entry,) = frame[frame["source"] == "ERRORLOG"]["text"]
    assert "Login number 0" in entry
