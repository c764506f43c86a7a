"""Load queries from SQL files, which are beside the modules that run them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path


def beside(module: str) -> Callable[[str], str]:
    """Return a reader of files in a module's folder: ``_sql = beside(__file__)``, then ``_sql("looks.sql")``.

    A file is read once in a process.
    """
    folder = Path(module).parent
    return cache(lambda name: (folder / name).read_text(encoding="utf-8"))
