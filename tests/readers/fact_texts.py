"""What the tests of the readers of small console texts share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agtrace.errors import CaptureError
from agtrace.readers.base import Reader
from tests.readers.contract import (
    Tables,
    check_empty,
    check_flips,
    check_read_twice,
    check_same_in_any_block_size,
    read_all,
)

COMPUTED = {"sent", "received", "lost", "rtt_min_ms", "rtt_avg_ms", "rtt_max_ms", "computed", "speed_derived"}
"""Keys that are computed when the summary is missing."""


def facts(tables: Tables, topic: str) -> list[dict[str, str]]:
    """Give one dictionary per item of a topic: key to value."""
    items: dict[int, dict[str, str]] = {}
    if "facts" in tables:
        for row in tables["facts"].to_pylist():
            if row["topic"] == topic:
                items.setdefault(row["item"], {})[row["key"]] = row["value"]
    return list(items.values())


def facts_of(reader: Reader, text: str, topic: str, encoding: str = "utf-8") -> list[dict[str, str]]:
    return facts(read_all(reader, text.encode(encoding), "capture.txt"), topic)


def issue_kinds(reader: Reader, text: str) -> list[str]:
    tables = read_all(reader, text.encode(), "capture.txt")
    return tables["issues"]["kind"].to_pylist() if "issues" in tables else []


def is_detected(reader: Reader, text: str | bytes, name: str = "capture.txt") -> bool:
    data = text if isinstance(text, bytes) else text.encode()
    return reader.detect(data[: 64 * 1024], name) is not None


def check_text_reader(reader: Reader, text: str, topic: str, complete: int) -> None:
    """Run the contract's battery; ``complete`` is the length from which the record is whole.

    A text does not say how long it is: cut after its last needed line it is whole. So the
    contract's check of cuts is made here, at every byte: what is read is what the whole text says,
    but for what is computed when the summary is missing; and up to
    ``complete`` there is an issue, or nothing is read at all.
    """
    data = text.encode()
    hit = reader.detect(data, "capture.txt")
    assert hit is not None
    assert hit.readable
    check_same_in_any_block_size(reader, data, "capture.txt")
    check_read_twice(reader, data, "capture.txt")
    check_empty(reader, "capture.txt")
    check_flips(reader, data, "capture.txt", 10_000)
    whole = facts(read_all(reader, data, "capture.txt"), topic)[0]
    with_rows = 0
    for place in range(len(data)):
        try:
            tables = read_all(reader, data[:place], "capture.txt")
        except CaptureError:
            continue
        for found in facts(tables, topic):
            with_rows += 1
            assert place >= complete or "issues" in tables, f"cut at {place}: no issue row"
            differing = {key for key, value in found.items() if whole.get(key) != value}
            assert differing <= COMPUTED, f"cut at {place}: {differing}"
    assert with_rows >= 10


def captures() -> Path:
    """Give the folder of real captures, or skip."""
    folder = Path(os.environ.get("AGTRACE_CAPTURES", Path(__file__).parents[3] / "shared"))
    if not (folder / "captures").is_dir():
        pytest.skip("real captures are not here")
    return folder / "captures"


def real_texts() -> list[bytes]:
    """Give the beginnings of the real text captures, none of which is console output."""
    wanted = ("errorlog", "errorlog_excerpts", "perfmon")
    return [
        path.read_bytes()[: 64 * 1024]
        for folder in wanted
        for path in sorted((captures() / folder).iterdir())
        if path.is_file()
    ]
