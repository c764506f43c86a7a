"""Which relations a query names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

MOST_KEPT = 1_000
_WORDS: dict[str, frozenset[str]] = {}
"""The words of a query, in lower case, by query."""
_NAMES: dict[str, set[str]] = {}
"""The tables that a query names, in lower case, by query."""


def named(connection: duckdb.DuckDBPyConnection, query: str, relations: Iterable[str]) -> list[str]:
    """Name those of some relations that a query asks, in their order.

    Parameters
    ----------
    connection
        Takes queries apart.
    query
        A query, or a script of statements.
    relations
        Names in lower case.
    """
    import duckdb

    words = _words(query)
    found = [name for name in relations if name in words]
    if not found:
        return []
    if query not in _NAMES:
        if len(_NAMES) >= MOST_KEPT:
            _NAMES.clear()
        try:
            names = connection.get_table_names(query)
        except duckdb.Error:
            # It knows neither scripts nor parameters. A word too many costs time alone.
            names = _words_for_tables(query)
        _NAMES[query] = {name.lower() for name in names}
    return [name for name in found if name in _NAMES[query]]


def _words(query: str) -> frozenset[str]:
    """Give the words of a query, in lower case; looked for once in this process."""
    if query not in _WORDS:
        if len(_WORDS) >= MOST_KEPT:
            _WORDS.clear()
        _WORDS[query] = frozenset(re.findall(r"\w+", query.lower()))
    return _WORDS[query]


def _words_for_tables(query: str) -> set[str]:
    """Give the words, in lower case, that stand where SQL has the name of a table, and some more."""
    bare = re.sub(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'", " ", query, flags=re.DOTALL)
    before = r"(?:\b(?:from|join|into|table|update|pivot|unpivot|describe|summarize|show)\b|[,(])"
    # Looked ahead: what follows a comma can be such a word itself.
    named = re.findall(before + r'(?=\s*(?:\w+\.)?"?(\w+))', bare, re.IGNORECASE)
    return {word.lower() for word in named}
