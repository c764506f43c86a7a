"""Data loss, redo time and commit wait: the arithmetic, on numbers that can be checked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from agtrace.diagnostics.transport import Transport
from agtrace.history.streams.loss import backward_integral
from tests.behind import assert_facts
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import SLOW, one, perfmon, value

MOMENTS = np.arange(0, 100, 10.0)
STEADY = np.full(10, 100.0)


def integral(flushed, times, queue):
    seconds, bound = backward_integral(
        MOMENTS, np.array(flushed, float), np.array(times, float), np.array(queue, float)
    )
    return seconds.tolist(), bound.tolist()


def test_a_steady_rate_gives_queue_over_rate():
    assert integral(STEADY, [50, 75], [2000, 500]) == ([20, 5], [False, False])


def test_what_was_flushed_long_ago_counts_at_its_own_rate():
    # 1000 B/s until 50 s, then 10 B/s: the 5,200 B in the queue at 70 s were flushed since 45 s.
    flushed = [1000] * 6 + [10] * 4
    assert integral(flushed, [70], [5200]) == ([25], [False])


def test_a_pause_in_the_load_does_not_make_log_younger():
    # Nothing was flushed from 20 s on: the queue at 90 s still holds what was flushed before.
    flushed = [100, 100, 100, 0, 0, 0, 0, 0, 0, 0]
    assert integral(flushed, [90], [500]) == ([75], [False])


def test_an_empty_queue_reaches_back_to_now():
    assert integral(STEADY, [50], [0]) == ([0], [False])


def test_a_queue_older_than_the_capture_is_a_lower_bound():
    # 90 s x 100 B/s = 9,000 B were flushed in the capture; 3,000 B are older.
    assert integral(STEADY, [90], [12000]) == ([90], [True])


def test_a_queue_without_any_log_flushed_is_a_lower_bound():
    assert integral([0] * 10, [90], [12000]) == ([90], [True])


def test_outside_the_primary_nothing_is_said():
    seconds, bound = integral(STEADY, [-5, 95], [100, 100])
    assert np.isnan(seconds).all()
    assert bound == [False, False]


def test_a_blank_cell_is_bridged():
    flushed = [100, 100, np.nan, 100, 100, 100, 100, 100, 100, 100]
    assert integral(flushed, [50], [4000]) == ([40], [False])


# RPO


def test_the_loss_of_a_slow_replica():
    found = one(case(perfmon(SLOW)), "rpo")
    assert (found.severity, found.confidence) == ("warning", 0.8)
    # 351,562 KB at 1 MB/s
    assert value(found, "Sales: data loss at the end (integral)") == 360
    assert value(found, "Sales: data loss, p50") == 180
    assert_facts(found, method="integral", growth_per_min=36.3025, clocks_apart=None, end=True)


def test_the_loss_of_a_replica_that_keeps_up_is_below_the_sampling_interval():
    found = one(case(perfmon()), "rpo")
    assert found.severity == "info"
    assert_facts(
        found,
        replica="S",
        database="Sales",
        method="integral",
        growth_per_min=None,
        clocks_apart=None,
        end=True,
    )


def test_one_side_gives_an_estimate():
    found = one(case(perfmon(SLOW, only="S")), "rpo")
    assert found.confidence == 0.5
    # Log generated = 400,000 received + 605,042 growth
    assert value(found, "Sales: data loss at the end (estimate)") == 358.2


def test_a_stale_queue_ages():
    rows = perfmon(queue="60x100~5,60x100", received="60x1000000,0", redone="60x1000000,0")
    found = one(case(rows), "rpo")
    assert 295 <= value(found, "Sales: data loss at the end (integral)") <= 300
    assert_facts(found, method="integral", growth_per_min=None, is_lower_bound=False, rough=61)


def test_a_loss_that_reaches_back_before_the_capture_is_at_least():
    # 3,515,620 KB are an hour of log; the capture lasts 595 s.
    found = one(case(perfmon(SLOW, queue="3000000..3351562")), "rpo")
    assert_facts(
        found,
        replica="S",
        database="Sales",
        method="integral",
        growth_per_min=None,
        rough=120,
        clocks_apart=None,
    )
    assert (found.severity, found.confidence) == ("warning", 0.6)
    assert value(found, "Sales: data loss at the end (at least, integral)") == 595


def test_one_side_that_reaches_back_is_at_least():
    found = one(case(perfmon(SLOW, queue="3000000..3351562", only="S")), "rpo")
    assert_facts(found, method="estimate", growth_per_min=None, rough=120, clocks_apart=None)
    assert found.confidence == 0.3


def test_a_queue_that_was_stale_from_the_start_is_older_than_it_seems():
    found = one(case(perfmon(queue="100", received="0", redone="0")), "rpo")
    assert_facts(found, method="integral", growth_per_min=None, rough=120, clocks_apart=None)


def test_a_loss_beyond_the_threshold_is_a_notice():
    standing = perfmon(queue="70000~2")  # 72 s of log, standing
    assert one(case(standing), "rpo").severity == "notice"
    agreed = {"thresholds": {"rpo_s": 120}}
    assert one(case(standing, settings=agreed), "rpo").severity == "info"


def test_the_worst_database_counts():
    more = r"""
        P | \SQLServer:Databases(Slow)\Log Bytes Flushed/sec | 100
        S | \SQLServer:Database Replica(Slow)\Log Send Queue | 20
        S | \SQLServer:Database Replica(Slow)\Log Bytes Received/sec | 2000
    """
    found = one(case(perfmon() + more), "rpo")
    assert found.subject["database"] == "Slow"


# RTO


def test_redo_time_is_queue_over_capacity():
    rows = perfmon(recovery="60x0,60x2000", redone="60x100000,60x400000")
    found = one(case(rows), "rto")
    # Capacity: p75 of the 60 samples in which redo had work, not of the idle ones.
    assert value(found, "Sales: redo capacity (p75 while redo had work, n = 60)") == 400_000
    assert value(found, "Sales: redo time at the end") == 5.12
    assert value(found, "Sales: redo time, p50") == 2.56
    assert_facts(found, n=60, end=True, p50=True, p95=True)


def test_an_idle_redo_rate_is_no_capacity():
    rows = perfmon(recovery="101x0,19x2000", redone="1000000")
    assert [f.id for f in Transport(case(rows)).findings() if f.id == "transport.rto"] == []


def test_a_long_redo_is_a_notice():
    rows = perfmon(recovery="0..351562", redone="400000")
    found = one(case(rows), "rto")
    assert (found.severity, value(found, "Sales: redo time at the end")) == ("notice", 900)


# Commit wait


def test_commit_wait_is_delay_over_transactions():
    rows = perfmon(delay="60x1000,60x3000", mirrored="60x200,60x100")
    found = one(case(rows), "commit_delay")
    assert (found.severity, found.confidence) == ("info", 0.9)
    # (60 x 1000 + 60 x 3000) / (60 x 200 + 60 x 100), not the mean of 5 and 30
    assert value(found, "commit wait per transaction, mean") == 13.33
    assert value(found, "commit wait per transaction, p95 of samples") == 30
    assert value(found, "transactions that waited, mean") == 150


def test_a_long_commit_wait_names_the_slow_disk():
    rows = perfmon(delay="9000", mirrored="200", replica_flush_ms="900", replica_flushes="20")
    found = one(case(rows), "commit_delay")
    assert found.severity == "notice"
    assert_facts(found, delay=True, slow=["S"], is_long=True)


def test_a_round_trip_is_told_beside_the_commit_wait():
    known = "P | ping | 0 | target_host | S\nP | ping | 0 | rtt_avg_ms | 30"
    found = one(case(perfmon(delay="9000", mirrored="200"), facts=known), "commit_delay")
    assert value(found, "round trip to S") == 30


@pytest.mark.parametrize("rows", [{"mirrored": "0"}, {"mirrored": None}, {"mirrored": "10x5,0"}])
def test_no_commit_wait_without_synchronous_commits(rows):
    found = Transport(case(perfmon(rows))).findings()
    assert [f for f in found if f.id == "transport.commit_delay"] == []
