"""Entries of the cluster logs, each once however often its log was collected."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View


def make(view: View) -> dict[str, pa.Table]:
    """Give the entries of all nodes in the order of time."""
    sql = Path(__file__).with_name("cluster_log.sql").read_text(encoding="utf-8")
    return {"cluster_log": view.table(sql)}


MAKER = Maker(("cluster_log",), make, Sources(tables=("cluster_log",)))
