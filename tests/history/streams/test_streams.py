"""Streams of log as a relation: a row for each link and database, in numbers that nothing judges."""

from __future__ import annotations

import pytest

from agtrace.history.streams.collect import read_streams
from tests.diagnostics.tiny import START, case
from tests.diagnostics.transport.cases import SLOW, perfmon


def streams(made, columns: str) -> list[tuple]:
    return [
        tuple(row.values())
        for row in made.rows(f"select {columns} from streams order by stream_id, database")
    ]


def test_a_stream_has_a_row_for_each_database_with_the_means_of_its_hops():
    made = case(perfmon(SLOW))
    assert streams(
        made,
        "ag, primary_replica, replica, database, round(flushed_bytes_per_s), round(received_bytes_per_s), "
        "round(redone_bytes_per_s), round(sent_bytes_per_s)",
    ) == [("AG", "P", "S", "Sales", 1e6, 4e5, 4e5, 4e5)]


def test_a_queue_has_its_first_last_and_largest_value_and_its_growth():
    ((first, last, most, growth),) = streams(
        case(perfmon(SLOW)),
        "send_queue_first_bytes, send_queue_last_bytes, send_queue_max_bytes, send_queue_growth_bytes_per_s",
    )
    assert (first, last, most) == (0, 351_562 * 1024, 351_562 * 1024)
    assert growth == pytest.approx(600_000, rel=0.01)


def test_a_window_is_of_the_side_that_has_the_queue():
    ((start, samples, is_aligned, is_apart),) = streams(
        case(perfmon()), "start, samples, is_aligned, is_apart"
    )
    assert start.replace(tzinfo=None) == START
    assert samples > 100
    assert (is_aligned, is_apart) == (True, False)


def test_a_hop_that_was_not_captured_is_null():
    made = case(perfmon(only="S"))
    assert streams(made, "primary_replica, primary_host_id, flushed_bytes_per_s, sent_bytes_per_s") == [
        ("P", None, None, None)
    ]


def test_a_statement_tells_the_commit_mode_of_a_stream():
    ddl = (
        "P | -60 | alwayson_ddl_executed | statement=ALTER AVAILABILITY GROUP AG MODIFY REPLICA ON N'S' WITH "
        "(AVAILABILITY_MODE = ASYNCHRONOUS_COMMIT)"
    )
    assert streams(case(perfmon(), events=ddl), "commit_mode") == [("asynchronous",)]


def test_the_series_behind_a_row_are_at_hand():
    ((link, (part,)),) = read_streams(case(perfmon(SLOW))).links
    assert (link.primary_name, link.replica, part.database) == ("P", "S", "Sales")
    assert part.chain.send_queue is not None
    assert part.chain.send_queue.unit == "B"


def test_a_case_without_counters_has_no_streams():
    assert case().rows("select * from streams") == []
