"""A result that somebody holds keeps nobody else from asking."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import duckdb
import pytest

import agtrace
from agtrace.errors import StoreError


@pytest.fixture(scope="module")
def case(sample_store):
    store = sample_store("failover_planned")
    with agtrace.open_case(agtrace.sample("failover_planned"), store=store, ingest=False) as opened:
        yield opened


def test_a_reader_is_held_while_others_ask(case):
    reader = case.sql("select * from samples").arrow()
    assert len(case.hosts) == 2
    assert (
        sum(batch.num_rows for batch in reader) == case.sql("select count(*) from samples").fetchall()[0][0]
    )


@pytest.mark.complete
def test_threads_ask_at_the_same_time(case):
    def ask(_n):
        counted = case.sql("select count(*) from samples").fetchall()[0]
        return counted, len(case.hosts), case.perfmon("*Processor Time").shape, len(case.timeline())

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(ask, range(16)))) == 1


def test_a_cursor_has_the_zone_of_the_case_and_may_do_no_more(case, tmp_path):
    assert case.sql("select current_setting('TimeZone')").fetchall() == [("UTC",)]
    cursor = case.view.connection.cursor()
    with pytest.raises(duckdb.Error, match="disabled"):
        cursor.sql(f"copy (select 1) to '{(tmp_path / 'x.csv').as_posix()}'")
    with pytest.raises(duckdb.Error, match="locked"):
        cursor.sql("set threads = 3")


def test_a_case_is_closed_while_a_thread_asks(sample_store):
    store = sample_store("failover_planned")
    slow = "select count(*) from range(100000) a, range(100000) b where a.range * b.range % 7 = 3"
    with ThreadPoolExecutor(1) as threads:
        with agtrace.open_case(agtrace.sample("failover_planned"), store=store, ingest=False) as opened:
            asked = threads.submit(lambda: opened.sql(slow).fetchall())
            time.sleep(0.3)
        with pytest.raises(duckdb.Error):
            asked.result(timeout=30)
    with pytest.raises(StoreError, match="closed"):
        opened.view.rows("select 1")


def test_a_case_that_is_closed_gives_no_more_rows(sample_store):
    store = sample_store("failover_planned")
    with agtrace.open_case(agtrace.sample("failover_planned"), store=store, ingest=False) as opened:
        asked = opened.sql("select * from samples")
    with pytest.raises(duckdb.Error, match="closed"):
        asked.fetchall()
