"""Counters aligned on events, and series of one's own on the clock of a case."""

from __future__ import annotations

from datetime import timedelta

import pandas as pd
import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.history.reference_clock import reference_clock
from agtrace.say.figures import describe

CPU = "% Processor Time"


@pytest.fixture(scope="module")
def case(sample_store):
    name = "failover_lease_cpu"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), ingest=False) as opened:
        yield opened


def test_what_did_the_processors_do_around_the_failover(case):
    epochs = case.around_events("failovers", CPU, before="1min", after="30s")
    assert epochs.columns.tolist() == [
        "event", "event_time", "event_text", "t_s", "time", "host_id", "object", "instance", "counter",
        "value", "unit",
    ]  # fmt: skip
    before = epochs[(epochs["host_id"] == "HASQL1") & (epochs["t_s"] < 0)]
    assert before["t_s"].tolist() == [-59.513, -44.513, -29.513, -14.513]
    assert before["value"].min() > 95
    assert set(epochs["unit"]) == {"%"}
    assert epochs["event_text"][0].startswith("SalesAG automatic failover to HASQL2")


def test_every_counter_is_there_unless_some_are_named(case):
    epochs = case.around_events("failovers", before="1min", after="1min")
    assert set(epochs["counter"]) == set(case.counters()["counter"])


def test_one_event_is_a_line_each_and_several_have_a_median(case):
    one = case.around_events("failovers", CPU, before="1min", after="1min").plot()
    assert describe(one).splitlines() == [
        "HASQL1 (_Total): 8 points, 20.6 to 99.5 %, 0 gaps",
        "HASQL2 (_Total): 8 points, 12.6 to 33.2 %, 0 gaps",
    ]
    assert one.layout.xaxis.title.text == "seconds from the event"
    several = case.around_events("roles", CPU, "HASQL1", before="1min", after="1min")
    assert several["event"].nunique() == 4
    drawn = several.plot(log_y=True)
    assert [trace.name for trace in drawn.data] == ["HASQL1 (_Total)"] * 4 + ["HASQL1 (_Total), median"]
    assert len({trace.line.color for trace in drawn.data}) == 1, "a median has the colour of its series"
    assert drawn.layout.yaxis.type == "log"


def test_a_filtered_frame_draws_itself_and_other_frames_say_what_they_lack(case):
    epochs = case.around_events("failovers", before="1min", after="1min")
    assert len(epochs[epochs["counter"] == CPU].plot().data) == 2
    with pytest.raises(CaseError, match="not epochs: counter, event"):
        epochs[["value"]].plot()


def test_events_can_be_a_part_of_the_timeline_or_my_own(case):
    changes = case.timeline(kind="resource_online", host="HASQL2")
    epochs = case.around_events(changes, CPU, "HASQL2", before="15s", after="15s")
    assert sorted(set(epochs["event_time"])) == sorted(changes["time"])
    assert set(epochs["event_text"]) == {"resource_online"}
    mine = case.around_events({"reboot": "2024-02-06 15:50"}, CPU, "HASQL1", tz="Europe/Berlin", after="1min")
    assert (mine["event_text"][0], str(mine["event_time"][0])) == ("reboot", "2024-02-06 15:50:00+01:00")
    assert case.around_events(["2024-02-06 14:50"], CPU, "HASQL1", after="1min")["t_s"].equals(mine["t_s"])


def test_steps_are_counted_from_the_event(case):
    epochs = case.around_events("failovers", CPU, "HASQL1", every="1min", how=["mean", "max"])
    assert epochs.columns.tolist()[-4:] == ["counter", "how", "value", "unit"]
    busy = epochs[epochs["t_s"] == -60]
    assert busy["how"].tolist() == ["mean", "max"]
    assert epochs["t_s"].unique().tolist() == [-300, -240, -180, -120, -60, 0, 60, 120, 180, 240]


@pytest.mark.parametrize(
    ("events", "asked", "says"),
    [
        ("failover", {}, "nearest: failovers"),
        ("failovers", {"start": "2025-01-01"}, "no such events"),
        (["2030-01-01"], {}, "no sample lies around the events"),
        ("failovers", {"before": "soon"}, "no length of time"),
        ("failovers", {"tz": "local"}, "aligned in UTC"),
        (pd.DataFrame({"at": [1]}), {}, "no time"),
        (["soon"], {}, "is not a time"),
    ],
)
def test_events_that_cannot_be_found_are_errors(case, events, asked, says):
    with pytest.raises(CaseError) as error:
        case.around_events(events, CPU, **asked)
    assert says in str(error.value)


def test_my_own_latencies_stand_beside_the_processor(case):
    """Times without a zone are in ``tz``; rows are those of the series with the shortest interval."""
    times = pd.to_datetime(["2024-02-06 15:45:05", "2024-02-06 15:45:20"])
    mine = pd.Series([80.0, 4.0], times, name="ping_ms")
    frame = case.join(
        mine, CPU, "HASQL1", start="2024-02-06 15:45", end="2024-02-06 15:46", tz="Europe/Berlin"
    )
    assert frame["own", "", "", "ping_ms"].dropna().tolist() == [80.0, 4.0]
    assert frame.index[0].isoformat() == "2024-02-06T15:45:12.037000+01:00"
    assert frame["HASQL1"].iloc[0, 0] > 95


def test_a_frame_of_several_series_joins_in_steps(case):
    times = pd.date_range("2024-02-06 14:40", periods=4, freq="5min", tz="UTC")
    mine = pd.DataFrame({"users": [10, 20, 30, 50], "errors": [0, 0, 7, 1]}, times)
    frame = case.join(mine, CPU, "HASQL1", every="10min", how=["mean", "max"])
    assert frame["own", "", "", "users", "mean"].dropna().tolist() == [15.0, 40.0]
    assert frame["own", "", "", "errors", "max"].dropna().tolist() == [0.0, 7.0]


def test_a_series_taken_by_the_clock_of_a_host_is_moved_to_that_of_the_case(case):
    ahead = reference_clock(case.view).ahead
    host, off = max(ahead.items(), key=lambda each: abs(each[1]))
    taken = pd.Timestamp("2024-02-06 14:45:12", tz="UTC")
    frame = case.join(pd.Series([1.0], [taken], name="x"), CPU, host, clock=host, every="1ms")
    assert frame["own", "", "", "x"].dropna().index[0] == (taken - off).floor("1ms")
    assert off != timedelta()


@pytest.mark.parametrize(
    ("own", "asked", "says"),
    [
        ([1, 2], {}, "not a series by time"),
        (pd.Series([1, 2]), {}, "not a series by time"),
        (pd.Series([1], pd.to_datetime(["2024-02-06"])), {"clock": "HASQL*"}, "matches 2 hosts"),
        (pd.Series([1], pd.to_datetime(["2024-02-06"])), {"clock": "NOPE"}, "no host 'NOPE'"),
        (pd.Series([1], pd.to_datetime(["2024-10-27 02:30"])), {"tz": "Europe/Berlin"}, "not one moment"),
        (pd.Series([1], pd.to_datetime(["2024-02-06T00:00Z"])), {"tz": "local"}, "times without zone"),
    ],
)
def test_series_that_cannot_be_placed_are_errors(case, own, asked, says):
    with pytest.raises(CaseError) as error:
        case.join(own, CPU, **asked)
    assert says in str(error.value)
