"""What a folder of `agtrace.history` offers: relations, and how they are computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from agtrace.measure.base import View

__all__ = ["Maker", "View"]


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
