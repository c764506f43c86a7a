"""What lies in the archives of a case: of every kind, under any name, one archive in another."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from agtrace.errors import CaptureError
from agtrace.ingest.archives.limits import LARGE_MEMBER, Allowance, most_of, refusals
from agtrace.ingest.archives.member import BZ2, GZIP, XZ, DamagedArchiveError, Directory, Member
from agtrace.ingest.archives.seven_zip import MAGIC as SEVEN_ZIP_MAGIC
from agtrace.ingest.archives.seven_zip import read_seven_zip
from agtrace.ingest.archives.tar_directory import BLOCK, is_tar, read_tar
from agtrace.ingest.archives.unpacked import Unpacked
from agtrace.ingest.archives.zip_directory import ZIP_MAGIC, read_directory

HEAD_BYTES = BLOCK
"""By so many bytes at its beginning an archive is known."""

OFFICE_PARTS = frozenset({"[Content_Types].xml", "_rels/.rels"})
"""What every package of the Open Packaging Conventions holds: documents of Word and Excel, among others."""
OFFICE = "Office document"
OFFICE_REASON = "not a capture; paste its text into 'agtrace findings -', or save it as .txt or .csv"
TOO_DEEP = "an archive in an archive in an archive; unpack it by hand"
_PACKED = re.compile(r"\.(?:gz|bz2|xz)$", re.IGNORECASE)
_PACKED_TAR = re.compile(r"\.t(?:gz|bz2?|xz)$", re.IGNORECASE)


@dataclass(frozen=True)
class ArchiveKind:
    """A kind of archive.

    Parameters
    ----------
    name
        For people.
    read
        Reads its directory; None where the file is packed as a whole.
    method
        How it is packed, where it is as a whole.
    """

    name: str
    read: Callable[[Path], Directory] | None = None
    method: str = ""


ZIP = ArchiveKind("zip archive", read_directory)
TAR = ArchiveKind("tar archive", read_tar)
SEVEN_ZIP = ArchiveKind("7z archive", read_seven_zip)
_WHOLE = {
    b"\x1f\x8b\x08": ArchiveKind("gzip file", method=GZIP),
    b"BZh": ArchiveKind("bzip2 file", method=BZ2),
    b"\xfd7zXZ\0": ArchiveKind("xz file", method=XZ),
}


def kind_of(head: bytes) -> ArchiveKind | None:
    """Return the kind of archive that starts with these `HEAD_BYTES` bytes, or None."""
    if head.startswith(ZIP_MAGIC):
        return ZIP
    if head.startswith(SEVEN_ZIP_MAGIC):
        return SEVEN_ZIP
    for magic, kind in _WHOLE.items():
        if head.startswith(magic) and (kind.method != BZ2 or head[3:4] in b"123456789"):
            return kind
    return TAR if is_tar(head) else None


@dataclass(frozen=True)
class Entry:
    """Something in an archive, or the archive itself.

    Parameters
    ----------
    name
        Behind the path of the outermost archive: empty for that one, else ``!/`` and a name.
    bytes
        Unpacked.
    member
        Where it lies; None where it is not to be decoded, for which status, kind and reason are given.
    """

    name: str
    bytes: int
    member: Member | None = None
    status: str = ""
    kind: str = ""
    reason: str = ""


@dataclass
class Look:
    """A look into one file of a case.

    Parameters
    ----------
    file
        The archive.
    unpacked
        Where archives are unpacked that lie packed themselves.
    allowance
        What may be unpacked of it.
    """

    file: Path
    unpacked: Unpacked
    allowance: Allowance

    def entries(self, kind: ArchiveKind, size: int) -> list[Entry]:
        """List the archive itself, then what lies in it.

        Raises
        ------
        CaptureError, OSError
            The file cannot be read.
        """
        return self._look(kind, None, "", self.file.name, size)

    def _look(
        self, kind: ArchiveKind, archive: Member | None, name: str, file_name: str, size: int
    ) -> list[Entry]:
        """List an archive: the file, or a member of it."""

        def itself(status: str, reason: str) -> Entry:
            return Entry(name, size, None, status, kind.name, reason)

        stream, fault = archive, ""
        try:
            if kind.read is None:
                stream, fault = self._measured(kind, archive, file_name, size)
            directory = self._directory(kind, archive, stream)
        except DamagedArchiveError as error:
            return [itself("failed", f"not a readable {kind.name} ({error})")]
        found = directory.members
        if {member.name for member in found} >= OFFICE_PARTS:
            return [Entry(name, size, None, "recognised", OFFICE, OFFICE_REASON)]
        status, reason = "recognised", f"{len(found)} files inside"
        if directory.missing:
            reason += f"; {directory.missing} entries of its directory are damaged"
            status = "failed"
        if fault:
            reason, status = f"{reason}; damaged ({fault}): the rest is lost", "failed"
        refused = refusals(found, size, self.allowance)
        entries = [itself(status, reason)]
        for number, member in enumerate(found):
            shown = f"{name}!/{member.name}"
            if number in refused:
                told, why = refused[number]
                entries.append(Entry(shown, member.bytes, None, told, kind.name, why))
            else:
                entries += self._member(_placed(member, archive), shown, is_deep=archive is not None)
        return entries

    def _member(self, member: Member, shown: str, *, is_deep: bool) -> list[Entry]:
        kind = self._kind(member)
        if kind is None:
            return [Entry(shown, member.bytes, member)]
        if is_deep:
            return [Entry(shown, member.bytes, None, "recognised", kind.name, TOO_DEEP)]
        return self._look(kind, member, shown, member.name.rpartition("/")[2], member.bytes)

    def _kind(self, member: Member) -> ArchiveKind | None:
        try:
            with self.unpacked.open(self.file, member, "") as opened:
                return kind_of(opened.read(HEAD_BYTES))
        except CaptureError:
            # Whoever reads it says what is the matter.
            return None

    def _measured(
        self, kind: ArchiveKind, archive: Member | None, file_name: str, size: int
    ) -> tuple[Member, str]:
        """Unpack a file that is packed as a whole, as far as it may be."""
        stream = Member(_unpacked_name(file_name), 0, size, 0, kind.method, within=archive)
        most = min(self.allowance.left, most_of(size))
        unpacked, fault = self.unpacked.measure(self.file, stream, most)
        if unpacked > most:
            raise DamagedArchiveError(self.allowance.why_not(unpacked) or LARGE_MEMBER)
        if not unpacked and fault:
            raise DamagedArchiveError(fault)
        return replace(stream, bytes=unpacked), fault

    def _directory(self, kind: ArchiveKind, archive: Member | None, stream: Member | None) -> Directory:
        """Read the directory of an archive; what it says lies within it, not within the file."""
        if kind.read is not None:
            path = self.file if archive is None else self.unpacked.path(self.file, archive)
            return kind.read(path)
        assert stream is not None
        path = self.unpacked.path(self.file, stream)
        own = replace(stream, within=None)
        with path.open("rb") as opened:
            head = opened.read(HEAD_BYTES)
        if is_tar(head):
            inside = read_tar(path)
            members = [replace(member, within=own) for member in inside.members]
            return Directory(members, inside.missing)
        return Directory([Member(stream.name, stream.bytes, stream.bytes, 0, within=own)])


def _placed(member: Member, archive: Member | None) -> Member:
    """Return a member of a nested archive as a member of the outer file."""
    if archive is None:
        return member
    if member.within is None:
        return replace(member, within=archive)
    return replace(member, within=replace(member.within, within=archive))


def _unpacked_name(name: str) -> str:
    """Name what a packed file holds, where it is no archive itself."""
    return _PACKED.sub("", _PACKED_TAR.sub(".tar", name)) or name
