"""Globs, by one rule everywhere: ``*`` is any text, ``?`` one character, all else stands for itself.

Brackets stand for themselves, too: perfmon writes them into instance names (``intel[r] ethernet``).
Case does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from agtrace.errors import CaseError

_WILDCARDS = {"*": ".*", "?": "."}


def named(names: str | Iterable[str]) -> tuple[str, ...]:
    """Give names or globs that were asked for, one or several, each once.

    Raises
    ------
    CaseError
        Something among them is no text.
    """
    found = [names] if isinstance(names, str) else list(names) if isinstance(names, Iterable) else [None]
    texts = [each for each in found if isinstance(each, str)]
    if len(texts) < len(found):
        raise CaseError(f"{names!r} is no name and no list of names", 'write "Log*" or ["Log*", "Redo*"]')
    return tuple(dict.fromkeys(texts))


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
