"""Archives that lie packed themselves: unpacked once, into a temporary folder, while a case is read.

Nothing in it is called what an archive says. It goes with the process, or, when that was killed, with
the next one of this user.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from agtrace.errors import CaptureError
from agtrace.ingest.archives.member import Member
from agtrace.ingest.archives.streams import PackedError, open_member, unpacked
from agtrace.store.scratch import unused

_BLOCK = 1 << 20
_ONE_AT_A_TIME = threading.RLock()


@dataclass(frozen=True)
class Unpacked:
    """The temporary folder. Picklable: other processes find in it what one has unpacked.

    Parameters
    ----------
    folder
        Its path; made when there is something to unpack.
    """

    folder: Path

    def open(self, file: Path, member: Member, shown: str) -> BinaryIO:
        """Open a member of an archive for reading; what it lies within is unpacked first.

        Raises
        ------
        CaptureError, OSError
            As `agtrace.ingest.archives.streams.open_member`.
        """
        return open_member(self.base(file, member), member, shown)

    def base(self, file: Path, member: Member) -> Path:
        """Give the file that the offset of a member counts in."""
        return file if member.within is None else self.path(file, member.within)

    def path(self, file: Path, member: Member) -> Path:
        """Unpack a member, unless that was done; of a damaged one as much as there is.

        Raises
        ------
        OSError
            The file cannot be read, or the folder is full.
        """
        target = self._target(file, member)
        with _ONE_AT_A_TIME:
            if not target.exists():
                with self._written(target) as out, contextlib.suppress(CaptureError):
                    opened = self.open(file, member, "")
                    with opened:
                        while block := opened.read(_BLOCK):
                            out.write(block)
        return target

    def measure(self, file: Path, member: Member, most: int) -> tuple[int, str]:
        """Unpack a member whose size nobody has declared.

        Returns
        -------
        tuple of int and str
            Its size, and what is wrong with it. A size above ``most`` is that of what was unpacked
            before it was given up.
        """
        target, size, fault = self._target(file, member), 0, ""
        with _ONE_AT_A_TIME, self._written(target) as out:
            try:
                for block in unpacked(self.base(file, member), member):
                    size += len(block)
                    if size > most:
                        break
                    out.write(block)
            except PackedError as error:
                fault = str(error)
        if size > most:
            target.unlink(missing_ok=True)
        return size, fault

    def _target(self, file: Path, member: Member) -> Path:
        # Without the size: it is not known yet when a file is unpacked that does not declare it.
        chain, each = [str(file)], member
        while True:
            chain.append(f"{each.offset} {each.packed} {each.method} {each.name}")
            if each.within is None:
                break
            each = each.within
        name = hashlib.sha256("\n".join(chain).encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / name

    @contextlib.contextmanager
    def _written(self, target: Path) -> Iterator[BinaryIO]:
        """Write a file that other processes may write at the same time, or not at all."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        temporary = target.with_name(f"{target.name}.{unused('unpacked').name}")
        try:
            with temporary.open("xb") as out:
                yield out
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def unpacked_folder() -> Iterator[Unpacked]:
    """Give a folder to unpack into, and remove it."""
    folder = unused("unpacked")
    try:
        yield Unpacked(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
