"""How the members and resources of the cluster stood at each look: what rules judge them by."""

from __future__ import annotations

from agtrace.measure.base import View, once_per_case
from agtrace.store.sql_files import beside

_sql = beside(__file__)


@once_per_case
def with_cluster_items(view: View) -> None:
    """Create ``scratch.cluster_items``."""
    view.run(_sql("cluster_items.sql"))
