"""Choose the capture that counts if several contain the same observation, and its clock.

Most cases do not have two captures of the same type from one host; checks that need several are skipped then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from agtrace.resolve.cluster_zone import settle_cluster_zone
from agtrace.resolve.daylight import settle_daylight
from agtrace.resolve.daylight_outputs import settle_outputs
from agtrace.resolve.skew import estimate_skew
from agtrace.store import CaseView, parquet
from agtrace.store.derived import Derived
from agtrace.store.sql_files import beside
from agtrace.store.view import Query

_sql = beside(__file__)

CAPTURES = """
    select c.host_id, a.first_entry, a.interval_s is not null as is_perfmon, a.reader
    from contents c join captures a using (capture_id)
"""


SETTLED = ("captures", "clocks", "skew", "superseded", "masks", "log_masks")
"""Tables that `prefer` computes."""


def settle(view: CaseView, resolved: Mapping[str, pa.Table], kept: Derived) -> None:
    """Apply the decisions of `prefer` to a case, reusing earlier ones for the same state.

    Parameters
    ----------
    view
        The tables of the case.
    resolved
        The resolved tables that it was built from.
    kept
        Cache of relations computed earlier for this state.
    """
    names = {f"settled_{name}": name for name in SETTLED}

    def decide() -> dict[str, pa.Table | Query]:
        prefer(view)
        return {name: view.table(f"select * from {table}") for name, table in names.items()}

    found = kept.relations(tuple(names), decide)
    files = {names[name]: path for name, path in found.items() if isinstance(path, Path)}
    try:
        settled = {table: parquet.read(path) for table, path in files.items()}
    except (OSError, pa.ArrowException):
        # Damaged, or removed just now.
        prefer(view)
        return
    for table, rows in settled.items():
        if rows.num_rows and not rows.equals(resolved.get(table)):
            view.replace(table, rows)


def prefer(view: CaseView) -> None:
    """Decide which copy of an observation counts, and estimate the skew between hosts."""
    captures = view.rows(CAPTURES)
    perfmon = Counter(row["host_id"] for row in captures if row["is_perfmon"])
    settle_daylight(view)
    settle_cluster_zone(view)
    settle_outputs(view)
    asked = [
        ("overlap_errorlogs.sql", any(row["first_entry"] for row in captures)),
        ("overlap_sessions.sql", bool(view.events)),
        ("overlap_load_logs.sql", sum(row["reader"] == "hammerdb" for row in captures) > 1),
        ("overlap_perfmon.sql", max(perfmon.values(), default=0) > 1),
    ]
    for name, is_possible in asked:
        if is_possible:
            view.run(_sql(name))
    estimate_skew(view)
    if view.rows("select 1 from superseded limit 1"):
        view.run(
            """
            update captures set superseded_by = coalesce(
                (select c.capture_id from contents c where c.content_id = s.by_content_id), 'a finer capture')
            from superseded s where s.content_id = captures.content_id
            """
        )
