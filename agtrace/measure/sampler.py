"""Perfmon samples of chosen series, and their intervals, for grids, usage and relations."""

from __future__ import annotations

from agtrace.measure.base import View, once_per_case
from agtrace.store.sql_files import beside

_sql = beside(__file__)


@once_per_case
def with_sampled(view: View) -> None:
    """Create ``scratch.sampled(series)``, the one reader of the table ``samples``."""
    view.run(_sql("sampled.sql"))


@once_per_case
def with_log_steps(view: View) -> None:
    """Create ``scratch.log_steps`` and ``scratch.sampled``."""
    with_sampled(view)
    view.run(_sql("log_steps.sql"))
