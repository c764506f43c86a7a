"""One row of a small rowset."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Row:
    """A row of a rowset, by the names of its columns in small letters."""

    line: int
    time_local: datetime | None
    values: dict[str, str | None]
    is_first: bool

    def get(self, name: str) -> str | None:
        return self.values.get(name)
