"""What collectors left out of ERRORLOGs: nothing is concluded from one side of it to the other."""

from __future__ import annotations

from typing import Any

from agtrace.history.base import View
from agtrace.store.sql_files import beside

_sql = beside(__file__)

TOPIC = "errorlog_gap"
"""What readers say where a collector left something out: most logs are whole."""
_QUERY = _sql("log_gaps.sql")
_COLUMNS = """
    host_id varchar, sql_instance varchar, time_from timestamptz, time_to timestamptz,
    local_from timestamp, local_to timestamp
"""


def log_gaps(view: View) -> list[dict[str, Any]]:
    """Give a row per gap that no whole copy of the log fills.

    Returns
    -------
    list of dict
        host_id, sql_instance; from_s and to_s, seconds since 1970, None where UTC is not known or
        nothing bounds the gap; local_from_s and local_to_s, the same by the host's local time.
    """
    if TOPIC not in view.topics:
        return []
    seconds = ", ".join(
        f"epoch_us({column}) / 1e6 as {name}_s"
        for column, name in (
            ("time_from", "from"),
            ("time_to", "to"),
            ("local_from", "local_from"),
            ("local_to", "local_to"),
        )
    )
    return view.rows(f"select distinct host_id, sql_instance, {seconds} from ({_QUERY}) order by all")


def with_log_gaps(view: View) -> None:
    """Let ``scratch.log_gaps`` exist: the same with time_from, time_to, local_from and local_to as times."""
    if TOPIC in view.topics:
        view.run(f"create or replace table scratch.log_gaps as {_QUERY}")
    else:
        view.run(f"create or replace table scratch.log_gaps ({_COLUMNS})")
