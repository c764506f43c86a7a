"""Log blocks on their way from a primary to its replicas, one row per block and replica.

`agtrace.history.log_blocks.sources` shows the data-movement events under the same columns whatever a
build or session lacks; the scripts put both hosts' events together, all of it in DuckDB.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.history.log_blocks.sources import EVENTS, NEEDED, show_events, show_times
from agtrace.store.sql_files import beside

__all__ = ["EVENTS", "MAKER"]

_sql = beside(__file__)

SCRIPTS = (
    "databases.sql",
    "primary.sql",
    "replica.sql",
    "acknowledged.sql",
    "committed.sql",
    "joined.sql",
    "skew.sql",
    "modes.sql",
)


def make(view: View) -> dict[str, pa.Table | Query]:
    """Join what both hosts, or the one that was captured, tell of each block.

    Hours of such a session are millions of blocks: they go from DuckDB into the store, never through Python.
    """
    show_events(view)
    view.run(_text("names.sql"))
    view.run(_text("clocks.sql"))
    show_times(view)
    for script in SCRIPTS:
        view.run(_text(script))
    view.run(f"create or replace table scratch.log_block_rows as {_text('log_blocks.sql')}")
    view.run(_text("dropped.sql"))
    return {"log_blocks": Query("select * from scratch.log_block_rows", is_kept=True)}


def _text(name: str) -> str:
    return _sql(name)


MAKER = Maker(("log_blocks",), make, Sources(events=NEEDED), scratch=("log_block_rows",))
