"""The store on disk: ``parts/``, ``commits/``, a few JSON files, ``lock`` and a marker file."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, cast

from agtrace import moving
from agtrace.errors import SHORTER, StoreError, is_exhausted
from agtrace.store import long_paths, owner, parquet
from agtrace.store.files import is_folder, read_text, write_atomically
from agtrace.store.lock import WriterLock
from agtrace.store.parts import PARTIAL, PartWriter, storage_error
from agtrace.store.records import FORMAT, CommitRecord, FoundCapture, unread_records, unread_rows
from agtrace.store.seals import Seals, digest_of

MARKER = owner.STORE_MARKER
DEFAULT_NAME = ".agtrace"
CAPTURES = "captures.json"
ARCHIVES = "archives.json"
UNREAD = "unread.json"
"""Records of contents without a part; contents without rows need no record file of their own."""
UTC_OFFSETS = "utc_offsets.json"
REDACTION = "redaction.json"
REDACTED_NAME = "facts"
"""The folder of the store in a redacted case; it is not hidden."""
DERIVED = "derived"
GRACE_S = 3600.0
"""Unnamed parts younger than this may belong to a writer at work elsewhere, or to an open case."""

_TEMPORARY = re.compile(r".*\.[0-9a-f]+\.tmp")
_TEMPORARY_MARKER = re.compile(re.escape(MARKER) + r"\.[0-9a-f]+\.tmp")


class Store:
    """A case's store. `open_store` finds or creates it.

    Parameters
    ----------
    root
        Its folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.parts = root / "parts"
        self.commits = root / "commits"
        self._strange = 0

    @cached_property
    def seals(self) -> Seals:
        """Seals that verify that the contents of the store are unchanged; read once the store exists."""
        return Seals.of(self.root)

    @property
    def place(self) -> str:
        """Argument of `agtrace.store.store_at` that opens the same store, in any process and on any machine
        with access to it.
        """
        return str(self.root.absolute())

    def create(self) -> None:
        """Create the folders and the marker.

        A folder left by a process that was stopped during this, which contains only what this creates, is
        completed.

        Raises
        ------
        StoreError
            The folder contains something else, is from a newer agtrace, or cannot be written.
        """
        marker = self.root / MARKER
        if not parquet.can_be_named(self.root):
            raise StoreError(
                f"{self.root}: no query can name this place (bytes that are no UTF-8, or a backslash "
                "and a bracket, star or question mark)",
                "choose another --store",
            )
        if not long_paths.fits(self.root):
            raise StoreError(f"{self.root}: what is kept there has too long a path for Windows", SHORTER)
        try:
            # List the folder before reading the marker: a concurrent writer creates the marker first.
            beside = self._beside_marker()
            if os.path.lexists(marker):
                self._check_format()
            elif beside:
                raise StoreError(f"{self.root}: not empty and not an agtrace store", "choose another --store")
            else:
                self.root.mkdir(parents=True, exist_ok=True)
                self._write_marker()
            for folder in (self.parts, self.commits):
                if is_folder(folder):
                    continue
                # Made by another process as well, at whatever moment; links are not followed.
                with contextlib.suppress(FileExistsError):
                    folder.mkdir()
                if not is_folder(folder):
                    raise StoreError(f"{folder}: not a folder itself (a link?)", "choose another --store")
        except OSError as error:
            raise storage_error(self.root, error) from error

    def _write_marker(self) -> None:
        try:
            write_atomically(self.root / MARKER, json.dumps(self._marker()))
        except FileNotFoundError:
            # No lock is held: another process has finished the store meanwhile, and swept it.
            self._check_format()

    def _marker(self) -> dict[str, Any]:
        return {"format": FORMAT} | owner.mark(self.root, "store")

    def _beside_marker(self) -> bool:
        """Return whether there is anything that `create` does not make, or that is filled already."""
        try:
            entries = list(os.scandir(self.root))
        except FileNotFoundError:
            return False
        for entry in entries:
            if entry.name in (self.parts.name, self.commits.name) and is_folder(entry.path):
                if any(os.scandir(entry.path)):
                    return True
            elif not _TEMPORARY_MARKER.fullmatch(entry.name):
                return True
        return False

    def _check_format(self) -> None:
        marker = self.root / MARKER
        content = owner.read_marker(marker)
        if not isinstance(content, dict) or not isinstance(content.get("format", 0), int):
            raise StoreError(f"{marker}: damaged", "remove the store; it is made again")
        if content.get("format", 0) > FORMAT:
            raise StoreError(f"{self.root}: made by a newer agtrace", "update agtrace")

    def is_ours(self) -> bool:
        """Return whether this user made it, or there is nothing in it yet."""
        # In this order: another process may make it meanwhile.
        if not os.path.lexists(self.root):
            return True
        if not is_folder(self.root):
            return False
        if any(os.path.lexists(f) and not is_folder(f) for f in (self.parts, self.commits)):
            return False
        beside = self._beside_marker()
        marker = self.root / MARKER
        if os.path.lexists(marker):
            return owner.is_own(self.root, "store")
        return not beside

    def take_over(self) -> None:
        """Take over a store that was made elsewhere, for this user and path; its contents are then trusted.

        Raises
        ------
        StoreError
            The store cannot be written, or another process writes it.
        """
        with self.lock():
            records = [self._with_digests(record) for record in self.records().values()]
            kept = {name: self._read_json(name) for name in (CAPTURES, ARCHIVES, UTC_OFFSETS, REDACTION)}
            marker = self._marker()
            self.seals = Seals(self.root, owner.key_of(self.root, "store", marker))
            shutil.rmtree(self.root / DERIVED, ignore_errors=True)
            for record in records:
                if record.part is not None:
                    self.commit(record)
            self.write_unread(records)
            for name, value in kept.items():
                if value or name != REDACTION:
                    self._write_json(name, value)
            self.seals.keep()
            try:
                # Last: until then it is somebody else's.
                write_atomically(self.root / MARKER, json.dumps(marker))
            except OSError as error:
                raise storage_error(self.root, error) from error

    def _with_digests(self, record: CommitRecord) -> CommitRecord:
        folder = self.parts / (record.part or "")
        files = {
            table: [replace(file, digest=digest_of(folder / file.name)) for file in listed]
            for table, listed in record.files.items()
        }
        return replace(record, files=files)

    def lock(self) -> WriterLock:
        """Return the writer's lock, for use in a ``with``."""
        return WriterLock(self.root)

    def is_locked(self) -> bool:
        """Return whether a writer is active, or was killed."""
        return os.path.lexists(self.lock().path)

    def part(self, content_id: str, label: str) -> PartWriter:
        """Start a new part."""
        return PartWriter(self.parts, content_id, label)

    def commit(self, record: CommitRecord) -> None:
        """Store the record of a content; from then on its part is visible.

        The caller must hold the lock.
        """
        try:
            if record.part is not None and not is_folder(self.parts / record.part):
                moving.rename(self._partial(record.part), self.parts / record.part)
            name = f"{self.commits.name}/{record.content_id}.json"
            write_atomically(self.root / name, self.seals.sealed(name, record.to_json()))
            for file in files_of(record):
                self.seals.note(file)
        except OSError as error:
            raise storage_error(self.commits, error) from error

    def deliver(self, record: CommitRecord) -> None:
        """Transfer the finished part of a record to the store; a local store already has it."""

    def adopt(self, part: PartWriter, record: CommitRecord) -> None:
        """Move the files of a finished, uncommitted part into another one of the same content.

        Raises
        ------
        StoreError
            They are not there any more, or the store cannot be written.
        """
        folder = self._partial(record.part or "")
        for table, listed in record.files.items():
            for number, file in enumerate(listed):
                # Rows are known by table alone.
                rows = 0 if number else record.tables[table]
                part.adopt(table, folder / file.name, file, rows)

    def discard(self, record: CommitRecord) -> None:
        """Remove the part of a record that is not to be committed."""
        self.drop(record)

    def drop(self, record: CommitRecord) -> None:
        """Remove the part of a record from this machine's copy, as long as it is not committed."""
        if record.part is not None:
            shutil.rmtree(self._partial(record.part), ignore_errors=True)

    def _partial(self, part: str) -> Path:
        return self.parts / f"{part}{PARTIAL}"

    def records(self) -> dict[str, CommitRecord]:
        """Read all commit records by content_id.

        Records whose part is missing or was changed are left out.
        """
        found = {record.content_id: record for record in unread_records(self._read_json(UNREAD))}
        self._strange = 0
        for path in sorted(self.commits.glob("*.json")):
            try:
                text = self.seals.opened(f"{self.commits.name}/{path.name}", read_text(path))
                if text is None:
                    self._strange += 1
                    continue
                record = CommitRecord.from_json(text)
                if record and record.content_id == path.stem and self._is_whole(record):
                    found[record.content_id] = record
            except (OSError, ValueError) as error:
                if is_exhausted(error):
                    raise storage_error(path, cast(OSError, error)) from error
        self.seals.keep()
        return found

    def _is_whole(self, record: CommitRecord) -> bool:
        """Return whether the files of a record exist, are regular files, and are unchanged."""
        if record.part is None:
            return True
        there: set[str] = set()
        named = [file.name for listed in record.files.values() for file in listed]
        folders = {name.rpartition("/")[0] for name in named} | {""}
        for inner in folders:
            folder = self.parts / record.part / inner
            if not is_folder(folder):
                return False
            with os.scandir(folder) as entries:
                before = f"{inner}/" if inner else ""
                there |= {before + e.name for e in entries if e.is_file(follow_symlinks=False)}
        if not there.issuperset(named):
            return False
        files = zip(files_of(record), chain.from_iterable(record.files.values()), strict=True)
        if all(self.seals.hold(name, file.digest) for name, file in files):
            return True
        self._strange += 1
        return False

    def captures(self) -> list[FoundCapture]:
        """Read what discovery found the last time."""
        try:
            found = [FoundCapture(**row) for row in self._read_json(CAPTURES)]
        except TypeError:
            return []
        return found if all(isinstance(capture.path, str) for capture in found) else []

    def write_unread(self, records: Iterable[CommitRecord]) -> None:
        """Store the records of contents without a part in one file.

        The caller must hold the lock.
        """
        without = [record for record in records if record.part is None]
        self._write_json(UNREAD, unread_rows(without))
        try:
            there = {path.name for path in self.commits.iterdir()}
            # They had a part, by an earlier version of their reader.
            named = [name for record in without if (name := f"{record.content_id}.json") in there]
            self._remove_records([f"{self.commits.name}/{name}" for name in named])
        except OSError as error:
            raise storage_error(self.commits, error) from error

    def _remove_records(self, names: list[str]) -> None:
        for name in names:
            moving.remove(self.root / name)

    def write_captures(self, captures: list[FoundCapture]) -> None:
        """Keep what discovery found; the last that an ingest writes."""
        self.seals.keep()
        self._write_json(CAPTURES, [vars(capture) for capture in captures])

    def archives(self) -> Any:
        """Read the stored listings of the case's archives; empty if invalid."""
        return self._read_json(ARCHIVES)

    def write_archives(self, listings: dict[str, Any]) -> None:
        """Store the listings of the case's archives."""
        self._write_json(ARCHIVES, listings)

    def redaction(self) -> dict[str, int]:
        """Return the counts of what was dropped to make this redacted store; empty in any other store."""
        found = self._read_json(REDACTION)
        return found if isinstance(found, dict) else {}

    def write_redaction(self, dropped: dict[str, int]) -> None:
        """Keep that the store is one without names, and what was dropped from it."""
        self._write_json(REDACTION, dropped)

    def utc_offsets(self) -> dict[str, int | str]:
        """Read the UTC offsets stated by the user: by host, minutes local minus UTC, or a time zone.

        Empty if the file is damaged, which `damage` reports.
        """
        return self._offsets() or {}

    def damage(self) -> list[str]:
        """Return one line for each part of the store that is invalid (by now)."""
        told = []
        if self._offsets() is None:
            path = self.root / UTC_OFFSETS
            told.append(f"{path}: damaged; what --utc-offset said before is lost - give it again")
        if self._strange:
            told.append(
                f"{self.root}: {self._strange:,} of the captures in it are not as they were stored here; "
                "they are read again"
            )
        return told

    def _offsets(self) -> dict[str, int | str] | None:
        try:
            offsets = self._read_json(UTC_OFFSETS, damaged=None)
            if offsets == []:
                return {}
            sound = all(
                isinstance(host, str)
                and (isinstance(given, str) or (isinstance(given, int) and abs(given) < 24 * 60))
                for host, given in offsets.items()
            )
        except AttributeError:
            return None
        return dict(offsets) if sound else None

    def write_utc_offsets(self, offsets: dict[str, int | str]) -> None:
        """Keep the offsets that the user gave."""
        self._write_json(UTC_OFFSETS, offsets)

    def written_at_ns(self) -> int:
        """Return when `write_captures` wrote last (ns since 1970); 0 if it did not."""
        try:
            return (self.root / CAPTURES).lstat().st_mtime_ns
        except OSError:
            return 0

    def _read_json(self, name: str, damaged: Any = ()) -> Any:
        path = self.root / name
        try:
            text = self.seals.opened(name, read_text(path))
            if text is None:
                return damaged
            found = json.loads(text)
            # A store that is bound to its place keeps values in an object, which has room for a seal.
            kept = found.get("value") if isinstance(found, dict) else None
            return kept if isinstance(kept, list | dict) else found
        except FileNotFoundError:
            return []
        except (ValueError, RecursionError):
            return damaged
        except OSError as error:
            raise storage_error(path, error) from error

    def _write_json(self, name: str, value: Any) -> None:
        try:
            kept = {"value": value} if self.seals.are_kept else value
            text = json.dumps(kept, ensure_ascii=False)
            write_atomically(self.root / name, self.seals.sealed(name, text))
        except OSError as error:
            raise storage_error(self.root, error) from error

    def remove_leftovers(self, records: dict[str, CommitRecord]) -> None:
        """Remove files left by stopped writers. The caller must hold the lock."""
        self.remove_unnamed_parts(records=records)
        for folder in (self.root, self.commits):
            for entry in os.scandir(folder):
                if _TEMPORARY.fullmatch(entry.name):
                    moving.remove(entry.path)

    def remove_unnamed_parts(
        self, grace_s: float = GRACE_S, records: dict[str, CommitRecord] | None = None
    ) -> None:
        """Remove parts that were not finished, and those that no record names.

        The latter are kept for the grace period: an open case may still show them.
        """
        known = self.records() if records is None else records
        named = {record.part for record in known.values()}
        for entry in os.scandir(self.parts):
            if entry.name in named or not is_folder(entry.path):
                continue
            # A time in the future is a clock that was set back, and no age.
            age = abs(time.time() - entry.stat(follow_symlinks=False).st_mtime)
            if entry.name.endswith(PARTIAL) or age > grace_s:
                shutil.rmtree(entry.path, ignore_errors=True)


def files_of(record: CommitRecord) -> list[str]:
    """Return the files of a record by their names in the store."""
    if record.part is None:
        return []
    return [f"parts/{record.part}/{file.name}" for each in record.files.values() for file in each]
