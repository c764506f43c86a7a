"""Names of columns as they compare, whatever tool wrote them."""

from __future__ import annotations

import re

MAX_COLUMNS = 250
MAX_NAME = 128
"""The longest name of a column in SQL Server."""


def plain(name: str) -> str:
    """Return the name of a column as names compare."""
    return re.sub(r"\s+", "_", name.strip().strip("\"'[]").strip().lower())[:MAX_NAME]
