"""Automatic seedings, from Extended Events, exports of DMVs, ERRORLOGs and perfmon.

`agtrace.history.seedings.pipeline` puts them together, `agtrace.history.seedings.rows` reads them.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, View


def make(view: View) -> dict[str, pa.Table]:
    """Put every seeding together."""
    # Every opened case knows the names below; the pipeline is imported when one of them is asked for.
    from agtrace.history.seedings.pipeline import operations
    from agtrace.history.seedings.rows import to_rows

    return to_rows(operations(view))


MAKER = Maker(("seedings", "seeding_states", "seeding_progress"), make)
