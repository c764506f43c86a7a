"""The connection that every query goes through."""

from __future__ import annotations

from agtrace.store.connection import connect


def test_nothing_is_drawn_amid_what_is_printed(tmp_path):
    """DuckDB draws a bar on the standard output of who waits for long: `findings --json` would be no JSON."""
    (row,) = connect(tmp_path).execute("select current_setting('enable_progress_bar')").fetchall()
    assert row == (False,)


def test_moments_are_never_held_against_each_other_one_by_one(tmp_path):
    """DuckDB does so where it takes them for few; of what a query unnests it knows no number."""
    few = "(select unnest($times) as t)"
    query = f"explain select 1 from {few} a asof join {few} b on a.t >= b.t"
    ((_, plan),) = connect(tmp_path).execute(query, {"times": [1, 2]}).fetchall()
    assert "Asof Join" in plan
