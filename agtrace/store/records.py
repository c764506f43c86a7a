"""Commit records: what is known of each decoded content, as JSON beside the parts."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMAT = 1
"""Version of the store's layout; a newer one is refused, an older one decoded again."""

MAIN = ("samples", "errorlog")


@dataclass(frozen=True)
class Fact:
    """A fact row as a commit record keeps it, so that resolving needs no Parquet file."""

    topic: str
    item: int
    key: str
    value: str
    line: int | None = None
    time_local: str | None = None


@dataclass(frozen=True)
class Summary:
    """What resolving needs to know of a content.

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


@dataclass(frozen=True)
class PartFile:
    """A Parquet file of a part."""

    name: str
    """Path within the part."""
    columns: dict[str, str]
    """Arrow types by column, as text; only for events, whose columns are not fixed."""


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
    """Names and versions of all readers that were asked; a content not understood is asked again when it changes."""
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
        """Give the record as JSON text."""
        # vars, not asdict, which copies: there may be thousands of records.
        return json.dumps({"format": FORMAT} | vars(self), ensure_ascii=False, default=vars)

    @classmethod
    def from_json(cls, text: str) -> CommitRecord | None:
        """Parse a record; None for one of another layout or a damaged one (it is decoded again)."""
        try:
            data = json.loads(text)
            if data.pop("format") != FORMAT:
                return None
            summary = data.pop("summary")
            facts = [Fact(**fact) for fact in summary.pop("facts")]
            steps = [tuple(step) for step in summary.pop("steps")]
            files = {
                table: [PartFile(**file) for file in listed]
                for table, listed in data.pop("files").items()
            }
            return cls(files=files, summary=Summary(facts=facts, steps=steps, **summary), **data)
        except (ValueError, KeyError, TypeError, AttributeError):
            return None


def write_atomically(path: Path, text: str, *, durable: bool = True) -> None:
    """Write a file so that a crash leaves the old one or the new one, never half.

    Unless it is ``durable``, a crash of the machine may leave it empty: for what is cheap to find
    out again.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
