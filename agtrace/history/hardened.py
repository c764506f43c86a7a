"""Hardened LSNs: how far the log of each database was on disk when its server changed its role."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agtrace.history.base import View
from agtrace.store.sql_files import beside

_sql = beside(__file__)

TOPIC = "state_information"
SECTOR_BYTES = 512
"""A log block starts at a multiple of this in its virtual log file; its LSN counts them."""


@dataclass(frozen=True, order=True)
class Lsn:
    """A log sequence number."""

    vlf: int
    block: int
    slot: int

    @classmethod
    def of(cls, text: str) -> Lsn:
        """Parse an LSN as logs write it: ``36:824:1``."""
        return cls(*map(int, text.split(":")))

    def __str__(self) -> str:
        return f"{self.vlf}:{self.block}:{self.slot}"

    def bytes_after(self, other: Lsn) -> int | None:
        """Return how much log is between two LSNs; None where they are in different virtual log files."""
        return (self.block - other.block) * SECTOR_BYTES if self.vlf == other.vlf else None


@dataclass(frozen=True)
class Hardened:
    """An entry of a server about a database; the time is by the reference clock."""

    host_id: str
    database: str
    time: datetime
    lsn: Lsn
    content_id: str
    line: int


def hardened(view: View) -> tuple[Hardened, ...]:
    """Return the hardened LSNs of a case, in order of time."""
    if TOPIC not in view.topics:
        return ()
    return tuple(Hardened(**row | {"lsn": Lsn.of(row["lsn"])}) for row in view.rows(_sql("hardened.sql")))
