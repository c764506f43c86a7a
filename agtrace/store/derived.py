"""Cache of relations computed from a case, as Parquet, under a key of everything that they depend on."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from agtrace import moving
from agtrace.errors import StoreError
from agtrace.store.files import read_text, write_atomically
from agtrace.store.layout import DERIVED
from agtrace.store.lock import WriterLock
from agtrace.store.seals import Seals, digest_of
from agtrace.store.view import Query

GRACE_S = 3600.0
"""A case that was opened under an older key may still read its relations."""
SEALED = ".json"
PATIENCE_S = 600.0
"""Seconds to wait for relations that another process computes, before computing them here too."""


class Derived:
    """The cache of relations computed for one state of a case.

    Parameters
    ----------
    root
        Folder of the store.
    key
        Digest of everything that the relations depend on.
    """

    def __init__(self, root: Path, key: str) -> None:
        self.folder = root / DERIVED / key
        self._seals = Seals.of(root)

    def relations(
        self,
        names: tuple[str, ...],
        make: Callable[[], dict[str, pa.Table | Query]],
        write: Callable[[str, Path], None] | None = None,
    ) -> dict[str, pa.Table | Path | Query]:
        """Return relations from the cache; compute and cache them if missing.

        If several processes need them (a report has a kernel for each notebook), one computes them and the
        others wait for it.

        Parameters
        ----------
        names
            Relations that are computed in one pass.
        make
            Returns their rows by name, or a query over rows that are already in the store.
        write
            Writes the rows of a query to a Parquet file; without it they are not cached.
        """
        if kept := self.kept(names):
            return kept
        with self._alone(names[0]):
            if kept := self.kept(names):
                return kept
            made = make()
            return {name: self._put(name, rows, write) for name, rows in made.items()}

    def kept(self, names: tuple[str, ...]) -> dict[str, pa.Table | Path | Query]:
        """Return the files of cached relations; empty unless all of them are cached and unchanged."""
        files = {name: self.folder / f"{name}.parquet" for name in names}
        if not all(path.is_file() and self._holds(path) for path in files.values()):
            return {}
        self._seals.keep()
        return {**files}

    def text(self, name: str) -> str | None:
        """Return a cached JSON object; None unless it is cached and unchanged."""
        path = self.folder / f"{name}{SEALED}"
        try:
            return self._seals.opened(self._name(path), read_text(path))
        except (OSError, ValueError):
            return None

    def keep_text(self, name: str, text: str) -> None:
        """Cache a JSON object, completely or not at all; a read-only store caches nothing."""
        path = self.folder / f"{name}{SEALED}"
        with contextlib.suppress(OSError, StoreError):
            self._make_room()
            write_atomically(path, self._seals.sealed(self._name(path), text), lasting=False)

    def _holds(self, path: Path) -> bool:
        if not self._seals.are_kept:
            return True
        told = path.with_suffix(SEALED)
        try:
            text = self._seals.opened(self._name(told), read_text(told))
            return text is not None and self._seals.hold(self._name(path), json.loads(text)["of"])
        except (OSError, ValueError):
            return False

    def _name(self, path: Path) -> str:
        return f"{DERIVED}/{self.folder.name}/{path.name}"

    @contextlib.contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        """Wait until no other process computes these relations; do not wait if the store is read-only."""
        with contextlib.ExitStack() as held:
            with contextlib.suppress(OSError, StoreError):
                self._make_room()
                held.enter_context(WriterLock(self.folder, f"{name}.lock", PATIENCE_S))
            yield

    def _put(
        self, name: str, rows: pa.Table | Query, write: Callable[[str, Path], None] | None
    ) -> pa.Table | Path | Query:
        """Cache the rows of a relation, and return them in the form in which they are read from now on."""
        if not isinstance(rows, Query):
            self._keep(name, lambda path: pq.write_table(rows, path.absolute(), compression="zstd"))
            return rows
        if write is None or not rows.is_kept:
            return rows
        return self._keep(name, lambda path: write(rows.sql, path)) or rows

    def _keep(self, name: str, write: Callable[[Path], None]) -> Path | None:
        """Write a relation, whole or not at all; None from a store that cannot be written."""
        temporary = self.folder / f"{name}.parquet.{os.getpid()}.tmp"
        with contextlib.suppress(OSError, StoreError):
            try:
                self._make_room()
                write(temporary)
                return self._seal(temporary, self.folder / f"{name}.parquet")
            finally:
                moving.remove(temporary)
        return None

    def _seal(self, temporary: Path, path: Path) -> Path:
        """Move a file to its final path, after writing the seal that identifies it."""
        if self._seals.are_kept:
            told = path.with_suffix(SEALED)
            text = json.dumps({"of": digest_of(temporary)})
            write_atomically(told, self._seals.sealed(self._name(told), text), lasting=False)
        moving.replace(temporary, path)
        self._seals.note(self._name(path))
        self._seals.keep()
        return path

    def _make_room(self) -> None:
        """Create the folder of this key, and remove those of old states."""
        if self.folder.is_dir():
            return
        # Another process may create it at the same time, or remove old folders.
        self.folder.mkdir(parents=True, exist_ok=True)
        for other in self.folder.parent.iterdir():
            with contextlib.suppress(OSError):
                if other != self.folder and time.time() - other.stat().st_mtime > GRACE_S:
                    shutil.rmtree(other, ignore_errors=True)
