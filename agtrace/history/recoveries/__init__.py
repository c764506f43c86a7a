"""How long databases recovered, phase by phase, and whether their logs have too many virtual files."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)

AROUND_S = 60
"""A recovery belongs to a change to PRIMARY this near its start."""


def make(view: View) -> dict[str, pa.Table]:
    """Return every recovery that an ERRORLOG reports as completed."""
    return {"recoveries": view.table(_sql("recoveries.sql"), {"around_s": AROUND_S})}


MAKER = Maker(("recoveries",), make, Sources(topics=("recovery", "role_change")), is_by_host=True)
