"""A timeline of hundreds of thousands of events is merged within what queries may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from agtrace import memory
from agtrace.history import timeline
from agtrace.store.connection import connect
from agtrace.store.quoting import literal
from agtrace.store.sql_files import beside

ROWS, PAIRS = 240_000, 1_000
"""Events that one file tells, each in words of its own, and the first of them that a second one tells too."""
TOLD = f"""
    insert into scratch.timeline_told by name
    select 'cluster log' as source, 3 as rank, repeat(to_hex(file), 64) as content_id, n as line,
           'NODE' || file as witness, 'NODE1' as host_id,
           make_timestamptz(1700000000000000 + n * 1000000) as time,
           'heartbeats_missed' as kind, 'Cluster node ' || n || repeat(' has missed a heartbeat', 10) as text
    from (select unnest(range({ROWS})) as n, 1 as file union all select unnest(range({PAIRS})), 2)
"""


@pytest.mark.complete
def test_events_told_once_are_merged_without_being_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "MOST_QUERIES", memory.LEAST_QUERIES)
    sql, kept = beside(timeline.__file__), tmp_path / "timeline.parquet"
    with connect(tmp_path / "spill") as connection:
        for script in (sql("told.sql"), TOLD, sql("groups.sql"), sql("same.sql")):
            connection.execute(script)
        merged = sql("merged.sql").rstrip().rstrip(";")
        connection.execute(f"copy ({merged}) to {literal(str(kept))} (format parquet)")
        told = connection.sql(
            "select len(witnesses) as n, count(*), min(witnesses[1].line) "
            f"from {literal(str(kept))} group by n"
        )
        assert sorted(told.fetchall()) == [(1, ROWS - PAIRS, PAIRS), (2, PAIRS, 0)]
