"""What the tasks of the cookbook call: show a value, type a command; docs/cookbook.md has what they gave."""

from __future__ import annotations

import contextlib
import io
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from agtrace.cli import main

MOST_LINES = 12
told: list[str] = []
"""What was shown and printed, in order."""


@dataclass(frozen=True)
class Ran:
    status: int
    out: str


def show(*values: Any) -> None:
    """Show values, as a notebook does with the last line of a cell."""
    told.append("\n".join(_text(value) for value in values))


def shell(line: str, lines: int = MOST_LINES) -> Ran:
    """Type a line in a terminal; some lines of what it printed are shown."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = main(shlex.split(line)[1:])
    printed = said.getvalue().splitlines()
    rest = ["..."] if len(printed) > lines and lines else []
    told.append("\n".join([*printed[:lines], *rest]))
    return Ran(status, said.getvalue())


def _text(value: Any) -> str:
    if isinstance(value, pd.DataFrame | pd.Series):
        as_text: Callable[..., str] = value.to_string
        return as_text(max_rows=MOST_LINES)
    return value if isinstance(value, str) else repr(value)
