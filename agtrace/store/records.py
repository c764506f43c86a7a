"""Commit records: the metadata of each decoded content, as JSON beside the parts."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from agtrace import strict_json
from agtrace.moments import iso

FORMAT = 1
"""Version of the store's layout; a newer one is refused, an older one decoded again."""

MAIN = ("samples", "errorlog", "cluster_log", "os_events", "rowset_rows")

# Names of parts and files, as made by `agtrace.store.parts`. A record is a file and can be forged: the names
# in it must not lead outside its part.
_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_OF_UNREAD = ("content_id", "bytes", "kind", "status", "reason", "reader", "reader_version")
_FILE = re.compile(r"(?:[a-z]+/)?[A-Za-z0-9_]+(?:~[0-9]+)?\.parquet")


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
    changed_ns: int = 0
    """When the file itself or what is known of it last changed: it tells when mtime was set by hand."""


@dataclass(frozen=True)
class Fact:
    """A fact row in a commit record, so that resolving needs no Parquet file."""

    topic: str
    item: int
    key: str
    value: str
    line: int | None = None
    time_local: str | None = None


@dataclass(frozen=True)
class Summary:
    """Properties of a content that resolving needs.

    Times are ISO 8601 text in the local time of the host that wrote the capture.
    """

    first_local: str | None = None
    last_local: str | None = None
    interval_s: float | None = None
    steps: list[tuple[int, str, str]] = field(default_factory=list)
    """(tick after the step, time before, time after) where local time jumps by half an hour or more."""
    hosts: list[str] = field(default_factory=list)
    sql_instances: list[str] = field(default_factory=list)
    first_entry: str | None = None
    """Digest of the first ERRORLOG entry."""
    facts: list[Fact] = field(default_factory=list)

    @property
    def span(self) -> tuple[datetime, datetime] | None:
        """First and last local time; None if it has no times."""
        first, last = iso(self.first_local), iso(self.last_local)
        return None if first is None or last is None else (first, last)


@dataclass(frozen=True)
class PartFile:
    """A Parquet file of a part."""

    name: str
    """Path within the part."""
    columns: dict[str, str]
    """Arrow types by column, as text; only for events, whose columns are not fixed."""
    digest: str = ""
    """Of its bytes (sha256, hexadecimal), as they were written."""
    layout: str = ""
    """Stands for names, types and order of its columns: files of one layout are read without comparing them.
    Empty for events, and in records of versions that did not write it."""


@dataclass(frozen=True)
class CommitRecord:
    """One content: how it was read, and in which part its tables lie."""

    content_id: str
    bytes: int
    kind: str
    status: str
    reason: str = ""
    reader: str | None = None
    reader_version: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    readers: str = ""
    """Names and versions of all readers that were asked; a content not understood is asked again when it
    changes.
    """
    beside: list[str] | None = None
    """The contents beside it, sorted, if its reader used them for missing details: the capture is read again
    when they change. None if they were not used, and in older records."""
    part: str | None = None
    tables: dict[str, int] = field(default_factory=dict)
    """Rows of each table in the part."""
    files: dict[str, list[PartFile]] = field(default_factory=dict)
    """Files of each table; more than one when an event of one name has several definitions."""
    summary: Summary = field(default_factory=Summary)

    @property
    def rows(self) -> int:
        """Rows of what the capture is about: values, entries, events, or else facts."""
        main = [rows for table, rows in self.tables.items() if table in MAIN or "/" in table]
        return sum(main) or self.tables.get("facts", 0)

    def to_json(self) -> str:
        """Return the record as JSON text."""
        # vars, not asdict, which copies: there may be thousands of records.
        return strict_json.dumps({"format": FORMAT} | vars(self), ensure_ascii=False, default=vars)

    @classmethod
    def from_json(cls, text: str) -> CommitRecord | None:
        """Parse a record; None for one of another layout or a damaged one (it is decoded again)."""
        try:
            data = json.loads(text)
            if data.pop("format") != FORMAT:
                return None
            data.pop("seal", None)
            summary = data.pop("summary")
            facts = [Fact(**fact) for fact in summary.pop("facts")]
            steps = [tuple(step) for step in summary.pop("steps")]
            files = {
                table: [PartFile(**file) for file in listed] for table, listed in data.pop("files").items()
            }
            record = cls(files=files, summary=Summary(facts=facts, steps=steps, **summary), **data)
            return record if _is_sound(record) else None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None


def unread_rows(records: Iterable[CommitRecord]) -> dict[str, list[list[Any]]]:
    """Return what is known of contents without a part, by the readers that were asked, for JSON."""
    found: dict[str, list[list[Any]]] = {}
    for record in records:
        found.setdefault(record.readers, []).append([getattr(record, name) for name in _OF_UNREAD])
    return found


def unread_records(found: Any) -> Iterator[CommitRecord]:
    """Yield the records of contents without a part; a damaged one is left out, and its content read again."""
    for readers, listed in found.items() if isinstance(found, dict) else ():
        for values in listed if isinstance(listed, list) else ():
            with contextlib.suppress(TypeError, ValueError):
                record = CommitRecord(**dict(zip(_OF_UNREAD, values, strict=True)), readers=readers)
                if _is_sound(record):
                    yield record


def _is_sound(record: CommitRecord) -> bool:
    """Return whether the parts of a record are valid, and stay within the store."""
    texts = (record.content_id, record.kind, record.status, record.reason, record.readers)
    counts = (record.bytes, *record.tables.values())
    return (
        all(isinstance(text, str) for text in texts)
        and all(isinstance(count, int) for count in counts)
        and (record.beside is None or all(isinstance(each, str) for each in record.beside))
        and (record.part is None or _PART.fullmatch(record.part) is not None)
        and (record.part is not None or not record.files)
        and all(
            _FILE.fullmatch(file.name) and isinstance(file.columns, dict) and isinstance(file.digest, str)
            for listed in record.files.values()
            for file in listed
        )
    )
