"""Automatic seedings, from Extended Events, exports of DMVs, ERRORLOGs and perfmon.

SQL reads the view of each host on a request or a copy as a `parts.Part`; parts that belong together are
one seeding.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.seedings.compression import Compressed, Reason, copy_windows, judge_compression
from agtrace.history.seedings.copying import Copying
from agtrace.history.seedings.loading import load_seedings
from agtrace.history.seedings.operation import (
    DMV,
    ERRORLOG,
    PERFMON,
    SOURCE,
    TARGET,
    XEL,
    Failure,
    Operation,
    Side,
    State,
)

__all__ = [
    "DMV",
    "ERRORLOG",
    "MAKER",
    "PERFMON",
    "SOURCE",
    "TARGET",
    "XEL",
    "Compressed",
    "Copying",
    "Failure",
    "Operation",
    "Reason",
    "Side",
    "State",
    "copy_windows",
    "judge_compression",
    "load_seedings",
]

SIGNS = Sources(
    topics=("seeding_failed", "seeding_trace", "dm_hadr_automatic_seeding", "dm_hadr_physical_seeding_stats"),
    events=("hadr_automatic_seeding_", "hadr_physical_seeding_"),
)
"""Captures left only by seedings."""
SOURCES = SIGNS | Sources(topics=("backup", "restore", "backup_failed"))


def make(view: View) -> dict[str, pa.Table]:
    """Return every seeding, in chronological order, with its states and its reports.

    Seedings shown by a single host have only that side; ambiguous parts are separate, and marked in
    ``unjoined``.
    """
    # Every opened case imports this module; the assembly of seedings is imported only on demand.
    from agtrace.history.seedings import making
    from agtrace.history.seedings.blaming import has_failed_copies
    from agtrace.history.seedings.copies import has_logged

    if not SIGNS.are_in(view) and not has_logged(view) and not has_failed_copies(view):
        return MAKER.nothing()
    return making.put_together(view)


MAKER = Maker(("seedings", "seeding_states", "seeding_progress"), make, SOURCES)
