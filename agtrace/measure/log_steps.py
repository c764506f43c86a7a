"""How often each perfmon log was sampled: what grids and usage are measured by."""

from __future__ import annotations

from agtrace.measure.base import View, once_per_case
from agtrace.store.sql_files import beside

_sql = beside(__file__)


@once_per_case
def with_log_steps(view: View) -> None:
    """Create ``scratch.log_steps``."""
    view.run(_sql("log_steps.sql"))
