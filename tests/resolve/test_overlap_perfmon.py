"""Where perfmon logs of a host overlap, each observation counts once, and none is lost."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import pytest

import agtrace
from simulation.formats.blg_of_text import blg_of_text
from tests.ingest import texts

HEADER = rf'"(PDH-CSV 4.0) (GMT Standard Time)(0)","{texts.QUEUE}","\\JBSAG3\Memory\Available MBytes"'


def log(seconds: Iterable[int], *, peak: int = -1, blank: Iterable[int] = (), add: int = 0) -> bytes:
    """Write a text log whose queue is the second plus ``add``, 1,000 times as much in one second."""
    lines = [HEADER]
    for second in seconds:
        at = texts.START + timedelta(seconds=second)
        value = (second + add) * (1000 if second == peak else 1)
        queue = " " if second in blank else value
        lines.append(f'"{at:%m/%d/%Y %H:%M:%S}.{at.microsecond // 1000:03}","{queue}","{second}"')
    return "\r\n".join([*lines, ""]).encode()


@pytest.fixture
def opened(tmp_path):
    def open_with(**files: bytes) -> agtrace.Case:
        (tmp_path / "case").mkdir()
        for name, data in files.items():
            (tmp_path / "case" / name.replace("_", ".")).write_bytes(data)
        return agtrace.open_case(tmp_path / "case")

    return open_with


def queue(case: agtrace.Case) -> list[float]:
    rows = case.view.rows(
        "select value from samples join counters using (counter_id) "
        "where counter = 'Log Send Queue' order by time, value"
    )
    return [row["value"] for row in rows]


def superseded(case: agtrace.Case) -> list[str]:
    rows = case.view.rows("select path from captures where superseded_by is not null order by path")
    return [row["path"] for row in rows]


def gaps(case: agtrace.Case) -> list[str]:
    return [finding.title for finding in case.findings() if finding.id == "quality.gap"]


def test_a_coarse_binary_log_hides_no_sample_of_a_fine_text_log(opened):
    with opened(a_blg=blg_of_text(log(range(0, 7200, 300))), b_csv=log(range(7225), peak=4000)) as case:
        assert len(queue(case)) == 7225
        assert max(queue(case)) == 4_000_000
        assert superseded(case) == ["a.blg"]


def test_of_equal_intervals_the_binary_log_counts(opened):
    with opened(a_csv=log(range(60), add=1000), b_blg=blg_of_text(log(range(60)))) as case:
        assert queue(case) == [*range(60)]
        assert superseded(case) == ["a.csv"]


def test_a_gap_of_the_finer_log_shows_the_coarser_one_and_is_no_gap(opened):
    fine = [*range(1800), *range(5400, 7200)]
    with opened(fine_csv=log(fine), coarse_csv=log(range(0, 7200, 15))) as case:
        assert queue(case) == [*range(1800), *range(1800, 5400, 15), *range(5400, 7200)]
        assert superseded(case) == []
        assert gaps(case) == []
        silences = case.view.rows("select longest_silence_s from coverage where source = 'perfmon'")
        assert {row["longest_silence_s"] for row in silences} == {15.0}


def test_a_gap_that_no_other_log_fills_is_reported(opened):
    both = [*range(1800), *range(5400, 7200)]
    with opened(fine_csv=log(both), coarse_csv=log(each for each in both if each % 15 == 0)) as case:
        assert len(gaps(case)) == 1


def test_a_gap_filled_by_a_log_of_other_counters_is_reported(opened):
    fine = [*range(1800), *range(5400, 7200)]
    other = log(range(7200)).replace(b"Log Send Queue", b"Redone Bytes/sec").replace(b"Available", b"Cache")
    with opened(fine_csv=log(fine), other_csv=other) as case:
        assert len(gaps(case)) == 1


def test_the_first_row_of_the_log_that_follows_a_full_one_counts(opened):
    with opened(a_csv=log(range(60)), b_csv=log(range(60, 120))) as case:
        assert queue(case) == [*range(120)]


def test_where_the_finer_log_has_no_value_of_a_series_the_coarser_one_counts(opened):
    with opened(
        fine_csv=log(range(600), blank=range(100, 400)), coarse_csv=log(range(0, 600, 50), add=1)
    ) as case:
        assert queue(case) == [*range(100), 101, 151, 201, 251, 301, 351, *range(400, 600)]


def test_a_text_copy_with_the_same_blanks_is_superseded(opened):
    fine = log(range(600), blank=range(100, 400))
    with opened(a_csv=fine, b_csv=fine + b"\r\n") as case:
        assert len(queue(case)) == 300
        assert len(superseded(case)) == 1
