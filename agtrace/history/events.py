"""Which Extended Events a case holds, with which fields."""

from __future__ import annotations

from collections.abc import Iterable

from agtrace.history.base import View


def has_fields(view: View, event: str, fields: Iterable[str]) -> bool:
    """Tell whether an event was captured, with all fields that a query takes."""
    query = "select column_name as name from information_schema.columns where table_name = $name"
    captured = view.table(query, {"name": f"events_{event}"})["name"].to_pylist()
    return set(captured) >= set(fields) if captured else False
