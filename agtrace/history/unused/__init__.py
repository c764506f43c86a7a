"""Files that were read, and from which no relation and no fact comes."""

from __future__ import annotations

from typing import Any

from agtrace.history.base import View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def unused_files(view: View) -> list[dict[str, Any]]:
    """Return the results of queries that nothing else tells of, by path.

    Returns
    -------
    list of dict
        ``path``; ``names``, the first columns of its first table; ``results``, its tables; ``n``, their rows;
        ``is_cumulative``, whether its values count since the start of SQL Server.
    """
    return view.rows(_sql("unused.sql")) if view.has_rows("rowset_heads") else []
