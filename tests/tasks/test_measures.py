"""Backups, seedings, commits and waits, measured and compared."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import agtrace


def test_find_the_best_buffers_of_backups(backups):
    taken = backups.backups()
    speed = taken.groupby(["buffer_count", "max_transfer_size_kb"])["mb_per_s"].median()
    assert speed.idxmax() == (100, 4096)
    assert speed.loc[13, 64] == speed.min()


def test_take_percentiles_of_one_configuration(backups, truth):
    taken = backups.backups()
    factors = pd.json_normalize(taken["factors"].map(json.loads))
    mine = taken[
        (taken[["buffer_count", "max_transfer_size_kb", "stripes"]] == [13, 1024, 1]).all(axis="columns")
        & (factors[["write_cache", "location"]] == ["OFF", "LOCAL"]).all(axis="columns")
        & (taken["media"] == "DISK")
    ]
    known = truth["backup_tuning"]["DISK 1 OFF 13 x 1024 LOCAL"]
    assert len(mine) == known["runs"]
    assert mine["mb_per_s"].quantile([0.05, 0.5, 0.95]).tolist() == pytest.approx(
        [known["p5"], known["p50"], known["p95"]], abs=0.01
    )


def test_count_backups_by_month_in_sql(backups):
    months = backups.sql(
        "select date_trunc('month', start) as month, count(*) as n from backups group by all"
    )
    assert months.df()["n"].sum() == 475


def test_compute_the_rate_of_each_seeding(seeding, truth):
    found = seeding.seedings()
    rate = found["copied_bytes"] / (found["copy_end"] - found["copy_start"]).dt.total_seconds()
    runs = truth["direct_seeding"]["runs"]
    assert rate.tolist() == pytest.approx(
        [runs[n]["bytes_per_s"] for n in ("seeding", "seeding_9567")], rel=0.01
    )


def test_list_how_long_a_seeding_was_in_each_state(seeding, truth):
    states = seeding["seeding_states"]
    states = states[states["seeding_id"] == 1].dropna(subset=["start", "end"])
    spent = (states["end"] - states["start"]).dt.total_seconds().groupby(states["state"]).max()
    known = truth["direct_seeding"]["runs"]["seeding"]["states"]
    assert spent["LIMIT_CONCURRENT_BACKUPS"] == pytest.approx(known["LIMIT_CONCURRENT_BACKUPS"], abs=1)


def test_find_the_hop_that_commits_wait_for(commits, truth):
    hops = [each for each in commits["log_blocks"].columns if each.endswith("_ms")]
    means = commits["log_blocks"][hops].mean()
    known = truth["commit_network"]
    assert means["network_ms"] == pytest.approx(known["mean_ms"]["network"], rel=0.05)
    assert means["commit_ms"] == pytest.approx(known["commit_ms"], rel=0.05)


def test_take_p99_of_commits_by_replica(commits):
    query = "select replica, quantile_cont(commit_ms, 0.99) from log_blocks group by replica"
    ((replica, p99),) = commits.sql(query).fetchall()
    assert replica == "SQL2"
    assert p99 > commits["log_blocks"]["commit_ms"].median()


def test_list_the_longest_waits(commits):
    waits = commits["waits"].groupby("wait_type")["wait_ms"].sum()
    assert waits.nlargest(1).index.tolist() == ["HADR_SYNC_COMMIT"]


def test_draw_a_wait_over_time(commits):
    assert commits.plot("HADR_SYNC_COMMIT").data[0].name == "SQL1"


def test_group_streams_by_replica(queue, truth):
    streams = queue["streams"].groupby("replica").size()
    databases = truth["log_send_queue"]["databases"]
    assert streams.to_dict() == {"JBSAG1": len(databases), "JBSAG3": len(databases)}


def test_estimate_data_loss_by_database(queue):
    losses = queue.transport.tbl_rpo_rto().set_index(["replica", "database"])
    assert losses.loc["JBSAG3", "rpo_end"].max() > 60 > losses.loc["JBSAG1", "rpo_end"].max()


def test_ask_what_a_scaled_window_would_change(queue):
    after = queue.what_if("JBSAG3", window="scaled").after
    assert after.send_queue_end_bytes < 1e6


@pytest.mark.complete
def test_compare_two_cases(sample_store):
    fixed = agtrace.sample("log_send_queue_fixed")
    stores = [sample_store(f"log_send_queue_fixed/{part}") for part in ("before", "after")]
    names = ("before", "after")
    opened = [agtrace.open_case(fixed / part, store=store) for part, store in zip(names, stores, strict=True)]
    compared = agtrace.compare(*opened)
    assert "transport.window_limited" in compared.findings[0].ids
    for case in opened:
        case.close()
