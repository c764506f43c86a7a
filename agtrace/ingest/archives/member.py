"""Where the bytes of an archive's members lie: what every kind of archive says of its own."""

from __future__ import annotations

from dataclasses import dataclass

MAX_MEMBERS = 100_000
MAX_NAME = 1_000
"""Characters of a member's name that are shown."""

STORED, DEFLATED, BZIP2, LZMA = "stored", "deflated", "bzip2", "lzma"
"""How members of a zip are packed; members of a tar are stored."""
GZIP, BZ2, XZ = "gzip", "bz2", "xz"
"""How a file is packed as a whole."""
CODERS = "coders"
"""How the streams of a 7z archive are packed."""
READ = frozenset((STORED, DEFLATED, BZIP2, LZMA, GZIP, BZ2, XZ, CODERS))


@dataclass(frozen=True)
class Member:
    """Where a member's bytes lie, as its archive says. Picklable, and of what JSON can hold.

    Parameters
    ----------
    name
        As written, ``\\`` as ``/``, shortened to `MAX_NAME` characters.
    bytes, packed
        Size unpacked and packed.
    offset
        Where it begins: its local header in a zip, else its first byte.
    method
        Of compression: one of `READ`, or the name of one that is not read.
    crc
        CRC-32 of the unpacked bytes; None where the archive does not say.
    is_encrypted
        Whether a password is needed.
    has_header
        Whether a zip's local header stands in front of the packed bytes.
    coders
        Numbers and properties (hexadecimal) of the coders of a 7z archive, in the order of unpacking.
    why_not
        Why it is not read although it could be: it is a link, say.
    within
        What its offset counts in: None in the file itself, else another member, once it is unpacked -
        the stream that the members of a solid archive share, or an archive in an archive.
    """

    name: str
    bytes: int
    packed: int
    offset: int
    method: str = STORED
    crc: int | None = None
    is_encrypted: bool = False
    has_header: bool = False
    coders: tuple[tuple[int, str], ...] = ()
    why_not: str = ""
    within: Member | None = None


class DamagedArchiveError(Exception):
    """The file has no directory that can be read; ``args[0]`` says why."""


@dataclass
class Directory:
    """What an archive lists.

    Parameters
    ----------
    members
        Files, in the order of the directory.
    missing
        Entries that should be there and cannot be read.
    """

    members: list[Member]
    missing: int = 0


def shown_name(name: str) -> str:
    """Return a member's name for display; nothing is ever written to a path of that name."""
    text = name.replace("\\", "/")
    return text if len(text) <= MAX_NAME else text[: MAX_NAME - 1] + "\u2026"
