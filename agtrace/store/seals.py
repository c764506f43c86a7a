"""Verify that the contents of a store are unchanged: texts have a seal, Parquet files a digest in one.

The marker of a store shows who made it and where, but not that its contents are unchanged: a case that was
sent away and came back may contain other parts. Each text is sealed with the key of its path, and lists the
digests of its files. A file is compared with its digest when first used at a path, and again when its status
in the file system changes. The registry remembers which files were checked.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
from pathlib import Path

from agtrace.store import owner
from agtrace.store.files import read_text, write_atomically

_SEAL = re.compile(r', "seal": "([0-9a-f]{64})"\}\s*\Z')
_SPARE = 1_000
"""Files beyond twice those that there are, before those that have gone are forgotten."""

Stamp = list[int]


class Seals:
    """The seals of one store.

    Parameters
    ----------
    root
        Its folder.
    key
        The key of its path; None for a store that is trusted because the user named it: it has no seals, and
        everything in it is accepted.
    """

    def __init__(self, root: Path, key: bytes | None) -> None:
        self._root = root
        self._key = key
        self._seen: dict[str, Stamp] = {}
        self._new: dict[str, Stamp] = {}
        if key is not None:
            self._file = owner.entry_of(root, "store").with_suffix(owner.SEEN)
            self._seen = self._kept()

    @classmethod
    def of(cls, root: Path) -> Seals:
        """Return the seals of the store at a place, as its marker proves it."""
        return cls(root, owner.key_of(root, "store", owner.read_marker(root / owner.STORE_MARKER)))

    @property
    def are_kept(self) -> bool:
        """Whether the store is bound to its place."""
        return self._key is not None

    def sealed(self, name: str, text: str) -> str:
        """Return a JSON object with its seal, for the file of a name in the store."""
        if self._key is None:
            return text
        return f'{text[:-1]}, "seal": "{self._of(self._key, name, text)}"}}'

    def opened(self, name: str, text: str) -> str | None:
        """Return a file's JSON object without its seal; None if that is not ours, or of another file."""
        found = _SEAL.search(text)
        body = f"{text[: found.start()]}}}" if found else text
        if self._key is None:
            return body
        if found and hmac.compare_digest(self._of(self._key, name, body), found[1]):
            return body
        return None

    def hold(self, name: str, digest: str) -> bool:
        """Return whether a file of the store still has a digest.

        Raises
        ------
        OSError
            The file cannot be read.
        """
        if self._key is None:
            return True
        path = self._root / name
        stamp = _stamp(path)
        if self._seen.get(name) == stamp:
            return True
        if not digest or digest_of(path) != digest:
            return False
        self._seen[name] = self._new[name] = stamp
        return True

    def note(self, name: str) -> None:
        """Remember a file that has just been written, and whose digest was taken then."""
        if self._key is not None:
            with contextlib.suppress(OSError):
                self._seen[name] = self._new[name] = _stamp(self._root / name)

    def keep(self) -> None:
        """Remember the checked files for the next time; if that fails, they are checked again."""
        if not self._new:
            return
        # Another process may have checked other files meanwhile; lost entries are checked again.
        seen = self._kept() | self._new
        if len(seen) > 2 * len(self._seen) + _SPARE:
            seen = {name: stamp for name, stamp in seen.items() if (self._root / name).is_file()}
        with contextlib.suppress(OSError):
            write_atomically(self._file, json.dumps(seen), lasting=False)
            self._new = {}

    def _kept(self) -> dict[str, Stamp]:
        try:
            found = json.loads(read_text(self._file))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _of(self, key: bytes, name: str, text: str) -> str:
        sealed = f"{name}\0{text}".encode("utf-8", "backslashreplace")
        return hmac.new(key, sealed, hashlib.sha256).hexdigest()


def digest_of(path: Path) -> str:
    """Digest a file (sha256, hexadecimal)."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _stamp(path: Path) -> Stamp:
    status = os.lstat(path)
    return [status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]
