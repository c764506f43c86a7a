"""Builds of the TPROC-C schema, a write workload, from the console or the log.

Virtual user 1 creates the tables and waits; the others load warehouses and print their start and end
(``Start:``, ``End:``). With one user, all lines are from that user. Indexes and statistics follow after the
last ``End:``; only a log with timestamps shows how long they took.
Source: HammerDB documentation, "Building the Schema"; logs of versions 3 to 5.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from agtrace.readers.hammerdb.moments import CLOCK, moment, offset_minutes

BEGUN = re.compile(r"CREATING \S{1,128} SCHEMA\s*")
_DONE = re.compile(r"\S{1,128} SCHEMA COMPLETE\s*")
_SHARE = re.compile(r"Loading (?P<n>\d{1,9}) Warehouses start:\d{1,9} end:\d{1,9}\s*")
_STOCK = re.compile(r"Loading Stock Wid=(?P<n>\d{1,9})\s*")
_EDGE = re.compile(rf"(?P<edge>Start|End):{CLOCK}\s*")
_FIRST = ("L", "S", "E", "C")
"""First characters of the lines that are read, except the last line."""
MAX_WORKERS = 20_000


@dataclass
class Build:
    """One build, as far as it was read.

    Parameters
    ----------
    started, ended
        First ``Start:`` and last ``End:``, local time.
    offset
        Local time minus UTC in minutes, where the zone says it.
    shares
        Warehouses of each virtual user that loads some.
    highest
        Highest warehouse seen: their number where one user builds alone.
    """

    started: datetime | None = None
    ended: datetime | None = None
    offset: int | None = None
    shares: dict[int, int] = field(default_factory=dict)
    highest: int = 0
    is_complete: bool = False

    @property
    def warehouses(self) -> int:
        """Return how many were built; 0 if unknown."""
        return sum(self.shares.values()) or self.highest

    @property
    def users(self) -> int:
        """Return how many virtual users loaded them."""
        return len(self.shares) or 1

    def take(self, user: int, text: str) -> None:
        """Take what a virtual user printed."""
        if _DONE.fullmatch(text):
            self.is_complete = True
        elif not text.startswith(_FIRST):
            return
        elif stock := _STOCK.fullmatch(text):
            self.highest = max(self.highest, int(stock["n"]))
        elif share := _SHARE.fullmatch(text):
            if len(self.shares) < MAX_WORKERS:
                self.shares.setdefault(user, int(share["n"]))
        elif edge := _EDGE.fullmatch(text):
            at = moment(edge)
            if at is None:
                return
            self.offset = offset_minutes(edge["zone"]) if self.offset is None else self.offset
            if edge["edge"] == "Start":
                self.started = min(self.started or at, at)
            else:
                self.ended = max(self.ended or at, at)
