"""Counters as frames: resample, group, mask, compare, join."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from agtrace.errors import CaseError

JBDB = {"host": "JBSAG3", "instance": "JBDB"}


@pytest.fixture(scope="module")
def known(truth):
    return truth["log_send_queue"]["hosts"]["JBSAG3"]


def test_take_one_counter_as_a_series(queue, known):
    series = queue.perfmon("Log Send Queue", **JBDB).squeeze("columns")
    assert series.iloc[0] == known["first_send_queue_kb"]["JBDB"]
    assert series.iloc[-1] == known["last_send_queue_kb"]["JBDB"]


def test_resample_a_counter_to_minutes_with_pandas(queue):
    minutes = queue.perfmon("Log Send Queue", **JBDB).resample("1min").mean()
    same = queue.perfmon("Log Send Queue", **JBDB, every="1min")
    assert len(minutes) == len(same) == 45
    assert np.allclose(minutes, same)


def test_take_mean_and_p95_of_each_minute(queue):
    both = queue.perfmon("Log Send Queue", **JBDB, every="1min", how=["mean", "p95"])
    mean, p95 = (both.xs(how, axis="columns", level="how").squeeze() for how in ("mean", "p95"))
    assert (p95 >= mean).all()


def test_take_percentiles_over_all_samples(queue):
    frame = queue.perfmon("Log Send Queue", **JBDB)
    mine = frame.quantile([0.5, 0.95, 0.99]).squeeze().tolist()
    theirs = queue.percentiles("Log Send Queue", **JBDB, q=[0.5, 0.95, 0.99])
    assert theirs[["p50", "p95", "p99"]].values[0].tolist() == pytest.approx(mine)


def test_take_percentiles_by_hour_of_an_office(queue):
    by_hour = queue.percentiles("Log Send Queue", host="JBSAG3", by="hour", tz="Europe/Berlin")
    assert by_hour.set_index("hour")["n"].to_dict() == {15: 355, 16: 180}


def test_find_the_highest_queue_of_each_database(queue, known):
    tidy = queue.perfmon("Log Send Queue", host="JBSAG3", tidy=True)
    highest = tidy[tidy["instance"] != "_Total"].groupby("instance")["value"].max()
    assert (highest >= pd.Series(known["last_send_queue_kb"])).all()
    assert highest.idxmax() == "JBSDBDW"


def test_choose_a_host_from_wide_columns(queue):
    wide = queue.perfmon("Log Send Queue", instance="JBDB")
    assert wide.xs("JBSAG3", axis="columns", level="host").max().item() == 261342.0


def test_add_up_the_databases_of_a_host(queue, known):
    databases = queue.perfmon("Log Send Queue", host="JBSAG3", instance=list(known["last_send_queue_kb"]))
    assert databases.iloc[-1].sum() == sum(known["last_send_queue_kb"].values())


@pytest.mark.parametrize("name", ["jbsag3", "JBSAG3.contoso.com", ["JBSAG3"], "*G3"])
def test_name_a_host_in_any_spelling(queue, name):
    assert queue.perfmon("log send queue", host=name, instance="JBDB").shape == (535, 1)


def test_paste_a_path_as_perfmon_prints_it(queue):
    pasted = queue.perfmon(r"\\JBSAG3\SQLServer:Database Replica(JBDB)\Log Send Queue")
    assert pasted.equals(queue.perfmon("Log Send Queue", **JBDB))


@pytest.mark.parametrize(
    "start",
    [
        "2019-08-20 14:00",
        "2019-08-20T16:00:00+02:00",
        datetime(2019, 8, 20, 14, tzinfo=UTC),
        pd.Timestamp("2019-08-20 14:00"),
        np.datetime64("2019-08-20T14:00"),
    ],
)
def test_start_at_a_time_of_any_type(queue, start):
    part = queue.perfmon("Log Send Queue", **JBDB, start=start)
    assert len(part) == 180


def test_cut_with_the_index_of_pandas(queue):
    part = queue.perfmon("Log Send Queue", **JBDB).loc["2019-08-20 13:50":"2019-08-20 13:54"]
    assert len(part) == 60


def test_show_times_of_another_zone(queue):
    mine = queue.perfmon("Log Send Queue", **JBDB).tz_convert("America/New_York")
    theirs = queue.perfmon("Log Send Queue", **JBDB, tz="America/New_York")
    assert mine.index.equals(theirs.index)
    assert theirs.index[0].hour == 9


def test_compute_the_growth_of_a_queue(queue, known):
    series = queue.perfmon("Log Send Queue", **JBDB).squeeze()
    minutes = (series.index[-1] - series.index[0]) / pd.Timedelta("1min")
    growth = (series.iloc[-1] - series.iloc[0]) / minutes
    first, last = known["first_send_queue_kb"]["JBDB"], known["last_send_queue_kb"]["JBDB"]
    assert growth == pytest.approx((last - first) / 45, rel=0.01)


def test_correlate_two_counters(queue):
    pair = queue.perfmon(["Log Bytes Received/sec", "Redone Bytes/sec"], **JBDB)
    assert pair.corr().iloc[0, 1] > 0.9


def test_mask_bad_samples_and_fill_the_gap(queue):
    frame = queue.perfmon("Log Send Queue", **JBDB)
    masked = frame.mask(frame > 200_000)
    assert masked.isna().sum().item() == (frame > 200_000).sum().item()
    assert masked.interpolate().notna().all().item()


def test_look_up_the_unit_of_a_counter(queue):
    assert queue.perfmon("Log*", **JBDB).attrs["units"]["Log Send Queue"] == "KB"


def test_join_own_measurements(queue):
    times = pd.date_range("2019-08-20 13:30", "2019-08-20 14:15", freq="5min", tz="UTC")
    ping = pd.Series(115.0, times, name="ping_ms")
    joined = queue.join(ping, "Log Send Queue", **JBDB, every="5min")
    assert joined["own", "", "", "ping_ms"].notna().all()


def test_compare_two_windows(queue):
    split = "2019-08-20 13:50"
    parts = {"before": queue.window(end=split), "after": queue.window(split)}
    medians = {
        name: part.percentiles("Log Send Queue", **JBDB, q=0.5)["p50"].item() for name, part in parts.items()
    }
    assert medians["after"] > 1.5 * medians["before"]


def test_lengths_of_time_may_be_timedeltas(queue):
    steps = queue.perfmon("Log Send Queue", **JBDB, every=timedelta(minutes=5))
    assert len(steps) == 9


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"counter": "Send Queue"}, "nearest: Log Send Queue"),
        ({"counter": "log"}, "nearest: Log Bytes"),
        ({"counter": "Log Send Queue", "every": "1min", "how": "avg"}, "write mean, median"),
        ({"counter": "Log Send Queue", "host": "JBSAG9"}, "nearest: JBSAG"),
        ({"counter": "Log Send Queue", "instance": "JBD"}, "nearest: JBDB"),
    ],
)
def test_a_wrong_guess_is_answered_with_the_right_name(queue, asked, said):
    with pytest.raises(CaseError, match=said):
        queue.perfmon(**asked)
