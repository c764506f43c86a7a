"""Automatic seedings, from Extended Events, exports of DMVs, ERRORLOGs and perfmon.

`STEPS` names the modules in the order in which a seeding passes through them.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, View
from agtrace.history.seedings.pipeline import STEPS, operations
from agtrace.history.seedings.rows import load, to_rows

__all__ = ["MAKER", "STEPS", "load"]


def make(view: View) -> dict[str, pa.Table]:
    """Put every seeding together."""
    return to_rows(operations(view))


MAKER = Maker(("seedings", "seeding_states", "seeding_progress"), make)
