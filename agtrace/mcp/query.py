"""One query of an assistant: over the relations of the case alone, with bounds of rows and time."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from agtrace.cases import INTERNAL
from agtrace.errors import CaseError
from agtrace.interactive.named import relations
from agtrace.mcp.unknown import unknown
from agtrace.query_rows import records
from agtrace.store.connection import asked

if TYPE_CHECKING:
    import duckdb

    from agtrace.case import Case

SECONDS = 60.0
"""Time limit of a query. Relations that it is the first to use are computed before, without a limit."""
AGAIN_S = 0.05
TABLE_FUNCTIONS = ("unnest", "range", "generate_series", "json_each", "json_tree")
"""Table functions that read no data. Others list files and settings of this machine."""
SCALAR_FUNCTIONS_REFUSED = ("current_setting", "getenv", "getvariable")


def run(case: Case, query: str, most: int) -> tuple[list[dict[str, Any]], list[str], bool]:
    """Run a query.

    Parameters
    ----------
    case
        The opened case.
    query
        One SELECT.
    most
        Maximum number of rows to return.

    Returns
    -------
    tuple
        The first rows, the columns with their types, and whether there are more rows.

    Raises
    ------
    CaseError
        The query is not one SELECT, uses more than relations, is invalid, or takes too long.
    """
    import pyarrow as pa

    check(case, query)
    columns: list[str] = []

    def first_rows(text: str) -> duckdb.DuckDBPyRelation:
        found = case.sql(text)
        columns.extend(f"{name} {kind}" for name, kind in zip(found.columns, found.types, strict=True))
        return found.limit(most + 1)

    case.view.compute(query)
    rows = None
    with _bounded(case) as is_late:
        try:
            rows = list(records(asked(first_rows, query)))
        except pa.ArrowException as error:
            # DuckDB errors raised while rows are fetched arrive as Arrow errors.
            if not is_late():
                raise CaseError(f"the query: {' '.join(str(error).split())}") from error
        except Exception:
            if not is_late():
                raise
    if rows is None:
        # Not from the error: it stems from an interrupt, but not from one of the user's.
        raise CaseError(f"the query took longer than {SECONDS:g} s", "ask for less")
    return rows[:most], columns, len(rows) > most


@contextmanager
def _bounded(case: Case) -> Iterator[Callable[[], bool]]:
    """Interrupt queries of the case after the time limit; yield a function that tests whether it passed."""
    done, late = threading.Event(), threading.Event()

    def watch() -> None:
        if done.wait(SECONDS):
            return
        late.set()
        # Once is not enough: an interrupt before the query has begun is lost.
        while not done.wait(AGAIN_S):
            case.view.interrupt()

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield late.is_set
    finally:
        done.set()


def relation_names(case: Case) -> list[str]:
    """Return the names of all relations and Extended Events of a case."""
    found = dict.fromkeys([*relations(), *case.view.relations(), *case.view.events])
    return [name for name in found if not name.startswith(INTERNAL)]


def check(case: Case, query: str) -> None:
    """Check that a query uses only relations and allowed table functions.

    A query of the user may also list settings and files of the store (`CaseView.lock` limits it to the
    store). These contain paths of this machine, which an assistant must not see.

    Raises
    ------
    CaseError
        The query uses something else.
    """
    cursor = case.view.connection.cursor()
    row = cursor.execute("SELECT json_serialize_sql($text)", {"text": query}).fetchone()
    tree = json.loads(row[0]) if row else {"error": True}
    if tree["error"]:
        raise CaseError(f"the query: {tree.get('error_message', 'not SQL')}", "ask with a single SELECT")
    parts = list(_parts(tree))
    known = {name.lower() for name in relation_names(case)}
    own = {each["key"].lower() for part in parts for each in (part.get("cte_map") or {}).get("map", ())}
    for part in parts:
        if part.get("type") == "BASE_TABLE":
            _check_table(part, known, own)
        elif part.get("type") == "TABLE_FUNCTION":
            name = str(part["function"].get("function_name")).lower()
            if name not in TABLE_FUNCTIONS:
                raise CaseError(f"the function {name} is refused", f"there are: {', '.join(TABLE_FUNCTIONS)}")
        elif part.get("class") == "FUNCTION" and part.get("function_name") in SCALAR_FUNCTIONS_REFUSED:
            raise CaseError(f"the function {part['function_name']} is refused", "ask about the relations")


def _check_table(part: dict[str, Any], known: set[str], own: set[str]) -> None:
    name, schema = str(part["table_name"]), str(part.get("schema_name") or "")
    if schema.lower() in ("", "main") and (name.lower() in known or (not schema and name.lower() in own)):
        return
    called = f"{schema}.{name}" if schema else name
    raise unknown(f"no relation is called {called}", name, known, "the tool relations lists them")


def _parts(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield every part of a statement."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
