"""What a folder of `agtrace.history` offers: relations, and how they are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from agtrace.measure.base import View
from agtrace.store.view import Query

__all__ = ["Maker", "Query", "View"]


@dataclass(frozen=True)
class Maker:
    """Makes one or more relations of a case in one pass.

    Parameters
    ----------
    relations
        Their names; each has its schema in `agtrace.tables.history`.
    make
        Gives their rows by name, from the tables of the case and from other relations; or the query
        that gives them, where there may be too many to hold.
    """

    relations: tuple[str, ...]
    make: Callable[[View], Mapping[str, pa.Table | Query]]
