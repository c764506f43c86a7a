"""A store at a storage URL: decoded data is uploaded, and queries use a local copy.

Parts never change, and records name them, so a local copy with all parts is equal to the store. A part is
uploaded before the record that names it, which is one file, so a reader of the records never sees incomplete
data. Two concurrent writers lose nothing, because each uploads its own parts; they only repeat work.
"""

from __future__ import annotations

import json
import re
import time
from functools import cached_property
from pathlib import Path
from typing import Any

from agtrace import moving
from agtrace.errors import StoreError, is_exhausted
from agtrace.storage import Remote, RemoteFile, stand_in
from agtrace.storage.remote import each, is_old
from agtrace.store.files import read_text, write_atomically
from agtrace.store.layout import ARCHIVES, CAPTURES, MARKER, UNREAD, UTC_OFFSETS, Store, files_of
from agtrace.store.lock import WriterLock
from agtrace.store.parts import PARTIAL, PartWriter, storage_error
from agtrace.store.records import FORMAT, CommitRecord
from agtrace.store.seals import Seals

GRACE_S = 24 * 3600.0
"""Parts that no record names belong to a writer at work, unless they are older."""

LEFT_S = 3600.0

PATIENCE_S = 600.0
"""Seconds to wait for another process that fetches."""

FETCHED = "fetched.json"
"""Which version of each file the copy has."""

_RECORD = re.compile(r"commits/[0-9a-f]{64}\.json")
_SETTLED = (CAPTURES, ARCHIVES, UNREAD, UTC_OFFSETS)


class RemoteStore(Store):
    """The store at a URL.

    Parameters
    ----------
    url
        The URL. It is trusted, for the user named it.
    """

    def __init__(self, url: str) -> None:
        super().__init__(stand_in(url, "store"))
        self.remote = Remote(url)

    @cached_property
    def seals(self) -> Seals:
        """No seals: all who can write to the URL are trusted."""
        return Seals(self.root, None)

    @property
    def place(self) -> str:
        """Argument of `agtrace.store.store_at` that opens the same store."""
        return self.remote.url

    def create(self) -> None:
        """Create the local copy, and bring it up to date.

        Raises
        ------
        StoreError
            The URL contains something else, or cannot be read.
        """
        super().create()
        listed = self.remote.files()
        marker = next((file for file in listed if file.name == MARKER), None)
        if marker is None:
            if listed:
                raise StoreError(
                    f"{self.remote.url}: not empty and not an agtrace store", "choose another --store"
                )
            self.remote.write(MARKER, json.dumps({"format": FORMAT}).encode())
        else:
            self._check_remote()
        # A separate lock from the writer's: readers wait until the copy is complete.
        with WriterLock(self.root, "fetching", PATIENCE_S):
            self._update(listed)

    def _marker(self) -> dict[str, Any]:
        # Files uploaded by other machines have no seal of this machine.
        return {"format": FORMAT}

    def _check_remote(self) -> None:
        try:
            there = json.loads(self.remote.read(MARKER) or b"")
            is_newer = int(there.get("format", 0)) > FORMAT
        except (ValueError, AttributeError, TypeError) as error:
            raise StoreError(f"{self.remote.url}/{MARKER}: damaged") from error
        if is_newer:
            raise StoreError(f"{self.remote.url}: made by a newer agtrace", "update agtrace")

    def _update(self, listed: list[RemoteFile]) -> None:
        """Fetch what the copy does not have, and let go of what the store does not have any more."""
        before = self._versions()
        small = {file.name: file for file in listed if _is_small(file.name)}
        wanted = [
            file
            for file in small.values()
            if before.get(file.name) != file.version or not (self.root / file.name).is_file()
        ]
        each(lambda file: self._fetch(file.name), wanted)
        for path in (*self.commits.glob("*.json"), *(self.root / name for name in _SETTLED)):
            if path.relative_to(self.root).as_posix() not in small:
                moving.remove(path)
        for path in self.parts.rglob("*.tmp"):
            # Of a process that was killed while it fetched; a younger one may be at it.
            if time.time() - path.stat().st_mtime > LEFT_S:
                moving.remove(path)
        there = {file.name for file in listed}
        missing = [
            name
            for path in self.commits.glob("*.json")
            if (record := _record(path)) and record.part
            for name in files_of(record)
            if name in there and not (self.root / name).is_file()
        ]
        each(self._fetch, missing)
        self._keep_versions({name: file.version for name, file in small.items()})

    def _fetch(self, name: str) -> None:
        try:
            self.remote.fetch(name, self.root / name)
        except FileNotFoundError:
            # Another writer removed it since it was listed.
            moving.remove(self.root / name)
        except OSError as error:
            raise storage_error(self.root, error) from error

    def deliver(self, record: CommitRecord) -> None:
        """Put the part of a record there, from the machine that decoded it."""
        if record.part is None:
            return
        folder = self.parts / f"{record.part}{PARTIAL}"
        for listed in record.files.values():
            for file in listed:
                self.remote.put(f"parts/{record.part}/{file.name}", folder / file.name)

    def commit(self, record: CommitRecord) -> None:
        """Make a content known, there and then here."""
        name = f"commits/{record.content_id}.json"
        self.remote.write(name, record.to_json().encode("utf-8", "surrogatepass"))
        if record.part is not None and not (self.parts / f"{record.part}{PARTIAL}").is_dir():
            # It was decoded on another machine.
            for file in files_of(record):
                self._fetch(file)
            try:
                write_atomically(self.root / name, record.to_json())
            except OSError as error:
                raise storage_error(self.root, error) from error
        else:
            super().commit(record)

    def adopt(self, part: PartWriter, record: CommitRecord) -> None:
        """Move the files of a part into another one here; delivering that puts them there."""
        folder = self._partial(record.part or "")
        if not folder.is_dir():
            # It was decoded on another machine.
            for listed in record.files.values():
                for file in listed:
                    self.remote.fetch(f"parts/{record.part}/{file.name}", folder / file.name)
        super().adopt(part, record)

    def discard(self, record: CommitRecord) -> None:
        """Remove the part of a record that is not to be committed."""
        super().discard(record)
        self.remote.remove(files_of(record))

    def remove_leftovers(self, records: dict[str, CommitRecord]) -> None:
        """Remove what writers left that were stopped: here at once, there what is a day old."""
        super().remove_leftovers(records)
        named = {record.part for record in records.values()}
        recorded = {Path(file.name).stem for file in self.remote.files("commits")} - set(records)
        for file in self.remote.files("parts"):
            part = file.name.split("/")[1]
            # A record that another writer has put there meanwhile, or a newer agtrace, may name it.
            is_another = part.partition("-")[0] in recorded
            if part not in named and not is_another and is_old(file, GRACE_S):
                self.remote.remove([file.name])

    def _write_json(self, name: str, value: Any) -> None:
        super()._write_json(name, value)
        self.remote.put(name, self.root / name)

    def _remove_records(self, names: list[str]) -> None:
        self.remote.remove(names)
        super()._remove_records(names)

    def _versions(self) -> dict[str, int]:
        try:
            return dict(json.loads(read_text(self.root / FETCHED)))
        except (OSError, ValueError, TypeError):
            return {}

    def _keep_versions(self, versions: dict[str, int]) -> None:
        try:
            write_atomically(self.root / FETCHED, json.dumps(versions), lasting=False)
        except OSError as error:
            raise storage_error(self.root, error) from error


def _is_small(name: str) -> bool:
    return name in _SETTLED or _RECORD.fullmatch(name) is not None


def _record(path: Path) -> CommitRecord | None:
    try:
        return CommitRecord.from_json(read_text(path))
    except (OSError, ValueError) as error:
        if is_exhausted(error):
            raise storage_error(path, OSError(str(error))) from error
        return None
