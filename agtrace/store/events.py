"""Event views: one per event name over files whose definitions drift between builds.

A field may be UInt64 in one build and Int64 in another, or be missing. Integers become BIGINT, or
DECIMAL(20,0) if one definition is unsigned 64-bit and another signed. If one is a number and another text,
the field becomes text, and an issue reports it. A missing field is NULL. Fields that queries rely on are
declared (`agtrace.tables.event_fields`) and have the declared type whatever a definition says.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from agtrace.store import parquet
from agtrace.store.quoting import identifier
from agtrace.store.records import PartFile
from agtrace.tables.event_fields import EXPECTED, TEXT

PREFIX = "events/"

_INTEGERS = frozenset(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
_NATURAL = {"VARCHAR": frozenset({"string", "large_string"})}
"""Arrow types that values of a declared type have in files that are whole; the others are whole numbers."""
_FLOATS = frozenset({"float", "double", "halffloat"})


def event_view(table: str, files: list[tuple[Path, PartFile]]) -> tuple[str, list[str]]:
    """Return the statement that creates the view of one event, and the drifts found.

    Parameters
    ----------
    table
        ``events/<name>``.
    files
        The files of all contents, with their columns.

    Returns
    -------
    tuple of str and list of str
        SQL, and one line for each field that is not of the type that its files declare.
    """
    types: dict[str, dict[str, None]] = {}
    for _path, file in files:
        for name, kind in file.columns.items():
            types.setdefault(name, {})[kind] = None
    declared = EXPECTED.get(table.removeprefix(PREFIX), {})
    casts = {name: declared.get(name, _united(list(kinds)) or "") for name, kinds in types.items()}
    definitions: dict[tuple[tuple[str, str], ...], list[Path]] = defaultdict(list)
    for path, file in files:
        definitions[tuple(file.columns.items())].append(path)
    selects = [_select(dict(definition), paths, casts, declared) for definition, paths in definitions.items()]
    name = identifier("events_" + table.removeprefix(PREFIX))
    body = "\nUNION ALL\n".join(selects)
    view = f"""CREATE VIEW {name} AS
SELECT e.* FROM ({body}) e
WHERE e._content_id NOT IN (SELECT content_id FROM superseded)"""
    drifts = [
        f"{table.removeprefix(PREFIX)}.{field} is {' and '.join(kinds)} in different captures; shown as text"
        for field, kinds in types.items()
        if field not in declared and casts[field] == "VARCHAR" and len(kinds) > 1
    ]
    for field in (name for name in declared if name in types):
        others = [kind for kind in types[field] if kind not in _NATURAL.get(declared[field], _INTEGERS)]
        if others:
            shown = "text" if declared[field] == TEXT else "a number, NULL where it is none"
            drifts.append(
                f"{table.removeprefix(PREFIX)}.{field} is declared as {' and '.join(others)}; shown as "
                f"{shown}"
            )
    return view, drifts


def _select(
    columns: dict[str, str], paths: list[Path], casts: dict[str, str], declared: dict[str, str]
) -> str:
    fields = []
    for name, cast in casts.items():
        quoted = identifier(name)
        if name not in columns:
            fields.append(f"NULL{f'::{cast}' if cast else ''} AS {quoted}")
        elif name in declared:
            # Binary becomes text with its bytes escaped; no binary is a number.
            fields.append(f"TRY_CAST({quoted} AS {cast}) AS {quoted}")
        else:
            fields.append(f"{quoted}::{cast} AS {quoted}" if cast else quoted)
    return f"SELECT content_id AS _content_id, {', '.join(fields)} FROM {parquet.source(paths)}"


def _united(kinds: list[str]) -> str | None:
    """Return the DuckDB type for values of several Arrow types; None if there is only one type."""
    if len(kinds) == 1:
        return None
    if all(kind in _INTEGERS for kind in kinds):
        signed = any(not kind.startswith("u") for kind in kinds)
        if "uint64" in kinds:
            return "DECIMAL(20,0)" if signed else "UBIGINT"
        return "BIGINT"
    if all(kind in _INTEGERS | _FLOATS for kind in kinds):
        return "DOUBLE"
    return "VARCHAR"
