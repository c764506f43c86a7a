"""Files that support collectors always write and agtrace does not read: recognised, with the reason.

docs/formats/recognised.md describes them.
"""

from __future__ import annotations

from collections.abc import Iterator

from agtrace.readers.base import Batch, Detection, ReadOptions, Source
from agtrace.readers.support_files.known import known_as

_DEBUGGER = "for the debugger or for Windows"
_MAGICS = (
    (b"MDMP", "memory dump", _DEBUGGER),
    (b"PAGEDU64", "memory dump", _DEBUGGER),
    (b"regf", "registry hive", _DEBUGGER),
    (b"PK\x05\x06", "empty archive", "there was nothing to pack"),
)
_REGISTRY = ("Windows Registry Editor Version 5.00", "REGEDIT4")


class SupportFiles:
    """Recognises what SQL LogScout, PSSDIAG, SDP and TSS write beside the captures.

    They have no format in common: their names are the collectors' own. A reader that reads a file of
    such a name wins over this one, as everywhere.
    """

    name = "support_files"
    version = 2
    topics = ()

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Return what a file is, by its first bytes or by the name that a collector gave it."""
        for magic, kind, reason in _MAGICS:
            if head.startswith(magic):
                return Detection(kind, readable=False, reason=reason)
        start = head[:200].decode("utf-16-le" if head.startswith(b"\xff\xfe") else "cp1252", "replace")
        if start.lstrip("\ufeff").startswith(_REGISTRY):
            return Detection("registry export", readable=False, reason="settings of Windows")
        known = known_as(name)
        return Detection(known[0], readable=False, reason=known[1]) if known else None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Return nothing: these files are recognised only."""
        return iter(())


READER = SupportFiles()
