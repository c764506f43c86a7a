"""Log blocks on their way from a primary to its replicas, one row per block and replica.

`agtrace.history.log_blocks.sources` shows the data-movement events under the same columns whatever a
build or session lacks; the scripts put both hosts' events together, all of it in DuckDB.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, View
from agtrace.history.log_blocks.sources import has_blocks, show_events, show_names, show_times
from agtrace.tables.history import RELATIONS

SCRIPTS = (
    "databases.sql",
    "primary.sql",
    "replica.sql",
    "acknowledged.sql",
    "committed.sql",
    "joined.sql",
    "skew.sql",
)


def make(view: View) -> dict[str, pa.Table]:
    """Join what both hosts, or the one that was captured, tell of each block."""
    if not has_blocks(view):
        return {"log_blocks": RELATIONS["log_blocks"].empty_table()}
    show_events(view)
    show_names(view)
    view.run(_text("clocks.sql"))
    show_times(view)
    for script in SCRIPTS:
        view.run(_text(script))
    return {"log_blocks": view.table(_text("log_blocks.sql"))}


def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


MAKER = Maker(("log_blocks",), make)
