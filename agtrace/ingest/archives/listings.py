"""What archives held the last time: one that is unchanged is not unpacked again to list it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agtrace.ingest.archives.inside import Entry
from agtrace.ingest.archives.member import Member

VERSION = 1
"""Raised when archives are listed in another way, or other limits hold."""

Stamp = tuple[int, ...]


@dataclass(frozen=True)
class Listing:
    """What an archive of a case held.

    Parameters
    ----------
    stamp
        What the file looked like.
    entries
        The archive itself, then what lies in it.
    spent
        Bytes that were charged for unpacking it.
    """

    stamp: Stamp
    entries: list[Entry]
    spent: int


class Listings:
    """The listings of a case's archives, by path.

    Parameters
    ----------
    kept
        What the store holds of them; whatever is wrong with it, it is as if it were not there.
    """

    def __init__(self, kept: Any = None) -> None:
        self._before = kept if isinstance(kept, dict) and kept.get("version") == VERSION else {}
        self._now: dict[str, Any] = {"version": VERSION, "archives": {}}

    def known(self, shown: str, stamp: Stamp) -> Listing | None:
        """Return the listing of an archive, if it is unchanged since."""
        try:
            written = self._before["archives"][shown]
            if not stamp or tuple(written["stamp"]) != stamp:
                return None
            entries = [_entry(each) for each in written["entries"]]
            listing = Listing(stamp, entries, int(written["spent"]))
        except (KeyError, TypeError, ValueError, RecursionError):
            return None
        self._now["archives"][shown] = written
        return listing

    def keep(self, shown: str, listing: Listing) -> None:
        """Remember what an archive holds."""
        self._now["archives"][shown] = {
            "stamp": list(listing.stamp),
            "entries": [vars(each) | {"member": _plain(each.member)} for each in listing.entries],
            "spent": listing.spent,
        }

    @property
    def to_keep(self) -> dict[str, Any] | None:
        """What the store should hold; None where it does already."""
        nothing_new = self._now == self._before or not (self._now["archives"] or self._before)
        return None if nothing_new else self._now


def _plain(member: Member | None) -> dict[str, Any] | None:
    if member is None:
        return None
    return vars(member) | {
        "coders": [list(coder) for coder in member.coders],
        "within": _plain(member.within),
    }


def _entry(written: dict[str, Any]) -> Entry:
    entry = Entry(**written | {"member": _member(written["member"])})
    if not isinstance(entry.name, str) or not isinstance(entry.bytes, int):
        raise TypeError
    return entry


def _member(written: dict[str, Any] | None) -> Member | None:
    if written is None:
        return None
    coders = tuple((int(number), str(properties)) for number, properties in written["coders"])
    member = Member(**written | {"coders": coders, "within": _member(written["within"])})
    if not all(isinstance(n, int) and n >= 0 for n in (member.bytes, member.packed, member.offset)):
        raise TypeError
    return member
