"""Globs, by one rule everywhere: ``*`` is any text, ``?`` one character, all else stands for itself.

Brackets stand for themselves, too: perfmon writes them into instance names (``intel[r] ethernet``).
Case does not matter.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WILDCARDS = {"*": ".*", "?": "."}


def expression(glob: str) -> str:
    """Give a glob as a regular expression for a whole text; Python's and DuckDB's read it alike."""
    # Runs of stars would backtrack without end on crafted globs and mean the same as one.
    return "".join(_WILDCARDS.get(c) or re.escape(c) for c in re.sub(r"\*+", "*", glob))


def matches(text: str, glob: str) -> bool:
    """Tell whether the whole of a text is meant by a glob."""
    return _compiled(glob).fullmatch(text.casefold()) is not None


@lru_cache(maxsize=256)
def _compiled(glob: str) -> re.Pattern[str]:
    return re.compile(expression(glob.casefold()), re.DOTALL)
