"""How much may be unpacked: by what archives say of themselves, which may lie, before it is."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field

from agtrace.ingest.archives.member import MAX_MEMBERS, READ, Member

MAX_MEMBER_BYTES = 64 << 30
MAX_TOTAL_BYTES = 256 << 30
MAX_RATIO = 300
"""Perfmon text compresses 10 to 40 times; more than this is a bomb, not a capture."""
RATIO_FREE_BYTES = 100 << 20
"""Below this size no ratio is suspicious."""
MAX_CASE_RATIO = 100
CASE_FREE_BYTES = 8 << 30
"""All archives of a case together: what may be unpacked beyond their own size times the ratio."""

LARGE = "the archive is too large once unpacked; unpack it by hand"
LARGE_CASE = "the archives of this folder are too large once unpacked; unpack it by hand"
LARGE_MEMBER = "too large once unpacked; unpack it by hand"
OVERLAPS = "it shares its bytes with another member, as in a zip bomb; unpack it by hand"
BEYOND = "the directory says that it lies beyond the end of the archive"
MANY = f"more than {MAX_MEMBERS:,} files in the archives of one file; unpack it by hand"

LOCAL_HEADER = 30
"""Bytes in front of a zip's member, beside its name."""

Refusals = dict[int, tuple[str, str]]
"""Status (``unreadable``, ``failed``, ``empty``, ``recognised``) and reason, by position."""


def most_of(packed: int) -> int:
    """Return how many bytes so many packed ones may become."""
    return max(RATIO_FREE_BYTES, MAX_RATIO * packed)


@dataclass
class Budget:
    """How much all archives of a case may still unpack."""

    spent: int = 0
    packed: int = 0

    @property
    def left(self) -> int:
        return max(CASE_FREE_BYTES + MAX_CASE_RATIO * self.packed - self.spent, 0)

    def of_file(self, size: int) -> Allowance:
        """Return the unpacking allowance of one file, with all archives in it."""
        self.packed += size
        return Allowance(self, size)


@dataclass
class Allowance:
    """How much one file of the case may still unpack.

    Parameters
    ----------
    budget
        Of the case.
    size
        Of the file.
    spent, members
        What it has unpacked and listed so far.
    is_short
        Whether something was refused because of the other archives of the case.
    """

    budget: Budget
    size: int
    spent: int = 0
    members: int = 0
    is_short: bool = False

    @property
    def left(self) -> int:
        """What the file may still unpack; its own limit and that of the case."""
        return min(self._own_left, self.budget.left)

    @property
    def _own_left(self) -> int:
        return max(min(MAX_TOTAL_BYTES, most_of(self.size)) - self.spent, 0)

    def why_not(self, size: int) -> str:
        """Explain why so many bytes more must not be unpacked; empty if they may."""
        if size > self._own_left:
            return LARGE
        if size > self.budget.left:
            self.is_short = True
            return LARGE_CASE
        return ""

    def spend(self, size: int) -> None:
        """Charge bytes that are unpacked."""
        self.spent += size
        self.budget.spent += size


@dataclass
class _Spans:
    """Which bytes of an archive are some member's."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def take(self, start: int, end: int) -> bool:
        """Claim bytes; False where another member has some of them."""
        at = bisect.bisect_right(self.starts, start)
        if (at and self.ends[at - 1] > start) or (at < len(self.starts) and self.starts[at] < end):
            return False
        self.starts.insert(at, start)
        self.ends.insert(at, end)
        return True


def refusals(members: list[Member], size: int, allowance: Allowance) -> Refusals:
    """Return members not unpacked, with reasons.

    Parameters
    ----------
    members
        Of one archive; what they lie within belongs to the archive, too.
    size
        Of that archive.
    allowance
        Of the file that it lies in; charged with what is left.
    """
    refused: Refusals = {}
    # What is unpacked at once: a member, or the stream that it shares with others.
    units: list[Member] = []
    of_member: dict[int, int] = {}
    streams: dict[Member, int] = {}
    for number, member in enumerate(members):
        if found := _of_itself(member):
            refused[number] = found
        elif allowance.members >= MAX_MEMBERS:
            refused[number] = "failed", MANY
        else:
            allowance.members += 1
            of_member[number] = at = streams.get(member.within, -1) if member.within else -1
            if at < 0:
                of_member[number] = len(units)
                units.append(member.within or member)
                if member.within:
                    streams[member.within] = of_member[number]
    why = _units_refused(units, size, allowance)
    return refused | {n: why[unit] for n, unit in of_member.items() if unit in why}


def _of_itself(member: Member) -> tuple[str, str] | None:
    """Return why a member is not read, whatever else the archive holds."""
    packed = member.within or member
    if member.is_encrypted or packed.is_encrypted:
        return "unreadable", "encrypted"
    if member.why_not:
        return "recognised", member.why_not
    if not member.bytes:
        return "empty", "0 bytes"
    if packed.method not in READ:
        return "unreadable", f"compressed by {packed.method}, which is not read; unpack it by hand"
    if member.within and member.offset + member.packed > member.within.bytes:
        return "unreadable", BEYOND
    return None


def _units_refused(units: list[Member], size: int, allowance: Allowance) -> Refusals:
    refused: Refusals = {}
    spans = _Spans()
    # Of members that share bytes the smallest is believed: a size that is damaged is mostly too large.
    for number in sorted(range(len(units)), key=lambda n: (units[n].packed, n)):
        if found := _unit_refused(units[number], size, spans):
            refused[number] = found
    for number, unit in enumerate(units):
        if number in refused:
            continue
        if why := allowance.why_not(unit.bytes):
            refused[number] = "failed", why
        else:
            allowance.spend(unit.bytes)
    return refused


def _unit_refused(unit: Member, size: int, spans: _Spans) -> tuple[str, str] | None:
    ratio = unit.bytes / max(unit.packed, 1)
    if unit.bytes > MAX_MEMBER_BYTES:
        return "failed", LARGE_MEMBER
    if unit.bytes > RATIO_FREE_BYTES and ratio > MAX_RATIO:
        reason = f"packed {ratio:,.0f} to 1, more than {MAX_RATIO} to 1; unpack it by hand"
        return "failed", reason
    end = unit.offset + unit.packed + (LOCAL_HEADER if unit.has_header else 0)
    if end > size:
        return "unreadable", BEYOND
    return None if spans.take(unit.offset, end) else ("failed", OVERLAPS)
