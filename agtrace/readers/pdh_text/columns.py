r"""The columns of a PDH text log: which are counters, which of them are wanted, what they are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from agtrace.globs import expression
from agtrace.tables import COUNTERS
from agtrace.tables.counter_catalogue import canonical, split_path, sql_instance
from agtrace.tables.rows import array_of

_LOCAL_PATH = re.compile(r"[^\\()]*[^\\():](?:\(.*\))?\\[^\\]+", re.DOTALL)
"""A path without machine and without the backslash in front: ``Process(Idle)\\% Processor Time``. A colon
in front of the backslash is a drive's."""


@dataclass(frozen=True)
class Columns:
    """The cells of the header after the first one.

    Parameters
    ----------
    wanted
        Positions of the counters to decode, ascending, from 1; their order numbers the series.
    counters
        Number of distinct counters in the file, including unwanted ones.
    duplicates
        Positions of counters whose path occurred before.
    collector_text
        The last cell if it is not a counter path: the description of the data collector set.
    nameless
        Positions of all other cells that are not counter paths.
    """

    wanted: list[int]
    counters: int
    duplicates: list[int]
    collector_text: str | None
    nameless: list[int]


def sort_columns(cells: Sequence[str], globs: Sequence[str]) -> Columns:
    """Sort the header cells by kind; counter paths compare without regard to case."""
    matches = path_filter(globs)
    wanted, duplicates, nameless = [], [], []
    collector_text = None
    seen: set[str] = set()
    # Whether there are counters, all without a machine name.
    all_local = len(cells) > 2
    for position, cell in enumerate(cells[1:], start=1):
        path = cell.strip()
        is_last = position == len(cells) - 1
        if not path.startswith("\\") and not _is_local(path, is_last, all_local):
            if not is_last:
                nameless.append(position)
            else:
                collector_text = path or None
            continue
        all_local = all_local and not path.startswith("\\\\")
        if (folded := path.casefold()) in seen:
            duplicates.append(position)
        else:
            seen.add(folded)
            if matches is None or matches.match(folded):
                wanted.append(position)
    return Columns(wanted, len(seen), duplicates, collector_text, nameless)


def _is_local(path: str, is_last: bool, all_local: bool) -> bool:
    """Return whether a cell without a leading backslash is the path of a counter all the same.

    In the last one the data collector set may describe itself, perhaps with a backslash: there, an
    instance, a known name or paths of the same form in front of it are needed.
    """
    if not _LOCAL_PATH.fullmatch(path):
        return False
    if not is_last or all_local:
        return True
    parts = split_path(path)
    return parts.instance is not None or canonical(parts.object, parts.counter) is not None


def path_filter(globs: Sequence[str]) -> re.Pattern[str] | None:
    r"""Return the pattern of case-folded paths that match any glob; None if all do.

    A glob (`agtrace.globs`) matches a whole path, with ``\\host`` in front or without it, or the name of a
    counter.
    """
    if not globs:
        return None
    choices = "|".join(expression(glob.casefold()) for glob in path_globs(globs))
    return re.compile(rf"(?:\\\\[^\\]*)?(?:{choices})\Z", re.DOTALL)


def path_globs(globs: Sequence[str]) -> list[str]:
    """Return globs of paths, also for those that name a counter alone."""
    names = (f"*\\{glob}" for glob in globs if "\\" not in glob and not glob.startswith("*"))
    return [*globs, *names]


def counters_batch(
    paths: Sequence[str], first: int = 0, types: Sequence[str | None] | None = None
) -> pa.RecordBatch:
    """Return the rows of ``counters`` for paths in file order, numbered from ``first``."""
    values: dict[str, list[object]] = {name: [] for name in COUNTERS.names}
    for number, path in enumerate(paths, start=first):
        parts = split_path(path.strip())
        known = canonical(parts.object, parts.counter)
        values["counter_no"].append(number)
        values["host"].append(parts.host)
        values["sql_instance"].append(sql_instance(parts.object))
        values["object"].append(known.object if known else None)
        values["instance"].append(parts.instance)
        values["counter"].append(known.counter if known else None)
        values["object_written"].append(parts.object)
        values["counter_written"].append(parts.counter)
        values["path"].append(path)
        values["unit"].append(known.unit if known else None)
        values["counter_type"].append(types[number - first] if types else None)
    arrays = [array_of(values[field.name], field.type) for field in COUNTERS]
    return pa.RecordBatch.from_arrays(arrays, schema=COUNTERS)
