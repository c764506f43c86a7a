"""Input formats: one folder each, discovered by importing the folders of this package, and plugins."""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache, partial

from agtrace import interrupts, plugins
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


_OWN = tuple(sorted(each.name for each in pkgutil.iter_modules(__path__) if each.ispkg))


def reader_names() -> tuple[str, ...]:
    """Return the name of every reader, that of its folder, without importing any."""
    return tuple(_homes(plugins.generation()))


@cache
def _homes(_generation: int) -> dict[str, plugins.Plugin | None]:
    """Return the plugin of each reader by name; None for readers of agtrace itself."""
    others = plugins.found("readers")
    for name in others.keys() & set(_OWN):
        plugins.refuse(others[name], "agtrace has one of that name")
    return dict(sorted({**others, **dict.fromkeys(_OWN)}.items()))


def reader(name: str) -> Reader | None:
    """Return one reader without importing the others; None if none has that name."""
    return _reader(name, plugins.generation())


@cache
def _reader(name: str, generation: int) -> Reader | None:
    homes = _homes(generation)
    if name not in homes:
        return None
    plugin = homes[name]
    if plugin is not None:
        found = plugins.load(plugin, partial(_why_none, name=name))
        return found if isinstance(found, Reader) else None
    own: Reader = importlib.import_module(f"{__name__}.{name}").READER
    return own


def _why_none(offered: object, name: str) -> str:
    """Explain why no reader has that name; "" if one does."""
    if not isinstance(offered, Reader):
        lacking = [each for each in _MEMBERS if not hasattr(offered, each)]
        return f"it is no reader: it has no {', '.join(lacking)} (docs/extend.md)"
    if offered.name != name:
        return f"it calls itself {offered.name!r}"
    if not isinstance(offered.version, int) or offered.version < 1:
        return f"its version is {offered.version!r}, and no whole number from 1 on"
    return ""


_MEMBERS = ("name", "version", "topics", "detect", "read")


def readers() -> tuple[Reader, ...]:
    """Return every reader, in the order of their names."""
    return _readers(plugins.generation())


@cache
def _readers(generation: int) -> tuple[Reader, ...]:
    return tuple(found for name in _homes(generation) if (found := _reader(name, generation)))


def topics() -> dict[tuple[str, str], Topic]:
    """Return every topic of the readers, by table and name, in the order of the names."""
    return _topics(readers())


@cache
def _topics(known: tuple[Reader, ...]) -> dict[tuple[str, str], Topic]:
    declared = {(topic.table, topic.name): topic for each in known for topic in each.topics}
    return dict(sorted(declared.items()))


def asked_beside(name: str) -> bool:
    """Return whether some reader needs a file of this name beside a capture for missing facts."""
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
    hits = [(reader, hit) for reader in readers() if (hit := _detected(reader, head, name))]
    hits.sort(key=lambda pair: not pair[1].readable)
    return hits[0] if hits else None


def _detected(reader: Reader, head: bytes, name: str) -> Detection | None:
    try:
        return reader.detect(head, name)
    except Exception as error:
        interrupts.raise_again(error)
        plugin = _homes(plugins.generation()).get(reader.name)
        if plugin is None:
            raise
        # A faulty plugin must not keep other readers from the file.
        plugins.refuse(plugin, f"it failed to recognise a file ({type(error).__name__}: {error})")
        return None
