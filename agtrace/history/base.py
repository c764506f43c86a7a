"""What a folder of `agtrace.history` offers: relations, and how they are computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa


class View(Protocol):
    """The tables of an opened case, as DuckDB views (docs/store.md lists their columns)."""

    settings: dict[str, Any]

    def table(self, query: str, parameters: dict[str, Any] | None = None) -> pa.Table:
        """Run a query with ``$name`` parameters and give its result as an Arrow table."""

    def run(self, script: str, parameters: dict[str, Any] | None = None) -> None:
        """Run a script of statements that fill tables of the schema ``scratch``."""


@dataclass(frozen=True)
class Maker:
    """Makes one or more relations of a case in one pass.

    Parameters
    ----------
    relations
        Their names; each has its schema in `agtrace.tables.history`.
    make
        Gives their rows by name, from the tables of the case and from other relations.
    """

    relations: tuple[str, ...]
    make: Callable[[View], dict[str, pa.Table]]
