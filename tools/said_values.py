"""What is said, as plain JSON that is the same in every run: for `tools/record_said.py`."""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import math
import os
import re
import tempfile
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

MOST_ROWS = 200
"""Rows of a table that are recorded; of a longer one the first, and a digest of all."""


def plain(value: Any) -> Any:
    """Give a value as JSON types, with masked paths; what is not a number is None."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, str):
        return masked(value)
    if hasattr(value, "item") and not getattr(value, "shape", ()):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, datetime | date):
        return None if value != value else value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return None if value != value else masked(str(value))


def masked(text: str) -> str:
    """Give a text without the paths of this run."""
    for path, name in _paths():
        text = path.sub(name, text)
    return text


@functools.cache
def _paths() -> list[tuple[re.Pattern[str], str]]:
    found = []
    for folder in {tempfile.gettempdir(), os.path.realpath(tempfile.gettempdir())}:
        inner = r"(?:[\\/]pytest-of-[^\\/\s]+[\\/]pytest-\d+(?:[\\/]popen-gw\d+)?|[\\/][\w.-]+)"
        found.append((re.compile(re.escape(folder) + inner), "<temporary>"))
    return [(re.compile(re.escape(str(Path.cwd()))), "<project>"), *found]


def _table(frame: Any) -> dict[str, Any]:
    frame = getattr(frame, "data", frame)  # a Styler
    if not hasattr(frame, "columns"):
        frame = frame.to_frame()
    if type(frame.index).__name__ != "RangeIndex":
        frame = frame.reset_index()
    rows = plain([list(row) for row in frame.itertuples(index=False, name=None)])
    table = {"columns": plain([str(each) for each in frame.columns]), "rows": rows[:MOST_ROWS]}
    if len(rows) > MOST_ROWS:
        table |= {"n": len(rows), "numbers": _digest(numbers(rows)), "texts": _digest(texts(rows))}
    return table


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")


def is_number(cell: Any) -> bool:
    """Tell whether a cell is a number, a moment or empty, and no text."""
    return not isinstance(cell, str) or bool(_MOMENT.match(cell))


def numbers(rows: list[list[Any]]) -> list[list[Any]]:
    """Give the cells that are no text."""
    return [[cell for cell in row if is_number(cell)] for row in rows]


def texts(rows: list[list[Any]]) -> list[list[Any]]:
    """Give the cells that are text."""
    return [[cell for cell in row if not is_number(cell)] for row in rows]


def _digest(rows: Any) -> str:
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def _figure(given: Any) -> str:
    figures = _figures()
    drawn = [each for each in (given if isinstance(given, list | tuple) else [given]) if each is not None]
    told = [f"{each.layout.title.text or ''}\n{figures.describe(each)}" for each in drawn]
    return "\n\n".join(told)


def _figures() -> ModuleType:
    """Give the module that describes figures, where it lies in this commit."""
    try:
        return importlib.import_module("agtrace.say.figures")
    except ModuleNotFoundError:
        return importlib.import_module("agtrace.diagnostics.figures")


def _fields(given: Any) -> list[dict[str, Any]]:
    return [dict(vars(each)) for each in given]


def _strips(given: Any) -> list[Any]:
    return [[each.name, [list(vars(step).values()) for step in each.steps]] for each in given]


VALUES: dict[str, Callable[[Any], Any]] = {
    "say": str,
    "table": _table,
    "figure": _figure,
    "key_figures": _fields,
    "missing": list,
    "strips": _strips,
}
