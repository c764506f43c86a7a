"""Parts of ERRORLOGs that collectors left out: nothing is concluded from one side of a gap to the other."""

from __future__ import annotations

from typing import Any

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, Query]:
    """Return the query of the gaps: most logs are whole."""
    return {"log_gaps": Query(_sql("log_gaps.sql"))}


def log_gaps(view: View) -> list[dict[str, Any]]:
    """Return a row per gap that no whole copy of the log fills.

    Returns
    -------
    list of dict
        host_id, sql_instance; from_s and to_s, seconds since 1970, None where UTC is not known or
        nothing bounds the gap; local_from_s and local_to_s, the same by the host's local time.
    """
    return view.rows(_sql("not_filled.sql")) if view.has_rows("log_gaps") else []


MAKER = Maker(("log_gaps",), make, Sources(topics=("errorlog_gap",)), is_view=True)
