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
        f"(epoch_us({column}) - {ahead}) / 1e6 as {name}_s"
        for column, ahead, name in (
            ("time_from", "coalesce(k.ahead_us, 0)", "from"),
            ("time_to", "coalesce(k.ahead_us, 0)", "to"),
            ("local_from", "0", "local_from"),
            ("local_to", "0", "local_to"),
        )
    )
    return view.rows(
        f"select distinct g.host_id, sql_instance, {seconds} from ({_QUERY}) g "
        "left join reference_clock k using (host_id) order by all"
    )


def with_log_gaps(view: View) -> None:
    """Make ``scratch.log_gaps``: time_from and time_to by the clock of the host, local_from and local_to."""
    if TOPIC in view.topics:
        view.run(f"create or replace table scratch.log_gaps as {_QUERY}")
    else:
        view.run(f"create or replace table scratch.log_gaps ({_COLUMNS})")
