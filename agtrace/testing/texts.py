"""Checks of readers of small console texts, whose contents become facts."""

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
"""Name of the file of a text; the reader must recognise it by its contents."""


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
    """Return whether a reader recognises a text as its own format."""
    data = text if isinstance(text, bytes) else text.encode()
    return reader.detect(data[:HEAD_BYTES], name) is not None


def check_text_reader(
    reader: Reader, text: str, topic: str, complete: int, computed: Collection[str] = ()
) -> None:
    """Run all checks of a reader of texts; the text is cut at every byte.

    A text does not state its length, so it is complete if cut after its last required line. A cut text must
    give the same values as the whole text, except those computed when the summary is missing. If cut before
    ``complete``, there must be an issue, or no rows.

    Parameters
    ----------
    reader
        The reader to test.
    text
        A sample.
    topic
        The topic of its facts.
    complete
        Length in bytes from which the record is complete.
    computed
        Keys that are computed if the text is cut.
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
