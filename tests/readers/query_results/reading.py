"""Reads an output of sqlcmd for tests: rowsets with their rows as they stand in it."""

from __future__ import annotations

from agtrace.readers.base import ReadOptions
from agtrace.readers.query_results import READER
from agtrace.testing import Tables, read_all

Rowset = tuple[str | None, list[str], list[list[str | None]]]


def tables(data: bytes | str, name: str = "capture.out", encoding: str | None = None) -> Tables:
    raw = data.encode() if isinstance(data, str) else data
    return read_all(READER, raw, name, ReadOptions(encoding=encoding))


def rowsets(data: bytes | str, encoding: str | None = None) -> list[Rowset]:
    """Return name, columns and rows of each rowset, in the order of the file."""
    found = tables(data, encoding=encoding)
    heads = found["rowset_heads"].to_pylist() if "rowset_heads" in found else []
    rows = found["rowset_rows"].to_pylist() if "rowset_rows" in found else []
    return [
        (h["name"], h["columns"], [r["cells"] for r in rows if r["rowset"] == h["rowset"]]) for h in heads
    ]


def issues(data: bytes | str) -> list[tuple[str, str, int | None, int]]:
    """Return kind, severity, offset and count of each issue."""
    found = tables(data)
    rows = found["issues"].to_pylist() if "issues" in found else []
    return [(row["kind"], row["severity"], row["offset"], row["count"]) for row in rows]


def facts(data: bytes | str, topic: str) -> list[tuple[int, str, str]]:
    """Return item, key and value of the facts of a topic."""
    found = tables(data)
    rows = found["facts"].to_pylist() if "facts" in found else []
    return [(row["item"], row["key"], row["value"]) for row in rows if row["topic"] == topic]
