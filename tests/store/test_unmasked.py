"""Samples where every row counts are a plain view of the files: nothing is joined to count them."""

from __future__ import annotations

import pytest

import agtrace
from agtrace import opening
from agtrace.store import unmasked, view

SAMPLE = "log_send_queue_ping"
ROWS = "select count(*), sum(hash(samples)::hugeint) from samples"
LOG = '"(PDH-CSV 4.0) (GMT Standard Time)(0)","\\\\SQL1\\Memory\\Available MBytes"\r\n'


def asked(case, query):
    return case.sql(query).fetchall()


def is_joined(case, query):
    return any("JOIN" in plan.upper() for _kind, plan in asked(case, f"explain {query}"))


@pytest.fixture
def always(monkeypatch):
    """Show every case in this way, and not only one of many rows."""
    for module in (opening, view):
        monkeypatch.setattr(module, "FEW_ROWS", 0)


@pytest.mark.parametrize("most", [16, 0], ids=["by content", "joined"])
def test_rows_are_those_of_the_view_with_masks(always, monkeypatch, tmp_path, most):
    monkeypatch.setattr(unmasked, "MOST_CONTENTS", most)
    with agtrace.open_case(agtrace.sample(SAMPLE), store=tmp_path) as case:
        found, kinds = asked(case, ROWS), asked(case, "describe samples")
    monkeypatch.setattr(opening, "FEW_ROWS", 10**9)
    with agtrace.open_case(agtrace.sample(SAMPLE), store=tmp_path) as case:
        assert asked(case, ROWS) == found
        assert asked(case, "describe samples") == kinds
        assert found[0][0] > 1000


def test_counting_and_grouping_by_series_read_the_files_alone(always, monkeypatch, tmp_path):
    with agtrace.open_case(agtrace.sample(SAMPLE), store=tmp_path) as case:
        assert not is_joined(case, "select count(*) from samples")
        assert not is_joined(case, "select counter_id, max(value) from samples group by all")
        assert is_joined(case, "select max(time) from samples")


def test_rows_that_a_finer_log_holds_are_still_left_out(always, tmp_path):
    rows = [f'"01/09/2024 06:{n // 60:02}:{n % 60:02}.000","{n}"' for n in range(300)]
    (tmp_path / "fine.csv").write_text(LOG + "\r\n".join(rows) + "\r\n")
    (tmp_path / "coarse.csv").write_text(LOG + "\r\n".join(rows[::15]) + "\r\n")
    with agtrace.open_case(tmp_path) as case:
        assert asked(case, "select count(*) from samples") == [(300,)]
        assert asked(case, "select count(*) from masks") != [(0,)]


def test_a_part_of_a_case_holds_its_own_samples_alone(always, tmp_path):
    with agtrace.open_case(agtrace.sample(SAMPLE), store=tmp_path) as case:
        (host,) = asked(case, "select host_id from counters join samples using (counter_id) limit 1")[0]
        few = "select count(*) from samples join counters using (counter_id) where host_id = $host"
        wanted = case.sql(few, {"host": host}).fetchall()
        with case.window(host=host) as part:
            assert asked(part, "select count(*) from samples") == wanted
