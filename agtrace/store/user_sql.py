"""Translate a user's query for DuckDB, and DuckDB's errors for the user."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from agtrace.errors import CaseError
from agtrace.globs import instead

if TYPE_CHECKING:
    from agtrace.store.view import CaseView

T = TypeVar("T")
Token = tuple[int, str, str]

SEVERITIES = ("info", "notice", "warning", "critical")
"""In the order of their rank, which is not that of the alphabet."""
COLUMN = "severity"
RANKED = f"::ENUM{SEVERITIES}"
COMPARING = ("<", "<=", ">", ">=")

_MISSING = re.compile(
    r'(Table|Referenced column|Scalar Function|Table Function) (?:with name )?"?([^"\s]+)"? '
)
_KINDS = {"Table": "relation", "Referenced column": "column"}


def ranked(query: str) -> str:
    """Return a query in which severities are compared by rank.

    DuckDB compares the values of an ENUM with a text by the alphabet: ``severity >= 'warning'`` would leave
    out what is critical. Each text that a column ``severity`` is compared with becomes a value of the ENUM.
    """
    tokens = _tokens(query)
    places = [
        place
        for first, (_start, kind, text) in enumerate(tokens)
        if kind == "identifier" and text.strip('"').lower() == COLUMN
        for place in _compared(tokens, first)
    ]
    coded = query.encode()
    for place in sorted(set(places), reverse=True):
        start, _kind, text = tokens[place]
        end = start + len(text.encode())
        coded = coded[:end] + RANKED.encode() + coded[end:]
    return coded.decode()


def _compared(tokens: list[Token], first: int) -> list[int]:
    """Return the places of the texts that a column is compared with, before and behind it."""
    found = []
    kinds = [text.lower() for _start, _kind, text in tokens]
    after = kinds[first + 1 : first + 5]
    if after[:1] and after[0] in COMPARING:
        found.append(first + 2)
    if after[:1] == ["between"] and after[2:3] == ["and"]:
        found += [first + 2, first + 4]
    # Behind the name of its relation.
    begin = first - 2 if first >= 2 and kinds[first - 1] == "." else first
    if begin >= 2 and kinds[begin - 1] in COMPARING:
        found.append(begin - 2)
    return [n for n in found if n < len(tokens) and tokens[n][2].strip("'") in SEVERITIES]


def _tokens(query: str) -> list[Token]:
    """Return the start (in bytes), kind and text of each token, except comments."""
    import duckdb

    coded = query.encode()
    told = duckdb.tokenize(query)
    ends = [*(start for start, _kind in told), len(coded)][1:]
    found = []
    for (start, kind), end in zip(told, ends, strict=True):
        text = coded[start:end].decode("utf-8", "replace")
        # Tokens without letters have the kind number or operator.
        shown = re.match(r"'(?:[^']|'')*'|\"[^\"]*\"|\.|[<>=!]+|\w+", text)
        if kind != duckdb.token_type.comment:
            found.append((start, kind.name, shown.group() if shown else text.strip()))
    return found


def explained(ask: Callable[[], T], query: str, view: CaseView) -> T:
    """Run a user's query, and turn DuckDB's errors about its text into errors of agtrace.

    Parameters
    ----------
    ask
        Runs it.
    query
        The text.
    view
        The case, for the names of its relations.

    Raises
    ------
    CaseError
        The text is not SQL, or uses an unknown name; the message suggests the nearest.
    """
    import duckdb

    try:
        return ask()
    except (duckdb.CatalogException, duckdb.BinderException, duckdb.ParserException) as error:
        first, *rest = str(error).split("\n")
        missing = _MISSING.search(first)
        if missing is None:
            place = next(
                (line for line in rest if line.startswith("LINE ")), "docs/store.md has the relations"
            )
            raise CaseError(f"this query cannot be asked: {first}", place) from error
        kind, name = _KINDS[missing[1]], missing[2]
        known = sorted({*view.relations(), *view.offered})
        if kind == "column":
            known = [column for each in known if _names(query, each) for column in view.columns(each)]
        raise CaseError(f"no {kind} is called {name!r}", instead(name, known)) from error


def _names(query: str, relation: str) -> bool:
    return re.search(rf"\b{re.escape(relation)}\b", query, re.IGNORECASE) is not None
