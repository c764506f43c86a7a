"""Input formats: one folder each, discovered by importing the folders of this package."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from agtrace.readers.base import Batch, Detection, Reader, ReadOptions, Source, issue
from agtrace.tables.topics import Topic

__all__ = [
    "Batch",
    "Detection",
    "ReadOptions",
    "Reader",
    "Source",
    "detect",
    "issue",
    "readers",
    "topics",
]


@cache
def readers() -> tuple[Reader, ...]:
    """Give every reader, in the order of their folder names."""
    found = []
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        if module.ispkg:
            found.append(importlib.import_module(f"{__name__}.{module.name}").READER)
    return tuple(found)


@cache
def topics() -> dict[tuple[str, str], Topic]:
    """Give every topic that some reader gives, by table and name, in the order of the names."""
    declared = {(topic.table, topic.name): topic for each in readers() for topic in each.topics}
    return dict(sorted(declared.items()))


def detect(head: bytes, name: str) -> tuple[Reader, Detection] | None:
    """Find the reader of a file from its first bytes.

    Returns
    -------
    tuple of Reader and Detection, or None
        A reader that reads the file wins over one that only recognises it.
    """
    hits = [(reader, hit) for reader in readers() if (hit := reader.detect(head, name))]
    hits.sort(key=lambda pair: not pair[1].readable)
    return hits[0] if hits else None
