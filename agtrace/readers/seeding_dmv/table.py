"""What the decoders of all shapes give: tables of cells, and what was damaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

MAX_BYTES = 16 * 1024 * 1024
"""Larger files are no exports: so many rows as are read have 400 bytes each, in two bytes a character."""

MAX_ROWS = 20_000
"""Rows of a file that are read: more than two days at one every ten seconds."""

MAX_DAMAGES = 10_000
"""Damages of a table after which the rest of it is not read."""


class Damage(NamedTuple):
    """Something that could not be read, or is worth knowing, and the line where it stands."""

    kind: str
    message: str
    line: int
    severity: str = "warning"


class Record(NamedTuple):
    """One row: where it stands, and its cells; None where JSON has null or nothing."""

    line: int
    cells: Sequence[str | None]


@dataclass
class Table:
    """Rows under the same header.

    Parameters
    ----------
    line
        Line of the header, from 1.
    header
        Names of the columns as written.
    records, damages
        What was read, and what was not.
    """

    line: int
    header: Sequence[str]
    records: list[Record] = field(default_factory=list)
    damages: list[Damage] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """Whether no more of it is read."""
        return len(self.records) >= MAX_ROWS or len(self.damages) >= MAX_DAMAGES
