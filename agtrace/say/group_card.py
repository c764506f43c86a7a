"""An availability group, or hosts without one, at a glance; plain text, escaped by the caller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A value of one replica; ``differs`` where most other replicas have another one."""

    text: str
    differs: bool = False


@dataclass(frozen=True)
class GroupCard:
    """A group with its replicas, or the hosts without a group.

    Parameters
    ----------
    name
        Heading of the card.
    as_of
        The snapshot or log it is from, and its time.
    headings, rows
        A table with a row for each replica; empty columns are left out.
    settings
        Options of the group and its cluster: label and value.
    unknown
        Missing captures, and how to collect them; "" if complete.
    """

    name: str
    as_of: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    settings: tuple[tuple[str, str], ...] = ()
    unknown: str = ""


def compared(values: Sequence[str]) -> list[Cell]:
    """Return the values of one column, marked where they differ from those of most replicas.

    Without a majority value, all of them are marked. Unknown values are never marked.
    """
    counts = Counter(value for value in values if value)
    common = next((value for value, n in counts.items() if 2 * n > counts.total()), None)
    return [Cell(value, len(counts) > 1 and bool(value) and value != common) for value in values]
