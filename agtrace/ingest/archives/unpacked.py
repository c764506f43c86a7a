"""Archives that lie packed themselves: unpacked into a temporary folder while what is in them is read.

What was read longest ago goes where many would fill the disk together, and is unpacked again when it is
wanted once more. Nothing in it is called what an archive says. It goes with the process, or, when that was
killed, with the next one of this user.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from agtrace import moving
from agtrace.errors import CaptureError
from agtrace.ingest.archives.member import Member
from agtrace.ingest.archives.streams import PackedError, open_member, unpacked
from agtrace.store.scratch import unused

KEPT_BYTES = 1 << 30
"""So much stays unpacked at once, and no more than `KEPT_SHARE` of what is free."""
KEPT_SHARE = 0.25
LEFT_SHARE = 0.75
"""Of what is kept so much is left where room is made: not each file that follows has to make room again."""
SPARE_BYTES = 64 << 20
"""So much of the disk is left to others: what does not fit beside that is not unpacked."""
FULL = "it does not fit on the disk once unpacked - free some space, or set TMPDIR to a folder on another"
ATTEMPTS = 20
"""How often a file is unpacked that others have made room with before it was opened."""

_BLOCK = 1 << 20
_ONE_AT_A_TIME = threading.RLock()
_unlooked: dict[Path, int] = {}
"""Bytes that this process may write to a folder before it looks again how full that is: to look at thousands
of small files for each of them takes longer than to unpack them."""


@dataclass(frozen=True)
class Unpacked:
    """The temporary folder. Picklable: other processes find in it what one has unpacked.

    Parameters
    ----------
    folder
        Its path; made when there is something to unpack.
    kept
        Bytes that stay unpacked at once; one file may have more.
    """

    folder: Path
    kept: int = KEPT_BYTES

    def open(self, file: Path, member: Member, shown: str) -> BinaryIO:
        """Open a member of an archive for reading; what it lies within is unpacked first.

        Raises
        ------
        CaptureError, OSError
            As `agtrace.ingest.archives.streams.open_member`.
        """
        for _ in range(ATTEMPTS):
            try:
                return open_member(self.base(file, member), member, shown)
            except FileNotFoundError:
                if member.within is None:
                    raise
        return open_member(self.base(file, member), member, shown)

    def base(self, file: Path, member: Member) -> Path:
        """Return the file in which the offset of a member counts."""
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
            try:
                # What was used last stays longest.
                os.utime(target)
            except OSError:
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
            moving.remove(target)
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
    def _written(self, target: Path) -> Iterator[_Spared]:
        """Write a file that other processes may write at the same time, or not at all."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        temporary = target.with_name(f"{target.name}.{unused('unpacked').name}")
        try:
            with temporary.open("xb") as out:
                yield _Spared(out, self.folder)
            moving.replace(temporary, target)
        except BaseException:
            moving.remove(temporary)
            raise
        self._make_room(target)

    def _make_room(self, newest: Path) -> None:
        """Remove what was used longest ago, where there is more than is kept."""
        size = newest.stat().st_size
        _unlooked[self.folder] = _unlooked.get(self.folder, 0) - size
        if _unlooked[self.folder] > 0:
            return
        there = []
        for path in self.folder.iterdir():
            # Others may remove it, and write what bears another name until it is whole.
            with contextlib.suppress(OSError):
                if path != newest and len(path.name) == len(newest.name):
                    status = path.stat()
                    there.append((status.st_mtime_ns, status.st_size, path))
        left = size + sum(size for _used, size, _path in there)
        if left > self.kept:
            for _used, size, path in sorted(there):
                if left <= LEFT_SHARE * self.kept:
                    break
                # Windows does not remove what is being read.
                with contextlib.suppress(OSError):
                    path.unlink()
                    left -= size
        # Other processes may write as well.
        _unlooked[self.folder] = (self.kept - left) // 4


class _Spared:
    """Writes a file as long as the disk has room to spare."""

    def __init__(self, out: BinaryIO, folder: Path) -> None:
        self._out, self._folder, self._room = out, folder, 0

    def write(self, block: bytes) -> None:
        """Write a block.

        Raises
        ------
        OSError
            What is left of the disk is for others.
        """
        if len(block) > self._room:
            self._room = (shutil.disk_usage(self._folder).free - SPARE_BYTES) // 4
            if len(block) > self._room:
                raise OSError(errno.ENOSPC, FULL)
        self._room -= len(block)
        self._out.write(block)


@contextlib.contextmanager
def unpacked_folder() -> Iterator[Unpacked]:
    """Yield a folder to unpack into, and remove it."""
    folder = unused("unpacked")
    free = shutil.disk_usage(folder.parent).free
    try:
        yield Unpacked(folder, min(KEPT_BYTES, int(KEPT_SHARE * free)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _unlooked.pop(folder, None)
