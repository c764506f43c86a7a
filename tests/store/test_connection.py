"""The connection that every query goes through."""

from __future__ import annotations

from agtrace.store.connection import connect


def test_nothing_is_drawn_amid_what_is_printed(tmp_path):
    """DuckDB draws a bar on the standard output of who waits for long: `findings --json` would be no JSON."""
    (row,) = connect(tmp_path).execute("select current_setting('enable_progress_bar')").fetchall()
    assert row == (False,)
