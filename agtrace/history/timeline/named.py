"""Names in messages kept as text by Extended Events sessions: a group, a replica, a database.

Such an event has only its message, in the server's language. The patterns are those for ERRORLOGs.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from agtrace.readers.errorlog.templates import message_patterns
from agtrace.tables.rows import array_of

COLUMNS = {
    "ag": ("ag",),
    "replica": ("replica",),
    "database": ("database",),
    "before": ("old_state", "old_role"),
    "after": ("new_state", "new_role", "source_string"),
}
"""Columns of the timeline, and the message arguments for each."""


def named(texts: Sequence[str]) -> dict[str, list[str | None]]:
    """Return what each text names, as columns beside ``message``, without texts of unknown wording."""
    found: dict[str, list[str | None]] = {"message": [], **{name: [] for name in COLUMNS}}
    for one in message_patterns().find(array_of(texts, pa.string())):
        found["message"] += [texts[row] for row in one.rows]
        for name, arguments in COLUMNS.items():
            columns = (one.columns[argument] for argument in arguments if argument in one.columns)
            column = next(columns, pa.nulls(len(one.rows), pa.string()))
            found[name] += [text or None for text in column.to_pylist()]
    return found
