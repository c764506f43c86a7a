"""Short ways to read an ERRORLOG in tests."""

from __future__ import annotations

from agtrace.readers.base import ReadOptions
from agtrace.readers.errorlog import READER
from agtrace.testing import Tables, read_all


def tables(data: bytes | str, block_bytes: int | None = None) -> Tables:
    raw = data.encode() if isinstance(data, str) else data
    return read_all(READER, raw, "ERRORLOG", ReadOptions(block_bytes=block_bytes))


def entries(data: bytes | str) -> list[dict]:
    return tables(data)["errorlog"].to_pylist()


def messages(data: bytes | str) -> list[dict]:
    """Rows of the messages table; the fields as a dictionary."""
    found = tables(data).get("messages")
    rows = found.to_pylist() if found else []
    return [row | {"fields": dict(row["fields"])} for row in rows]


def said(text: str) -> tuple[str, int | None, dict[str, str]]:
    """Topic, message number and fields of the only message that a text gives."""
    [row] = messages(f"2024-01-25 10:06:27.84 spid51      {text}\n")
    return row["topic"], row["message_id"], row["fields"]


def facts(data: bytes | str) -> list[tuple[str, int, str, str]]:
    """Topic, item, key and value of every fact."""
    rows = tables(data)["facts"].to_pylist()
    return [(row["topic"], row["item"], row["key"], row["value"]) for row in rows]


def issues(data: bytes | str) -> dict[str, int]:
    """Count of each kind of issue."""
    found = tables(data).get("issues")
    rows = found.to_pylist() if found else []
    return {row["kind"]: row["count"] for row in rows}
