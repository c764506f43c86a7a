"""One rule of globs for everything that takes one."""

from __future__ import annotations

import time

import duckdb

import agtrace
from agtrace.globs import expression, matches
from tests.folded import folded

CASES = [
    ("Log Send Queue", "log*", True),
    ("Log Send Queue", "*queue", True),
    ("Log Send Queue", "send", False),
    ("SQL1/tcp.txt", "*/tcp.txt", True),
    ("SQL12", "SQL?", False),
    ("intel[r] ethernet", "Intel[R]*", True),
    ("intelr ethernet", "intel[r]*", False),
    ("a.b", "a?b", True),
    ("axb", "a.b", False),
    ("first\nsecond", "first*second", True),
    ("sales (1)", "sales (1)", True),
    ("", "*", True),
    ("", "?", False),
    ("ab", "a*b*b", False),
    ("abcbd", "a*b?*d", True),
    ("abab", "*ab", True),
    ("aba", "ab*ba", False),
    ("a**b", "a*?*b", True),
]


@folded(("text", "glob", "is_meant"), CASES)
def test_a_glob_means_a_whole_text(text, glob, is_meant):
    assert matches(text, glob) is is_meant


@folded(("text", "glob", "is_meant"), CASES)
def test_sql_reads_a_glob_alike(text, glob, is_meant):
    query = "select regexp_full_match($text, $glob, 'is')"
    parameters = {"text": text, "glob": expression(glob)}
    assert duckdb.sql(query, params=parameters).fetchall() == [(is_meant,)]


@folded(
    "glob", ["*" * 5_000 + "z", "*a" * 30 + "z", "*?a" * 30 + "z", "*a?" * 30 + "*z", "*a*" * 5_000 + "z"]
)
def test_many_stars_cost_no_more_than_one(glob):
    began = time.monotonic()
    assert not matches("a" * 5_000, glob)
    assert time.monotonic() - began < 1


def test_a_case_whose_settings_are_30_stars_is_opened(tmp_path):
    (tmp_path / ("a" * 200 + ".csv")).write_bytes(b'"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\Memory\\Pages/sec"\r\n')
    (tmp_path / "hosts.toml").write_text(f'[paths]\n"{"*a" * 30}z" = "B"\n')
    with agtrace.open_case(tmp_path) as case:
        assert len(case.sql("from captures")) == 1
