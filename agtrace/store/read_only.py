"""Queries of users: one statement that reads, and writes nowhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agtrace.errors import CaseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

READING_NODES = frozenset(("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"))
"""Parts of a SELECT that are queries themselves; a WITH may hold an INSERT, UPDATE, DELETE or COPY, too."""


def check_reads(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Check that a query of a user is one statement that only reads.

    Parameters
    ----------
    connection
        Parses it; any will do.
    query
        A SELECT, or an EXPLAIN of one.

    Raises
    ------
    CaseError
        It is several statements or none, or it would write.
    duckdb.ParserException
        It is not SQL.
    """
    import duckdb

    statements = connection.extract_statements(query)
    if len(statements) == 1:
        (statement,) = statements
        text: str | None = statement.query
        if statement.type == duckdb.StatementType.EXPLAIN:
            text = _explained(connection, statement.query)
        if text is not None and _only_reads(connection, text):
            return
        if statement.type == duckdb.StatementType.MULTI:
            raise CaseError("not one query", "a PIVOT is one if it lists its values: ON column IN (..)")
    raise CaseError("not one query", "ask with a single SELECT; nothing can be changed")


def _explained(connection: duckdb.DuckDBPyConnection, statement: str) -> str | None:
    """Return the statement inside an EXPLAIN; None if it is not a SELECT."""
    import duckdb

    text = statement.encode()
    starts = [start for start, kind in duckdb.tokenize(statement) if kind != duckdb.token_type.comment]
    words = [text[start : start + 7].upper() for start in starts]
    if not words or words[0] != b"EXPLAIN":
        return None
    first = 1
    if words[first:] and words[first].startswith((b"ANALYZE", b"ANALYSE")):
        first += 1
    elif not _is_select(connection, text[starts[first] :].decode()) and words[first].startswith(b"("):
        # Options. No statement that writes goes on behind a SELECT in parentheses, so nothing is both.
        first = next((n + 1 for n, word in enumerate(words) if word.startswith(b")")), len(words))
    rest = text[starts[first] :].decode() if first < len(starts) else ""
    return rest if _is_select(connection, rest) else None


def _is_select(connection: duckdb.DuckDBPyConnection, text: str) -> bool:
    import duckdb

    try:
        found = connection.extract_statements(text)
    except duckdb.Error:
        return False
    return [statement.type for statement in found] == [duckdb.StatementType.SELECT]


def _only_reads(connection: duckdb.DuckDBPyConnection, text: str) -> bool:
    """Return whether a statement is a SELECT of which every part reads."""
    if not _is_select(connection, text):
        return False
    # DuckDB calls a SELECT what writes in its WITH; its own tree of the statement tells.
    row = connection.cursor().execute("SELECT json_serialize_sql($text)", {"text": text}).fetchone()
    tree = json.loads(row[0]) if row else {"error": True}
    return not tree["error"] and READING_NODES.issuperset(_nodes(tree))


def _nodes(tree: Any) -> Iterator[str]:
    """Yield the kinds of all query nodes in a tree that DuckDB made of a statement."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            kind = part.get("type")
            if isinstance(kind, str) and kind.endswith("_NODE"):
                yield kind
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
