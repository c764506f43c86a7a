"""Roles, failovers, events and logs over time; counters beside them."""

from __future__ import annotations

import pandas as pd
import pytest

CPU = "% Processor Time"


@pytest.fixture(scope="module")
def known(truth):
    return truth["failover_lease_cpu"]


@pytest.fixture(scope="module")
def start(failover):
    return failover.failovers()["start"].item()


def test_list_the_failovers_with_their_causes(failover, known):
    row = failover.failovers().iloc[0]
    found = row[["from_host", "to_host", "mode", "trigger", "cause"]].tolist()
    assert found == [known[name] for name in ("from", "to", "mode", "trigger", "cause")]


def test_measure_the_time_without_a_primary(failover, known):
    row = failover.failovers().iloc[0]
    outage = row["end"] - row["start"]
    assert outage.total_seconds() == pytest.approx(row["seconds_without_primary"])
    assert abs(row["end"] - pd.Timestamp(known["end"], tz="UTC")) < pd.Timedelta("1s")


def test_ask_who_was_primary_at_a_moment(failover, start):
    roles = failover.roles()
    at = start - pd.Timedelta("10min")
    held = roles[(roles["start"] <= at) & (roles["end"].isna() | (roles["end"] > at))]
    assert held.set_index("host_id")["role"].to_dict() == {"HASQL1": "PRIMARY", "HASQL2": "SECONDARY"}


def test_add_up_how_long_each_host_was_primary(failover):
    primary = failover.roles().query("role == 'PRIMARY'").dropna(subset=["start", "end"])
    held = (primary["end"] - primary["start"]).groupby(primary["host_id"]).sum()
    assert held["HASQL1"] == pd.Timedelta("40min 4.010s")


def test_look_at_the_minutes_around_a_failover(failover, start):
    around = pd.Timedelta("2min")
    part = failover.window(start - around, start + around)
    assert part.timeline()["time"].is_monotonic_increasing
    assert "lease_expired" in set(part.timeline()["kind"])


def test_read_what_all_logs_say_around_a_failover(failover, start):
    logged = failover.around(start, minutes=1)
    assert set(logged["host_id"]) == {"HASQL1", "HASQL2"}
    assert (logged["time"] - start).abs().max() <= pd.Timedelta("1min")


def test_count_events_by_kind(queue):
    counts = queue.timeline()["kind"].value_counts()
    assert counts["connection_timeout"] == len(queue.timeline(kind="connection_timeout")) == 14


def test_count_events_an_hour(queue):
    hourly = queue.timeline().set_index("time").resample("1h").size()
    assert hourly.sum() == len(queue.timeline())


def test_take_the_events_of_one_name_as_a_frame(failover):
    errors = failover.events("error_reported")
    assert errors.groupby("_host_id").size().sum() == 18
    assert errors["_time"].is_monotonic_increasing


def test_filter_events_by_a_field(failover):
    errors = failover.events("error_reported")
    assert errors[errors["error_number"] == 35202].groupby("_host_id").size().to_dict() == {
        "HASQL1": 2,
        "HASQL2": 2,
    }


def test_put_the_latest_counter_beside_each_event(failover):
    lost = failover.events("availability_group_lease_expired", host="HASQL1")[["_time"]]
    cpu = failover.perfmon(CPU, host="HASQL1", tidy=True)[["time", "value"]]
    both = pd.merge_asof(lost, cpu, left_on="_time", right_on="time")
    assert both["value"].item() > 95


def test_join_events_and_counters_in_sql(failover):
    query = """
        with cpu as (
            select time, value from samples join counters using (counter_id)
            where counter = '% Processor Time' and host_id = 'HASQL1' and instance = '_Total')
        select value from events_availability_group_lease_expired e asof join cpu on e._time >= cpu.time
    """
    ((value,),) = failover.sql(query).fetchall()
    assert value > 95


def test_align_a_counter_on_the_failover(failover):
    epochs = failover.around_events("failovers", CPU, "HASQL1", before="1min", after="1min")
    before = epochs[epochs["t_s"] < 0]["value"].mean()
    after = epochs[epochs["t_s"] >= 30]["value"].mean()
    assert before > 95 > after


def test_search_the_logs_for_a_text(queue):
    hits = queue.errorlog(like="*connection timeout*")
    same = queue.errorlog()
    same = same[same["message"].str.contains("connection timeout", case=False)]
    assert len(hits) == len(same) > 0


def test_list_errors_by_number(failover):
    log = failover.errorlog()
    numbers = log.dropna(subset=["error"]).groupby("error").size()
    assert numbers[19407] == 1


def test_show_log_entries_in_the_local_time_of_the_host(failover, known):
    log = failover.errorlog().dropna(subset=["time"])
    ahead = log["time_local"] - log["time"].dt.tz_localize(None)
    assert set(ahead) == {pd.Timedelta(minutes=known["utc_offset_minutes"])}
