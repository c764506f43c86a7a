"""The replica that wrote a log, from its connection messages (35202), which name the local replica."""

from __future__ import annotations

import pyarrow as pa

from agtrace.readers.errorlog.match import Found

CONNECTED = 35202
MOST = 20
"""Names that are kept: a log has one, and beside it those of groups where groups are distributed."""


class OwnReplica:
    """Collects from which replica connections were established."""

    def __init__(self) -> None:
        self._lines: dict[str, int] = {}
        self._groups: set[str] = set()

    def add(self, batch: pa.RecordBatch, found: Found) -> None:
        """Take messages of any kind."""
        if getattr(found.pattern.entry, "id", None) != CONNECTED or len(self._lines) > MOST:
            return
        names = found.columns["from_replica"].to_pylist()
        self._groups |= {name for name in found.columns["ag"].unique().to_pylist()[:MOST] if name}
        for name in dict.fromkeys(names):
            if name and len(self._lines) <= MOST:
                row = found.rows[names.index(name)]
                self._lines.setdefault(name, batch["line"][int(row)].as_py())

    def rows(self) -> list[dict[str, object]]:
        """Return a fact per replica; a group is a replica of a distributed one, and no server."""
        names = [name for name in self._lines if name not in self._groups]
        return [
            {
                "topic": "errorlog_replica",
                "item": item,
                "key": "name",
                "value": name,
                "line": self._lines[name],
            }
            for item, name in enumerate(names)
        ]
