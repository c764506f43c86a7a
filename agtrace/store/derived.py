"""Relations that were computed from a case, kept as Parquet under a key of all that they rest on."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

FOLDER = "derived"
GRACE_S = 3600.0
"""A case that was opened under an older key may still read its relations."""


class Derived:
    """What was computed for one state of a case.

    Parameters
    ----------
    root
        Folder of the store.
    key
        Digest of everything that the relations rest on.
    """

    def __init__(self, root: Path, key: str) -> None:
        self.folder = root / FOLDER / key

    def find(self, name: str) -> Path | None:
        """Give the file of a relation, None where it has not been computed."""
        path = self.folder / f"{name}.parquet"
        return path if path.is_file() else None

    def keep(self, name: str, table: pa.Table) -> None:
        """Write a relation, whole or not at all; a store that cannot be written keeps none."""
        temporary = self.folder / f"{name}.parquet.{os.getpid()}.tmp"
        with contextlib.suppress(OSError):
            try:
                self._make_room()
                pq.write_table(table, temporary, compression="zstd")
                temporary.replace(self.folder / f"{name}.parquet")
            finally:
                temporary.unlink(missing_ok=True)

    def _make_room(self) -> None:
        """Make the folder of this key, and remove those of states that nobody reads any more."""
        if self.folder.is_dir():
            return
        self.folder.mkdir(parents=True)
        for other in self.folder.parent.iterdir():
            if other != self.folder and time.time() - other.stat().st_mtime > GRACE_S:
                shutil.rmtree(other, ignore_errors=True)
