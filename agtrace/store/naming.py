"""Find the relations that a query names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

MOST_KEPT = 1_000

_SKIPPED = re.compile(
    r"""
    ("(?:[^"]|"")*")                # a quoted name, which stays
    | --[^\n]* | /\*.*?\*/          # comments
    | \be'(?:\\.|[^'\\]|'')*'      # a string with escapes
    | '(?:[^']|'')*' | \$\$.*?\$\$   # other strings
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_BEFORE = r"(?:\b(?:from|join|into|table|update|using|pivot|unpivot|describe|summarize|show)\b|[,(])"
# Looked ahead: what follows a comma can be such a word itself.
_NAMED = re.compile(_BEFORE + r'(?=\s*(?:"?\w+"?\.)*"?(\w+))', re.IGNORECASE)


def named(query: str, relations: Iterable[str]) -> list[str]:
    """Return the relations that a query uses, in the given order; rarely also one that it does not use.

    They are found by the tokens before a name. A wrong extra name costs the time to compute its relation;
    with a missing one the query would fail. DuckDB's own parser takes ten times as long, and does not accept
    scripts or parameters.

    Parameters
    ----------
    query
        A query, or a script of statements.
    relations
        Names in lower case.
    """
    words = _words(query)
    return [name for name in relations if name in words]


@lru_cache(MOST_KEPT)
def _words(query: str) -> frozenset[str]:
    """Return the words, in lower case, at the places of table names in SQL, and some more."""
    bare = _SKIPPED.sub(lambda found: found[1] or " ", query)
    return frozenset(word.lower() for word in _NAMED.findall(bare))
