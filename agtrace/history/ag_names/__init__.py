"""Ids of groups, replicas and databases with their names."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, View
from agtrace.history.rowsets import know, name_ids


def make(view: View) -> dict[str, pa.Table]:
    """Give each id with its name once per capture that tells it."""
    know(view)
    name_ids(view)
    sql = Path(__file__).with_name("ag_names.sql").read_text(encoding="utf-8")
    return {"ag_names": view.table(sql)}


MAKER = Maker(("ag_names",), make)
