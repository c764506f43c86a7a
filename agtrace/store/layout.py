"""The store on disk: ``parts/``, ``commits/``, ``captures.json``, ``lock`` and a marker file."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import platformdirs

from agtrace.bundled import is_installed_sample
from agtrace.errors import CaseError, StoreError
from agtrace.store.lock import WriterLock
from agtrace.store.parts import PartWriter, storage_error
from agtrace.store.records import FORMAT, CommitRecord, write_atomically

MARKER = ".agtrace-store"
DEFAULT_NAME = ".agtrace"
GRACE_S = 3600.0
"""Unnamed parts younger than this may belong to a writer at work elsewhere, or to an open case."""


@dataclass(frozen=True)
class FoundCapture:
    """A file of the case as discovery met it (a member of a zip has ``archive.zip!/member``)."""

    path: str
    bytes: int
    mtime_ns: int
    content_id: str | None
    status: str | None = None
    """Set when there is no content to decode: ``empty``, ``unreadable``, ``failed``, ``recognised``."""
    kind: str = ""
    reason: str = ""


class Store:
    """A case's store. `open_store` finds or makes it.

    Parameters
    ----------
    root
        Its folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.parts = root / "parts"
        self.commits = root / "commits"

    def create(self) -> None:
        """Make the folders and the marker.

        Raises
        ------
        StoreError
            The folder holds something else, is of a newer agtrace, or cannot be written.
        """
        marker = self.root / MARKER
        try:
            if marker.exists():
                if json.loads(marker.read_text(encoding="utf-8")).get("format", 0) > FORMAT:
                    raise StoreError(f"{self.root}: made by a newer agtrace", "update agtrace")
            elif self.root.is_dir() and any(self.root.iterdir()):
                raise StoreError(
                    f"{self.root}: not empty and not an agtrace store", "choose another --store"
                )
            self.parts.mkdir(parents=True, exist_ok=True)
            self.commits.mkdir(exist_ok=True)
            if not marker.exists():
                write_atomically(marker, json.dumps({"format": FORMAT}))
        except OSError as error:
            raise storage_error(self.root, error) from error
        except ValueError as error:
            raise StoreError(f"{marker}: damaged", "remove the store; it is made again") from error

    def lock(self) -> WriterLock:
        """Give the writer's lock, to be held in a ``with``."""
        return WriterLock(self.root)

    def part(self, content_id: str, label: str) -> PartWriter:
        """Start a new part."""
        return PartWriter(self.parts, content_id, label)

    def commit(self, record: CommitRecord) -> None:
        """Make a content known; from here on its part exists."""
        try:
            write_atomically(self.commits / f"{record.content_id}.json", record.to_json())
        except OSError as error:
            raise storage_error(self.commits, error) from error

    def records(self) -> dict[str, CommitRecord]:
        """Read all commit records by content_id; records whose part has gone are left out."""
        found = {}
        for path in sorted(self.commits.glob("*.json")):
            record = CommitRecord.from_json(path.read_text(encoding="utf-8"))
            if record and (record.part is None or (self.parts / record.part).is_dir()):
                found[record.content_id] = record
        return found

    def captures(self) -> list[FoundCapture]:
        """Read what discovery found the last time."""
        try:
            return [FoundCapture(**row) for row in self._read_json("captures.json")]
        except TypeError:
            return []

    def write_captures(self, captures: list[FoundCapture]) -> None:
        """Keep what discovery found."""
        self._write_json("captures.json", [asdict(capture) for capture in captures])

    def utc_offsets(self) -> dict[str, int]:
        """Read the offsets that the user gave (minutes local minus UTC, by host)."""
        return dict(self._read_json("utc_offsets.json"))

    def write_utc_offsets(self, offsets: dict[str, int]) -> None:
        """Keep the offsets that the user gave."""
        self._write_json("utc_offsets.json", offsets)

    def _read_json(self, name: str) -> Any:
        try:
            return json.loads((self.root / name).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return []

    def _write_json(self, name: str, value: Any) -> None:
        try:
            write_atomically(self.root / name, json.dumps(value, ensure_ascii=False, indent=1))
        except OSError as error:
            raise storage_error(self.root, error) from error

    def remove_unnamed_parts(self, grace_s: float = GRACE_S) -> None:
        """Remove parts that no record names and that are older than the grace period."""
        named = {record.part for record in self.records().values()}
        for folder in self.parts.iterdir():
            if folder.name not in named and time.time() - folder.stat().st_mtime > grace_s:
                shutil.rmtree(folder, ignore_errors=True)


def open_store(case: Path, store: str | Path | None = None) -> Store:
    """Find or make the store of a case.

    It lies in ``CASE/.agtrace`` or, when the case cannot be written or is a sample inside the
    installed package, in the user's cache folder.

    Raises
    ------
    CaseError
        ``store`` names a URL.
    StoreError
        It cannot be made.
    """
    if store is not None:
        if "://" in str(store):
            raise CaseError(
                f"{store}: a store lies in a folder in this version", "name a local folder"
            )
        chosen = Store(Path(store))
    elif not is_installed_sample(case) and (
        (case / DEFAULT_NAME / MARKER).exists() or os.access(case, os.W_OK)
    ):
        chosen = Store(case / DEFAULT_NAME)
    else:
        digest = hashlib.sha256(str(case.resolve()).encode()).hexdigest()[:16]
        chosen = Store(platformdirs.user_cache_path("agtrace") / f"{case.name}-{digest}")
    chosen.create()
    return chosen
