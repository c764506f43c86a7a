"""Entries of the cluster logs, each once however often its log was collected."""

from __future__ import annotations

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(_view: View) -> dict[str, Query]:
    """Return the query of the entries of all nodes in time order: there may be millions."""
    return {"cluster_log": Query(_sql("cluster_log.sql"), is_kept=True)}


MAKER = Maker(("cluster_log",), make, Sources(tables=("cluster_log",)), is_by_host=True)
