"""The battery of readers of small console texts, which give facts."""

from __future__ import annotations

from collections.abc import Collection

from agtrace.errors import CaptureError
from agtrace.readers.base import HEAD_BYTES, Reader
from agtrace.testing.contract import (
    Tables,
    check_declared,
    check_empty,
    check_flips,
    check_read_twice,
    check_same_in_any_block_size,
    read_all,
)

NAME = "capture.txt"
"""What the file of a text is called: its content has to tell what it is."""


def facts(tables: Tables, topic: str) -> list[dict[str, str]]:
    """Return one dictionary per item of a topic: key to value."""
    items: dict[int, dict[str, str]] = {}
    if "facts" in tables:
        for row in tables["facts"].to_pylist():
            if row["topic"] == topic:
                items.setdefault(row["item"], {})[row["key"]] = row["value"]
    return list(items.values())


def facts_of(reader: Reader, text: str, topic: str, encoding: str = "utf-8") -> list[dict[str, str]]:
    """Return a text's facts on a topic, one dictionary per item."""
    return facts(read_all(reader, text.encode(encoding), NAME), topic)


def issue_kinds(reader: Reader, text: str) -> list[str]:
    """Return the kinds of the faults that a text has."""
    tables = read_all(reader, text.encode(), NAME)
    return tables["issues"]["kind"].to_pylist() if "issues" in tables else []


def is_detected(reader: Reader, text: str | bytes, name: str = NAME) -> bool:
    """Return whether a reader takes a text for one of its own."""
    data = text if isinstance(text, bytes) else text.encode()
    return reader.detect(data[:HEAD_BYTES], name) is not None


def check_text_reader(
    reader: Reader, text: str, topic: str, complete: int, computed: Collection[str] = ()
) -> None:
    """Run the battery; the cuts are made at every byte.

    A text does not say how long it is: cut after its last needed line it is whole. What is read is
    what the whole text says, but for what is computed when the summary is missing; and up to
    ``complete`` there is an issue, or nothing is read at all.

    Parameters
    ----------
    reader
        What is tested.
    text
        A sample.
    topic
        What it tells of.
    complete
        The length from which the record is whole.
    computed
        Keys that are computed where the text is cut short.
    """
    data = text.encode()
    hit = reader.detect(data, NAME)
    assert hit is not None, f"{reader.name} does not recognise the text"
    assert hit.readable
    check_same_in_any_block_size(reader, data, NAME)
    check_read_twice(reader, data, NAME)
    check_declared(reader, data, NAME)
    check_empty(reader, NAME)
    check_flips(reader, data, NAME)
    whole = facts(read_all(reader, data, NAME), topic)[0]
    with_rows = 0
    for place in range(len(data)):
        try:
            tables = read_all(reader, data[:place], NAME)
        except CaptureError:
            continue
        for found in facts(tables, topic):
            with_rows += 1
            assert place >= complete or "issues" in tables, f"cut at {place}: no issue row"
            differing = {key for key, value in found.items() if whole.get(key) != value}
            assert differing <= set(computed), f"cut at {place}: {differing}"
    assert with_rows >= 10, f"{with_rows} cuts give rows; the sample is too small"
