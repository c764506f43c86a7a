"""Input formats: one folder each, discovered by importing the folders of this package."""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache

from agtrace.readers.base import Asking, Batch, Detection, Reader, ReadOptions, Source, issue
from agtrace.tables.topics import Topic

__all__ = [
    "Batch",
    "Detection",
    "ReadOptions",
    "Reader",
    "Source",
    "asked_beside",
    "detect",
    "issue",
    "reader",
    "reader_names",
    "readers",
    "topics",
]


@cache
def reader_names() -> tuple[str, ...]:
    """Give the name of every reader, that of its folder, without importing any."""
    return tuple(sorted(each.name for each in pkgutil.iter_modules(__path__) if each.ispkg))


@cache
def reader(name: str) -> Reader | None:
    """Give one reader without importing the others; None where there is none of that name."""
    if name not in reader_names():
        return None
    found: Reader = importlib.import_module(f"{__name__}.{name}").READER
    return found


@cache
def readers() -> tuple[Reader, ...]:
    """Give every reader, in the order of their folder names."""
    return tuple(found for name in reader_names() if (found := reader(name)))


@cache
def topics() -> dict[tuple[str, str], Topic]:
    """Give every topic that some reader gives, by table and name, in the order of the names."""
    declared = {(topic.table, topic.name): topic for each in readers() for topic in each.topics}
    return dict(sorted(declared.items()))


def asked_beside(name: str) -> bool:
    """Tell whether some reader asks a file of this name for what a capture beside it leaves open."""
    return any(pattern.search(name) for pattern in _asked(readers()))


@cache
def _asked(known: tuple[Reader, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(each.asks for each in known if isinstance(each, Asking))


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
