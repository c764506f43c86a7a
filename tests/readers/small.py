"""Small captures of every reader, as its ``tests/readers/<name>/small.py`` gives them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import NamedTuple

from agtrace.readers import readers


class Small(NamedTuple):
    """A capture in the form in which it lies in a folder."""

    reader: str
    name: str
    data: bytes


def small_captures() -> Iterator[Small]:
    """Yield at least one capture of every reader: the input for damage."""
    for reader in readers():
        module = importlib.import_module(f"tests.readers.{reader.name}.small")
        yield from (Small(reader.name, *capture) for capture in module.captures())


def said() -> Iterator[Small]:
    """Yield texts for what the readers' small captures do not cover."""
    for reader in readers():
        module = importlib.import_module(f"tests.readers.{reader.name}.small")
        if hasattr(module, "said"):
            yield from (Small(reader.name, *text) for text in module.said())
