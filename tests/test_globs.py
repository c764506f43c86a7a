"""One rule of globs for everything that takes one."""

from __future__ import annotations

import time

import duckdb

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
]


@folded(("text", "glob", "is_meant"), CASES)
def test_a_glob_means_a_whole_text(text, glob, is_meant):
    assert matches(text, glob) is is_meant


@folded(("text", "glob", "is_meant"), CASES)
def test_sql_reads_a_glob_alike(text, glob, is_meant):
    query = "select regexp_full_match($text, $glob, 'is')"
    parameters = {"text": text, "glob": expression(glob)}
    assert duckdb.sql(query, params=parameters).fetchall() == [(is_meant,)]


def test_many_stars_cost_no_more_than_one():
    began = time.monotonic()
    assert not matches("a" * 5_000, "*" * 5_000 + "z")
    assert time.monotonic() - began < 1
