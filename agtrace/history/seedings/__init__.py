"""Automatic seedings, from Extended Events, exports of DMVs, ERRORLOGs and perfmon.

`agtrace.history.seedings.pipeline` puts them together, `agtrace.history.seedings.rows` reads them.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View

SIGNS = Sources(
    topics=("seeding_failed", "seeding_trace", "dm_hadr_automatic_seeding", "dm_hadr_physical_seeding_stats"),
    events=("hadr_automatic_seeding_", "hadr_physical_seeding_"),
)
"""What nothing but a seeding leaves."""
SOURCES = SIGNS | Sources(topics=("backup", "restore", "backup_failed"))


def make(view: View) -> dict[str, pa.Table]:
    """Put every seeding together."""
    # Every opened case knows the names below; the pipeline is imported when one of them is asked for.
    from agtrace.history.seedings.collect.logged import has_copies, has_failed_copies
    from agtrace.history.seedings.pipeline import operations
    from agtrace.history.seedings.rows import to_rows

    if not SIGNS.are_in(view) and not has_copies(view) and not has_failed_copies(view):
        return MAKER.nothing()
    return to_rows(operations(view))


MAKER = Maker(("seedings", "seeding_states", "seeding_progress"), make, SOURCES)
